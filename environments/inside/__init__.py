"""What runs inside the sandbox; the service never imports it."""
