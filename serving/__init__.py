"""The parts of `previews`: running an app, carrying HTTP to it, keeping its data."""
