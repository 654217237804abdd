"""Schemas: what request bodies and queries may hold."""
