"""Hosts that an app can be put on, one a module, all behind the Protocol in `base`."""
