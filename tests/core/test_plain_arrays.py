"""Arrays over plain bytes do what NumPy's do, as far as rules and searches use them."""

import operator
import random
from types import ModuleType
from typing import Annotated, Any

import numpy as np
import pytest

import mchezo
from mchezo.core import arrays, plain_arrays
from mchezo.core.rng import hash_seed, new_rng

COLUMNS = (("small", "int8", ()), ("word", "uint64", ()), ("rows", "int16", (3, 2)), ("share", "float64", (2,)))


def struct_of(source: ModuleType) -> Any:
    """Return the same struct of NumPy or of plain bytes."""
    return source.struct_type([(name, getattr(source, kind), shape) for name, kind, shape in COLUMNS])


@pytest.mark.parametrize("game", mchezo.games())
def test_the_structs_of_games_have_the_same_layout(game: str) -> None:
    known = mchezo.game(game).start(seed=1)
    layouts: tuple[Any, ...] = (known.states.dtype, known.setups.dtype)
    for layout in layouts:
        fields = {name: layout.fields[name][:2] for name in layout.names}
        columns = [(name, kind.base.type.__name__, kind.shape) for name, (kind, _) in fields.items()]
        made: Any = plain_arrays.struct_type(
            [(name, getattr(plain_arrays, kind), shape) for name, kind, shape in columns]
        )
        assert made.itemsize == layout.itemsize
        assert {name: offset for name, (_, offset, _) in made.fields.items()} == {
            name: offset for name, (_, offset) in fields.items()
        }


@pytest.mark.parametrize("source", [arrays, plain_arrays])
def test_fields_items_and_rows_share_the_memory_of_their_struct(source: ModuleType) -> None:
    structs = source.zeros(2, struct_of(source))
    first = structs[0]
    first.small, first.word, first.share = -3, (1 << 64) - 1, [0.5, 2]
    first.rows[1] = 7
    first.rows[:, 0] = [1, 2, 3]
    copied = first.copy()
    structs[1] = first
    first.rows[2, 1] = -9
    assert structs[0].rows.tolist() == [[1, 0], [2, 7], [3, -9]]
    assert structs[1].rows.tolist() == copied.rows.tolist() == [[1, 0], [2, 7], [3, 0]]
    assert (int(structs[1].small), int(structs[1].word), structs[1].share.tolist()) == (-3, (1 << 64) - 1, [0.5, 2.0])
    assert source.repeat(structs[:1], 3)[2].rows.flatten().tolist() == [1, 0, 2, 7, 3, -9]
    assert bool(structs[1].rows.any())
    assert int(structs[1].rows[1].sum()) == 9
    assert 7 in structs[1].rows[1]


def test_the_bytes_are_the_same() -> None:
    written = []
    for source in (arrays, plain_arrays):
        structs: Any = source.zeros(3, struct_of(source))
        structs[1].rows = [[1, 2], [3, 4], [5, 6]]
        structs[2].word = 0x0102030405060708
        structs["small"] = -1
        table = source.array([[1, 2, 3], [4, 5, 6]], source.int32)
        written.append((structs.tobytes(), table[:, 1:].tobytes(), source.full(3, 1.5).tobytes()))
    assert written[0] == written[1]


@pytest.mark.parametrize("name", ["and_", "or_", "xor", "add", "sub", "mul", "lshift", "rshift"])
def test_words_wrap_around(name: str) -> None:
    apply, dice = getattr(operator, name), random.Random(name)
    for _ in range(200):
        one, two = dice.getrandbits(64), dice.getrandbits(6 if "shift" in name else 64)
        with np.errstate(over="ignore"):
            expected = int(apply(np.uint64(one), np.uint64(two)))
        found = apply(plain_arrays.uint64(one), plain_arrays.uint64(two))
        assert (int(found), type(found)) == (expected, plain_arrays.uint64)
    assert int(~plain_arrays.uint64(5)) == int(~np.uint64(5))
    assert int(-plain_arrays.uint64(5)) == (1 << 64) - 5


def test_what_would_be_silently_different_is_refused() -> None:
    values = plain_arrays.array([1, 2])
    with pytest.raises(TypeError, match="not compared"):
        assert values == 1
    with pytest.raises(IndexError):
        values[2]
    with pytest.raises(ValueError, match="3 items for 2"):
        values[:] = [1, 2, 3]
    with pytest.raises(TypeError):
        operator.add(values, values)


@pytest.mark.parametrize("seed", [0, 1, 7, 2**32, 2**64 - 1, 2**130 + 5, 2**256 - 1])
def test_seeds_are_hashed_as_numpy_does(seed: int) -> None:
    expected = int(np.random.SeedSequence(seed).generate_state(1, np.uint64)[0])
    assert hash_seed(seed) == expected
    assert int(new_rng(seed)[0]) == expected


def test_layouts_of_classes_refuse_names_that_records_have() -> None:
    class Bad:
        copy: Annotated[int, np.int8]

    from mchezo.core.structs import layout

    with pytest.raises(TypeError, match="copy"):
        layout(Bad)
