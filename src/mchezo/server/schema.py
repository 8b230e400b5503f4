"""The database's tables. `migrations/` leads there from nothing and from every earlier version."""

from sqlalchemy import BigInteger, Boolean, Column, Index, Integer, LargeBinary, MetaData, String, Table, Text

META = MetaData()

TABLES = Table(
    "tables",
    META,
    Column("id", String(12), primary_key=True),
    Column("number", Integer, nullable=False),  # of the last fact
    Column("game", String(20), nullable=False),
    Column("status", String(8), nullable=False),
    Column("public", Boolean, nullable=False),
    Column("summary", LargeBinary, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("changed", BigInteger, nullable=False),
    Column("deadline", BigInteger),  # when the running clock is down
    Column("computer", Boolean, nullable=False),  # a computer is to move
    Column("lease_until", BigInteger, nullable=False),
    Column("lease_by", String(40)),
    Index("tables_listed", "public", "status", "changed"),
    Index("tables_deadline", "deadline"),
    Index("tables_computer", "computer", "lease_until"),
)

FACTS = Table(
    "facts",
    META,
    Column("table_id", String(12), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("fact", LargeBinary, nullable=False),
)

HOLDERS = Table(
    "holders",
    META,
    Column("guest", String(40), primary_key=True),
    Column("table_id", String(12), primary_key=True),
)

ANALYSES = Table(
    "analyses",
    META,
    Column("table_id", String(12), primary_key=True),
    Column("status", String(8), nullable=False),  # waiting, done or failed
    Column("total", Integer, nullable=False),  # decisions to be judged; 0 before it began
    Column("found", LargeBinary, nullable=False),  # those judged so far
    Column("asked", BigInteger, nullable=False),
    Column("lease_until", BigInteger, nullable=False),
    Column("lease_by", String(40)),
    Index("analyses_waiting", "status", "lease_until"),
)

PRESENCE = Table(
    "presence",
    META,
    Column("table_id", String(12), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("seen", BigInteger, nullable=False),
)

SETTINGS = Table(
    "settings",
    META,
    Column("name", String(40), primary_key=True),
    Column("value", Text, nullable=False),
)

RESULTS = Table(
    "results",
    META,
    Column("table_id", String(12), primary_key=True),
    Column("game", String(20), nullable=False),
    Column("went", String(40), nullable=False),  # who sat where and how it ended: statistics.py
    Column("reason", String(20), nullable=False),
    Column("moves", Integer, nullable=False),  # in steps
    Column("minutes", Integer, nullable=False),
    Column("day", Integer, nullable=False),  # since 1970
    Index("results_went", "game", "went", "reason"),
    Index("results_moves", "game", "moves"),
    Index("results_minutes", "game", "minutes"),
    Index("results_day", "game", "day"),
)
