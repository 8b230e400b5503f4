"""Computer players: alpha-beta search, information-set MCTS, analysis of games, and tuning of evaluation weights."""
