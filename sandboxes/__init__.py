"""The boundaries behind which untrusted code runs: one Protocol, three ways to keep it."""
