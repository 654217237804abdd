"""The process that tells events: a gunicorn of its own, whose connections are handed over to it."""
