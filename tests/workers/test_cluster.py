"""Work on a Ray cluster: the same bytes as on this machine alone, even if a machine is lost, and one code version."""

import time
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import ray
from ray.cluster_utils import Cluster as LocalCluster

from mchezo.arena import players
from mchezo.arena.matches import Match, PlayedGame, play_game
from mchezo.cli import katarenga_study
from mchezo.cli.contests import Terms, run_match
from mchezo.cli.katarenga_study import BoardStudy
from mchezo.core.errors import UserError
from mchezo.studies.katarenga import Sample
from mchezo.workers import cluster as clusters
from mchezo.workers.cluster import Cluster
from mchezo.workers.units import Ended, in_order, workers_of

# In hours in which nothing is compiled: a cluster takes a while to start.
pytestmark = pytest.mark.rotating(shares=24, first=22)
MEMORY = 100 * 1024 * 1024
PATIENCE = 600.0  # seconds: ends a test that hangs
# On a busy machine Ray takes nodes for dead that answer late, and ends them together with this process.
CONFIG = {"health_check_timeout_ms": 120_000}


@pytest.fixture(scope="module")
def machines() -> Iterator[LocalCluster]:
    """Three machines with a processor each."""
    started = LocalCluster(
        initialize_head=True,
        head_node_args={
            "num_cpus": 1,
            "object_store_memory": MEMORY,
            "include_dashboard": False,
            "_system_config": CONFIG,
            "wait": False,
        },
    )
    for _ in range(2):
        add_machine(started, 1)
    started.wait_for_nodes(PATIENCE)
    yield started
    ray.shutdown()
    started.shutdown()  # type: ignore[no-untyped-call]  # Ray has few types


def add_machine(machines: LocalCluster, processors: int) -> Any:
    """Start a machine; by itself Ray does not wait for it longer than half a minute."""
    return machines.add_node(wait=False, num_cpus=processors, object_store_memory=MEMORY)


@pytest.fixture(scope="module")
def cluster(machines: LocalCluster) -> Cluster:
    found = workers_of(2, machines.address)
    assert isinstance(found, Cluster)
    return found


def match(name: str = "flat:20") -> Match:
    return Match("kiwara", players.find(name, "kiwara"), players.find("random", "kiwara"), seed=1)


def where(number: int) -> str:
    """Return the machine that did a unit."""
    return str(ray.get_runtime_context().get_node_id())


def meet(folder: Path, count: int, number: int) -> str:
    """Do a unit that lasts until `count` machines are at work; each records what it does in a file."""
    (folder / f"{number} {where(number)}").touch()
    end = time.monotonic() + PATIENCE
    while len({machine for _, machine in who_did_what(folder)}) < count:
        assert time.monotonic() < end, "a machine does nothing"
        time.sleep(0.05)
    return where(number)


def who_did_what(folder: Path) -> list[tuple[str, str]]:
    """Return the units that were begun, each with its machine."""
    return [(number, machine) for path in folder.iterdir() for number, machine in [path.name.split()]]


def play_slowly(folder: Path, asked: Match, number: int) -> PlayedGame:
    """Play a game when all four machines are at work."""
    meet(folder, 4, number)
    time.sleep(0.5)
    return play_game(asked, number, 0)


def test_a_lost_machine_costs_its_units_only(machines: LocalCluster, cluster: Cluster, tmp_path: Path) -> None:
    asked = match()
    alone = [play_game(asked, number, 0) for number in range(16)]
    lost = add_machine(machines, 2)
    machines.wait_for_nodes(PATIENCE)
    found = []
    for game in in_order(partial(play_slowly, tmp_path, asked), range(16), cluster):
        found.append(game)
        if len(found) == 4:
            machines.remove_node(lost, allow_graceful=False)
    assert found == alone
    done = who_did_what(tmp_path)
    by_lost = {number for number, machine in done if machine == lost.node_id}
    again = {number for number, _ in done if sum(number == other for other, _ in done) > 1}
    assert again <= by_lost, "units of other machines were done again"


def test_a_match_on_a_cluster_is_the_match_played_here_byte_for_byte(cluster: Cluster, tmp_path: Path) -> None:
    here, there = tmp_path / "here.jsonl", tmp_path / "there.jsonl"
    terms = Terms("kiwara", nodes=200, workers=2, file=here)
    run_match(terms, "level:5", "level8-2026-11", 6, None, None)
    run_match(replace(terms, workers=cluster, file=there), "level:5", "level8-2026-11", 6, None, None)
    assert there.read_bytes() == here.read_bytes()


def test_a_study_on_a_cluster_goes_on_where_this_machine_stopped(cluster: Cluster, tmp_path: Path) -> None:
    here, both = tmp_path / "here.jsonl", tmp_path / "both.jsonl"
    study = BoardStudy(4, nodes=30, again=0, seed=1, workers=2, sample=Sample(chosen=2, others=1))
    katarenga_study.run(study, here, None, None)
    katarenga_study.run(replace(study, boards=2), both, None, None)
    katarenga_study.run(replace(study, workers=cluster), both, None, None)
    # Board 0 has a second line, so the order of the lines is the one of the whole study.
    assert both.read_bytes() == here.read_bytes()


def test_units_are_done_by_several_machines(cluster: Cluster, tmp_path: Path) -> None:
    assert len(set(in_order(partial(meet, tmp_path, 2), range(30), cluster))) > 1


def test_a_machine_with_other_code_is_refused(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clusters, "code_version", lambda: "other")
    with pytest.raises(UserError) as refused:
        list(in_order(where, range(3), cluster))
    assert refused.value.key == "other-code"


def test_a_refusal_of_a_unit_arrives_as_it_is(cluster: Cluster) -> None:
    with pytest.raises(UserError) as refused:
        list(in_order(partial(players.find, game="kiwara"), ["level:9"], cluster))
    assert refused.value.key == "number-level"


def test_nothing_is_done_after_the_iterator_is_closed(cluster: Cluster) -> None:
    asked = in_order(where, range(1_000_000), cluster)
    next(asked)
    asked.close()
    assert list(asked) == []
    # The cluster has room for other work at once.
    assert len(list(in_order(where, range(3), cluster))) == 3


def test_threads_stop_early_when_nobody_wants_their_results() -> None:
    ended = Ended()

    def wait(number: int) -> int:
        while number and not ended():
            pass
        return number

    results = in_order(wait, range(4), 2, ended)
    assert next(results) == 0
    results.close()
    assert ended()


def test_a_cluster_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(**options: Any) -> None:
        raise ConnectionError("nobody answers")

    monkeypatch.setattr(ray, "is_initialized", lambda: False)
    monkeypatch.setattr(ray, "init", refuse)
    with pytest.raises(UserError) as refused:
        list(in_order(where, range(3), Cluster("127.0.0.1:1")))
    assert refused.value.key == "no-cluster"
    assert "127.0.0.1:1" in refused.value.say("fr")
