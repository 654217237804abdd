"""A table for people in a terminal: what `asterism play` opens."""
