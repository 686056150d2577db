"""Advice before running: what code and commands look as if they would do. The boundary is the sandbox, not this."""
