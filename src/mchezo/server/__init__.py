"""Tables on the network: people, computers and bots play over HTTP and WebSocket. See docs/api.md."""
