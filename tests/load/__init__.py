"""Many at once: players, bots, hints and watchers on the service as operators start it."""
