"""Behind `planner.py`: rules that read what a person wrote."""
