"""The database: event log, leases, settings, presence, analyses, statistics."""
