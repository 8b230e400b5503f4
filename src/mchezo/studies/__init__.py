"""Studies of single games by self-play: how fair the seats and decks of Kitara and the boards of Katarenga are."""
