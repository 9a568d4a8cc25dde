"""Types of data and of options."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, Protocol, SupportsFloat, Union

from ._levels import Levels


class ArrowStream(Protocol):
    """A table or column that exports a stream of Arrow: of Polars, PyArrow, DuckDB, pandas, and
    many others.
    """

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any: ...


class ArrowArray(Protocol):
    """A column or batch that exports an Arrow array."""

    def __arrow_c_array__(self, requested_schema: Any = None) -> Any: ...


class Lazy(Protocol):
    """A table that is computed on request: of Polars."""

    def collect(self, *args: Any, **keywords: Any) -> Any: ...


class Dataset(Protocol):
    """Files that are read on request: of PyArrow."""

    def scanner(self, *args: Any, **keywords: Any) -> Any: ...


class Connection(Protocol):
    """A connection to a database."""

    def close(self) -> Any: ...
    def commit(self) -> Any: ...


class Expression(Protocol):
    """Computation of a column of a table: of Polars."""

    @property
    def meta(self) -> Any: ...
    def alias(self, name: str) -> Any: ...


class Array(Protocol):
    """A NumPy array, or something that can be converted to one."""

    def __array__(self) -> Any: ...


class Moment(Protocol):
    """A date or a time: of the module ``datetime``, or of pandas, whose types say that it may be
    missing.
    """

    def isoformat(self) -> str: ...


class Series(Protocol):
    """Numbers by the labels of an index: of pandas."""

    @property
    def is_unique(self) -> bool: ...
    def to_dict(self, *args: Any, **keywords: Any) -> Any: ...


#: One column: of numbers, labels, dates or times. ``None``, null and NaN are missing cells.
Column = Union[
    ArrowStream,
    ArrowArray,
    Array,
    Expression,
    Iterable[Union[SupportsFloat, None]],
    Iterable[Union[str, None]],
    Iterable[Union[Moment, None]],
]

#: A path or several, a table, records as dictionaries, a connection of which ``table`` is read, the
#: column of values, or a level table.
Data = Union[
    str,
    os.PathLike[str],
    Sequence[Union[str, os.PathLike[str]]],
    Column,
    Mapping[str, Column],
    Sequence[Mapping[str, object]],
    Connection,
    Lazy,
    Dataset,
    Levels,
]

Path = Union[str, os.PathLike[str]]
Target = Literal["population", "dataset", "dataset-correlated"]
Neighbors = Literal["replace", "add-remove", "both"]
#: Two numbers, the lower one first.
Pair = Union[tuple[float, float], Sequence[float], Array, str]
#: A date or a time, also as ISO 8601 writes it, or one of NumPy.
Instant = Union[Moment, str, Array]
#: Two numbers, or two dates or times.
Bounds = Union[Pair, Sequence[Instant]]
#: The edges of bins, in ascending order.
Edges = Union[Sequence[float], Sequence[Instant], Array, str]
#: The edges of bins of numbers.
Numbers = Union[Sequence[float], Array, str]
#: Constant that stands in place of missing numbers.
Constant = Union[float, Moment]
Post = Literal["simplex", "clamp", "none"]
#: Number that a person counts with who has several rows: "mean", "total", "median", "min", "max",
#: or "last:" and a column of times.
PersonValue = str
#: What a person with several rows counts with in categories.
PersonShare = Literal["share", "mode"]
#: Shares of records: one, several (also of NumPy), or text such as "deciles".
Shares = Union[float, Sequence[float], Array, str]
#: Numbers by labels, which have the type of their column.
ByLabel = Union[Mapping[Any, float], Series, str]
#: Numbers of people by budget.
Counts = Union[Mapping[float, int], Series, str]
Names = Union[Iterable[str], str]
#: Declared labels, of the type that their column has.
Labels = Union[Iterable[object], str]
#: One or several columns of groups. mypy finds no type for ``[[1, 2], ["f", "m"]]`` that is both
#: columns and a list of objects, so what is in a list of them is not said.
GroupBy = Union[str, Column, Sequence[Any]]
#: The groups of one column, or a list of them for each.
Groups = Union[Labels, Iterable[Labels]]
#: Both columns of a table, as in ``GroupBy``.
Crosstab = Union[str, Sequence[Any]]
#: A register of choices: a path, or a table.
Register = Any
#: A column of budgets, one budget for everybody, or one for each person by who they are.
Budgets = Union[str, float, Column, Mapping[Any, float]]
