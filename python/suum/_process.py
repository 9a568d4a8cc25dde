"""Processes in which suum can work."""

from __future__ import annotations

import os

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
