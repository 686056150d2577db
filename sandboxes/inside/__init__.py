"""Scripts that run inside a sandbox. They are sent there as text and use only what starts fast."""
