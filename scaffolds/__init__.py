"""The built-in generators: each makes the files of one kind of app from its spec, with no model."""
