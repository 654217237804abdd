"""Asterism: an open game service for the solitaires Binary Star and Astrocyte."""

__version__ = "0.1.0"
