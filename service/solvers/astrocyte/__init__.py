"""The search for Astrocyte: compact states, move generation, beam search, win chance."""
