"""What is remembered and the shape it is written in; `context_manager.py` is its front."""
