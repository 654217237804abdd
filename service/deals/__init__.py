"""Deals: shuffles, numbered, sealed and daily deals, commitments, and the catalogue."""
