"""Tables and columns of any library, in a form that the extension reads and in one order of rows,
and refusals of those that cannot be read.

Indexes are those of pandas: rows of two objects belong together if their labels are equal. All
columns that a release reads are aligned once, before anything else is made of them. The first one
with an index says the order of rows, and others with the same labels in another order follow it.
Where labels differ, or an order cannot be told from them, the column is refused: budgets would go
to the wrong persons. What has no index is paired by position.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from difflib import get_close_matches
from importlib.util import find_spec
from typing import Any

from ._errors import DataError, RequestError
from ._process import aside
from ._times import is_time, label


#: Libraries whose classes users derive from; an object of a derived class is the library's too.
_DERIVED_FROM = {"numpy", "pandas", "polars", "pyarrow"}


def library(thing: object) -> str:
    """The name of the top-level package that defines the class of a thing, or a base of it.

    >>> import collections
    >>> library(collections.Counter())
    'collections'
    """
    packages = [base.__module__.partition(".")[0] for base in type(thing).__mro__]
    return next((package for package in packages if package in _DERIVED_FROM), packages[0])


def is_one(thing: object, package: str, *names: str) -> bool:
    """Returns true if a thing is of one of these classes of a library, or of a subclass.

    >>> is_one({}, "builtins", "dict"), is_one({}, "pandas", "DataFrame")
    (True, False)
    """
    return any(
        base.__module__.partition(".")[0] == package and base.__name__ in names
        for base in type(thing).__mro__
    )


def no_column(name: str, table: Any) -> DataError:
    """Refusal of a name that no column of a table has; the names of its columns are public."""
    instead = _instead(name, table)
    if name == "epsilon":
        # A release says so, too, where everybody had the same budget.
        instead += "; or give everybody one budget, as in epsilon=1.0"
    return DataError(f"column {name}: the data have none of that name", instead)


def _instead(name: str, table: Any) -> str:
    names = names_of(table)
    if name in [str(one) for one in names if not isinstance(one, str)]:
        return "names must be text: give data.rename(columns=str)"
    index: Any = getattr(table, "index", None)
    if library(table) == "pandas" and name in index.names:
        return "it is in the index: give data.reset_index()"
    texts = {one.lower(): one for one in names if isinstance(one, str)}
    near = get_close_matches(name.lower(), texts, 1)
    if near:
        return f"did you mean {texts[near[0]]}?"
    some = ", ".join(list(texts.values())[:12])
    if not some:
        return "check the spelling"
    return f"choose one of {some}" + (", …" if len(texts) > 12 else "")


def names_of(table: Any) -> list[Any]:
    """Names of the columns of a table, also of a lazy one; empty if they cannot be found."""
    if isinstance(table, Mapping):
        return list(table)
    if isinstance(table, (list, tuple)):
        return list(table[0]) if table and isinstance(table[0], Mapping) else []
    if hasattr(table, "collect_schema"):
        try:
            return list(table.collect_schema().names())
        except Exception:
            # Nothing can be made of it: that is said when it is computed.
            return []
    schema = getattr(table, "schema", None)
    names = getattr(schema, "names", None)
    return list(getattr(table, "columns", ()) if names is None or callable(names) else names)


def check_names(names: Iterable[str], table: Any) -> None:
    """Refuses a name that a lazy table does not have, before the table is computed."""
    there = names_of(table)
    for name in names if there else ():
        if name not in there:
            raise no_column(name, table)


def refuse_names(table: Any, beside: Mapping[str, Any]) -> None:
    """Refuses names of columns of a table in place of a column, which would be paired with it."""
    names = names_of(table)
    for role, column in beside.items():
        if isinstance(column, (int, tuple)) and _is_name(column, names):
            raise RequestError(
                f"{role}: names of columns must be text",
                'rename them, for example with data.rename(columns=str), or give data[NAME]',
            )
        if not isinstance(column, (list, tuple)) or not all(_is_name(one, names) for one in column):
            continue
        if role == "value":
            raise RequestError(
                "value: these are names of several columns",
                "give one; statistics such as suum.mean take several, whose names must be text",
            )
        if role == "group_by":
            raise RequestError(
                "group_by: these are names of several columns",
                "declare a list of groups for each: groups=[[A, B], [C, D]]",
            )


#: Expressions of libraries, of which suum reads those of Polars and Spark where it says so.
_EXPRESSIONS = {
    "pandas": "Expression", "pyarrow": "Expression", "duckdb": "Expression",
    "_duckdb": "Expression", "pyspark": "Column", "polars": "Expr",
}  # fmt: skip


def refuse_expressions(
    options: Mapping[str, Any], roles: Iterable[str], allowed: Iterable[str] = ()
) -> None:
    """Refuses expressions in the place of columns, but for those of ``allowed`` libraries: it is
    not known what they read.
    """
    for role in roles:
        said = options.get(role)
        several = said if isinstance(said, (list, tuple)) else [said]
        for package, name in _EXPRESSIONS.items():
            if package not in allowed and any(is_one(one, package, name) for one in several[:9]):
                raise RequestError(
                    f"{role}: an expression of {package.strip('_')} is not read here",
                    "name a column, or make one first, for example with data.assign(x=…) or "
                    "data.with_columns(x=…); a tier or group that is computed from values "
                    "publishes them",
                )


def refuse_single(table: Any) -> None:
    """Refuses a dictionary of numbers in place of one of columns."""
    if isinstance(table, Mapping) and any(isinstance(one, (int, float)) for one in table.values()):
        raise DataError(
            "data: a dictionary is a table, with a column by each name, and this one has numbers",
            'give a list for each name, as in {"visits": [3, 0, 9]}, or list(data.values())',
        )


def _is_name(one: object, names: Sequence[Any]) -> bool:
    return isinstance(one, (str, int, tuple)) and one in names


def refuse_values(data: Any) -> None:
    """Refuses values without budgets beside them."""
    columns = [("pandas", "Series"), ("polars", "Series"), ("numpy", "ndarray")]
    if isinstance(data, (list, tuple)) or any(is_one(data, *column) for column in columns):
        raise RequestError(
            "epsilon: it is not said what each record allows",
            "say epsilon=1.0 for everybody, epsilon=[…] with a budget for each record, or "
            "privacy=[…] with levels={…}",
        )


def no_table(data: Any) -> DataError:
    """Refusal of data that are no table."""
    return DataError(f"data: {type(data).__name__} is no table that is known here", _way(data))


def is_connection(data: object) -> bool:
    """Returns true for a connection, of which tables are read, or an engine of SQLAlchemy."""
    if any(is_one(data, name, "DuckDBPyConnection") for name in ("duckdb", "_duckdb")):
        return True
    if hasattr(data, "cursor") or hasattr(data, "exec_driver_sql"):
        return True
    return (hasattr(data, "dialect") and hasattr(data, "connect"))


def _way(data: Any) -> str:
    if library(data) in ("duckdb", "_duckdb"):
        return 'give a relation, as con.sql("…"), or suum.duckdb.levels(con, table=…)'
    if is_connection(data):
        return (
            'name its table beside it, as in table="people", or give what '
            'suum.sql.levels(connection, "TABLE", …) makes of it'
        )
    if library(data) == "sqlalchemy":
        return "give its connection as data, and this as query="
    if is_grouped(data):
        return GROUPED
    if hasattr(data, "read"):
        return "give its path, or what a library reads of it, for example pandas.read_csv(data)"
    if isinstance(data, (list, tuple)) or library(data) == "numpy":
        return "give a table, for example pandas.DataFrame(data)"
    return (
        "give a path, a DataFrame, something with __arrow_c_stream__, or values with "
        "epsilon=budgets beside them"
    )


#: Remedy for a group-by of pandas or Polars.
GROUPED = "give the table itself, with group_by=COL and groups=[A, B]"


def is_grouped(data: object) -> bool:
    """Returns true for a table or column of pandas or Polars in groups."""
    names = ("DataFrameGroupBy", "SeriesGroupBy", "GroupBy", "LazyGroupBy")
    return any(is_one(data, package, *names) for package in ("pandas", "polars"))


def is_table(data: object) -> bool:
    """Returns true if something is a table from which columns are taken by name."""
    return isinstance(data, Mapping) or any(is_one(data, *table) for table in _TABLES)


#: The tables of libraries from which columns are taken by name.
_TABLES = [("pandas", "DataFrame"), ("polars", "DataFrame"), ("pyarrow", "Table", "RecordBatch")]


def name_of(column: object) -> str | None:
    name = getattr(column, "name", None)
    return name if isinstance(name, str) and name.strip() else None


def column_of(column: Any, name: str, as_labels: bool) -> object:
    """Converts a column to a form that the extension reads: a list, or something that exports
    Arrow.

    The extension reads dates and times of Arrow, and those of lists as text.
    """
    if isinstance(column, (list, tuple)):
        return _of_list(column)
    if isinstance(column, (str, bytes)):
        raise DataError(f"column {name}: text is no column", "name a table as data, or give a list")
    if isinstance(column, Set) or is_table(column) or is_one(column, "polars", "Expr"):
        raise DataError(
            f"column {name}: a {type(column).__name__} is no column",
            "give an array, a Series or a list",
        )
    if is_grouped(column):
        raise DataError(f"column {name}: groups are no column", GROUPED)
    if is_one(column, "pandas", "SparseArray"):
        column = column.to_dense()
    if library(column) == "polars":
        column = _of_polars(column, as_labels)
    if library(column) == "pandas" and hasattr(column, "to_numpy"):
        return _of_pandas(column, name)
    if library(column) == "numpy":
        return _of_numpy(column, name)
    if hasattr(column, "__arrow_c_stream__") or hasattr(column, "__arrow_c_array__"):
        return column
    if hasattr(column, "__array__"):
        from numpy import asarray

        return _of_numpy(asarray(column), name)
    if isinstance(column, Iterable):
        return _of_list(list(column))
    raise DataError(
        f"column {name}: {type(column).__name__} is no column", "give an array, a Series or a list"
    )


def _of_list(items: Any) -> object:
    first = next((item for item in items if not is_missing(item)), None)
    if is_time(first):
        return [label(one) if is_time(one) else one for one in _present(list(items))]
    return items


def _of_objects(items: list[Any]) -> object:
    first = next((item for item in items if not is_missing(item)), None)
    # The extension knows missing cells among text, and is faster.
    return items if isinstance(first, str) else _of_list(_present(items))


def _of_polars(series: Any, as_labels: bool) -> object:
    dtype = str(series.dtype)
    if dtype == "Null":
        return [None] * len(series)
    if dtype in ("Int128", "UInt128"):
        import polars

        # No other library knows these integers. Decimals without a place behind the point are
        # integers, too, of almost the same range; what is cut off lies beyond any bounds.
        if as_labels:
            return aside(lambda: series.cast(polars.String))
        most = 10**38 - 1
        least = 0 if dtype == "UInt128" else -most
        return aside(lambda: series.clip(least, most).cast(polars.Decimal(38, 0)))
    return series


def _of_numpy(array: Any, name: str) -> object:
    if array.ndim != 1:
        raise DataError(
            f"column {name}: it has {array.ndim} dimensions", "give one, for example array.ravel()"
        )
    if hasattr(array, "mask"):
        # Masked items are missing.
        if array.dtype.kind != "f":
            return _present(array.tolist())
        array = array.filled(math.nan)
    if array.dtype.kind in "biufM":
        from numpy import require

        # Items are copied that lie apart, across the bounds of words, in another byte order, or in
        # another type than Arrow has; others are read where they lie.
        return require(array, _native(array.dtype), ("C", "A"))
    if array.dtype.kind in "OUT":
        return _of_objects(array.tolist())
    if array.dtype.kind == "m":
        raise DataError(
            f"column {name}: it holds durations",
            'convert it to numbers, for example column / numpy.timedelta64(1, "h")',
        )
    raise DataError(f"column {name}: it holds neither numbers nor text", "convert it to numbers")


def _native(dtype: Any) -> str:
    """Type of numbers or times that the extension reads, with the items of another."""
    if dtype.kind != "M":
        name = f"{dtype.kind}{dtype.itemsize}"
        return "=" + {"f2": "f4", "f12": "f8", "f16": "f8"}.get(name, name)
    from numpy import datetime_data

    unit, step = datetime_data(dtype)
    if unit not in ("D", "s", "ms", "us", "ns") or step != 1:
        # Arrow has no months and no hours, nor steps of five minutes.
        unit = {"Y": "D", "M": "D", "W": "D", "D": "D", "h": "s", "m": "s"}.get(unit, "us")
    return f"=M8[{unit}]"


def _of_pandas(series: Any, name: str) -> object:
    if type(series.dtype).__name__ == "PeriodDtype":
        raise DataError(
            f"column {name}: it holds periods of time",
            "convert it to numbers or text, or to dates with column.dt.to_timestamp()",
        )
    if _holds_intervals(series.dtype):
        raise DataError(
            f"column {name}: it holds intervals",
            "give the numbers that were cut, with bins=[EDGE, EDGE, …]; or column.astype(str)",
        )
    if type(series.dtype).__name__ == "SparseDtype":
        series = series.sparse.to_dense()
    if type(series.dtype).__module__.startswith("numpy"):
        return _of_numpy(series.to_numpy(), name)
    kind = series.dtype.kind
    if find_spec("pyarrow") is not None:
        if hasattr(series, "__arrow_c_stream__"):
            return series
        if kind in "biuf":
            # In pandas 2 a Series exports nothing itself.
            from pyarrow import array

            return array(series)
    if kind in "biu" and not series.isna().any():
        kept = "bool" if kind == "b" else getattr(series.dtype, "numpy_dtype", "i8")
        return _of_numpy(series.to_numpy(dtype=kept), name)
    if kind in "iuf":
        return _of_numpy(series.to_numpy(dtype="f8", na_value=math.nan), name)
    return _of_objects(series.astype(object).tolist())


def _holds_intervals(dtype: Any) -> bool:
    categories = getattr(dtype, "categories", None)
    return "IntervalDtype" in (type(dtype).__name__, type(getattr(categories, "dtype", 0)).__name__)


def _present(items: list[Any]) -> list[Any]:
    """Items of a list, with ``None`` in place of missing ones, such as NaN."""
    return [None if is_missing(item) else item for item in items]


def is_missing(item: Any) -> bool:
    return (
        item is None
        or type(item).__name__ in ("NAType", "NaTType")
        or (isinstance(item, float) and item != item)
    )


#: Number of items of a column that are made into objects at once.
_PIECE = 1 << 16


def pieces(column: Any) -> Iterator[list[Any]]:
    """Yields the items of a column as objects of Python, in blocks so small that interrupts are
    noticed between them.
    """
    if not hasattr(column, "__getitem__") or not hasattr(column, "__len__"):
        yield list(column)
        return
    by_place = getattr(column, "iloc", column)
    for at in range(0, len(column), _PIECE):
        piece = by_place[at : at + _PIECE]
        for listed in ("to_pylist", "tolist", "to_list"):
            if hasattr(piece, listed):
                yield list(getattr(piece, listed)())
                break
        else:
            yield list(piece)


def of_table(table: Any, name: str) -> object:
    """A column of a table."""
    package = library(table)
    names = (
        table.columns if package == "pandas" else table.schema.names if package == "pyarrow" else ()
    )
    if list(names).count(name) > 1:
        raise DataError(
            f"column {name}: the data have more than one of that name",
            "give each a name of its own",
        )
    try:
        column = table[name]
    except Exception:
        raise no_column(name, table) from None
    return column


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


#: A name, for refusals, and a column or table.
Named = tuple[str, Any]


def aligned(columns: Sequence[Named], table: object = None, has_order: bool = False) -> list[Any]:
    """The columns, each with its rows in the order of the first index.

    A ``table`` beside which they stand comes first, and keeps its order. Columns without an index
    are paired by position: with the table, or with the first column if that ``has_order``. If
    neither is so and orders differ, nobody knows with which, and they are refused.
    """
    found = [column for _, column in columns]
    first, expected = "data", _index(table)
    moved = []
    for at, (name, column) in enumerate(columns):
        index = _index(column)
        if index is None:
            continue
        if expected is None:
            first, expected = name, index
            has_order = has_order and at == 0
        elif not _are_equal(index, expected):
            found[at] = column.iloc[_places(name, index, first, expected)]
            moved.append(name)
    if moved and not has_order and _index(table) is None:
        everything = [*columns, *([] if table is None else [("data", table)])]
        unlabelled = [name for name, column in everything if _index(column) is None]
        if unlabelled:
            raise RequestError(
                f"{unlabelled[0]}: it has no index, and those of {first} and {moved[0]} have "
                "different orders",
                f"give {unlabelled[0]} as a Series with an index, or put all columns into one "
                "table",
            )
    return found


def aligned_beside(
    options: Mapping[str, Any], beside: Mapping[str, Any], table: object = None
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Brings the columns beside a table, or alone, into one order of rows. Returns all options, and
    these columns among them.
    """
    found = dict(zip(beside, aligned(list(beside.items()), table)))
    return {**options, **found}, found


