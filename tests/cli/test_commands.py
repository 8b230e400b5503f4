"""The command line: what it prints and its exit codes."""

import random
import re
from importlib.util import find_spec
from pathlib import Path

import pytest

import mchezo
from mchezo.core.compiled import describe
from tests.cli.running import BOARD, run, run_process
from tests.games.kitara.positions import with_hidden_token

COMMANDS = (
    *(
        "games",
        "rules",
        "play",
        "show",
        "verify",
        "analyse",
        "perft",
        "bench",
        "picture",
        "tune",
        "match",
        "ladder",
        "tournament",
    ),
    *("serve", "worker", "balance", "pack"),
)


def test_help_names_every_command() -> None:
    shown = run("--help")
    assert shown.returncode == 0
    for command in COMMANDS:
        assert command in shown.stdout
        assert run(command, "--help").returncode == 0


def test_games_lists_the_games_with_their_options() -> None:
    shown = run("games", language="de")
    assert shown.returncode == 0
    assert "Katarenga von David Parlett" in shown.stdout
    assert "first_capture" in shown.stdout


def test_two_people_play_a_game_to_its_end() -> None:
    moves = "c1-a0\nmoves\nh1-h9\nh1-h2\nundo\nh1-h2\nb3-b2\nhelp\nrecord\nh2-h3\nb2xa1\n"
    played = run("play", "katarenga", "-o", BOARD, "-o", "position=8/8/8/8/8/1b6/8/w1b4w b - -", text=moves)
    assert played.returncode == 0
    assert "Black wins: the opponent has too few pawns" in played.stdout
    assert "h1-h9: a pawn can enter a camp only from the opponent's baseline" in played.stderr
    assert '[Game "katarenga"]' in played.stdout
    assert "Took back h1-h2." in played.stdout


@pytest.mark.rotating(shares=24)
@pytest.mark.parametrize(
    ("name", "options"),
    [("kiwara", {"reinforcement": "pile"}), ("kitara", {"players": "4"}), ("kitara", {"players": "2"})],
)
def test_people_play_the_other_games_to_their_end_too(name: str, options: dict[str, str]) -> None:
    given = [text for option, value in options.items() for text in ("-o", f"{option}={value}")]
    generator = random.Random(name)
    game = mchezo.game(name)
    read = {option.name: option.read for option in game.setup.options}
    position = game.start(seed=4, **{option: read[option](value) for option, value in options.items()})
    typed = []
    while position.outcome is None:
        moves = position.legal_moves
        position.play(generator.choice(moves))
        if len(moves) > 1:  # a single legal move is played without asking
            typed.append([step.text for step in position.steps if step.by >= 0][-1])
    played = run("play", name, "--seed", "4", *given, text="\n".join(typed) + "\n", language="fr")
    assert played.returncode == 0
    assert played.stderr == ""
    assert "gagne" in " ".join(played.stdout.split())


def test_undo_takes_back_the_last_choice_and_tells_no_secret() -> None:
    game = with_hidden_token()
    position = mchezo.game("kitara").start(seed=int(game.seed.hex, 16))
    typed = []
    while len(position.moves) < len(game.moves):
        moves, move = position.legal_moves, game.moves[len(position.moves)]
        position.play(move)
        if len(moves) > 1:  # a single legal move is played without asking
            typed.append(move)
    seed = str(int(game.seed.hex, 16))
    played = run("play", "kitara", "--seed", seed, text="\n".join([*typed, "undo", "undo", "undo", "quit"]) + "\n")
    assert re.findall(r"Took back (\S+)\.", played.stdout) == typed[:-4:-1]


def test_a_saved_game_can_be_taken_up_again(tmp_path: Path) -> None:
    saved = tmp_path / "game.txt"
    run("play", "kiwara", "--seed", "7", text=f"T3\nsave {saved}\nquit\n")
    again = run("play", "--record", str(saved), text="record\nquit\n")
    assert again.returncode == 0
    assert "1. T3" in again.stdout
    assert run("play", "katarenga", "--record", str(saved)).returncode == 1


def test_the_record_on_the_screen_can_be_read_back() -> None:
    shown = run("play", "katarenga", "--seed", "7", text="turn90\nrecord\nquit\n").stdout
    record = shown[shown.index("[Game") :].split("\n\n")
    assert mchezo.Record.parse("\n\n".join(record[:2])).moves == ("turn90",)


def test_the_version_is_printed() -> None:
    shown = run_process("--version")
    assert shown.returncode == 0
    assert shown.stdout.strip() == f"mchezo {mchezo.__version__}, rules {describe()}"


