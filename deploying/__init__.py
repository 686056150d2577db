"""Behind `deployment_manager`: what is sent, where to, what it costs, whether it works there, and the way back."""
