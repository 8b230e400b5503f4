"""The explorer: how often each move was played in a position, and how it scored."""
