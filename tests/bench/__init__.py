"""What requests cost, measured as ratios of CPU time."""
