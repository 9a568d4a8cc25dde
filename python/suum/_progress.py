"""Progress of a long scan, on standard error: in a terminal as in a notebook."""

from __future__ import annotations

import sys
from contextlib import suppress


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
