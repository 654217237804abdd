"""Moves a CPU second, ours and those of boardgame.io: `python -m tests.bench.peers`."""
