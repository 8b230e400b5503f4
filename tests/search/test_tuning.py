"""Learning evaluation weights."""

import tomllib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import mchezo
from mchezo.core import features
from mchezo.core.features import Feature, hand_set
from mchezo.core.structs import Numbers
from mchezo.search import tuning
from mchezo.search.tuning import BatchStore, Samples, chances, fit, learn, log_loss, weights_text

FEATURES = tuple(Feature(name, f"how many {name}", weight) for name, weight in (("a", 100.0), ("b", 0.0), ("c", -50.0)))
TRUE = np.array([800.0, -300.0, 50.0])


def simulated(positions: int, seed: int, weights: Numbers = TRUE) -> Samples:
    """Return positions whose results follow from known weights, one per game."""
    rng = np.random.default_rng(seed)
    differences = rng.normal(0, 2, (positions, len(weights))).astype(np.float32)
    expected = chances(differences @ weights)
    results = (rng.random(positions) < expected).astype(np.float32)
    values = np.round(np.log(expected / (1 - expected)) * 1000).astype(np.int32)
    return Samples(differences, values, results, results)


def test_known_weights_are_recovered_from_results_alone() -> None:
    samples = simulated(40_000, 1)
    found = fit(samples.differences, samples.results, hand_set(FEATURES))
    assert np.abs(found - TRUE).max() < 25
    assert log_loss(samples.differences, samples.results, found) < log_loss(
        samples.differences, samples.results, hand_set(FEATURES)
    )


def test_what_the_search_thought_is_half_of_what_is_learned_from() -> None:
    samples = Samples(np.zeros((2, 1), np.float32), np.array([0, 0], np.int32), *[np.array([1, 0], np.float32)] * 2)
    assert samples.targets.tolist() == [0.75, 0.25]


def test_a_feature_that_never_differs_keeps_its_prior_and_a_rare_one_stays_near_it() -> None:
    samples = simulated(5_000, 2)
    samples.differences[:, 0] = 0.0
    samples.differences[20:, 2] = 0.0
    found = fit(samples.differences, samples.results, np.array([123.0, 0.0, 40.0]), trust=1e6)
    assert found[0] == pytest.approx(123.0)
    assert found[2] == pytest.approx(40.0, abs=1)
    freely = fit(samples.differences, samples.results, np.array([123.0, 0.0, 40.0]), trust=1.0)
    assert abs(freely[2] - 40.0) > 10


def test_a_prior_that_is_sure_and_wrong_is_overcome() -> None:
    samples = simulated(20_000, 4)
    found = fit(samples.differences, samples.results, np.array([-9000.0, 9000.0, -9000.0]), trust=1.0)
    assert np.abs(found - TRUE).max() < 40


def test_zero_weights_predict_like_a_coin_flip() -> None:
    samples = simulated(1_000, 3)
    assert log_loss(samples.differences, samples.results, np.zeros(3)) == pytest.approx(np.log(2))


def player(log: list[tuple[int, int]]) -> Callable[[Numbers, int, int], Samples]:
    """Return a function whose games depend on round, batch and weights, and that records its calls."""

    def play(weights: Numbers, round_number: int, number: int) -> Samples:
        log.append((round_number, number))
        return simulated(200, 1000 * round_number + number + int(weights[0]))

    return play


def tuning_run(
    folder: Path | None, batches: int = 12, rounds: int = 2
) -> tuple[Numbers, tuning.TuningSummary, list[tuple[int, int]]]:
    """Learn; return the result and the batches played for it."""
    log: list[tuple[int, int]] = []
    store = BatchStore(folder, {"seed": 1, "sizes": (1, 2)}, Samples)
    weights, figures = learn(FEATURES, rounds, batches, player(log), store, 2, lambda samples: None)
    return weights, figures, sorted(log)


def test_learning_goes_on_where_it_stopped_and_comes_to_the_same(tmp_path: Path) -> None:
    weights, figures, played = tuning_run(None)
    assert played == [(round_number, number) for round_number in range(2) for number in range(12)]
    assert np.abs(weights - TRUE).max() < 120
    assert figures.games == figures.positions == 2 * 12 * 200
    assert figures.log_loss_learned < figures.log_loss_hand_set

    tuning_run(tmp_path, batches=12, rounds=1)
    (tmp_path / "round-0-batch-5.npz").unlink()
    again, same, played = tuning_run(tmp_path)
    assert played == [(0, 5), *((1, number) for number in range(12))]
    assert again.tolist() == weights.tolist()
    assert same == figures
    assert tuning_run(tmp_path)[2] == []


def test_games_played_on_other_terms_are_refused(tmp_path: Path) -> None:
    BatchStore(tmp_path, {"nodes": 100}, Samples)
    BatchStore(tmp_path, {"nodes": 100}, Samples)
    with pytest.raises(mchezo.UserError) as refused:
        BatchStore(tmp_path, {"nodes": 200}, Samples)
    assert refused.value.key == "kept-other"
    (tmp_path / "terms.json").write_text("nonsense")
    with pytest.raises(mchezo.UserError) as refused:
        BatchStore(tmp_path, {"nodes": 100}, Samples)
    assert refused.value.key == "kept-unreadable"
    assert all(refused.value.say(language) for language in ("en", "de", "fr", "nl"))


def test_weights_are_written_by_name_and_other_kinds_of_game_stay() -> None:
    figures = tuning.TuningSummary(100, 2000, 0.65, 0.6)
    text = weights_text("", "first", FEATURES, np.array([1.4, -2.0, 0.0]), "mchezo tune first", figures, "60 %")
    text = weights_text(text, "second", FEATURES, TRUE, "mchezo tune second", figures, "55.0 ± 3 %")
    tables = tomllib.loads(text)
    assert tables["first"]["weights"] == {"a": 1, "b": -2, "c": 0}
    assert tables["second"] == {
        "command": "mchezo tune second",
        "games": 100,
        "positions": 2000,
        "log-loss-hand-set": 0.65,
        "log-loss-learned": 0.6,
        "score": "55.0 ± 3 %",
        "weights": {"a": 800, "b": -300, "c": 50},
    }
    again = weights_text(text, "first", FEATURES, np.zeros(3), "mchezo tune first", figures, "50 %")
    assert tomllib.loads(again)["second"] == tables["second"]
    assert tomllib.loads(again)["first"]["weights"] == {"a": 0, "b": 0, "c": 0}


def test_learned_weights_are_read_by_name_and_those_of_other_features_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    tables = {"known": {"weights": {"a": 1, "b": 2, "c": 3}}}
    monkeypatch.setattr(features, "read_weights", lambda package: tables)
    assert features.learned("x", "known", FEATURES).tolist() == [1.0, 2.0, 3.0]
    assert features.learned("x", "unknown", FEATURES).tolist() == hand_set(FEATURES).tolist()
    with pytest.raises(ValueError, match="other features"):
        features.learned("x", "known", FEATURES[:2])
