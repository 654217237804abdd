"""Astrocyte: Spider on eight columns with four cells and foundations that give back."""

from service.games.astrocyte.rules import ASTROCYTE

__all__ = ["ASTROCYTE"]
