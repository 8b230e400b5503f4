"""HTTP and WebSocket: decoding, authentication, encoding."""
