"""Packs: maps, cards and hero tokens, one readable TOML file each. See docs/packs.md.

A pack is identified by the SHA-256 of what matters to the rules: a record names the exact pack of its game, while notes
and drawings of the pack may still change.
"""

import hashlib
import json
import os
import re
from collections.abc import Hashable, Iterator, Mapping, MutableMapping
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import Any
from weakref import WeakValueDictionary

from mchezo.core.errors import InvalidSetup
from mchezo.games.kitara.components import (
    DECKS,
    FIRST_WARRIORS,
    PLAYERS,
    PRINTED_CARDS,
    PRINTED_TURNS,
    ROW,
    SHORT_AGES,
    VALUES,
    Card,
    Map,
    Pack,
    turns_each,
)
from mchezo.games.kitara.read_pack import invalid, read, read_card
from mchezo.games.kitara.words import WORDS

SHIPPED = "reconstruction"
# The reconstruction of rules version 1, by which older games were played: its blue deck had pawns on every card.
FIRST = "reconstruction-1"
FIRST_CARDS = {("blue", 4, 4): "D2W1M1V1", ("blue", 5, 2): "D2W1M1V2"}  # deck, age, place
INCLUDED = (SHIPPED, FIRST)
MOST_BYTES = 1_000_000  # of a pack's file
FOLDER = Path(__file__).parent / "packs"
ID = re.compile("(.*)#([0-9a-f]{64})", re.DOTALL)

# The packs in use by digest, where games, views and pictures look them up. A pack that somebody sent to a server is
# forgotten with the last game that is played with it.
IN_USE: MutableMapping[bytes, Pack] = WeakValueDictionary()
# Packs that the user of this program named stay, so that their games can be replayed later.
KEPT: dict[bytes, Pack] = {}


def find(given: object) -> Pack:
    """Return the pack that an option denotes: a pack, the shipped one, a file, a text, or the name in a record.

    A text may be the path of a file: servers pass packs, which they got from `known` or `read`.
    """
    if isinstance(given, Pack):
        return use(given)
    pack = use(find_local(given))
    return KEPT.setdefault(digest_of(pack), pack)


def find_local(given: object) -> Pack:
    """Return the pack that the user of this program named."""
    if isinstance(given, os.PathLike):
        return read_file(Path(given))
    if not isinstance(given, str):
        raise invalid("pack-not-text", given=given)
    if given in INCLUDED:
        return included(given)
    if "\n" in given:
        return read(given)
    if match := ID.fullmatch(given):
        return recorded(match[1], match[2])
    if not os.path.exists(given) and not Path(given).suffix:
        return read_file(pack_folder() / f"{given}.toml")
    return read_file(Path(given))


def known(id: str, text: str | None = None) -> Pack:
    """Return a pack by its id without opening a file: a shipped one, one in use, or the one with this text."""
    if id in INCLUDED:
        return use(included(id))
    match = ID.fullmatch(id)
    digest = bytes.fromhex(match[2]) if match else b""
    pack = IN_USE.get(digest)
    if pack is None and text is not None:
        pack = read(text)
    if pack is None or digest_of(pack) != digest:
        raise invalid("pack-absent", given=id)
    return use(pack)


def check_recorded(given: str) -> str:
    """Check the name of a pack in a record: a shipped one, or a name with a hash, never a bare file name."""
    if given in INCLUDED or ID.fullmatch(given):
        return given
    raise invalid("pack-unnamed", given=given)


def recorded(name: str, digest: str) -> Pack:
    """Return the pack of a record: one in use, the named file, or one in the pack folder, if its hash matches."""
    known = IN_USE.get(bytes.fromhex(digest))
    if known is not None:
        return known
    if os.path.isfile(name):
        pack = read_file(Path(name))
        if digest_of(pack).hex() != digest:
            raise invalid("pack-other", given=name, digest=digest)
        return pack
    for path in sorted(pack_folder().glob("*.toml")):
        try:
            pack = read_file(path)
        except InvalidSetup:  # possibly an unfinished pack; in any case another one
            continue
        if digest_of(pack).hex() == digest:
            return pack
    raise invalid("pack-needed", given=name, digest=digest, folder=pack_folder())


