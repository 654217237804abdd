"""The use cases: create, show, play, hint, watch, judge and count games."""
