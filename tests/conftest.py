"""How the tests run: hypothesis tries the same games in every run, and takes the time it needs."""

from hypothesis import settings

settings.register_profile("asterism", deadline=None, derandomize=True, max_examples=80)
settings.load_profile("asterism")
