"""The HTTP API: one module per resource, and what they share."""
