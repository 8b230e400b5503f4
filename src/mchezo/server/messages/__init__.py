"""Every message between server and client, as data. `transport/typescript.py` generates the browser's types from them.

A sentence is never sent as text: it is a key with arguments (`Message`), to be looked up in the `words.toml` of the
game or the server (`GET /api/words/LANGUAGE` returns all of them). Times are milliseconds since 1970 by the server's
clock, durations are milliseconds. Field names are the wire format.
"""

import msgspec

from mchezo.server.messages.accounts import *
from mchezo.server.messages.chat import *
from mchezo.server.messages.commands import *
from mchezo.server.messages.correspondence import *
from mchezo.server.messages.errors import *
from mchezo.server.messages.events import *
from mchezo.server.messages.games import *
from mchezo.server.messages.guests import *
from mchezo.server.messages.guides import *
from mchezo.server.messages.health import *
from mchezo.server.messages.live import *
from mchezo.server.messages.notices import *
from mchezo.server.messages.pairing import *
from mchezo.server.messages.parts import *
from mchezo.server.messages.players import *
from mchezo.server.messages.puzzles import *
from mchezo.server.messages.replays import *
from mchezo.server.messages.statistics import *
from mchezo.server.messages.tables import *
from mchezo.server.messages.tournaments import *

encode = msgspec.json.Encoder(decimal_format="number").encode
