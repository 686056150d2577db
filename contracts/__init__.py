"""The words that every part of the agent shares. Nothing here does any I/O."""
