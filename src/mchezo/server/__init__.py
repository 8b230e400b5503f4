"""Tables on the network: people, computers and bots at one table, by HTTP and WebSocket. See docs/api.md."""
