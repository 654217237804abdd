"""The bots for Binary Star."""
