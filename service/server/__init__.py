"""Processes: gunicorn and its workers, the embedded store, doctor and sweep."""
