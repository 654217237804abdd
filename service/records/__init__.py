"""A stored game as data: its record, its events, its replay and its result."""
