"""What the agent can do: one file a field, each with a factory that binds what its handlers need."""
