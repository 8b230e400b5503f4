"""Packs: what a TOML file must contain, what follows from it, and how records name it."""

import tomllib
from pathlib import Path

import pytest

import mchezo
from mchezo.core.errors import InvalidRecord, InvalidSetup
from mchezo.core.words import LANGUAGES
from mchezo.games.kitara import pack
from mchezo.games.kitara.components import Map
from mchezo.games.kitara.read_pack import read
from mchezo.games.kitara.voronoi import cell
from tests.games.kitara.positions import GAME, pack_text, play

SMALL = pack_text()
SHIPPED_HASH = "f14a053545a1d7f59c2eac1bbbaf81056b218be47f85446313b9a73ef59325c0"
FIRST_HASH = "9a73311ca0f62864ac15aff5f54778c0dbd2b39fc1d6a9b2854b94f069d9ef56"  # of rules version 1


# The reconstruction


def test_another_reconstruction_needs_another_version_of_the_rules() -> None:
    # Records name the shipped pack by its bare name: a change needs a new version of the rules, and this hash.
    assert (GAME.version, pack.digest_of(pack.shipped()).hex()) == (2, SHIPPED_HASH)
    assert pack.digest_of(pack.included(pack.FIRST)).hex() == FIRST_HASH


def test_records_of_the_first_reconstruction_still_replay_with_its_cards() -> None:
    position = GAME.start(pack=pack.FIRST, players=2, seed=3)
    while position.outcome is None:
        position.play(position.legal_moves[0])
    written = str(position.record())
    assert '[pack "reconstruction-1"]' in written
    # As version 1 wrote it: the pack that came with the game was not named.
    old = written.replace('[Rules "2"]', '[Rules "1"]').replace('[pack "reconstruction-1"]\n', "")
    replayed = mchezo.Record.parse(old).replay()
    assert replayed.outcome == position.outcome
    assert replayed.options["pack"] == pack.FIRST
    assert mchezo.Record.parse(old).verify() == position.draws
    assert pack.select(pack.included(pack.FIRST), 2, "blue", "7/9").ages[3][3].text == "D2W1M1V1"
    assert str(replayed.record()) == old


def test_the_first_reconstruction_can_be_shortened_as_well() -> None:
    assert GAME.start(pack=pack.FIRST, turns="6/8", seed=1).options["turns"] == "6/8"


@pytest.mark.parametrize("deck", ["blue", "red"])
def test_each_deck_has_cards_with_zero_to_three_pawns(deck: str) -> None:
    cards = [card for age in pack.shipped().decks[deck] for card in age]
    assert {sum(card.pawns) for card in cards} == {0, 1, 2, 3}


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_reconstructed_maps_are_rotationally_symmetric(players: int) -> None:
    board = pack.shipped().maps[players]
    letters = "abcd"[:players]

    def turned(space: str) -> str:
        return space.translate(str.maketrans(letters, letters[1:] + letters[0]))

    spaces = {space.id: space for space in board.spaces}
    for space in board.spaces:
        image = spaces[turned(space.id)]
        assert (image.kind, image.start) == (space.kind, space.start)
        assert sorted(image.borders) == sorted(map(turned, space.borders))


@pytest.mark.parametrize(("players", "savannas", "ruins"), [(2, 9, 4), (3, 13, 6), (4, 17, 8)])
def test_the_reconstructed_maps_have_one_start_space_per_player(players: int, savannas: int, ruins: int) -> None:
    board = pack.shipped().maps[players]
    assert (board.count("savanna"), board.count("ruin")) == (savannas, ruins)
    assert sum(space.start for space in board.spaces) == players
    assert all(3 <= len(space.borders) <= 5 for space in board.spaces if space.kind != "lake")


# What follows from a pack


def test_the_reconstruction_gives_the_printed_turns_and_no_warnings() -> None:
    report = pack.report(pack.shipped())
    assert report.turns == {"blue": {2: 7, 3: 9, 4: 7}, "red": {2: 7, 3: 9, 4: 7}}
    assert report.ages == {"blue": (7, 7, 7, 7, 4), "red": (7, 7, 7, 7, 4)}
    assert report.warnings == ()


def test_a_report_warns_of_differences_from_the_box() -> None:
    report = pack.report(read(SMALL.replace("W1", "W1N", 1).replace("D2W3M2", "D2W2M2").replace("ruin", "savanna")))
    assert [key for key, _ in report.warnings] == [
        "warn-cards",
        "warn-turns",
        "warn-mark",
        "warn-no-deck",
        "warn-no-ruin",
        "warn-no-map",
        "warn-no-map",
        "warn-start",
    ]


