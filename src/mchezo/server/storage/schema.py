"""The database schema. `migrations/` leads to it from every earlier version."""

from sqlalchemy import BigInteger, Boolean, Column, Index, Integer, LargeBinary, MetaData, String, Table, Text

META = MetaData()
REVISION = "letter_seeks"  # of the last migration

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
    Column("deadline", BigInteger),  # when the running clock will be down
    Column("days", Integer),  # in correspondence: for every turn
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
    Column("total", Integer, nullable=False),  # decisions to analyse; 0 before it started
    Column("found", LargeBinary, nullable=False),  # those analysed so far
    Column("asked", BigInteger, nullable=False),
    Column("lease_until", BigInteger, nullable=False),
    Column("lease_by", String(40)),
    Index("analyses_waiting", "status", "lease_until"),
)

# Whose computing time a row uses: the creator's of a table, the requester's of an analysis.
PAYERS = Table(
    "payers",
    META,
    Column("kind", String(8), primary_key=True),  # table or analysis
    Column("id", String(12), primary_key=True),
    Column("guest", String(40), nullable=False),
    Column("network", String(16)),  # a keyed hash of the address prefix
    Index("payers_guest", "kind", "guest"),
    Index("payers_network", "kind", "network"),
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

QUARANTINE = Table(
    "quarantine",
    META,
    Column("table_id", String(12), primary_key=True),
    Column("kind", String(8), nullable=False),  # domain/replaying.py
    Column("reason", Text, nullable=False),  # for the operator
    Column("at", BigInteger, nullable=False),
)

RESULTS = Table(
    "results",
    META,
    Column("table_id", String(12), primary_key=True),
    Column("game", String(20), nullable=False),
    Column("went", String(40), nullable=False),  # the outcome code: domain/summary.py
    Column("reason", String(20), nullable=False),
    Column("moves", Integer, nullable=False),  # turns, rounded down to the histogram bin
    Column("minutes", Integer, nullable=False),
    Column("day", Integer, nullable=False),  # since 1970
    Index("results_went", "game", "went", "reason"),
    Index("results_moves", "game", "moves"),
    Index("results_minutes", "game", "minutes"),
    Index("results_day", "game", "day"),
)

GUESTS = Table(  # those with restrictions only
    "guests",
    META,
    Column("id", String(16), primary_key=True),  # public
    Column("name", String(40)),  # given by an operator
    Column("blocked", Boolean, nullable=False),
    Column("valid_from", BigInteger, nullable=False),  # cookies and tokens issued before are revoked
    Column("signed_out", Text),  # ids of revoked devices, separated by spaces
)

ACCOUNTS = Table(
    "accounts",
    META,
    Column("guest", String(40), primary_key=True),
    Column("name", String(40), nullable=False),
    Column("skeleton", String(80), nullable=False),  # what the name looks like
    Column("created", BigInteger, nullable=False),
    Column("phrase", String(64)),  # a keyed hash of the recovery phrase
    Index("accounts_skeleton", "skeleton", unique=True),
    Index("accounts_phrase", "phrase", unique=True),
)

PASSKEYS = Table(
    "passkeys",
    META,
    Column("id", String(64), primary_key=True),  # a hash of the credential id
    Column("guest", String(40), nullable=False),
    Column("credential", LargeBinary, nullable=False),
    Column("public_key", LargeBinary, nullable=False),
    Column("sign_count", BigInteger, nullable=False),
    Column("label", String(60), nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("used", BigInteger, nullable=False),
    Index("passkeys_guest", "guest"),
)

DEVICES = Table(  # browsers in which an account is signed in, and the tokens of its bots
    "devices",
    META,
    Column("id", String(16), primary_key=True),
    Column("guest", String(40), nullable=False),
    Column("kind", String(8), nullable=False),  # browser or bot
    Column("label", String(60), nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("used", BigInteger, nullable=False),
    Index("devices_guest", "guest"),
)

RATED_GAMES = Table(  # the log of results from which all ratings follow, in this order
    "rated_games",
    META,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("table_id", String(12), nullable=False),
    Column("pool", String(40), nullable=False),
    Column("at", BigInteger, nullable=False),
    Index("rated_games_table", "table_id", unique=True),
)

RATED_SEATS = Table(
    "rated_seats",
    META,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("guest", String(40)),  # None: a computer
    Column("level", Integer),
    Column("place", Integer, nullable=False),  # 0 is best; equal places are shared
    Column("before", Integer, nullable=False),  # in hundredths of a point; of a computer, its level's
    Column("after", Integer),  # None: the game did not change it
    Column("deviation", Integer),  # afterwards
    Index("rated_seats_guest", "guest", "number"),
)

RATINGS = Table(
    "ratings",
    META,
    Column("guest", String(40), primary_key=True),
    Column("pool", String(40), primary_key=True),
    Column("rating", Integer, nullable=False),  # in hundredths of a point
    Column("deviation", Integer, nullable=False),
    Column("volatility", Integer, nullable=False),  # in millionths
    Column("games", Integer, nullable=False),
    Column("at", BigInteger, nullable=False),  # when the last game ended
    Index("ratings_pool", "pool", "rating"),
)

RELATIONS = Table(  # whom account holders follow, block and mute
    "relations",
    META,
    Column("guest", String(40), primary_key=True),
    Column("other", String(40), primary_key=True),
    Column("kind", String(8), nullable=False),  # follow, block or mute
    Column("at", BigInteger, nullable=False),
    Index("relations_other", "other", "kind"),
)

REPORTS = Table(  # about players, for the operator
    "reports",
    META,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False),
    Column("by", String(40), nullable=False),
    Column("about", String(40), nullable=False),
    Column("text", Text, nullable=False),
    Column("closed", Boolean, nullable=False),
    Index("reports_by", "by", "closed"),
)

TOURNAMENTS = Table(
    "tournaments",
    META,
    Column("id", String(12), primary_key=True),
    Column("number", Integer, nullable=False),  # of the last fact
    Column("version", Integer, nullable=False),  # changes with the log, however it is changed
    Column("status", String(8), nullable=False),
    Column("organiser", String(40), nullable=False),
    Column("summary", LargeBinary, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("changed", BigInteger, nullable=False),
    Column("due", BigInteger),  # when an open one is to start, or to be given up
    Index("tournaments_status", "status", "changed"),
    Index("tournaments_due", "status", "due"),
    Index("tournaments_organiser", "organiser"),
)

TOURNAMENT_FACTS = Table(
    "tournament_facts",
    META,
    Column("tournament_id", String(12), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("fact", LargeBinary, nullable=False),
)

ENTRIES = Table(  # who entered which tournament
    "entries",
    META,
    Column("guest", String(40), primary_key=True),
    Column("tournament_id", String(12), primary_key=True),
)

ADMIN_LOG = Table(
    "admin_log",
    META,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False),
    Column("action", String(20), nullable=False),
    Column("guest", String(16)),  # public id
    Column("table_id", String(12)),
)

VACATIONS = Table(
    "vacations",
    META,
    Column("id", String(16), primary_key=True),
    Column("guest", String(40), nullable=False),
    Column("since", BigInteger, nullable=False),
    Column("until", BigInteger, nullable=False),
    Index("vacations_guest", "guest"),
    Index("vacations_until", "until"),
)

VACATION_TABLES = Table(  # where a vacation is in the log
    "vacation_tables",
    META,
    Column("vacation", String(16), primary_key=True),
    Column("table_id", String(12), primary_key=True),
    Column("until", BigInteger, nullable=False),
)

PLANS = Table(  # conditional moves
    "plans",
    META,
    Column("table_id", String(12), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("guest", String(40), nullable=False),
    Column("number", Integer, nullable=False),  # of the last fact when they were made
    Column("made", Integer, nullable=False),
    Column("lines", Text, nullable=False),  # JSON
    Column("seen", Integer, nullable=False),  # the last fact that was compared with them
    Index("plans_guest", "guest"),
)

NOTES = Table(  # to oneself
    "notes",
    META,
    Column("table_id", String(12), primary_key=True),
    Column("guest", String(40), primary_key=True),
    Column("text", Text, nullable=False),
    Index("notes_guest", "guest"),
)

FEEDS = Table(
    "feeds",
    META,
    Column("guest", String(40), primary_key=True),
    Column("secret", String(32), nullable=False),  # part of the address
    Index("feeds_secret", "secret", unique=True),
)

SEEKS = Table(  # who waits for opponents; one row a guest, so that nobody is paired twice
    "seeks",
    META,
    Column("guest", String(40), primary_key=True),
    Column("id", String(16), nullable=False),
    Column("kind", String(30), nullable=False),
    Column("speed", String(16), nullable=False),
    Column("rated", Boolean, nullable=False),
    Column("spread", Integer),  # points by which ratings may differ at most
    Column("player", LargeBinary, nullable=False),  # as they will sit at the table
    Column("rating", Integer, nullable=False),  # in hundredths of a point
    Column("deviation", Integer, nullable=False),
    Column("since", BigInteger, nullable=False),
    Column("seen", BigInteger, nullable=False),  # when the guest was last connected
    Column("table_id", String(12)),  # the game that was found
    Index("seeks_pool", "kind", "speed", "rated"),
)

CORRESPONDENCE_SEEKS = Table(  # under the name that older versions gave it
    "letter_seeks",
    META,
    Column("id", String(16), primary_key=True),
    Column("guest", String(40), nullable=False),
    Column("kind", String(30), nullable=False),
    Column("days", Integer, nullable=False),  # for every turn
    Column("rated", Boolean, nullable=False),
    Column("spread", Integer),
    Column("player", LargeBinary, nullable=False),
    Column("rating", Integer, nullable=False),
    Column("deviation", Integer, nullable=False),
    Column("since", BigInteger, nullable=False),
    Column("until", BigInteger, nullable=False),  # when it is withdrawn; once a game was found, when the row goes
    Column("table_id", String(12)),  # the game that was found
    Index("letter_seeks_guest", "guest"),
)

CHALLENGES = Table(
    "challenges",
    META,
    Column("id", String(16), primary_key=True),
    Column("by", String(40), nullable=False),
    Column("to", String(40), nullable=False),
    Column("to_name", String(40), nullable=False),
    Column("kind", String(30), nullable=False),
    Column("speed", String(16), nullable=False),
    Column("rated", Boolean, nullable=False),
    Column("player", LargeBinary, nullable=False),  # the challenger, as they will sit at the table
    Column("until", BigInteger, nullable=False),  # when it is withdrawn; once it is answered, when the row goes
    Column("status", String(10), nullable=False),  # waiting, accepted, declined or withdrawn
    Column("table_id", String(12)),
    Index("challenges_by", "by"),
    Index("challenges_to", "to"),
)

WAITING_BOTS = Table(  # bots that are connected and can be challenged
    "waiting_bots",
    META,
    Column("guest", String(40), primary_key=True),
    Column("name", String(40), nullable=False),
    Column("games", Text, nullable=False),  # separated by spaces
    Column("seen", BigInteger, nullable=False),
)

FAIR_PLAY = Table(  # how the moves of people in rated games compare with the engine's
    "fair_play",
    META,
    Column("number", Integer, primary_key=True, autoincrement=False),  # of the rated game
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("guest", String(40), nullable=False),
    Column("decisions", Integer, nullable=False),
    Column("agreed", Integer, nullable=False),
    Column("lost", Integer, nullable=False),  # chances of winning, in ten-thousandths
    Index("fair_play_guest", "guest"),
)

FAIR_PLAY_QUEUE = Table(  # rated games that wait to be compared
    "fair_play_queue",
    META,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("table_id", String(12), nullable=False),
)

FAIR_PLAY_REVIEWS = Table(  # up to which rated game an operator has looked at an account
    "fair_play_reviews",
    META,
    Column("guest", String(40), primary_key=True),
    Column("number", Integer, nullable=False),
    Column("at", BigInteger, nullable=False),
)

NOTICE_SETTINGS = Table(  # when a person wants to be notified
    "notice_settings",
    META,
    Column("guest", String(40), primary_key=True),
    Column("zone", String(60), nullable=False),  # the time zone, such as Europe/Berlin
    Column("quiet_from", Integer),  # minutes since midnight; None: no quiet hours
    Column("quiet_until", Integer),
    Column("digest", Integer),  # minutes since midnight at which a day's notices come together; None: at once
)

NOTICE_CHANNELS = Table(  # how a person wants to be notified outside of our pages
    "notice_channels",
    META,
    Column("id", String(16), primary_key=True),
    Column("guest", String(40), nullable=False),
    Column("kind", String(8), nullable=False),  # push, mail or webhook
    Column("address", Text, nullable=False),
    Column("secret", Text, nullable=False),  # push: the browser's keys as JSON; mail: of its links; webhook: signs
    Column("label", String(60), nullable=False),
    Column("language", String(2), nullable=False),
    Column("site", String(200), nullable=False),  # by which the person reaches the server, for links
    Column("created", BigInteger, nullable=False),
    Column("confirmed", Boolean, nullable=False),
    Index("notice_channels_guest", "guest"),
    Index("notice_channels_address", "kind", "address"),
)

NOTICED_TURNS = Table(  # up to which fact a table was looked through for a turn to notify of
    "noticed_turns",
    META,
    Column("table_id", String(12), primary_key=True),
    Column("number", Integer, nullable=False),
    Column("turn", Integer),
)

NOTICES = Table(  # the outbox: turns of which somebody is to be notified
    "notices",
    META,
    Column("channel", String(16), primary_key=True),
    Column("table_id", String(12), primary_key=True),
    Column("turn", Integer, primary_key=True),
    Column("guest", String(40), nullable=False),
    Column("due", BigInteger, nullable=False),
    Column("tries", Integer, nullable=False),
    Column("lease_until", BigInteger, nullable=False),
    Index("notices_due", "due"),
    Index("notices_guest", "guest", "table_id"),
    Index("notices_table", "table_id"),
)

CHAT = Table(
    "chat",
    META,
    Column("table_id", String(12), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False),
    Column("guest", String(40), nullable=False),
    Column("room", String(10), nullable=False),  # players or spectators
    Column("text", Text, nullable=False),
    Index("chat_guest", "guest"),
)
