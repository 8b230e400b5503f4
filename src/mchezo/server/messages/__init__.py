"""Every message between server and client, as data. The browser's types are made from these: see typescript.py.

A sentence is never sent as glued text: it is a key and arguments (`Told`), found in the `words.toml` of the game or of
the server (`GET /api/words/LANGUAGE` has them all). Times are milliseconds since 1970 by the server's clock, durations
milliseconds.

A message is always written with its package, `messages.Table`, for tables, replays and statistics have other forms too.
"""

import msgspec

from mchezo.server.messages.commands import *
from mchezo.server.messages.events import *
from mchezo.server.messages.games import *
from mchezo.server.messages.guests import *
from mchezo.server.messages.guides import *
from mchezo.server.messages.health import *
from mchezo.server.messages.live import *
from mchezo.server.messages.parts import *
from mchezo.server.messages.refusals import *
from mchezo.server.messages.replays import *
from mchezo.server.messages.statistics import *
from mchezo.server.messages.tables import *

encode = msgspec.json.Encoder(decimal_format="number").encode
