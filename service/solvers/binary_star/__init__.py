"""The search for Binary Star: compact states and a depth-first search that proves losses."""
