"""A history: a list whose copies share what they have in common."""

from __future__ import annotations

import random
import threading

import pytest

from mchezo.core.history import History


def test_a_history_is_used_like_a_list() -> None:
    history = History("abc")
    history.append("d")
    assert (len(history), history[0], history[-1], history[1:3], history[::-1]) == (4, "a", "d", ["b", "c"], [*"dcba"])
    assert list(reversed(history)) == [*"dcba"]
    assert history == [*"abcd"] == [*history]
    assert history.pop() == "d"
    assert history == History("abc") != History("ab")
    assert "d" not in history
    for index in (3, -4):
        with pytest.raises(IndexError):
            history[index]
    with pytest.raises(IndexError):
        History().pop()


@pytest.mark.parametrize("seed", range(20))
def test_no_copy_sees_what_another_one_does(seed: int) -> None:
    rng = random.Random(seed)
    pairs: list[tuple[History[int], list[int]]] = [(History(), [])]
    for number in range(400):
        history, expected = rng.choice(pairs)
        if rng.random() < 0.2:
            pairs.append((history.copy(), expected.copy()))
        elif expected and rng.random() < 0.3:
            assert history.pop() == expected.pop()
        else:
            history.append(number)
            expected.append(number)
    for history, expected in pairs:
        assert history == expected


def test_copies_may_grow_in_different_threads() -> None:
    first: History[tuple[int, int]] = History()
    copies = [first.copy() for _ in range(4)]

    def grow(number: int) -> None:
        for step in range(2_000):
            copies[number].append((number, step))

    threads = [threading.Thread(target=grow, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for number, history in enumerate(copies):
        assert history == [(number, step) for step in range(2_000)]
    assert not first
