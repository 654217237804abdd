"""What a game is when it is kept: its record, its events, its replay and its result."""
