"""Places where people keep code together, one a module, all behind the Protocol in `base`."""
