"""Servers on this machine that speak the protocols of clouds, for tests and demonstrations without an account."""