def aligned_all(
    table: Mapping[str, Any],
    options: Mapping[str, Any],
    named: Iterable[str],
    beside: Mapping[str, Any],
) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """Brings a dictionary of columns, each of which can have an index, and the columns beside it
    into one order of rows. Returns the table, all options, and the columns beside it.
    """
    names = [name for name in dict.fromkeys(named) if name in table]
    columns = [(name, table[name]) for name in names]
    found = aligned([*columns, *beside.items()])
    own = dict(zip(names, found))
    others = dict(zip(beside, found[len(names) :]))
    return {**table, **own}, {**options, **others}, others


def _places(name: str, index: Any, first: str, expected: Any) -> Any:
    """Positions of the labels of the first index in another index, which has the same labels.

    Refuses indexes whose labels differ or are there twice, and levels in another order.
    """
    if (
        library(index) != "pandas"
        or library(expected) != "pandas"
        or len(index) != len(expected)
        or index.nlevels != expected.nlevels
        or (index.nlevels > 1 and list(index.names) != list(expected.names))
        or not index.is_unique
        or not expected.is_unique
    ):
        raise _differ(name, first)
    try:
        places = index.get_indexer(expected)
    except Exception:
        # Labels that cannot be compared, or intervals that overlap.
        raise _differ(name, first) from None
    if (places < 0).any():
        raise _differ(name, first)
    return places


