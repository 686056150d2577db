"""Backups behind `drive_uploader`: what is to be sent, where to, and how it comes back."""
