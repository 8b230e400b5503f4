"""A process that writes simulated results down, batch by batch, and says so after every commit; it may be killed."""

from __future__ import annotations

import random
import sys

from mchezo.server.domain.rated import RatedResult, RatedSeat
from mchezo.server.storage import ratings
from mchezo.server.storage.administration import ServedDatabase

PEOPLE = 60
LEVELS = {level: 600 + 200 * level for level in range(1, 9)}
POOLS = ("katarenga rapid", "kiwara blitz", "kitara-4 unlimited")
MINUTE = 60_000


def result(number: int) -> RatedResult:
    """Return a simulated result, always the same for its number."""
    rng = random.Random(number)
    pool = rng.choice(POOLS)
    people = [f"guest{one}" for one in rng.sample(range(PEOPLE), 4 if pool.startswith("kitara") else 2)]
    seats = [RatedSeat(guest, None, 0) for guest in people]
    if len(seats) == 2 and rng.random() < 0.3:
        level = rng.randint(1, 8)
        seats[1] = RatedSeat(None, level, 0, LEVELS[level])
    places = [rng.choice((0, 0, 1, 2)) for _ in seats]
    placed = [
        seat._replace(place=sum(other < place for other in places)) for seat, place in zip(seats, places, strict=True)
    ]
    return RatedResult(f"table{number:07}", pool, number * 20 * MINUTE, tuple(placed))


def main(url: str, first: int, last: int) -> None:
    database = ServedDatabase(url)
    rng = random.Random(first)
    number = first
    while number < last:
        batch = range(number, min(last, number + rng.randint(1, 20)))
        with database.begin() as connection:
            for one in batch:
                ratings.record(database, connection, result(one))
        number = batch.stop
        print(number, flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
