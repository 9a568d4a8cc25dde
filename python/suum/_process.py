"""The process: forks, Ctrl-C while a driver waits for its engine, progress of a long scan."""

from __future__ import annotations

import os
import signal
import socket
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

from ._errors import RequestError

_used = False
_lost = False


def enter() -> None:
    """Refuses a process forked from one in which suum has threads: they were not copied, and it
    would wait for ever.
    """
    global _used
    if _lost:
        raise RequestError(
            "process: it was forked from one that has used suum, whose threads it does not have",
            'start processes afresh, for example with multiprocessing.get_context("spawn")',
        )
    _used = True


def _after_fork() -> None:
    global _lost
    _lost = _used


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


T = TypeVar("T")

#: Names that drivers give to the method that ends a query from another thread: sqlite3 and DuckDB
#: the first, drivers of PostgreSQL the second.
_ENDS = ("interrupt", "cancel")


def interruptible(work: Callable[[], T], *asked: Any) -> T:
    """Returns the result of work with a cursor or connection. An interrupt of the process ends its
    query, by the first of ``asked`` that can; the exception of the driver then becomes a
    ``KeyboardInterrupt``.
    """
    if threading.current_thread() is not threading.main_thread():
        # Signals go elsewhere.
        return work()
    ends = [getattr(one, name) for one in asked for name in _ENDS if hasattr(one, name)]
    watch = _Watch(ends[:1])
    try:
        return work()
    except Exception:
        if watch.stop():
            raise KeyboardInterrupt from None
        raise
    finally:
        watch.stop()


def aside(work: Callable[[], T], end: Callable[[], object] | None = None) -> T:
    """Returns the result of work in another thread. An interrupt calls ``end``, if there is one,
    and then no longer waits for the thread.
    """
    found: SimpleQueue[T | Exception] = SimpleQueue()

    def find() -> None:
        try:
            found.put(work())
        except Exception as raised:
            found.put(raised)

    thread = threading.Thread(target=find, daemon=True)
    thread.start()
    try:
        while True:
            with suppress(Empty):
                answer = found.get(timeout=0.05)
                if isinstance(answer, Exception):
                    raise answer
                return answer
    except KeyboardInterrupt:
        if end is not None:
            with suppress(Exception):
                end()
            thread.join(timeout=0.1)
        raise


class _Watch:
    """Thread that receives signals as they come, not when Python checks for them."""

    def __init__(self, ends: list[Callable[[], object]]) -> None:
        self._ends = ends
        self._seen = False
        self._told, self._tells = socket.socketpair()
        self._tells.setblocking(False)
        self._others = signal.set_wakeup_fd(self._tells.fileno(), warn_on_full_buffer=False)
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def stop(self) -> bool:
        """Stops watching; returns true if there was an interrupt."""
        if self._thread.is_alive():
            signal.set_wakeup_fd(self._others, warn_on_full_buffer=False)
            self._tells.close()
            self._thread.join()
        self._told.close()
        return self._seen

    def _run(self) -> None:
        while signals := self._told.recv(64):
            if self._others != -1 and os.name == "posix":
                os.write(self._others, signals)
            if signal.SIGINT in signals:
                self._seen = True
                with suppress(Exception):
                    [end() for end in self._ends]


class Bar:
    """A line that is written over, and wiped out in the end; if nobody says whether it is
    ``wanted``, where somebody looks.
    """

    def __init__(self, wanted: bool | None = None) -> None:
        self._wanted = wanted
        self._width = 0

    def __call__(self, done: int, total: int | None) -> None:
        if self._wanted is None:
            self._wanted = _is_watched()
        if not self._wanted:
            return
        if total:
            share = min(done / total, 1.0)
            filled = round(share * 30)
            line = f"reading [{'#' * filled}{'.' * (30 - filled)}] {share:4.0%} of {_size(total)}"
        else:
            line = f"reading {_size(done)}"
        self._write(line)

    def __enter__(self) -> Bar:
        return self

    def __exit__(self, *_: object) -> None:
        self.clear()

    def clear(self) -> None:
        """Wipes the line out."""
        if self._width:
            self._write("")

    def _write(self, line: str) -> None:
        # A release that is paid for is not lost because nobody sees the line.
        with suppress(Exception):
            sys.stderr.write(f"\r{line:<{self._width}}" + ("" if line else "\r"))
            sys.stderr.flush()
        self._width = len(line)


def _is_watched() -> bool:
    """Returns true if somebody watches standard error: a person at a terminal, or a notebook."""
    return sys.stderr is not None and (
        sys.stderr.isatty() or type(sys.stderr).__module__.startswith("ipykernel")
    )


def _size(size: int) -> str:
    amount = float(size)
    for unit in ("B", "kB", "MB"):
        if amount < 1000:
            return f"{amount:.0f} {unit}"
        amount /= 1000
    return f"{amount:.1f} GB"
