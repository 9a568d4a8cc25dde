"""Releases from keyword arguments: of one group, or a mapping of groups."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ._values import Arithmetic
from ._ask import ask
from ._release import OF_GROUPS, R, Release
from ._groups import ByLabel, Labels, listed
from ._kinds import Deviation, Difference, Frequencies, Median, Number, Quantiles, Summary, Variance
from ._survey import released_by_column, several_columns
from ._times import is_time, label


class Groups(Mapping[Any, Any]):
    """The part of a release of groups that works as a dictionary does. The other base of its class
    is that of the release of one group, where type checkers find the same methods.
    """

    if TYPE_CHECKING:
        _record: dict[str, Any]
        _labels: Labels
        _by: tuple[str, ...]

    @cached_property
    def _groups(self) -> ByLabel:
        whole: type[Release] = type(self).__bases__[1]
        parts = self._record["groups"]
        labels = self._labels._replace(groups=(), own_by=self._by)
        found, empty = ByLabel(), []
        for part in parts:
            own = self._labels.group(part["group"])
            if part.get("records") == 0:
                empty.append(own)
            else:
                found[own] = whole._of_group(part)(part, labels._replace(own=own))
        return found.without(empty)

    @property
    def groups(self) -> dict[Any, Any]:
        """The release of each group that has records."""
        return self._groups.copy()

    def __getitem__(self, group: object) -> Any:
        return self._groups[group]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._groups)

    def __len__(self) -> int:
        return len(self._groups)

    def _ipython_key_completions_(self) -> list[Any]:
        # IPython completes no dates; they are found by their text, too.
        return [label(one) if is_time(one) else one for one in self._groups]

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


class _DifferenceOfGroups(Groups, Difference):  # type: ignore[misc]
    # It is a number, too.
    __float__ = Difference.__float__
    __format__ = Difference.__format__
    __eq__ = Difference.__eq__
    __hash__ = Difference.__hash__
    __array__ = Arithmetic.__dict__["__array__"]


# Classes of releases of groups at run time; names of the module, so that they can be pickled.
OF_GROUPS[Difference] = _DifferenceOfGroups
for _kind in (Number, Variance, Deviation, Median, Frequencies, Quantiles, Summary):
    _name = f"_{_kind.__name__}Groups"
    OF_GROUPS[_kind] = globals()[_name] = type(_name, (Groups, _kind), {"__module__": __name__})


def released(kind: type[R], what: str, options: Mapping[str, Any]) -> R:
    """Makes the release that keyword arguments ask for, ``data`` among them; of several columns a
    release of each.
    """
    names = several_columns(what, options)
    if names is not None:
        of_columns: Any = released_by_column(kind, what, names, options)
        return of_columns  # type: ignore[no-any-return]
    options = listed(options)
    # Nothing can be refused once the release is made.
    labels = Labels.of(options)
    of_groups = options.get("group_by") is not None
    if of_groups and options.get("between") is not None:
        kind = Difference  # type: ignore[assignment]
    made: Any = OF_GROUPS[kind] if of_groups else kind
    answer = ask(what, options["data"], options, kind._function)
    return made(answer, labels)  # type: ignore[no-any-return]
