"""Groups: their columns, and the labels that were declared, with their types."""

from __future__ import annotations

import datetime
import os
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cached_property
from importlib.util import find_spec
from typing import Any, NamedTuple

from . import _times
from ._columns import is_missing, names_of
from ._entries import label, without_point
from ._errors import ParameterError
from ._times import in_utc, is_time


def columns(options: Mapping[str, Any]) -> list[Any] | None:
    """The columns of groups, if ``groups`` has a list for each of several; else ``None``.

    >>> columns({"group_by": ["region", "sex"], "groups": [["north", "south"], ["f", "m"]]})
    ['region', 'sex']
    >>> columns({"group_by": "region", "groups": ["north", "south"]})
    """
    group_by, groups = options.get("group_by"), options.get("groups")
    if not isinstance(group_by, (list, tuple)) or not are_lists(groups):
        return None
    return list(group_by)


def are_lists(groups: object) -> bool:
    """Returns true if there is a list of groups for each of several columns."""
    return isinstance(groups, (list, tuple)) and any(map(is_list, groups))


def is_list(value: object) -> bool:
    """Returns true if something is many labels, not one."""
    return isinstance(value, Iterable) and not isinstance(value, str)


def listed(options: Mapping[str, Any]) -> dict[str, Any]:
    """Options in which all labels are in lists, since they can be in an iterator.

    >>> listed({"groups": (label for label in "ab"), "value": "v"})
    {'groups': ['a', 'b'], 'value': 'v'}
    """
    found = {
        name: _lists(name, value) if name in _LABELS and is_list(value) else value
        for name, value in options.items()
    }
    groups, by = options.get("groups"), options.get("group_by")
    is_flat = not isinstance(groups, Mapping) and not are_lists(found.get("groups"))
    if is_flat and isinstance(by, (list, tuple)) and len(by) == 1 and isinstance(by[0], str):
        found["group_by"] = by[0] if _is_name(by[0], options.get("data")) else by
    if isinstance(groups, Mapping):
        # The groups of each column by its name.
        names = list(by) if isinstance(by, (list, tuple)) else [by]
        if set(map(str, groups)) != set(map(str, names)):
            raise ParameterError(
                "groups: they are not of the columns of group_by",
                "give a list of groups, or of several columns a list for each",
            )
        lists = _lists("groups", [groups[name] for name in names])
        found["groups"] = lists if isinstance(by, (list, tuple)) and len(names) > 1 else lists[0]
        found["group_by"] = by if len(names) > 1 else names[0]
    return found


def _is_name(text: str, data: object) -> bool:
    """Returns true if a text in a list names a column, and is not a column of one row."""
    if data is None or isinstance(data, (str, os.PathLike)):
        return True
    return text in map(str, names_of(data))


_LABELS = ("between", "categories", "classes", "groups")


def _lists(option: str, labels: Iterable[Any]) -> list[Any]:
    found = [one.as_py() if hasattr(one, "as_py") else one for one in labels]
    if any(map(is_missing, found)):
        raise ParameterError(
            f"{option}: a missing cell is no label",
            "leave it out"
            + ("; missing=NAME counts missing cells as a declared category"
               if option == "categories" else ""),
        )
    return [_lists(option, one) if is_list(one) else one for one in found]


def role(at: int) -> str:
    """Option name of a column of groups, by its position."""
    return "group_by" if at == 0 else f"group_by_{at + 1}"


def table_columns(options: Mapping[str, Any]) -> list[Any] | None:
    """Both columns of a cross table, if there is one.

    >>> table_columns({"crosstab": "region,sex"}), table_columns({"crosstab": ("region", "sex")})
    (['region', 'sex'], ['region', 'sex'])
    >>> table_columns({})
    """
    crosstab = options.get("crosstab")
    if isinstance(crosstab, str):
        # A comma in a name is what the command line has a backslash for.
        return None if "\\" in crosstab else [name.strip() for name in crosstab.split(",")]
    return None if crosstab is None else list(crosstab)


def table_role(at: int) -> str:
    """Option name of a column of a cross table, by its position."""
    return "crosstab" if at == 0 else f"crosstab_{at + 1}"


def shown(name: object) -> str:
    """Name of a group, or of the columns of groups, for people."""
    return ", ".join(map(str, name)) if isinstance(name, (list, tuple)) else str(name)


