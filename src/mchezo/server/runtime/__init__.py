"""One server process: table sessions, housekeeping, access and rate limits."""
