"""Processes: the service behind gunicorn, its embedded store, and what operators run beside it."""