class Labels(NamedTuple):
    """Declared labels, by the text that stands for each in a release."""

    #: Those of each column of groups.
    groups: tuple[Mapping[str, Any], ...] = ()
    categories: Mapping[str, Any] = {}
    #: The labels of both columns of a table.
    crossed: tuple[Mapping[str, Any], ...] = ()
    #: The group that the release is of, if it is of one.
    own: Any = None
    #: The columns of which that group is, if they are several.
    own_by: tuple[str, ...] = ()

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> Labels:
        """Labels of keyword arguments; text alone declares text."""
        groups = options.get("groups")
        lists: list[Any] = list(groups or []) if are_lists(groups) else [groups]
        of_columns = tuple(_by_text(one) for one in lists)
        categories = options.get("categories")
        if isinstance(categories, (list, tuple)) and are_lists(categories):
            # The labels of both columns of a table.
            return cls(of_columns, {}, tuple(_by_text(one) for one in categories))
        return cls(of_columns, _by_text(categories))

    def group(self, name: str | list[str]) -> Any:
        """The label of a group, by its text; of several columns a tuple of labels."""
        texts = [name] if isinstance(name, str) else name
        of_columns = self.groups if len(self.groups) == len(texts) else ({},) * len(texts)
        labels = tuple(by.get(text, text) for by, text in zip(of_columns, texts))
        return labels[0] if isinstance(name, str) else labels

    def cell(self, texts: list[str]) -> Any:
        """The labels of a cell of a table, by their texts."""
        return tuple(self.of_column(at, text) for at, text in enumerate(texts))

    def of_column(self, at: int, text: str) -> Any:
        """The label of one column of a table, by its text."""
        return self.crossed[at].get(text, text) if at < len(self.crossed) else text

    def named(self, name: str | list[str]) -> Any:
        """The label of a category, or the labels of a cell of a table."""
        return self.category(name) if isinstance(name, str) else self.cell(name)

    def category(self, text: str) -> Any:
        """The label of a category, by its text."""
        return self.categories.get(text, text)


def _by_text(declared: Any) -> dict[str, Any]:
    if declared is None or isinstance(declared, str):
        return {}
    plain = [_plain(one) for one in declared]
    return {text: one for one in plain for text in _texts(one)}


def _texts(one: Any) -> list[str]:
    """Possible texts of a label in a release: columns in memory write whole numbers without a
    point.
    """
    return [label(one), label(without_point(one))]


def _keys(key: Any) -> list[Any]:
    """The texts by which a label is found; of several labels tuples of texts."""
    if isinstance(key, tuple):
        return list(zip(*map(_texts, key)))
    return _texts(key)


def _plain(one: Any) -> Any:
    """Label as a value of Python: those of NumPy would show their type."""
    if is_time(one):
        return in_utc(one) if type(one).__module__ == "numpy" else one
    return one.item() if type(one).__module__ == "numpy" else one


class ByLabel(dict[Any, Any]):
    """Dictionary by declared labels, which can be looked up by their text, too.

    >>> shares = ByLabel({1: 0.25, 2: 0.75})
    >>> shares[1], shares["1"], 1 in shares
    (0.25, 0.25, True)
    """

    #: Groups that were declared, and have no records.
    _empty: Collection[Any] = ()

    def without(self, empty: Collection[Any]) -> ByLabel:
        """Declares these groups to be without records."""
        self._empty = empty
        return self

    def copy(self) -> ByLabel:
        return ByLabel(self).without(self._empty)

    @cached_property
    def _texts(self) -> dict[str, Any]:
        return {text: key for key in self for text in _keys(key)}

    def __missing__(self, key: object) -> Any:
        for text in _texts_of(key):
            if text in self._texts:
                return self[self._texts[text]]
        raise KeyError(self._why_not(key))

    def _why_not(self, key: Any) -> str:
        empty = {text for one in self._empty for text in _texts_of(one)}
        if not empty.isdisjoint(_texts_of(key)):
            return f"group {key!r} has no records"
        some = ", ".join(repr(one) for one in list(self)[:12])
        return f"there is no {key!r}: choose one of {some}" + (", …" if len(self) > 12 else "")


def _texts_of(key: Any) -> list[Any]:
    """Texts by which a label is found; none for other keys."""
    try:
        return _keys(key)
    except TypeError:
        return []


class ByShare(dict[float, Any]):
    """A dictionary by shares of records, which have nine digits.

    >>> ByShare({0.3: "low"})[0.1 + 0.2]
    'low'
    """

    def __missing__(self, key: Any) -> Any:
        near = round(float(key), 9)
        if near == key:
            raise KeyError(f"there is no {key!r}: choose one of {', '.join(map(repr, self))}")
        return self[near]


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
