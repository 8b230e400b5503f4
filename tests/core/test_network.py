"""Networks that correct evaluations."""

from pathlib import Path

import numpy as np
import pytest

from mchezo.core import network, registry
from mchezo.core.network import HIDDEN, LARGEST_OUTPUT, NONE, OUTPUT_UNIT, STAGES, UNIT, correction, load, rows_for

INPUTS = 20


def random_network(seed: int) -> network.ShortRows:
    """Return a network with arbitrary weights."""
    generator = np.random.default_rng(seed)
    made = generator.integers(-90, 91, (rows_for(INPUTS), HIDDEN)).astype(np.int16)
    made[1 + INPUTS : -1] = generator.integers(-LARGEST_OUTPUT, LARGEST_OUTPUT + 1, (STAGES, HIDDEN))
    return made


@pytest.mark.parametrize("seed", range(5))
def test_the_output_is_that_of_the_formula(seed: int) -> None:
    made = random_network(seed)
    generator = np.random.default_rng(seed)
    chosen = generator.choice(INPUTS, 7, replace=False).astype(np.int32)
    stage = int(generator.integers(STAGES))
    active = np.clip((made[0] + made[1 + chosen].sum(0)) / UNIT, 0, 1) ** 2
    expected = 1000 * float(active @ made[1 + INPUTS + stage]) / OUTPUT_UNIT + int(made[-1, stage])
    found = correction(made, chosen, len(chosen), stage, np.zeros(HIDDEN, np.int16))
    assert abs(int(found) - expected) <= 1


def test_the_largest_sums_fit_into_32_bits() -> None:
    assert UNIT * UNIT < 1 << 15
    assert HIDDEN * UNIT * UNIT * LARGEST_OUTPUT < 1 << 31


def test_a_missing_file_is_no_network_and_one_of_another_size_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(network, "files", lambda package: tmp_path)
    load.cache_clear()
    assert load("any", "missing.bin", INPUTS) is NONE
    made = random_network(1)
    (tmp_path / "network.bin").write_bytes(made.tobytes())
    assert np.array_equal(load("any", "network.bin", INPUTS), made)
    with pytest.raises(ValueError, match="other inputs"):
        load("any", "network.bin", INPUTS + 1)
    load.cache_clear()


@pytest.mark.parametrize("name", [name for name in registry.names() if registry.find(name).evaluation.network])
def test_a_network_takes_at_most_a_megabyte(name: str) -> None:
    known = registry.find(name).evaluation.network
    assert known is not None
    assert known.file.stat().st_size == 2 * HIDDEN * rows_for(known.inputs) <= 1_000_000
