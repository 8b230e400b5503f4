"""Games are found by their registration only: general code names none of them."""

import ast
from pathlib import Path

import numpy as np
import pytest

import mchezo
from mchezo.core.features import Feature, hand_set

SOURCE = Path(mchezo.__file__).parent
# The games themselves, studies that are about one game by nature, and the commands that run these studies.
FOLDERS = ("games", "studies")
COMMANDS = ("commands/balance.py", "katarenga_study.py", "kitara_study.py", "kiwara_study.py", "rival_study.py")
GENERAL = [
    path
    for path in sorted(SOURCE.rglob("*.py"))
    if path.relative_to(SOURCE).parts[0] not in FOLDERS and path not in [SOURCE / "cli" / name for name in COMMANDS]
]


@pytest.mark.parametrize("path", GENERAL, ids=lambda path: str(path.relative_to(SOURCE)))
def test_no_general_file_names_a_game(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant):
            assert node.value not in mchezo.games(), node.lineno
        if isinstance(node, ast.ImportFrom):
            assert not (node.module or "").startswith("mchezo.games."), node.lineno
        if isinstance(node, ast.Name | ast.Attribute | ast.FunctionDef | ast.ClassDef):
            name = str(getattr(node, "id", "") or getattr(node, "attr", "") or getattr(node, "name", ""))
            assert not any(game in name.lower() for game in mchezo.games()), node.lineno


@pytest.mark.parametrize("name", mchezo.games())
def test_a_game_is_loaded_once_and_knows_its_name(name: str) -> None:
    game = mchezo.game(name)
    assert game.name == name
    assert mchezo.game(name) is game
    assert len(game.setup.seats(game.start(seed=1).options)) in game.players


def test_hand_set_weights_are_floats_even_where_they_are_written_as_whole_numbers() -> None:
    assert hand_set([Feature("one", "ones", 1), Feature("two", "twos", 2)]).dtype == np.float64
