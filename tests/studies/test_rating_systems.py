"""The comparison of rating systems: known strengths are found, and the floor is a coin."""

from __future__ import annotations

from math import log

import pytest

from mchezo.studies.rating_systems import (
    POPULATIONS,
    SYSTEMS,
    Population,
    Predictions,
    farmed,
    predict_results,
    simulate,
)


def test_the_used_system_predicts_better_than_a_coin_and_than_weng_lin() -> None:
    results = simulate(Population(people=40, games=600), 1)
    losses = {
        name: predict_results(SYSTEMS[name](), results, Predictions()).loss
        for name in ("constant", "Glicko-2 as used", "Plackett-Luce, beta 123, tau 10")
    }
    assert losses["constant"] == pytest.approx(log(2))
    assert losses["Glicko-2 as used"] < losses["Plackett-Luce, beta 123, tau 10"]
    assert losses["Glicko-2 as used"] < losses["constant"] - 0.02


def test_simulated_results_depend_on_the_seed_alone() -> None:
    for population in POPULATIONS.values():
        small = Population(**{**vars(population), "games": 20})
        assert simulate(small, 3) == simulate(small, 3) != simulate(small, 4)


def test_perfect_predictions_are_calibrated() -> None:
    predictions = Predictions([0.75] * 400, [1.0] * 300 + [0.0] * 100)
    assert predictions.calibration_error == pytest.approx(0, abs=1e-9)


def test_new_accounts_are_no_source_of_points() -> None:
    assert farmed(30, rule=True) == 0
    assert farmed(30, rule=False) > 50
