"""What a game is: verbs, positions, records, chance and errors. Knows no game."""
