"""Rotation of long tests, see tests/rotation.py; no test of Hypothesis fails because it is slow."""

import asyncio
import sys
from collections import defaultdict
from collections.abc import Generator, Iterator
from datetime import UTC, datetime

import pytest
from hypothesis import HealthCheck, settings

from tests import rotation

# On a busy machine everything takes long, which is no failure.
settings.register_profile("unhurried", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("unhurried")


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("rotation of long tests")
    group.addoption("--rotation", metavar="HOUR", help="Check the share of an hour, such as 2026-11-17T02 (UTC).")
    group.addoption("--whole", action="store_true", help="Check everything instead of a share.")


@pytest.hookimpl(tryfirst=True)  # before Hypothesis reads its seed
def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "rotating(shares, first): run a share of the cases, see tests/rotation.py")
    # Workers of pytest-xdist get the options of the main process, and so the same hour.
    config.option.rotation = config.option.rotation or datetime.now(UTC).strftime(rotation.FORMAT)
    rotation.CURRENT.hour = datetime.strptime(config.option.rotation, rotation.FORMAT)
    rotation.CURRENT.whole = config.option.whole
    if config.option.hypothesis_seed is None:
        config.option.hypothesis_seed = rotation.CURRENT.number


def pytest_report_header(config: pytest.Config) -> str:
    return f"rotation: {described(config)}"


def described(config: pytest.Config) -> str:
    """Return the options that repeat this run."""
    return f"--rotation {config.option.rotation}{' --whole' if config.option.whole else ''}"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect the rotating tests and cases that other runs check, unless the command line names them."""
    named = tuple(argument for argument in config.args if "::" in argument)
    seen: dict[str, int] = defaultdict(int)
    kept: list[pytest.Item] = []
    others: list[pytest.Item] = []
    for item in items:
        chosen = True
        # The closest marker counts: of the test itself, or of its module.
        for node, marker in item.iter_markers_with_node("rotating"):
            # Cases are counted through, over all tests with as many shares, so that all hours have as many.
            counted = node.nodeid.partition("[")[0] if "first" in marker.kwargs else str(marker.kwargs["shares"])
            chosen = rotation.CURRENT.includes(seen[counted], **marker.kwargs)
            seen[counted] += 1
            break
        (kept if chosen or item.nodeid.startswith(named) else others).append(item)
    if others:
        config.hook.pytest_deselected(items=others)
    # Tests that run once a day take longest. They are dealt out to the processes and go first, so that only short ones
    # are left at the end. The rest stay in order: tests of a module share what it prepares.
    long = [item for item in kept if is_long(item)]
    rest = [item for item in kept if not is_long(item)]
    count = workers(config)
    size = -(-len(rest) // count)
    items[:] = [item for k in range(count) for item in [*long[k::count], *rest[k * size : (k + 1) * size]]]


def is_long(item: pytest.Item) -> bool:
    """Return whether a test runs once a day."""
    marker = item.get_closest_marker("rotating")
    return marker is not None and bool(marker.kwargs["shares"] == rotation.HOURS)


def workers(config: pytest.Config) -> int:
    """Return the number of processes that share the tests."""
    given: dict[str, int] | None = getattr(config, "workerinput", None)  # by pytest-xdist
    return given["workercount"] if given else 1


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Say with every failure how to repeat it."""
    report = yield
    if report.failed:
        report.sections.append(("Repeat with", f"pytest {described(item.config)} '{item.nodeid}'"))
    return report


@pytest.fixture(autouse=True)
def hide_event_loop(request: pytest.FixtureRequest) -> Iterator[None]:
    """Let tests run event loops of their own after one with a browser, whose driver keeps its loop."""
    loop = asyncio._get_running_loop()
    if loop is None or "chromium" in request.fixturenames:
        yield
        return
    hooks = sys.get_asyncgen_hooks()
    asyncio._set_running_loop(None)
    sys.set_asyncgen_hooks(None, None)
    try:
        yield
    finally:
        asyncio._set_running_loop(loop)
        sys.set_asyncgen_hooks(*hooks)
