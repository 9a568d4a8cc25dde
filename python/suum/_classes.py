"""Class of an answer, by the statistic that its record names."""

from __future__ import annotations

from typing import Any

from ._errors import ParameterError
from ._groups import Labels, labels_of

#: The class of each statistic, which the file of its function adds, and of releases of groups by
#: that of one of them.
KINDS: dict[str, type[Any]] = {}
OF_GROUPS: dict[type[Any], type[Any]] = {}


def with_check(record: dict[str, Any]) -> dict[str, Any]:
    """Record of an answer whose bounds were checked, with the spending of both answer and check.
    "answers" has the spending of each, from which a certificate is computed again.
    """
    answer, check = record["answers"]
    return {**answer, **record, "bounds_check": check}


def of_record(record: dict[str, Any], wanted: type[Any] | None = None) -> Any:
    """Release of a dictionary; of the requested class, if it can be read as that."""
    one = record
    if [bool(answer.get("checks_bounds")) for answer in record.get("answers", [])] == [False, True]:
        one = with_check(record)
    of_statistic = KINDS.get(_name(one.get("statistic")))
    kind = named_by(record)[0] or of_statistic
    whole = "groups" in one or {"private", "protects"} <= one.keys()
    if kind is None or not whole:
        hint = "for several answers, suum.Survey.from_json" if "answers" in one else (
            "give what to_json() writes"
        )
        raise ParameterError("release: it is no release", hint)
    if wanted is not None:
        of_one = {groups: of_one for of_one, groups in OF_GROUPS.items()}
        wanted = of_one.get(wanted, wanted)
        kind = wanted if wanted is of_statistic or wanted._reads(one) else kind
    labels = [*labels_of(record), None][0]
    return (OF_GROUPS[kind] if "groups" in one else kind)(record, labels)


def named_by(record: dict[str, Any]) -> list[type[Any] | None]:
    """Class of the answer of a function, where several functions make the same statistic; of
    several answers those of each, if they differ.
    """
    return [KINDS.get(name) for name in str(record.get("function")).split(",")]


def part_of_record(
    record: dict[str, Any], labels: Labels | None = None, wanted: type[Any] | None = None
) -> Any:
    """Release of one answer of a record with several; of the requested class, if there is one."""
    parts = [record, *(part for part in record.get("groups", []) if "statistic" in part)]
    names = [part["statistic"] for part in parts if part.get("statistic")]
    statistic = names[0] if names else None
    kind = wanted or KINDS.get(_name(statistic), KINDS["mean"])
    return (OF_GROUPS[kind] if "groups" in record else kind)(record, labels)


def _name(statistic: Any) -> str:
    return "summary" if isinstance(statistic, list) else str(statistic)
