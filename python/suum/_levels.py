"""Level tables: what a release needs to know of data, and nothing else."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any


class Levels:
    """A level table: how many records each privacy level has, and their exact sums.

    It holds raw sums and is **not private**: keep it as safe as the data. Statistics take it in place of data.
    """

    def __init__(self, text: str) -> None:
        self._text = text

    def to_json(self) -> str:
        """The table in the format that ``suum levels`` writes. Not private."""
        return self._text

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the table to a file. Not private."""
        Path(path).write_text(self._text, encoding="utf-8")

    def __repr__(self) -> str:
        # Raw sums do not belong on a screen.
        return "<suum.Levels: raw sums, not private>"


def from_levels(table: Mapping[str, Any] | str | os.PathLike[str]) -> Levels:
    """A level table that was made elsewhere, to be given to a statistic in place of data.

    ``table`` is a file, the JSON text of one, or what ``json.loads`` makes of it. Its form is checked by the statistic.

    >>> import suum
    >>> table = suum.from_levels({
    ...     "format": "suum-levels", "version": 1, "warning": "raw sums: not private",
    ...     "column": "visits", "bounds": [0.0, 77.0], "grid": 1073741824, "records": 3,
    ...     "levels": [{"level": "strict", "epsilon": 0.1, "count": 2, "sum": "41834292"},
    ...                {"level": "public", "epsilon": "inf", "count": 1, "sum": "125502876"}]})
    >>> suum.count(table).estimate
    3.0
    """
    if isinstance(table, Mapping):
        return Levels(json.dumps(table))
    if isinstance(table, str) and table.lstrip().startswith("{"):
        return Levels(table)
    return Levels(Path(table).read_text(encoding="utf-8"))
