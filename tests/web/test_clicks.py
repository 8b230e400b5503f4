"""Impatient players: clicks at random times, on anything, over lines that are slow and break. Every game ends.

`python -m soak.clicks` plays all games of all batches and counts them.
"""

from collections.abc import Iterator

import pytest

from tests.rotation import CURRENT
from tests.web.clicks import FORGIVEN, OPTIONS, listen, play
from tests.web.conftest import Visit
from tests.web.proxy import Proxy

GAMES = 25  # of each batch
BATCHES = 8
# Of a batch: a batch has its turn once a day, with other games each day.
GAMES_A_DAY = 2


def games_of_this_run() -> list[int]:
    first = GAMES_A_DAY * CURRENT.hour.toordinal()
    return [(first + more) % GAMES for more in range(GAMES if CURRENT.whole else GAMES_A_DAY)]


@pytest.fixture
def proxy(server: str) -> Iterator[Proxy]:
    proxy = Proxy(server)
    yield proxy
    proxy.close()


@pytest.mark.rotating(shares=24)
@pytest.mark.parametrize("batch", range(BATCHES))
@pytest.mark.parametrize("game", list(OPTIONS))
def test_no_click_at_any_moment_gets_stuck(visit: Visit, proxy: Proxy, game: str, batch: int) -> None:
    page = visit(line=proxy.address, speed=4, forgiven=FORGIVEN)
    listen(page)
    page.request.get("/api/me")  # for the cookie
    for seed in (batch * GAMES + number for number in games_of_this_run()):
        assert play(page, proxy, game, seed) == "over", f"game {seed}"
