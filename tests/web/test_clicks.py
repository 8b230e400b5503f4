"""Impatient players: clicks at random times, on anything, over lines that are slow and break. Every game ends.

`python -m soak.clicks` plays all games of all batches and counts them.
"""

from collections.abc import Iterator

import pytest

from tests.rotation import share
from tests.web.clicks import FORGIVEN, OPTIONS, listen, play
from tests.web.conftest import Visit
from tests.web.proxy import Proxy

GAMES = 25  # of each batch
BATCHES = 8


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
    for seed in share(range(batch * GAMES, (batch + 1) * GAMES), shares=12):
        assert play(page, proxy, game, seed) == "over", f"game {seed}"
