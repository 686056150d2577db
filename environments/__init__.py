"""Environments: the packages that projects need, fetched once, installed in a sandbox, kept apart and shared."""