@pytest.mark.parametrize("variable", ["NUMBA_DISABLE_JIT", "MCHEZO_JIT"])
def test_the_version_says_how_the_rules_are_run(variable: str) -> None:
    compiled = "compiled by Numba" if find_spec("numba") else describe()
    how = "interpreted" if variable == "NUMBA_DISABLE_JIT" else compiled
    assert f"rules {how}" in run_process("--version", **{variable: "1"}).stdout


def test_a_game_can_be_saved_drawn_and_left(tmp_path: Path) -> None:
    saved, drawn = tmp_path / "game.txt", tmp_path / "game.svg"
    played = run("play", "katarenga", "--seed", "7", text=f"turn90\nsave\nsave {saved}\npicture {drawn}\nquit\n")
    assert played.returncode == 0
    assert mchezo.Record.parse(saved.read_text()).moves == ("turn90",)
    assert drawn.read_text().startswith("<svg")
    assert "save needs a file name" in played.stderr
    assert "left unfinished" in played.stdout


def test_a_process_of_its_own_reads_moves_and_exits_with_a_code() -> None:
    played = run_process("-l", "en", "play", "katarenga", "--seed", "7", text="turn90\nh1-h9\nrecord\nquit\n")
    assert played.returncode == 0
    assert "1. turn90" in played.stdout
    assert "Traceback" not in played.stderr
    refused = run_process("-l", "de", "play", "chess")
    assert refused.returncode == 1
    assert refused.stdout == ""
    assert refused.stderr.strip() == run("play", "chess", language="de").stderr.strip()


def test_the_end_of_input_is_a_way_to_leave() -> None:
    assert run("play", "katarenga", text="turn0\n").returncode == 0


def test_show_tells_moves_board_and_end(record: Path) -> None:
    shown = run("show", str(record), language="fr")
    assert shown.returncode == 0
    assert "1. c1-a0 2. h1-h2" in shown.stdout
    assert "Noir gagne" in shown.stdout
    earlier = run("show", str(record), "--at", "1")
    assert "The game is not over; White to move." in earlier.stdout
    assert run("show", str(record), "--at", "9").returncode == 1


def test_verify_checks_moves_and_seed(record: Path, tmp_path: Path) -> None:
    checked = run("verify", str(record))
    assert checked.returncode == 0
    assert "The record is valid" in checked.stdout
    broken = tmp_path / "broken.txt"
    broken.write_text(record.read_text().replace("h1-h2", "h1-h4"))
    refused = run("verify", str(broken))
    assert refused.returncode == 1
    assert "h1-h4: h1 is blue" in refused.stderr
    assert "Traceback" not in refused.stderr


def test_perft_counts_and_divides() -> None:
    counted = run("perft", "katarenga", "3", "-o", "board=b0d3a0c3")
    assert "27,362" in counted.stdout
    divided = run("perft", "katarenga", "2", "-o", "board=b0d3a0c3", "--divide")
    assert "a1-" in divided.stdout


def test_picture_draws_a_start_or_a_point_of_a_record(record: Path, tmp_path: Path) -> None:
    assert run("picture", "katarenga", "--seed", "1").stdout.startswith("<svg")
    out = tmp_path / "x.svg"
    drawn = run("picture", "katarenga", "--record", str(record), "--at", "2", "--seat", "1", "--out", str(out))
    assert drawn.returncode == 0
    assert out.read_text().startswith("<svg")
    for ending, begin in ((".png", b"\x89PNG"), (".gif", b"GIF89a")):
        out = tmp_path / f"x{ending}"
        drawn = run("picture", "katarenga", "--record", str(record), "--at", "2", "--out", str(out))
        assert drawn.returncode == 0
        assert out.read_bytes().startswith(begin)


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("play", "chess"), 1, "There is no game called chess"),
        (("play", "katarenga", "-o", "board"), 1, "name=value"),
        (("play", "katarenga", "-o", "board=RGB"), 1, "64 squares"),
        (("play", "katarenga", "--seed", "many"), 1, "seed"),
        (("show", "no-such-file.txt"), 1, "no-such-file.txt"),
        (("picture", "katarenga", "--seat", "2"), 1, "seats 0 to 1"),
        (("picture", "katarenga", "--out", "/no/such/folder/x.svg"), 1, "/no/such/folder"),
        (("play", "katarenga", "-o", "seed=3"), 1, "Katarenga has no option seed"),
        (("perft", "katarenga", "-1"), 2, ""),
        (("dance",), 2, "No such command"),
    ],
)
def test_a_refused_command_says_why_in_one_sentence(arguments: tuple[str, ...], code: int, words: str) -> None:
    refused = run(*arguments)
    assert refused.returncode == code
    assert words in " ".join(refused.stderr.split())
    assert "Traceback" not in refused.stderr


def test_an_unknown_language_is_refused() -> None:
    refused = run("games", language="eo")
    assert refused.returncode == 1
    assert "en, de, fr" in refused.stderr
