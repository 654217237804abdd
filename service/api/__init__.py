"""Everything HTTP and only HTTP: one module a resource, and what they share."""