def pack_folder() -> Path:
    """Return the user's folder of packs, found there by name or by the hash in a record."""
    import platformdirs  # the browser has no such folder

    return platformdirs.user_data_path("mchezo", appauthor=False) / "packs"


def read_file(path: Path) -> Pack:
    """Read and check a pack."""
    try:
        if path.exists() and not (path.is_file() and path.stat().st_size <= MOST_BYTES):
            raise invalid("pack-large", given=path, most=MOST_BYTES)
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise invalid("pack-file", given=path, reason=error.reason) from error
    except OSError as error:
        raise invalid("pack-file", given=path, reason=error.strerror) from error
    except ValueError as error:  # a path with a null character
        raise invalid("pack-file", given=path, reason=error) from error
    return read(text)


@cache
def shipped() -> Pack:
    """Return the reconstruction that is shipped with the game."""
    return read_file(FOLDER / f"{SHIPPED}.toml")


@cache
def included(id: str) -> Pack:
    """Return a pack that comes with the game: the reconstruction as it is, or as it was."""
    if id == SHIPPED:
        return shipped()
    decks = {
        deck: tuple(
            tuple(
                read_card(FIRST_CARDS.get((deck, age, place), card.text), FIRST) for place, card in enumerate(cards, 1)
            )
            for age, cards in enumerate(ages, 1)
        )
        for deck, ages in shipped().decks.items()
    }
    return replace(shipped(), decks=decks)


def use(pack: Pack) -> Pack:
    """Register a pack for the games that are played with it; return the one in use."""
    # A copy with another name or other drawings does not affect games already played with the pack.
    for id in INCLUDED:
        IN_USE.setdefault(digest_of(included(id)), included(id))
    return IN_USE.setdefault(digest_of(pack), pack)


@lru_cache(maxsize=64)
def digest_of(pack: Pack) -> bytes:
    """Return the SHA-256 of everything that matters to the rules, as JSON with sorted keys."""
    content = {
        "starting_card": pack.starting_card.text,
        "tokens": pack.tokens,
        "decks": {deck: [[card.text for card in age] for age in ages] for deck, ages in pack.decks.items()},
        "maps": {
            players: [[space.id, space.kind, space.start, sorted(space.borders)] for space in board.spaces]
            for players, board in pack.maps.items()
        },
    }
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).digest()


def id_of(pack: Pack) -> str:
    """Return the name of a pack in records: a bare name for those shipped, otherwise name and hash."""
    digest = digest_of(pack)
    return next((id for id in INCLUDED if digest == digest_of(included(id))), f"{pack.name}#{digest.hex()}")


