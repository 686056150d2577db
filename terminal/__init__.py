"""The command line, part by part; `cli.py` is its front."""
