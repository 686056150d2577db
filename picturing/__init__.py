"""How a picture of a running app is taken: by a browser in the sandbox, which reaches nothing but the app."""
