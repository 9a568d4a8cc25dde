"""Relations of DuckDB with types that Arrow does not have, or that it takes for others."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from ._errors import DataError
from ._unknown import check_names


def readable(relation: Any, names: Sequence[str], labels: Collection[str]) -> Any:
    """Converts the columns of these names to types that Arrow has, ``labels`` among them to text.

    DuckDB hands over unsigned integers of 128 bits as signed ones, and a time of day in a time zone
    without it.
    """
    check_names(names, relation)
    types = dict(zip(relation.columns, map(str, relation.types)))
    for name in names:
        if types[name] == "TIME WITH TIME ZONE":
            raise DataError(
                f"column {name}: it holds times of day in time zones",
                "convert it to times of day in one zone, or to text",
            )
    if not any(types[name] == "UHUGEINT" for name in names):
        return relation

    def column(name: str) -> str:
        quoted = '"' + name.replace('"', '""') + '"'
        if types[name] != "UHUGEINT":
            return quoted
        text = f"CAST({quoted} AS VARCHAR)"
        # From text it is rounded once.
        kept = text if name in labels else f"CAST({text} AS DOUBLE)"
        return f"{kept} AS {quoted}"

    return relation.project(", ".join(map(column, names)))
