"""Stones: a tiny game that tests add to the service as a third one."""

from .rules import STONES

__all__ = ["STONES"]