def test_a_report_warns_of_an_age_5_card_in_the_first_row() -> None:
    report = pack.report(read(pack_text(ages=("M1", "M1", "M1", "M1", "M1 M1"))))
    assert ("warn-short", {"deck": "blue"}) in report.warnings
    assert report.turns == {"blue": {2: 2, 3: 2, 4: 2}}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_check_lists_the_consequences_of_a_pack_in_sentences(language: str, tmp_path: Path) -> None:
    file = tmp_path / "small.toml"
    file.write_text(SMALL, encoding="utf-8")
    lines = pack.check(file, language)
    assert "Small#" in lines[0]
    assert "7 + 1 + 1 + 1 + 1" in lines[1]
    assert len(lines) == 4 + 5


def test_the_template_is_valid_toml_and_its_errors_lead_from_gap_to_gap() -> None:
    text = pack.template()
    assert set(tomllib.loads(text)) == {"name", "note", "starting_card", "tokens", "decks", "maps"}
    with pytest.raises(InvalidSetup, match="39 hero tokens"):
        read(text)
    text = text.replace("5 = 0", "5 = 39")
    with pytest.raises(InvalidSetup, match=r"decks.blue 1.1 is empty"):
        read(text)
    text = text.replace('""', '"M1"')
    with pytest.raises(InvalidSetup, match=r"maps.2 has 1 start spaces for 2 players"):
        read(text)
    more = '[[maps.2.spaces]]\nid = "a3"\nkind = "savanna"\nstart = true\nborders = ["a2"]\nat = [110, 90]\n'
    text = text.replace('borders = ["a1"]', 'borders = ["a1", "a3"]') + more
    assert read(text).name == "My Kitara"


# Faulty packs


