"""The engine protocol: our players as an engine, and any engine as a player. See docs/engine-protocol.md."""
