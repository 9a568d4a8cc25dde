"""Releases from keyword arguments, and from JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, cast

from ._ask import ask
from ._errors import ParameterError
from ._groups import Groups, Labels, is_list
from ._kinds import Deviation, Difference, Frequencies, Median, Number, Quantiles, Summary, Variance
from ._release import R, Release, with_check


# What releases of groups are at run time; each is a class of its own, to be sent to processes.
class _NumberGroups(Groups, Number):  # type: ignore[misc]
    pass


class _DifferenceOfGroups(Groups, Difference):  # type: ignore[misc]
    # It is a number, too.
    __float__ = Difference.__float__
    __format__ = Difference.__format__
    __eq__ = Difference.__eq__
    __hash__ = Difference.__hash__
    __array__ = Number.__dict__["__array__"]


class _VarianceGroups(Groups, Variance):  # type: ignore[misc]
    pass


class _DeviationGroups(Groups, Deviation):  # type: ignore[misc]
    pass


class _MedianGroups(Groups, Median):  # type: ignore[misc]
    pass


class _FrequenciesGroups(Groups, Frequencies):  # type: ignore[misc]
    pass


class _QuantilesGroups(Groups, Quantiles):  # type: ignore[misc]
    pass


class _SummaryGroups(Groups, Summary):  # type: ignore[misc]
    pass


_OF_GROUPS: dict[type[Release], type[Release]] = {
    Number: _NumberGroups,
    Difference: _DifferenceOfGroups,
    Variance: _VarianceGroups,
    Deviation: _DeviationGroups,
    Median: _MedianGroups,
    Frequencies: _FrequenciesGroups,
    Quantiles: _QuantilesGroups,
    Summary: _SummaryGroups,
}

_KINDS: dict[str, type[Release]] = {
    "mean": Number,
    "sum": Number,
    "count": Number,
    "difference": Difference,
    "variance": Variance,
    "frequency": Frequencies,
    "quantile": Quantiles,
    "summary": Summary,
}


def released(
    kind: type[R], what: str, options: Mapping[str, Any], defaults: Mapping[str, Any] | None
) -> R:
    """The release that keyword arguments ask for; ``data`` is among them."""
    # Labels can be in something that is gone through once.
    options = {
        name: _listed(value) if name in _LABELS and is_list(value) else value
        for name, value in options.items()
    }
    answer = ask(what, options["data"], options, defaults)
    of_groups = options.get("group_by") is not None
    if of_groups and options.get("between") is not None:
        kind = Difference  # type: ignore[assignment]
    made: Any = _OF_GROUPS[kind] if of_groups else kind
    return made(answer, Labels.of(options))  # type: ignore[no-any-return]


_LABELS = ("between", "categories", "classes", "groups")


def _listed(labels: Iterable[object]) -> list[object]:
    return [list(cast(Any, one)) if is_list(one) else one for one in labels]


def of_record(record: dict[str, Any]) -> Release:
    """The release that a dictionary stands for."""
    if [bool(answer.get("checks_bounds")) for answer in record.get("answers", [])] == [False, True]:
        record = with_check(record)
    statistic = record.get("statistic")
    kind = Summary if isinstance(statistic, list) else _KINDS.get(str(statistic))
    whole = "groups" in record or {"private", "protects"} <= record.keys()
    if kind is None or not whole:
        hint = "for several answers, suum.Survey.from_json" if "answers" in record else (
            "give what to_json() writes"
        )
        raise ParameterError("release: it is no release", hint)
    return (_OF_GROUPS[kind] if "groups" in record else kind)(record)


def part_of_record(record: dict[str, Any]) -> Release:
    """One of the answers of a release."""
    parts = [record, *(part for part in record.get("groups", []) if "statistic" in part)]
    names = [part["statistic"] for part in parts if part.get("statistic")]
    statistic = names[0] if names else None
    kind = Summary if isinstance(statistic, list) else _KINDS.get(str(statistic), Number)
    return (_OF_GROUPS[kind] if "groups" in record else kind)(record)
