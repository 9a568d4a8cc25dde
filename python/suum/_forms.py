"""Forms of data, as types."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol, SupportsFloat, Union

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
