"""What speaks for the best move: the next best one, and why it is weaker."""

import mchezo
from mchezo.search.alternatives import alternative
from mchezo.search.analysis import analyst


def test_a_win_is_compared_with_what_misses_it() -> None:
    position = mchezo.game("katarenga").start(seed=1, position="w7/4b3/8/8/8/8/8/b3w3 w h a")
    thinker = analyst("katarenga")
    best, *_ = thinker.best(position, 1, nodes=5_000)
    found = alternative(position, best, thinker, nodes=5_000)
    assert best.moves[0] == "a8-a9"
    assert found is not None
    assert found.move in position.legal_moves
    assert found.move != "a8-a9"
    assert found.why is not None
    assert found.why.key in ("misses-now", "loses-now")


def test_moves_that_are_equally_good_need_no_reason() -> None:
    # Both camps are open to the pawn on the baseline, and either one wins.
    position = mchezo.game("katarenga").start(seed=1, position="w2w4/4b3/8/8/8/8/8/b7 w h -")
    thinker = analyst("katarenga")
    best, *_ = thinker.best(position, 1, nodes=5_000)
    found = alternative(position, best, thinker, nodes=5_000)
    assert best.chances == (1.0, 0.0)
    assert found is not None
    assert found.why is None


def test_the_only_move_has_no_alternative() -> None:
    position = mchezo.game("kiwara").start(seed=1)
    while len(position.legal_moves) != 1:
        position.play(position.legal_moves[0])
    thinker = analyst("kiwara")
    best, *_ = thinker.best(position, 1, nodes=100)
    assert alternative(position, best, thinker, nodes=100) is None
