"""Level tables: what a release needs to know of data, and nothing else."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ._errors import ReadError
from ._report import NoSequence
from ._suum import level_table


class Levels(NoSequence):
    """A level table: how many records each privacy level has, and their exact sums; or one for each
    declared group.

    It holds raw sums and is **not private**: keep it as safe as the data. Statistics take it in
    place of data; of groups with the ``group_by`` and all the ``groups`` that it was made with.
    """

    _instead = "it as the data of a statistic, for example suum.mean(table)"

    def __init__(self, content: bytes) -> None:
        self._content = level_table(content).encode()

    def to_json(self) -> str:
        """The table in the format that ``suum levels`` writes. Not private."""
        return self._content.decode()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the table to a file that ``from_levels`` reads. Not private."""
        Path(path).write_bytes(self._content)

    def __repr__(self) -> str:
        # Raw sums do not belong on a screen.
        return "<suum.Levels: raw sums, not private>"


def content(table: Levels) -> bytes:
    """Contents of a file with the table."""
    return table._content


def from_levels(table: Mapping[str, Any] | str | os.PathLike[str]) -> Levels:
    """A level table that was made elsewhere, to be given to a statistic in place of data.

    ``table`` is a file: one of ``suum levels``, or the result of ``levels_sql`` as CSV, Parquet or
    JSON. It can also be the JSON text of one, or what ``json.loads`` makes of it. It is checked as
    far as that goes without the data.

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
        return Levels(json.dumps(table).encode())
    if isinstance(table, str) and table.lstrip().startswith(("{", "[")):
        return Levels(table.encode())
    try:
        return Levels(Path(table).read_bytes())
    except OSError as raised:
        raise ReadError(f"level table: {table} cannot be read", "check the path") from raised
