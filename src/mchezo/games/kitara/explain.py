"""Why a decision of Kitara is not allowed: which rule it breaks, in words."""

from typing import Any

from mchezo.core.errors import IllegalMove
from mchezo.games.kitara import choices, structs
from mchezo.games.kitara.components import PAWNS
from mchezo.games.kitara.notation import read_group, write
from mchezo.games.kitara.read_pack import WORDS
from mchezo.games.kitara.setup import table_of
from mchezo.games.kitara.view import DECISIONS

# Where the stretch of each kind of action begins, and the steps in which such actions are played.
STRETCHES = (
    (structs.REMOVE, (structs.REMOVE_PAWN,)),
    (structs.DISCARD, (structs.DISCARD_CARD,)),
    (structs.RETREAT, (structs.CHOOSE_RETREAT,)),
    (structs.PAWNS, (structs.CHOOSE_PAWNS,)),
    (structs.CROSS, (structs.MOVE,)),
    (structs.RECRUIT, (structs.RECRUIT_PAWN,)),
    (structs.DRAFT, (structs.DRAFT_CARD,)),
    (structs.TOKEN, (structs.DRAW_TOKEN,)),
    (structs.CARD, (structs.DEAL_CARD, structs.REFILL, structs.LAST_REFILL)),
    (structs.START, (structs.CHOOSE_START,)),
)


def explain(action: int, state: Any, setup: Any) -> IllegalMove:
    """The refusal of an action that is not legal."""
    first, steps = next(stretch for stretch in STRETCHES if action >= stretch[0])
    if state.step not in steps:
        return refused(f"now-{DECISIONS[state.step]}", write(action, state, setup))
    return Explanation(action, state, setup).of(first, action - first)


class Explanation:
    """What is wrong with an action of the right kind."""

    def __init__(self, action: int, state: Any, setup: Any) -> None:
        self.state, self.setup = state, setup
        self.table = table_of(setup)
        self.move = write(action, state, setup)

    def of(self, first: int, number: int) -> IllegalMove:
        """The refusal of the action with that number in its stretch."""
        if first == structs.START:
            return self.start(number)
        if first == structs.CARD:
            return self.say("not-next", card=self.table.names[number])
        if first == structs.TOKEN:
            return self.say("no-such-token")
        if first == structs.DRAFT:
            return self.draft(number)
        if first == structs.RECRUIT:
            return self.recruit(*divmod(number, structs.SPACES))
        if first == structs.CROSS:
            return self.cross(*divmod(number, structs.SPACES))
        if first == structs.PAWNS:
            return self.pawns(read_group(number))
        if first == structs.RETREAT:
            return self.retreat(number)
        if first == structs.DISCARD:
            return self.discard(number)
        return self.remove(*divmod(number, structs.SPACES))

    def start(self, space: int) -> IllegalMove:
        """A space that is no start space, or taken."""
        key = "start-taken" if self.setup.start[space] else "not-a-start"
        return self.say(key, space=self.name(space))

    def draft(self, card: int) -> IllegalMove:
        """A card out of reach."""
        if card not in self.state.row[: self.state.row_count]:
            return self.say("not-in-row", card=self.table.names[card])
        return self.say("too-far", choices=choices.draft_choices(self.state, self.setup))

    def recruit(self, kind: int, space: int) -> IllegalMove:
        """A pawn that is not to be placed now, or not there."""
        if (wanted := choices.next_kind(self.state)) != kind:
            return self.say(f"recruit-{PAWNS[wanted]}")
        entry = choices.entry_rank(self.state, self.setup)
        if entry == choices.HAS_A_SPACE:
            return self.say("recruit-elsewhere", space=self.name(space))
        if self.state.owner[space] != structs.FREE:
            return self.say("enter-taken", space=self.name(space))
        if entry == choices.ENTER_ON_START:
            return self.say("enter-start")
        return self.say("enter-savanna" if entry == choices.ENTER_ON_SAVANNA else "enter-land")

    def cross(self, start: int, target: int) -> IllegalMove:
        """A border that the seat's pawns cannot cross."""
        state, there = self.state, int(self.state.owner[target])
        if state.owner[start] != state.turn + 1:
            return self.say("not-your-space", space=self.name(start))
        if self.setup.kind[target] == structs.LAKE:
            return self.say("lake", space=self.name(target))
        if target not in self.setup.borders[start, : self.setup.border_count[start]]:
            return self.say("no-border", space=self.name(start), other=self.name(target))
        if state.held[there - 1] == 1:
            return self.say("only-space", space=self.name(target))
        return self.too_few(target, choices.group_size(state, start))

    def pawns(self, group: tuple[int, int, int]) -> IllegalMove:
        """Pawns that are not there, or too few."""
        start, target = self.state.crossing.tolist()
        if sum(group) == 0:
            return self.say("no-pawns")
        standing = self.state.pawns[start].tolist()
        if any(count > there for count, there in zip(group, standing, strict=True)):
            warriors, animals, heroes = standing
            here = {"space": self.name(start), "warriors": warriors, "animals": animals, "heroes": heroes}
            return self.say("not-so-many", **here)
        return self.too_few(target, sum(group))

    def too_few(self, target: int, attackers: int) -> IllegalMove:
        """An attack with too few pawns."""
        defenders = choices.group_size(self.state, target)
        return self.say("too-few", space=self.name(target), attackers=attackers, defenders=defenders)

    def retreat(self, space: int) -> IllegalMove:
        """A space that is not the retreating seat's, or not the nearest."""
        if self.state.owner[space] != self.state.retreating + 1:
            return self.say("retreat-elsewhere", space=self.name(space))
        return self.say("not-nearest", space=self.name(space), left=self.name(self.state.crossing[1]))

    def discard(self, card: int) -> IllegalMove:
        """A card that is not there, or that stays."""
        seat = self.state.turn
        held = card in self.state.kingdoms[seat, : self.state.kingdom_count[seat]]
        return self.say("marked" if held else "not-in-kingdom", card=self.table.names[card])

    def remove(self, kind: int, space: int) -> IllegalMove:
        """A pawn that is not to go now, or not there."""
        if (wanted := choices.next_kind(self.state)) != kind:
            return self.say(f"remove-{PAWNS[wanted]}")
        return self.say(f"none-there-{PAWNS[kind]}", space=self.name(space))

    def name(self, space: int) -> str:
        """The name of a space."""
        return self.table.map.ids[space]

    def say(self, key: str, **values: object) -> IllegalMove:
        """A refusal of this move."""
        return refused(key, self.move, **values)


def refused(key: str, move: str, **values: object) -> IllegalMove:
    """A refusal of a move."""
    return IllegalMove(key, WORDS, move=move, **values)
