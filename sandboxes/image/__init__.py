"""The image in which container jobs run, and how it is made on this machine."""

IMAGE = "localhost/task-agent-sandbox:1"
