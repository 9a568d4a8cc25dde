"""Releases of groups: one release for each declared group that has records."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from ._entries import label, without_point
from ._moments import Unit, moment
from ._times import unit_of

if TYPE_CHECKING:
    from ._release import Release


class Labels(NamedTuple):
    """The labels that were declared, by the text that stands for each in a release."""

    groups: Mapping[str, Any] = {}
    categories: Mapping[str, Any] = {}
    #: In what dates and times count, if values are such.
    unit: Unit | None = None

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> Labels:
        """Those of keyword arguments; text alone declares text."""
        groups, categories = _by_text(options.get("groups")), _by_text(options.get("categories"))
        return cls(groups, categories, unit_of(options))

    def category(self, text: str) -> Any:
        """The label of a category, by its text; a bin of dates has dates as its ends."""
        found = _BIN.fullmatch(text)
        if self.unit is not None and found is not None:
            return _of_moments(found, self.unit)
        return self.categories.get(text, text)


def _of_moments(found: re.Match[str], unit: Unit) -> str:
    """A bin with dates in place of numbers."""
    lower, upper = (label(moment(float(end), unit)) for end in found.groups()[:2])
    return f"[{lower}, {upper}{found[3]}"


_BIN = re.compile(r"\[(\S+), (\S+)([)\]])")


def _by_text(declared: Any) -> dict[str, Any]:
    if declared is None or isinstance(declared, str):
        return {}
    plain = [_plain(one) for one in declared]
    return {text: one for one in plain for text in _texts(one)}


def _texts(one: Any) -> list[str]:
    """How a label can stand in a release: columns in memory write whole numbers without a point."""
    return [label(one), label(without_point(one))]


def _plain(one: Any) -> Any:
    """A label as Python has it: those of NumPy show their type."""
    return one.item() if type(one).__module__ == "numpy" else one


class Labelled(dict[Any, Any]):
    """A dictionary by declared labels, which finds them by their text, too.

    >>> shares = Labelled({1: 0.25, 2: 0.75})
    >>> shares[1], shares["1"], 1 in shares
    (0.25, 0.25, True)
    """

    @cached_property
    def _texts(self) -> dict[str, Any]:
        return {text: key for key in self for text in _texts(key)}

    def __missing__(self, key: object) -> Any:
        try:
            return self[self._texts[label(key)]]
        except (KeyError, TypeError):
            raise KeyError(key) from None


class ByShare(dict[float, Any]):
    """A dictionary by shares of records, which have nine digits.

    >>> ByShare({0.3: "low"})[0.1 + 0.2]
    'low'
    """

    def __missing__(self, key: Any) -> Any:
        near = round(float(key), 9)
        if near == key:
            raise KeyError(key)
        return self[near]


class Groups(Mapping[Any, Any]):
    """The part of a release of groups that works as a dictionary does. The other base of its class
    is that of the release of one group, where type checkers find the same methods.
    """

    if TYPE_CHECKING:
        _record: dict[str, Any]
        _labels: Labels

    @cached_property
    def _groups(self) -> Labelled:
        kind: type[Release] = type(self).__bases__[1]
        labels = Labels({}, self._labels.categories, self._labels.unit)
        return Labelled(
            (self._labels.groups.get(part["group"], part["group"]), kind(part, labels))
            for part in self._record["groups"]
            if part.get("records") != 0
        )

    @property
    def groups(self) -> dict[Any, Any]:
        """The release of each group that has records."""
        return dict(self._groups)

    def __getitem__(self, group: object) -> Any:
        try:
            return self._groups[group]
        except KeyError:
            raise KeyError(f"there is no group {group!r} with records") from None

    def __iter__(self) -> Iterator[Any]:
        return iter(self._groups)

    def __len__(self) -> int:
        return len(self._groups)

    def _ipython_key_completions_(self) -> list[Any]:
        return list(self._groups)

    @property
    def _name(self) -> str:
        return type(self).__bases__[1].__name__

    # One is not equal to another, and can be a key.
    __eq__ = object.__eq__
    __hash__ = object.__hash__

    def __float__(self) -> float:
        raise TypeError("there is a number for each group: use float(release[group])")

    def __format__(self, form: str) -> str:
        return format(float(self), form) if form else str(self)

    def __array__(self, dtype: object = None, copy: object = None) -> Any:
        raise TypeError(
            f"a release of groups is no array: use release[group], one of {list(self)}, or "
            "release.to_pandas()"
        )
