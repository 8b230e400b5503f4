"""What must be true of a year of correspondence games: every game ends, and every turn is announced once."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field

from mchezo.core.structs import CHANCE
from mchezo.server.domain import log
from mchezo.server.domain.days_clock import DAY
from mchezo.server.domain.table import Table
from mchezo.server.domain.vacations import DAYS_A_GAME
from mchezo.server.runtime.notices import SETTLE
from tests.simulation.correspondents import Person
from tests.simulation.world import Violation

LATE = 10_000  # milliseconds that a sweep and its messages may take


@dataclass
class Sent:
    """A turn that a message was about."""

    at: int
    channel: str
    turn: str


@dataclass
class Report:
    """What happened in a year."""

    games: int
    turns: int = 0
    notified: int = 0  # turns of people with channels of which every channel was notified once
    excused: Counter[str] = field(default_factory=Counter)  # turns of which nobody had to be notified, by reason
    messages: int = 0
    repeated: int = 0  # after a kill
    endings: Counter[str] = field(default_factory=Counter)
    vacations: int = 0
    kills: int = 0
    last_day: int = 0


@dataclass
class Diary:
    """What happened in a year, noted outside of the server."""

    people: dict[str, Person] = field(default_factory=dict)
    logs: defaultdict[str, list[log.AnyFact]] = field(default_factory=lambda: defaultdict(list))
    sent: list[Sent] = field(default_factory=list)
    messages: int = 0
    kills: int = 0
    failed: set[str] = field(default_factory=set)  # turns of which a message was refused once
    may_repeat: set[tuple[str, str]] = field(default_factory=set)  # channel and turn: a kill came after the message
    looks: defaultdict[tuple[str, str], list[tuple[int, int]]] = field(  # guest, table -> spans
        default_factory=lambda: defaultdict(list)
    )

    def check(self, games: int, last_day: int) -> Report:
        """Check every game, every turn and every message."""
        report = Report(games, messages=self.messages, kills=self.kills, last_day=last_day)
        report.vacations = sum(len(person.vacations) for person in self.people.values())
        by_turn: defaultdict[str, list[Sent]] = defaultdict(list)
        for sent in self.sent:
            by_turn[sent.turn].append(sent)
        if len(self.logs) != games:
            raise Violation(f"{len(self.logs)} games have begun")
        known: set[str] = set()
        for id, facts in self.logs.items():
            ending = facts[-1]
            if not isinstance(ending, log.GameEnded):  # nobody asks for another game
                raise Violation(f"{id} has no end")
            report.endings[ending.reason] += 1
            self.check_vacations(facts)
            for number, guest, begin, end in turns_of(id, facts):
                report.turns += 1
                known.add(f"{id}-{number}")
                self.check_turn(report, id, number, self.people[guest], begin, end, by_turn[f"{id}-{number}"])
        if unknown := {sent.turn for sent in self.sent} - known:
            raise Violation(f"there are no turns {sorted(unknown)[:3]}")
        return report

    def check_vacations(self, facts: list[log.AnyFact]) -> None:
        """Check that nobody ran out of time on vacation, unless they took more than a game allows."""
        created = facts[0]
        assert isinstance(created, log.TableCreated)
        seats = Table("T" * 12, facts).seats
        for fact in facts:
            if isinstance(fact, log.PlayerDroppedOut) and fact.reason == "time-out":
                loser = self.people[seats[fact.seat].holder or ""]
                granted = sum(one.until - one.since for one in loser.vacations)
                if loser.on_vacation(fact.at) is not None and granted <= DAYS_A_GAME * DAY:
                    raise Violation(f"{loser.guest} ran out of time on vacation")

    def check_turn(
        self, report: Report, table: str, number: int, person: Person, begin: int, end: int, sent: list[Sent]
    ) -> None:
        """Check the notices of one turn: one by each channel, or a reason why there is none."""
        name = f"{table}-{number} of {person.guest}"
        for one in sent:
            if one.channel not in person.channels:
                raise Violation(f"somebody else was notified of {name}")
            if not begin + SETTLE <= one.at <= end + LATE:
                raise Violation(
                    f"a notice of {name} came {one.at - begin} ms after it began, and it took {end - begin}"
                )
            if person.digest is None and person.is_quiet(one.at):
                raise Violation(f"a notice of {name} came in quiet hours")
            if (vacation := person.on_vacation(one.at)) is not None and vacation.since < one.at - LATE:
                raise Violation(f"a notice of {name} came on vacation")
            if any(since + 2 * LATE < one.at < until for since, until in self.looks[person.guest, table]):
                raise Violation(f"a notice of {name} came while they looked at the table")
        counts = Counter(one.channel for one in sent)
        for channel, count in counts.items():
            if count > 1:
                if (channel, f"{table}-{number}") not in self.may_repeat:
                    raise Violation(f"{count} notices of {name}")
                report.repeated += count - 1
        if person.channels and len(counts) == len(person.channels):
            report.notified += 1
            return
        report.excused[self.excuse(person, table, number, begin, end, name)] += 1

    def excuse(self, person: Person, table: str, number: int, begin: int, end: int, name: str) -> str:
        """Return why a channel was not notified of a turn."""
        if not person.channels:
            return "no channel"
        if end - begin < SETTLE + LATE:
            return "played at once"
        if f"{table}-{number}" in self.failed:
            return "refused, then played"
        allowed = person.first_allowed(begin + SETTLE)
        if end < allowed + LATE:
            return "played in quiet hours or before the digest"
        if any(since < allowed + LATE and until > begin for since, until in self.looks[person.guest, table]):
            return "looked at the table"
        raise Violation(f"no notice of {name}, which began at {begin}, ended at {end} and was due at {allowed}")


def turns_of(id: str, facts: list[log.AnyFact]) -> list[tuple[int, str, int, int]]:
    """Return the turns of a game: the fact that began each, whose it was, from when to when.

    A turn ends when another seat is to move; it is found by replaying the game, not from what the server stored.
    """
    found: list[tuple[int, str, int, int]] = []
    table = Table(id, facts[:1])
    seat: int | None = None
    begin = 0
    for number, fact in enumerate(facts[1:], start=1):
        table.apply(fact)
        if table.to_move == CHANCE:
            continue  # in the middle of a turn, or at its end
        anew = isinstance(fact, log.GameStarted | log.MovesTakenBack)
        decides = None if table.to_move in table.dropped_out else table.to_move  # None: a computer, or the end
        if decides != seat or anew:
            if seat is not None:
                holder = table.seats[seat].holder
                assert holder is not None
                found.append((begin, holder, facts[begin].at, fact.at))
            # A chance outcome between two turns belongs to the move before it.
            seat, begin = decides, last_move(facts, number)
    return found


def last_move(facts: list[log.AnyFact], number: int) -> int:
    """Return the number of the fact by which a turn began: a move, the start, or a takeback."""
    while not isinstance(facts[number], log.MovePlayed | log.GameStarted | log.MovesTakenBack) and number:
        number -= 1
    return number
