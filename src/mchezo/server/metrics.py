"""Metrics for Prometheus, served at `/metrics`."""

from prometheus_client import Counter, Gauge, Histogram

COMMANDS = Counter("mchezo_commands", "Commands, by kind and result", ["kind", "answer"])
MOVES = Counter("mchezo_moves", "Decisions stored by this process")
COMPUTER_TURNS = Counter("mchezo_computer_turns", "Computer turns played by this process", ["game"])
TIME_OUTS = Counter("mchezo_time_outs", "Time-outs appended by this process")
NOTICES = Counter("mchezo_notices", "Messages about turns, by channel and result", ["kind", "result"])
TABLES = Gauge("mchezo_tables", "Tables in memory")
SET_ASIDE = Gauge("mchezo_tables_set_aside", "Tables set aside because they cannot be read")
SOCKETS = Gauge("mchezo_sockets", "Open WebSockets")
CONNECTIONS = Gauge("mchezo_connections", "Open connections")
CONNECTIONS_CLOSED = Counter("mchezo_connections_closed", "Connections closed by a limit, by reason", ["reason"])
BATCH = Histogram("mchezo_batch_appends", "Appends committed together", buckets=(1, 2, 5, 10, 20, 50, 100, 200))
COMMIT = Histogram(
    "mchezo_commit_seconds", "Seconds to commit a batch", buckets=(0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 2)
)
