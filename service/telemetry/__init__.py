"""Logs, metrics and traces: what operators see of the service."""