@pytest.mark.parametrize(
    ("old", "new", "key", "named"),
    [
        ('name = "Small"', "name = Small", "pack-toml", "line 1"),
        ('name = "Small"', "name = " + "[" * 9999, "pack-bound-depth", "1"),
        ('name = "Small"', "name = " + "1" * 9999, "pack-bound-word", "1"),
        ('name = "Small"', "name = 0x" + "f" * 9999, "pack-bound-word", "1"),
        ('name = "Small"', "name" + ".a" * 9999 + " = 1", "pack-bound-parts", "1"),
        ('name = "Small"', "name = [" + "1, " * 9999 + "]", "pack-bound-items", "1"),
        ('name = "Small"', "", "pack-lacks", "name"),
        ('name = "Small"', "name = 3", "pack-text", "name"),
        ('name = "Small"', 'name = ""', "pack-name", "40"),
        ('name = "Small"', 'name = "A#B"', "pack-name", "A#B"),
        ('name = "Small"', 'name = "' + "x" * 41 + '"', "pack-name", "xxx"),
        ('name = "Small"', 'name = "Small"\ncolour = "red"', "pack-unknown", "colour"),
        ('name = "Small"', 'name = "Small"\nnote = 1', "pack-text", "note"),
        ('"D2W3M2"', '"D2W3M2X1"', "pack-card", "starting_card"),
        ('"D2W3M2"', '"D2W"', "pack-card", "starting_card"),
        ('"D2W3M2"', '""', "pack-card-empty", "starting_card"),
        ('"D2W3M2"', '"D2D1"', "pack-card-twice", "starting_card"),
        ('"D2W3M2"', '"D0"', "pack-card-count", "starting_card"),
        ('"D2W3M2"', '"D7"', "pack-card-count", "starting_card"),
        ('"D2W3M2"', '"M7"', "pack-card-count", "starting_card"),
        ('"D2W3M2"', '"V10"', "pack-card-count", "starting_card"),
        ('"D2W3M2"', '"W2A1H1"', "pack-card-pawns", "starting_card"),
        ('"D2W3M2"', "7", "pack-text", "starting_card"),
        ("2 = 12", "2 = 11", "pack-token-sum", "38"),
        ("2 = 12", "2 = -1", "pack-token", "tokens.2"),
        ("2 = 12", '2 = "many"', "pack-token", "tokens.2"),
        ("2 = 12", "2 = true", "pack-token", "tokens.2"),
        ("2 = 12", "1 = 12", "pack-unknown", "tokens"),
        ("2 = 12", "", "pack-lacks", "tokens"),
        ("blue =", "green =", "pack-unknown", "green"),
        ("['W1'], ['W1'], ['W1'], ['W1']]", "['W1'], ['W1'], ['W1']]", "pack-ages", "decks.blue"),
        ("['W1'], ['W1'], ['W1'], ['W1']]", "['W1'], [], ['W1'], ['W1']]", "pack-age-empty", "decks.blue"),
        ("['W1'], ['W1'], ['W1'], ['W1']]", "['W1'], 'W1', ['W1'], ['W1']]", "pack-ages", "decks.blue"),
        ("['W1'], ['W1'], ['W1'], ['W1']]", "['W1'], ['Z1'], ['W1'], ['W1']]", "pack-card", "decks.blue 3.1"),
        ("[['W1'", "[[" + "'W1', " * 38 + "'W1'", "pack-too-many-cards", "decks.blue"),
        ("maps.2", "maps.5", "pack-unknown", "maps"),
        ("size = [100, 100]", "", "pack-lacks", "maps.2"),
        ("size = [100, 100]", "size = [100]", "pack-size", "maps.2 size"),
        ("size = [100, 100]", "size = [100, 0]", "pack-size", "maps.2 size"),
        ("size = [100, 100]", "size = [100, nan]", "pack-size", "maps.2 size"),
        ("size = [100, 100]", "size = [100, 1" + "0" * 60 + "]", "pack-size", "maps.2 size"),
        ('id = "b"', 'id = "B"', "pack-id", "maps.2 (2)"),
        ('id = "b"', 'id = "bbbb"', "pack-id", "maps.2 (2)"),
        ('id = "b"', 'id = "a"', "pack-id-twice", "maps.2"),
        ('id = "b"', "", "pack-lacks", "maps.2 (2)"),
        ('id = "b"', 'id = "b"\nowner = 1', "pack-unknown", "owner"),
        ('kind = "ruin"', 'kind = "hill"', "pack-kind", "maps.2 r"),
        ('kind = "ruin"', "kind = []", "pack-kind", "maps.2 r"),
        ("start = true", "start = 1", "pack-yes-no", "maps.2 a"),
        ("start = true", "start = false", "pack-start-spaces", "maps.2"),
        ('kind = "lake"\nborders = []\nstart = false', 'kind = "lake"\nstart = true', "pack-start-kind", "maps.2 l"),
        ('kind = "lake"\nborders = []', 'kind = "lake"\nborders = ["a"]', "pack-lake-borders", "maps.2 l"),
        ('kind = "lake"\nborders = []', 'kind = "savanna"\nborders = []', "pack-not-connected", "maps.2"),
        ("borders = ['b']", 'borders = "b"', "pack-borders", "maps.2 a"),
        ("borders = ['b']", "borders = ['b', 'z']", "pack-border-unknown", "maps.2 a"),
        ("borders = ['b']", "borders = ['b', 'a']", "pack-border-self", "maps.2 a"),
        ("borders = ['b']", "borders = ['b', 'b']", "pack-border-twice", "maps.2 a"),
        ("borders = ['b']", "borders = ['b', 'l']", "pack-border-lake", "maps.2 a"),
        ("borders = ['b']", "borders = ['b', 'c']", "pack-border-one-sided", "maps.2 a"),
        ("borders = ['b']", f"borders = {list('bcdefrsla')}", "pack-too-many-borders", "maps.2 a"),
        ("at = [1, 1]", "", "pack-lacks", "maps.2 (2)"),
        ("at = [1, 1]", "at = [1]", "pack-at", "maps.2 b"),
        ("at = [1, 1]", "at = [1, true]", "pack-at", "maps.2 b"),
        ("at = [1, 1]", "at = [1, 101]", "pack-at-outside", "maps.2 b"),
        ("at = [1, 1]", "at = [0, 0]", "pack-at-twice", "maps.2"),
        ("at = [1, 1]", "at = [1, 1]\nshape = 'url(x)'", "pack-shape", "maps.2 b"),
        ("at = [1, 1]", "at = [1, 1]\nshape = 'M0 0\"/><script>'", "pack-shape", "maps.2 b"),
        ("at = [1, 1]", "at = [1, 1]\nshape = 3", "pack-text", "maps.2 b"),
    ],
)
def test_the_error_for_a_faulty_pack_names_the_entry(old: str, new: str, key: str, named: str) -> None:
    assert old in SMALL
    with pytest.raises(InvalidSetup) as error:
        GAME.start(pack=SMALL.replace(old, new, 1))
    assert error.value.key == key
    for language in LANGUAGES:
        assert named in error.value.say(language)


