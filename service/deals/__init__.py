"""Deals: the shuffle, numbered, sealed and daily deals, commitments, and the catalogue."""