def _differ(name: str, first: str) -> RequestError:
    of_persons = (
        ', or name its index after the column of persons, as in epsilon.rename_axis("id") '
        'with person="id", if it has a budget for each person'
        if name == "epsilon"
        else ""
    )
    return RequestError(
        f"{name}: its index has other labels than that of {first}, or one of them twice, and suum "
        "pairs rows by their labels",
        f"give {name}.reindex({first}.index), or {name}.to_numpy() if the order is known "
        f"to agree, or put both into one table{of_persons}",
    )


def refuse_lost_index(options: Mapping[str, Any], data: Any) -> None:
    """Refuses budgets with an index beside a table that has persons and no index: the one could say
    whose budgets they are.
    """
    epsilon, person = options.get("epsilon"), options.get("person")
    index = _index(epsilon)
    is_named = isinstance(person, str) and library(index) == "pandas"
    if not is_named or type(index).__name__ == "RangeIndex":
        return
    tables: Iterable[Any] = data.values() if isinstance(data, Mapping) else [data]
    if all(_index(other) is None for other in [options.get("value"), *tables]):
        raise RequestError(
            "epsilon: its index could say whose budgets they are, and suum pairs rows by position",
            'give epsilon.rename_axis("id") with person="id" if it has a budget for each person, '
            "or epsilon.to_numpy() if there is one for each row, in their order",
        )


def _index(column: Any) -> Any:
    """The index of a column or table; ``None`` if it has none. That of a list is a method."""
    index = None if isinstance(column, (list, tuple)) else getattr(column, "index", None)
    return None if callable(index) else index


def _are_equal(one: Any, other: Any) -> bool:
    """Returns true if two indexes have the same labels in the same order; false if it is unknown.
    """
    if one is other:
        return True
    return library(one) == library(other) == "pandas" and bool(one.equals(other))
