"""Types of declared labels, which are text in JSON."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable, Mapping
from importlib.util import find_spec
from typing import Any

from . import _times
from ._entries import label
from ._groups import Labels, are_lists, is_list


def types_of(options: Mapping[str, Any]) -> dict[str, list[str]]:
    """Types of the labels of keyword arguments, a word for each column; empty if all are text.

    >>> types_of({"groups": [1, 2], "categories": ["a", "b"]})
    {'groups': ['integer']}
    >>> types_of({"groups": [[datetime.date(2020, 1, 31)], ["f", "m"]]})
    {'groups': ['date', 'text']}
    """
    found = {}
    for option in _OPTIONS:
        types = [_type_of(labels) for labels in _columns(options.get(option))]
        if set(types) - {"text"}:
            found[option] = types
    return found


def labels_of(record: Mapping[str, Any]) -> list[Labels]:
    """The labels of a release, or of each answer of several, as the record says what they are."""
    types = record.get("label_types") or []
    return [
        Labels.of(typed(asked, of_answer)) for asked, of_answer in zip(queries_of(record), types)
    ]


def queries_of(record: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Request of each answer, with the common options."""
    query = dict(record.get("query") or {})
    answers = query.pop("answers", None)
    return [query] if answers is None else [{**query, **one} for one in answers]


def typed(asked: Mapping[str, Any], types: Mapping[str, list[str]]) -> dict[str, Any]:
    """Options in which labels, given as text, are converted to these types.

    >>> typed({"groups": ["1", "2"], "value": "v"}, {"groups": ["integer"]})
    {'groups': [1, 2], 'value': 'v'}
    """
    found = dict(asked)
    for option in _OPTIONS:
        named, texts = types.get(option), asked.get(option)
        if named is None or not is_list(texts):
            continue
        lists = [
            [_read(text, kind) for text in column] for column, kind in zip(_columns(texts), named)
        ]
        found[option] = lists if are_lists(texts) else lists[0]
    return found


def retyped(asked: dict[str, Any], types: list[Mapping[str, list[str]]]) -> dict[str, Any]:
    """Query, or query of several answers, in which labels are converted to the types of a release.
    """
    for one, own in zip(asked.get("answers") or [asked], types):
        whole = typed({**asked, **one}, own)
        one.update({option: whole[option] for option in own if option in whole})
    return asked


#: The options that declare labels of columns.
_OPTIONS = ("groups", "categories")


def _columns(labels: Any) -> list[list[Any]]:
    """Lists of labels, one for each column; none for text, which lists them as the command line
    does.
    """
    if labels is None or not is_list(labels):
        return []
    return [list(one) for one in labels] if are_lists(labels) else [list(labels)]


def _type_of(labels: Iterable[Any]) -> str:
    """Common type of all labels of a column."""
    types = {_type_of_one(one) for one in labels}
    if types == {"integer", "number"}:
        return "number"
    return types.pop() if len(types) == 1 else "text"


def _type_of_one(one: Any) -> str:
    if _times.is_time(one):
        if isinstance(one, datetime.datetime) and one.tzinfo is not None:
            return "instant"
        plain = _times.in_utc(one)
        if isinstance(plain, datetime.datetime):
            return "time"
        return "date" if isinstance(plain, datetime.date) else "text"
    if type(one).__name__ in ("bool", "bool_"):
        return "boolean"
    if hasattr(one, "__index__"):
        return "integer"
    return "number" if hasattr(one, "__float__") else "text"


def _time(text: str) -> datetime.datetime:
    if len(text.partition(".")[2]) > 6 and find_spec("pandas") is not None:
        # Only pandas has nanoseconds.
        from pandas import Timestamp

        found: Any = Timestamp(text)
        return found  # type: ignore[no-any-return]
    return datetime.datetime.fromisoformat(text)


def _instant(text: str) -> datetime.datetime:
    return _time(text).replace(tzinfo=datetime.timezone.utc)


_READ: dict[str, Callable[[str], Any]] = {
    "integer": int,
    "number": float,
    "boolean": {"true": True, "false": False}.__getitem__,
    "date": datetime.date.fromisoformat,
    "time": _time,
    "instant": _instant,
}


def _read(text: Any, kind: str) -> Any:
    """The label that a text stands for; the text itself, where it has more digits than Python."""
    try:
        found = _READ[kind](text)
    except (KeyError, TypeError, ValueError):
        return text
    return found if kind == "number" or label(found) == text else text
