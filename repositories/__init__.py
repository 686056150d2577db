"""What is behind `git_manager`: one project's repository, from single objects to taking steps back."""
