"""Schemas of request bodies and queries."""
