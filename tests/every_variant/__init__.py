"""A kit of tests that every game must pass: `pytest tests/every_variant --variant NAME`."""
