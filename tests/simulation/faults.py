"""The faults: each seed enables some kinds, and injects them at random times until they cease."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from tests.simulation.world import SECOND

if TYPE_CHECKING:
    from tests.simulation.run import Run

EVERY = 0.8  # seconds between two faults, on average


def kill(run: Run) -> None:
    """Kill a process; another one takes its place after a while."""
    process = run.world.pick(run.processes)
    if process.alive:
        run.world.fault("process killed")
        process.die()


def stop(run: Run) -> None:
    """Shut a process down properly."""
    process = run.world.pick(run.processes)
    if process.alive:
        run.world.fault("process shut down")
        process.stop()


def lose_power(run: Run) -> None:
    """Kill everything; what was not synced is lost."""
    run.world.fault("power lost")
    for process in run.processes:
        process.die()
    run.disk.lose_power()
    run.oracle.on_power_loss()


def crash_in_commit(run: Run) -> None:
    """Kill the process that writes next, between two statements, or just before or after a commit."""
    run.disk.crash_in = run.world.rng.randrange(8)


def suspend(run: Run) -> None:
    """Suspend a process for a while."""
    process = run.world.pick(run.processes)
    if process.alive and not process.suspended:
        run.world.fault("process suspended")
        process.loop.suspended_until = run.world.time + run.world.between(0.5, 12.0)


def slow_disk(run: Run) -> None:
    """Let the disk be slow."""
    run.world.fault("disk slow")
    run.disk.slow_until = run.world.time + run.world.between(1.0, 5.0)


def full_disk(run: Run) -> None:
    """Let the disk be full."""
    run.world.fault("disk full")
    run.disk.fill(run.world.time + run.world.between(0.5, 4.0))
    run.world.after(run.disk.full_until - run.world.time, run.disk.free_space)


def busy(run: Run) -> None:
    """Let the database be locked."""
    run.world.fault("database busy")
    run.disk.busy_until = run.world.time + run.world.between(0.1, 3.0)


def away(run: Run) -> None:
    """Let the database server be away."""
    if run.shared:
        run.world.fault("database away")
        run.disk.away_until = run.world.time + run.world.between(0.1, 3.0)


def ambiguous_commit(run: Run) -> None:
    """Lose the connection to the database server during a commit that succeeds."""
    if run.shared:
        run.disk.ambiguous = True


def deafen(run: Run) -> None:
    """Lose the connection on which a process listens for notifications."""
    process = run.world.pick(run.processes)
    if run.shared and process.alive and process.started and process.listening:
        run.world.fault("listener cut")
        process.listening = False
        run.world.after(run.world.between(0.2, 3.0), process.listen_again, owner=process)


def cut(run: Run) -> None:
    """Cut a client's connection."""
    links = [client.link for client in run.clients if client.link is not None and client.link.alive]
    if links:
        run.world.fault("connection cut")
        run.world.pick(links).cut()


def leave(run: Run) -> None:
    """Let a client go away."""
    run.world.fault("client away")
    run.world.pick(run.clients).leave(run.world.time + run.world.between(1.0, 30.0))


def slow_network(run: Run) -> None:
    """Delay messages; those that are not on the same connection overtake each other."""
    run.world.fault("messages delayed and reordered")
    run.network.slow_until = run.world.time + run.world.between(0.5, 5.0)


def lossy_network(run: Run) -> None:
    """Lose and duplicate requests from now on."""
    run.network.loss = run.network.duplication = 0.3


def clock_forwards(run: Run) -> None:
    """Set the wall clock forwards."""
    run.world.fault("clock set forwards")
    run.world.wall_offset += run.world.between(0.1, 600.0)


def clock_backwards(run: Run) -> None:
    """Set the wall clock back."""
    run.world.fault("clock set back")
    run.world.wall_offset -= run.world.between(0.1, 600.0)


KINDS: dict[str, Callable[[Run], None]] = {
    "kill": kill,
    "stop": stop,
    "power": lose_power,
    "crash": crash_in_commit,
    "suspend": suspend,
    "slow-disk": slow_disk,
    "full-disk": full_disk,
    "busy": busy,
    "away": away,
    "ambiguous": ambiguous_commit,
    "deaf": deafen,
    "cut": cut,
    "leave": leave,
    "slow-network": slow_network,
    "lossy-network": lossy_network,
    "clock-forwards": clock_forwards,
    "clock-back": clock_backwards,
}


def schedule(run: Run, kinds: list[str], until: int) -> None:
    """Inject faults of these kinds until a point in time."""
    world = run.world

    def inject() -> None:
        if world.time < until:
            KINDS[world.pick(kinds)](run)
            world.after(int(world.rng.expovariate(1 / EVERY) * SECOND), inject)

    if kinds:
        world.after(world.between(0, EVERY), inject)
