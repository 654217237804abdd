"""Reports of users of other services, tried on this one from outside: `python -m tests.reports`."""
