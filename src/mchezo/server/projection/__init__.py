"""What a seat or a spectator may see: the only way from facts and positions to messages."""