def former_options(version: int, options: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return today's options for a game that was played by earlier rules: the pack had other cards."""
    if version != 1:
        return None
    return {**options, "pack": FIRST} if options.get("pack", SHIPPED) == SHIPPED else dict(options)


@dataclass(frozen=True)
class Material:
    """What one game uses of a pack: the map for its number of players, and one deck."""

    pack: Pack
    id: str
    map: Map
    ages: tuple[tuple[Card, ...], ...]

    @cached_property
    def cards(self) -> tuple[Card, ...]:
        """The starting card, followed by the deck by ages."""
        return self.pack.starting_card, *(card for age in self.ages for card in age)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the cards: `0` for the starting card, otherwise age and place: `1.3`."""
        return "0", *(f"{age}.{place}" for age, cards in enumerate(self.ages, 1) for place in range(1, len(cards) + 1))

    @cached_property
    def card_numbers(self) -> Mapping[str, int]:
        """The numbers of the cards, by name."""
        return {card: number for number, card in enumerate(self.names)}

    @cached_property
    def space_numbers(self) -> Mapping[str, int]:
        """The numbers of the spaces, by name."""
        return {space: number for number, space in enumerate(self.map.ids)}

    @cached_property
    def texts(self) -> dict[int, str]:
        """The texts of the actions that have been written, by number."""
        return {}

    @cached_property
    def shown(self) -> dict[Hashable, Any]:
        """Parts of views that have been shown, by the numbers from which they follow."""
        return {}

    @cached_property
    def written(self) -> dict[str, int]:
        """The actions that have been written, by text."""
        return {}


@lru_cache(maxsize=64)
def select(pack: Pack, players: int, deck: str, turns: str) -> Material:
    """Return the material of a game."""
    ages = pack.decks[deck]
    if turns == "6/8":
        cards = iter([card for age in ages for card in age])
        ages = tuple(tuple(next(cards) for _ in range(count)) for count in SHORT_AGES)
    return Material(pack, id_of(pack), pack.maps[players], ages)


@dataclass(frozen=True)
class Report:
    """What follows from a pack, with warnings for its author."""

    pack: Pack
    turns: Mapping[str, Mapping[int, int]]  # deck -> players -> turns of each
    ages: Mapping[str, tuple[int, ...]]  # deck -> cards of each age
    warnings: tuple[tuple[str, Mapping[str, object]], ...]  # keys of words.toml with their values

    def lines(self, language: str = "en") -> list[str]:
        """Return the report in sentences."""
        return [WORDS.say(key, language, **values) for key, values in (*self._facts(), *self.warnings)]

    def _facts(self) -> Iterator[tuple[str, Mapping[str, object]]]:
        pack = self.pack
        yield "report-pack", {"name": pack.name, "id": id_of(pack)}
        for deck, ages in self.ages.items():
            turns = {f"turns_{players}": count for players, count in self.turns[deck].items()}
            yield "report-deck", {"deck": deck, "cards": sum(ages), "ages": " + ".join(map(str, ages)), **turns}
        for players, board in pack.maps.items():
            savannas, ruins, lakes = map(board.count, ("savanna", "ruin", "lake"))
            starts = sum(space.start for space in board.spaces)
            counts = {"savannas": savannas, "ruins": ruins, "lakes": lakes, "land": savannas + ruins, "starts": starts}
            yield "report-map", {"players": players, **counts}
        tokens = ", ".join(f"{count} x {value}" for value, count in zip(VALUES, pack.tokens, strict=True))
        yield "report-tokens", {"tokens": tokens}


def report(pack: Pack) -> Report:
    """Return what follows from a pack."""
    ages = {deck: tuple(map(len, cards)) for deck, cards in pack.decks.items()}
    turns = {deck: {players: turns_each(sum(ages[deck][:-1]), players) for players in PLAYERS} for deck in ages}
    return Report(pack, turns, ages, tuple(warnings(pack, ages, turns)))


def warnings(
    pack: Pack, ages: Mapping[str, tuple[int, ...]], turns: Mapping[str, Mapping[int, int]]
) -> Iterator[tuple[str, Mapping[str, object]]]:
    """Yield the differences from what is known of the box."""
    for deck in DECKS:
        if deck not in ages:
            yield "warn-no-deck", {"deck": deck}
            continue
        if sum(ages[deck]) != PRINTED_CARDS:
            yield "warn-cards", {"deck": deck, "given": sum(ages[deck]), "right": PRINTED_CARDS}
        if sum(ages[deck][:-1]) < ROW:
            yield "warn-short", {"deck": deck}
        elif turns[deck] != PRINTED_TURNS:
            yield "warn-turns", {"deck": deck}
        if deck == "blue" and any(card.marked for age in pack.decks[deck] for card in age):
            yield "warn-mark", {"deck": deck}
    for players in PLAYERS:
        if players not in pack.maps:
            yield "warn-no-map", {"players": players}
        elif not pack.maps[players].count("ruin"):
            yield "warn-no-ruin", {"players": players}
    if pack.starting_card.pawns != (FIRST_WARRIORS, 0, 0):
        yield "warn-start", {"given": pack.starting_card.text}


def check(path: str | os.PathLike[str], language: str = "en") -> list[str]:
    """Return what follows from the pack in a file, in sentences; a faulty pack raises InvalidSetup."""
    return report(read_file(Path(path))).lines(language)


def template() -> str:
    """Return an empty pack that explains what to copy from the box."""
    return (FOLDER / "template.toml").read_text(encoding="utf-8")
