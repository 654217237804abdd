"""What tests share: clients, real servers, players, and an independent reading of the rules."""
