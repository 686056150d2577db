"""Files of projects: safe opening, drafts, change sets; `project_files.py` is its front."""
