"""An event loop on simulated time: one per simulated process, its steps interleaved by the scheduler."""

from __future__ import annotations

import asyncio
from asyncio import events
from collections import deque
from collections.abc import Callable, Coroutine
from contextlib import AbstractContextManager, nullcontext, suppress
from contextvars import Context
from functools import partial
from typing import Any, TypeVar, TypeVarTuple, Unpack, cast

from tests.simulation.world import SECOND, Owner, World

T = TypeVar("T")
Arguments = TypeVarTuple("Arguments")
AWAITS_AT_THE_END = 20  # of one task, each of which has to be interrupted


class SimulatedLoop(asyncio.BaseEventLoop):
    """Callbacks run in the order in which they were scheduled, as asyncio guarantees; threads finish in any order."""

    def __init__(self, world: World, owner: Owner, on_error: Callable[[dict[str, Any]], None]) -> None:
        self.world = world
        self.owner = owner
        self.on_error = on_error
        self.ready: deque[asyncio.Handle] = deque()
        self.scheduled = False
        self.suspended_until = 0
        self.last_arrival = 0  # of a callback from another thread: those keep their order, too
        self.as_thread: Callable[[], AbstractContextManager[None]] = nullcontext
        self.tasks: list[asyncio.Task[Any]] = []  # kept, so that the garbage collector never ends one

    # Running

    def run_next(self) -> None:
        """Run one callback."""
        self.scheduled = False
        if self.world.time < self.suspended_until:
            self._schedule(self.suspended_until - self.world.time)
            return
        if self.ready:
            handle = self.ready.popleft()
            if not handle.cancelled():
                self.enter(handle._run)
        if self.ready:
            self._schedule(self.world.rng.randrange(5, 60))

    def enter(self, function: Callable[[], object]) -> None:
        """Call a function as the running loop."""
        events._set_running_loop(self)
        try:
            function()
        finally:
            events._set_running_loop(None)

    def close_tasks(self) -> None:
        """End all tasks; what they do on their way out reaches nobody."""
        for task in self.tasks:
            task._log_destroy_pending = False  # type: ignore[attr-defined]  # private
            for _ in range(AWAITS_AT_THE_END):
                with suppress(BaseException):
                    cast(Coroutine[Any, Any, Any], task.get_coro()).close()
                    break

    def _schedule(self, microseconds: int) -> None:
        if not self.scheduled:
            self.scheduled = True
            self.world.after(microseconds, self.run_next, owner=self.owner)

    def _add(self, handle: asyncio.Handle) -> None:
        self.ready.append(handle)
        self._schedule(self.world.rng.randrange(5, 60))

    # The part of the event loop's interface that the server uses

    def time(self) -> float:
        return self.world.time / SECOND

    def call_soon(
        self, callback: Callable[[Unpack[Arguments]], object], *args: *Arguments, context: Context | None = None
    ) -> asyncio.Handle:
        handle = asyncio.Handle(callback, args, self, context)
        self._add(handle)
        return handle

    def call_soon_threadsafe(
        self, callback: Callable[[Unpack[Arguments]], object], *args: *Arguments, context: Context | None = None
    ) -> asyncio.Handle:
        handle = asyncio.Handle(callback, args, self, context)
        self.last_arrival = max(self.last_arrival, self.world.time + self.world.rng.randrange(10, 2_000))
        self.world.after(self.last_arrival - self.world.time, self._add, handle, owner=self.owner)
        return handle

    def call_later(
        self,
        delay: float,
        callback: Callable[[Unpack[Arguments]], object],
        *args: *Arguments,
        context: Context | None = None,
    ) -> asyncio.TimerHandle:
        return self.call_at(self.time() + delay, callback, *args, context=context)

    def call_at(
        self,
        when: float,
        callback: Callable[[Unpack[Arguments]], object],
        *args: *Arguments,
        context: Context | None = None,
    ) -> asyncio.TimerHandle:
        handle = asyncio.TimerHandle(when, callback, args, self, context)
        self.world.after(int((when - self.time()) * SECOND), self._fire, handle, owner=self.owner)
        return handle

    def _fire(self, handle: asyncio.TimerHandle) -> None:
        if not handle.cancelled():
            self._add(handle)

    def _timer_handle_cancelled(self, handle: asyncio.TimerHandle) -> None:
        pass

    def create_future(self) -> asyncio.Future[Any]:
        return asyncio.Future(loop=self)

    def create_task(self, coro: Any, **given: Any) -> asyncio.Task[Any]:
        task: asyncio.Task[Any] = asyncio.Task(coro, loop=self, **given)
        self.tasks.append(task)
        return task

    def run_in_executor(
        self, executor: Any, func: Callable[[Unpack[Arguments]], T], *args: *Arguments
    ) -> asyncio.Future[T]:
        """Run a function later, as another thread would; its result arrives later still."""
        future: asyncio.Future[T] = self.create_future()

        def finish(settle: Callable[[], None]) -> None:
            if not future.done():
                settle()

        def work() -> None:
            try:
                with self.as_thread():
                    settle = partial(future.set_result, func(*args))
            except BaseException as error:
                settle = partial(future.set_exception, error)
            delay = self.world.rng.randrange(10, 3_000)
            self.world.after(delay, self.call_soon, finish, settle, owner=self.owner)

        self.world.after(self.world.rng.randrange(10, 5_000), work, owner=self.owner)
        return future

    def call_exception_handler(self, context: dict[str, Any]) -> None:
        self.on_error(context)

    def get_debug(self) -> bool:
        return False

    def is_running(self) -> bool:
        return True

    def is_closed(self) -> bool:
        return not self.owner.alive

    def __del__(self) -> None:
        """There is nothing to close."""