@pytest.mark.parametrize("heading", ["[decks]", "[tokens]", "[maps.2]"])
def test_entries_under_an_unknown_heading_are_rejected(heading: str) -> None:
    with pytest.raises(InvalidSetup, match="unknown entry left"):
        read(SMALL.replace(heading, f"[left]\n{heading}", 1))


@pytest.mark.parametrize(
    ("head", "key"),
    [
        ("decks = {}\nmaps = {}\n[tokens]\n2 = 39\n3 = 0\n4 = 0\n5 = 0\n", "pack-no-deck"),
        (
            "decks = {blue = [['M1'], ['M1'], ['M1'], ['M1'], ['M1']]}\nmaps = {}\n[tokens]\n2=39\n3=0\n4=0\n5=0",
            "pack-no-map",
        ),
        ("decks = 1\nmaps = {}\n[tokens]\n2=39\n3=0\n4=0\n5=0", "pack-table"),
        (
            "decks = {blue = [['M1'], ['M1'], ['M1'], ['M1'], ['M1']]}\nmaps = {2 = {size = [9, 9], spaces = []}}\n"
            "[tokens]\n2=39\n3=0\n4=0\n5=0",
            "pack-spaces",
        ),
    ],
)
def test_a_pack_without_a_deck_a_map_or_spaces_is_rejected(head: str, key: str) -> None:
    with pytest.raises(InvalidSetup) as error:
        read(f'name = "Empty"\nstarting_card = "M1"\n{head}')
    assert error.value.key == key


def test_a_map_has_at_most_48_spaces() -> None:
    links = " ".join(f"a{n}-a{n + 1}" for n in range(48))
    with pytest.raises(InvalidSetup) as error:
        read(pack_text(links=links, starts="a1 a2", ruins="a3", lakes="", players=2))
    assert error.value.key == "pack-too-many-spaces"
    assert len(read(pack_text(links=links[: links.rindex(" ")], starts="a1 a2", lakes="")).maps[2].spaces) == 48


def test_the_largest_pack_is_played_to_its_end() -> None:
    ages = (" ".join(["M6V9N"] * 44), "M1N", "M1N", "M1N", "M1N")
    links = " ".join(f"a{n}-a{n + 1}" for n in range(47))
    text = pack_text(players=3, links=links, starts="a1 a20 a40", lakes="", ages=ages, starting_card="D6W3M6N")
    position = GAME.start(players=3, pack=text, seed=1)
    while position.outcome is None:
        position.play(position.legal_moves[0] if position.view()["decision"] != "move" else ".")
    assert position.view()["round"] == 15
    assert len(position.view()["kingdoms"][0]) == 16


def test_the_symbols_of_a_card_may_be_written_in_any_order() -> None:
    assert read(SMALL.replace("D2W3M2", "M2D2W3")).starting_card.text == "D2W3M2"


# Drawings


def test_a_space_without_a_shape_gets_its_voronoi_cell() -> None:
    corners = cell((100, 60), (25, 30), [(25, 30), (75, 30)])
    assert corners == [(0, 0), (50, 0), (50, 60), (0, 60)]
    assert all(space.shape.startswith("M") for space in read(SMALL).maps[2].spaces)


def test_a_given_shape_is_kept() -> None:
    board: Map = read(SMALL.replace("at = [1, 1]", "at = [1, 1]\nshape = 'M 0 0 L 9 0 L 9 9 Z'")).maps[2]
    assert board.spaces[1].shape == "M 0 0 L 9 0 L 9 9 Z"


# Finding packs, and what records say of them


def test_a_pack_is_given_as_a_path_a_text_or_a_path_object(tmp_path: Path) -> None:
    file = tmp_path / "small.toml"
    file.write_text(SMALL, encoding="utf-8")
    found = {GAME.start(pack=given, seed=1).options["pack"] for given in (str(file), file, SMALL)}
    assert found == {f"Small#{pack.digest_of(read(SMALL)).hex()}"}
    assert GAME.start(pack=SMALL, seed=1).view()["pack"] == "Small"


def test_a_pack_in_the_pack_folder_is_found_by_its_file_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pack, "pack_folder", lambda: tmp_path)
    (tmp_path / "mine.toml").write_text(SMALL, encoding="utf-8")
    assert GAME.start(pack="mine", seed=1).view()["pack"] == "Small"


