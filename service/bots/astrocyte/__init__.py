"""The bots for Astrocyte, which plan from what a player sees, and their training."""
