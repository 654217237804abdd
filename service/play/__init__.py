"""The use cases: create, show, play, hint, watch and judge games, and keep standings."""