@pytest.mark.parametrize(
    ("given", "key"),
    [
        ("no-such-pack", "pack-file"),
        ("/no/such/file.toml", "pack-file"),
        ("", "pack-file"),
        ("\0.toml", "pack-file"),
        ("x" * 5000, "pack-file"),
        (7, "pack-not-text"),
    ],
)
def test_a_missing_pack_is_rejected(given: object, key: str) -> None:
    with pytest.raises(InvalidSetup) as error:
        GAME.start(pack=given)
    assert error.value.key == key


def test_a_file_that_is_not_text_is_rejected(tmp_path: Path) -> None:
    file = tmp_path / "bytes.toml"
    file.write_bytes(b"\xff\xfe")
    with pytest.raises(InvalidSetup, match="cannot be read"):
        GAME.start(pack=file)


def record_of(text: str) -> mchezo.Record:
    """Return the record of a few moves with a pack."""
    position = GAME.start(pack=text, chance="manual")
    play(position, "=1.1 =1.2 =1.3 =1.4 =1.5 =1.6 @a @f +1.1")
    return mchezo.Record.parse(str(position.record()))


def test_a_record_does_not_name_the_shipped_pack() -> None:
    assert GAME.start(seed=1).record().options == {}


def test_a_record_of_another_pack_replays_while_the_pack_is_in_use() -> None:
    record = record_of(SMALL)
    assert record.options["pack"] == f"Small#{pack.digest_of(read(SMALL)).hex()}"
    assert record.replay().view()["pack"] == "Small"


def test_notes_drawings_and_the_order_of_borders_do_not_change_the_hash_but_rules_do() -> None:
    digest = pack.digest_of(read(SMALL))
    same = SMALL.replace('name = "Small"', 'name = "Other"\nnote = "new"').replace("at = [1, 1]", "at = [1, 2]")
    assert pack.digest_of(read(same.replace("['b', 'd', 'r']", "['r', 'd', 'b']"))) == digest
    assert pack.digest_of(read(SMALL.replace("D2W3M2", "D2W3M1"))) != digest


def test_the_error_for_a_record_without_its_pack_says_which_file_is_needed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    record = record_of(SMALL)
    monkeypatch.setattr(pack, "pack_folder", lambda: tmp_path / "packs")
    monkeypatch.setattr(pack, "IN_USE", {})
    for language in LANGUAGES:
        with pytest.raises(InvalidRecord) as error:
            record.replay()
        said = error.value.say(language)
        assert "Small" in said
        assert pack.digest_of(read(SMALL)).hex() in said
        assert str(tmp_path / "packs") in said


def test_a_record_finds_its_pack_in_the_pack_folder_by_hash(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from mchezo.games.kitara import setup

    record = record_of(SMALL)
    in_use: dict[bytes, object] = {}
    monkeypatch.setattr(pack, "pack_folder", lambda: tmp_path)
    monkeypatch.setattr(pack, "IN_USE", in_use)
    monkeypatch.setattr(setup, "IN_USE", in_use)
    (tmp_path / "broken.toml").write_text("name =", encoding="utf-8")
    (tmp_path / "other.toml").write_text(SMALL.replace("D2W3M2", "D2W3M1"), encoding="utf-8")
    (tmp_path / "wanted.toml").write_text(SMALL, encoding="utf-8")
    assert record.replay().view()["pack"] == "Small"


def test_a_record_may_name_the_file_if_the_hash_matches(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from mchezo.games.kitara import setup

    digest = pack.digest_of(read(SMALL)).hex()
    in_use: dict[bytes, object] = {}
    monkeypatch.setattr(pack, "IN_USE", in_use)
    monkeypatch.setattr(setup, "IN_USE", in_use)
    right, wrong = tmp_path / "right.toml", tmp_path / "wrong.toml"
    right.write_text(SMALL, encoding="utf-8")
    wrong.write_text(SMALL.replace("D2W3M2", "D2W3M1"), encoding="utf-8")
    with pytest.raises(InvalidSetup, match="another pack"):
        GAME.start(pack=f"{wrong}#{digest}")
    assert GAME.start(pack=f"{right}#{digest}", seed=1).options["pack"] == f"Small#{digest}"


def test_a_copy_of_the_reconstruction_is_the_reconstruction() -> None:
    text = (pack.FOLDER / "reconstruction.toml").read_text(encoding="utf-8").replace('"Reconstruction"', '"Copy"')
    assert GAME.start(pack=text, turns="6/8", seed=1).options["pack"] == "reconstruction"
