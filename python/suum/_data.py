"""Forms of data: a path, a table, columns side by side, or a level table."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib.util import find_spec
from itertools import count
from typing import Any, TypeVar

from . import _consent, _groups, _public
from ._columns import (
    aligned,
    aligned_all,
    aligned_beside,
    check_names,
    column_of,
    is_connection,
    is_one,
    is_table,
    library,
    name_of,
    no_table,
    of_table,
    readable,
    refuse_expressions,
    refuse_lost_index,
    refuse_names,
    refuse_single,
    refuse_values,
)
from ._entries import without_point
from ._errors import ReadError, RequestError
from ._process import aside
from ._levels import Levels, content
from ._spark_records import collected
from ._suum import filter_columns

T = TypeVar("T")


#: The keywords that name columns of a table, or are columns themselves, beside the data.
ROLES = ("value", "epsilon", "privacy", "person", "group_by", "strata", "weight")


#: A whole number with a point, as a label in a level table.
_WHOLE = re.compile(rb'"-?[0-9]+[.]0"')


def without_points(options: Mapping[str, Any]) -> dict[str, Any]:
    """Options in which declared labels are written as those of columns of numbers: 1, not 1.0."""
    options = dict(options)
    for option in ("categories", "groups", "between", "classes"):
        said: Any = options.get(option)
        if isinstance(said, Iterable) and not isinstance(said, str):
            options[option] = [without_point(one) for one in said]
    for option in ("levels", "population_shares"):
        said = options.get(option)
        if is_one(said, "pandas", "Series") and said.index.is_unique:
            said = said.to_dict()
        if isinstance(said, Mapping):
            options[option] = {without_point(one): said[one] for one in said}
    if options.get("levels") is not None:
        options["missing_consent"] = without_point(options.get("missing_consent"))
    return options


def are_text(path: str | list[str] | None, options: Mapping[str, Any]) -> bool:
    """Returns true if the cells of files are text, in which 1.0 and 1 are two labels; false for a
    database and for Parquet.
    """
    of_engine = any(options.get(one) is not None for one in ("table", "query"))
    paths = [path] if isinstance(path, str) else path or []
    return not of_engine and any(not one.lower().endswith(".parquet") for one in paths)


def paths_of(data: object, options: Mapping[str, Any]) -> str | list[str] | None:
    """The path of a file, or those of several in a list; ``None`` of other data.

    A list of text can be a column, too. It is one of paths where budgets or tiers are a column that
    is only named: nothing but a file could have it.

    >>> paths_of(["a.csv", "b.csv"], {"epsilon": "eps"}), paths_of(["a", "b"], {"epsilon": 1.0})
    (['a.csv', 'b.csv'], None)
    """
    if isinstance(data, (str, os.PathLike)):
        return os.fspath(data)
    if not isinstance(data, (list, tuple)) or not data:
        return None
    are_paths = all(isinstance(one, os.PathLike) for one in data) or (
        all(isinstance(one, (str, os.PathLike)) for one in data)
        and any(isinstance(options.get(role), str) for role in ("epsilon", "privacy"))
    )
    return [os.fspath(one) for one in data] if are_paths else None


class Inputs:
    """Inputs of the extension besides the options."""

    def __init__(
        self,
        data: object,
        options: dict[str, Any],
        further: Sequence[str] = (),
        labels: Sequence[str] = (),
        hides: bool = False,
    ) -> None:
        """Reads data for a request: options, some of which name columns, and the names of
        ``further`` columns, some of which have ``labels``; ``hides`` says that participation is
        hidden.
        """
        times = _public.times_of_rows(options)
        further, self._further_labels = [*further, *times], [*labels, *times]
        self._hides = hides
        if options.get("consent") is not None:
            # The data have keys in place of choices.
            choices = (options.get("privacy"), options.get("epsilon"))
            further = [name for name in further if name not in choices]
        if isinstance(options.get("where"), str):
            further = [*further, *filter_columns(options["where"])]
        #: The options, with columns by their names.
        self.options = dict(options)
        #: Records in memory or as a stream; ``None`` if they are elsewhere or already counted.
        self.records: object | None = None
        #: Table of the register of choices, unless that is a file.
        self.register: object | None = None
        #: Content of a level table in memory.
        self.levels: bytes | None = None
        #: The columns that computed ones were made of, by the names of these.
        self.origins: dict[str, set[str]] = {}
        #: Types of the declared labels of each answer, by option.
        self.label_types: list[dict[str, list[str]]] = []
        #: The function that was called, where several make the same statistic.
        self.function: str | None = None
        #: The file of records, or several.
        self.path: str | list[str] | None = None
        #: The roles of columns, of which groups can have several.
        self._roles: tuple[str, ...] = ROLES
        of_groups = enumerate(_groups.columns(options) or [])
        of_table = enumerate(_groups.table_columns(options) or [])
        several = {
            "group_by": {_groups.role(at): column for at, column in of_groups},
            "crosstab": {_groups.table_role(at): column for at, column in of_table},
        }
        for roles in several.values():
            self._roles = tuple(dict.fromkeys([*self._roles, *roles]))
            options = {**options, **roles}
            self.options.update(roles)
        self._give(data, options, further)
        for option, roles in several.items():
            if roles:
                self.options[option] = [self.options.pop(role) for role in roles]

    def _give(self, data: object, options: dict[str, Any], further: Sequence[str]) -> None:
        if isinstance(data, (list, tuple)) and data and all(isinstance(one, dict) for one in data):
            data = _of_records(data)
        refuse_expressions(options, self._roles, {"polars"})
        consent = options.get("consent")
        has_choices = any(options.get(one) is not None for one in ("epsilon", "privacy"))
        if consent is not None:
            key = _consent.keys(options)[0]
            self._further_labels = [*self._further_labels, key]
            if paths_of(data, options) is None:
                options = {**options, "epsilon": None, "privacy": None}
                # The register has these in place of the data.
                attributes = _consent.attributes(options)
                # What else is named like an attribute is a column of the data.
                given = {role: options.get(role) for role in ("group_by", "strata", "weight")}
                of_register = [
                    role
                    for role, name in given.items()
                    if isinstance(name, str) and name.strip() in attributes
                ]
                options.update(dict.fromkeys(of_register))
                further = [*(name for name in further if name not in attributes), key]
            if not isinstance(consent, (str, os.PathLike)):
                self.register = _consent.of_table(consent, self.options)
                self.options["consent"] = "the register"
        # Budgets that are not in the data are made into a column.
        budgets = _consent.budgets_of(options)
        if budgets is not None:
            options = {**options, "epsilon": None}
            if isinstance(options.get("person"), Iterator):
                options["person"] = list(options["person"])
        else:
            refuse_lost_index(options, data)
        if is_one(data, "pyspark", "DataFrame"):
            data = collected(data, self._names(options, further))
        if _is_relation(data):
            names = list(dict.fromkeys(self._names(options, further)))
            data = readable(data, names, self._label_names())
        data, options = self._computed(data, options, further)
        if budgets is not None:
            data = self._whole(data, options, budgets)
        given = {role: options[role] for role in self._roles if options.get(role) is not None}
        beside = {role: column for role, column in given.items() if not isinstance(column, str)}
        named = self._names(options, further)
        if isinstance(data, Levels):
            self.levels = content(data)
            self.options["from_levels"] = "the level table"
        else:
            self.path = paths_of(data, options)
        for option in ("table", "query"):
            if options.get(option) is not None and is_connection(data):
                raise RequestError(
                    f"{option}: a connection is asked for one answer, and not for several",
                    "name the file or the address of the database as data, ask for each answer on "
                    "its own, or read the records into a table",
                )
            if options.get(option) is not None and self.path is None and data is not None:
                raise RequestError(
                    f"{option}: tables and queries are those of a database", f"leave {option}= out"
                )
        if self.levels is not None or self.path is not None or _is_elsewhere(data, options):
            if beside:
                raise RequestError(
                    f"{next(iter(beside))}: the data are elsewhere", "name a column of them"
                )
            if budgets is not None:
                raise RequestError(
                    "epsilon: the data are elsewhere",
                    "leave it out: the level table has budgets"
                    if self.levels is not None
                    else "name a column of budgets, or read the data into a table",
                )
        elif data is None:
            options, beside = aligned_beside(options, beside)
            if beside:
                self.records = self._beside(beside, options)
        elif is_table(data):
            refuse_single(data)
            refuse_names(data, beside)
            # All columns are aligned before it is known which of them are read, and for what.
            if isinstance(data, Mapping):
                data, options, beside = aligned_all(data, options, named, beside)
            else:
                options, beside = aligned_beside(options, beside, data)
            columns = {
                name: self._column(of_table(data, name), name) for name in dict.fromkeys(named)
            }
            self.records = [*columns.items(), *self._beside(beside, options)]
        elif beside or (budgets is not None and not named and not _is_read_once(data)):
            if _is_read_once(data):
                raise RequestError(
                    f"{next(iter(beside))}: no column can stand beside data that are read as they "
                    "come",
                    "name a column of them, or give a table",
                )
            if "value" in beside:
                raise RequestError(
                    "value: data are a column of values already", "give one of data and value"
                )
            found = aligned([("data", data), *beside.items()], has_order=True)
            data, beside = found[0], dict(zip(beside, found[1:]))
            options = {**options, **beside}
            self.records = self._beside({"value": data, **beside}, options)
        else:
            if not has_choices:
                refuse_values(data)
            self.records = _stream(data, list(dict.fromkeys(named)))
        if budgets is not None:
            persons = options.get("person")
            if isinstance(persons, str) and isinstance(budgets, _consent.ByKey):
                persons = of_table(_table(data, [persons]), persons)
            column = budgets.column(persons)
            if isinstance(self.records, list) and not self.records:
                # No column of the table is read, but its rows count.
                column = [column] * _rows(data)
            self._allow(column)
            if self._hides and isinstance(budgets, _consent.Common):
                # It is known of everybody, whether there are records or not.
                budget = budgets.column(None)
                if options.get("epsilon_range") is None:
                    self.options["epsilon_range"] = (budget, budget)

        if not self.is_text:
            self.options = without_points(self.options)

    @property
    def is_text(self) -> bool:
        """Returns true if cells are text, or a level table was made of such cells."""
        if self.levels is not None:
            # Other tables write no whole number so.
            return _WHOLE.search(self.levels) is not None
        return are_text(self.path, self.options)

    def _names(self, options: Mapping[str, Any], further: Sequence[str]) -> list[str]:
        """The names of the columns that are read."""
        given = (options.get(role) for role in self._roles)
        return [*(column for column in given if isinstance(column, str)), *further]

    def _computed(
        self, data: Any, options: dict[str, Any], further: Sequence[str]
    ) -> tuple[Any, dict[str, Any]]:
        """A lazy table of Polars as a table of the columns that are read; expressions are columns
        of it, by the name of their result.
        """
        if library(data) != "polars" or not hasattr(data, "with_columns"):
            return data, options
        options = dict(options)
        roles = {role: options[role] for role in self._roles if options.get(role) is not None}
        taken = {*further, *(name for name in roles.values() if isinstance(name, str))}
        expressions = {role: one for role, one in roles.items() if is_one(one, "polars", "Expr")}
        computed = {role: _public.computed(role, one) for role, one in expressions.items()}
        _public.check(options, computed, self._hides)
        made = []
        for role, expression in expressions.items():
            name = _asked(expression.meta.output_name)
            if name in taken:
                name = next(role + "_" * more for more in count() if role + "_" * more not in taken)
            taken.add(name)
            made.append(expression.alias(name))
            self.options[role] = options[role] = name
            self.origins[name] = set(computed[role].roots)
        if made:
            data = _asked(lambda: data.with_columns(made))
        # Columns beside a lazy table are refused later, so it is not collected for them.
        are_names = all(isinstance(options[role], str) for role in roles)
        if hasattr(data, "collect") and are_names:
            names = sorted({*taken, *further})
            check_names(names, data)
            data = _asked(lambda: aside((data.select(names) if names else data).collect))
        return data, options

    @property
    def _labels(self) -> set[str]:
        """The roles of which columns are of labels."""
        counted = {"value"} if self.options.get("categories") is not None else set()
        of_groups = {role for role in self._roles if role.startswith(("group_by", "crosstab"))}
        return {"privacy", "person", "strata", "weight", *of_groups, *counted}

    def _column(self, column: object, name: str) -> object:
        """Converts a column to a form that the extension reads."""
        return column_of(column, name, name in self._label_names())

    def _label_names(self) -> list[str]:
        """The names of the columns that are read as labels."""
        named = [one for role in self._labels if isinstance(one := self.options.get(role), str)]
        return [*named, *self._further_labels]

    def _whole(
        self, data: object, options: Mapping[str, Any], budgets: _consent.Budgets
    ) -> object:
        """Table of data that can be read once only, if budgets are looked up for its persons;
        otherwise the data.
        """
        if isinstance(budgets, _consent.Common) or not _is_read_once(data):
            return data
        given = (options.get(role) for role in self._roles)
        return _table(data, [name for name in given if isinstance(name, str)])

    def _allow(self, column: object) -> None:
        """Adds a column of budgets to the records."""
        taken = {self.options.get(role) for role in self._roles if role != "epsilon"}
        name = next(
            name for name in ("epsilon", "epsilon_", "epsilon__", "budget") if name not in taken
        )
        self.options["epsilon"] = name
        if isinstance(self.records, list):
            self.records = [*self.records, (name, column)]
        elif self.records is None:
            raise RequestError(
                "epsilon: nothing says how many records there are", "give their values or persons"
            )
        else:
            self.records = (self.records, name, column)

    def _beside(
        self, columns: dict[str, Any], options: Mapping[str, Any]
    ) -> list[tuple[str, object]]:
        """Columns that are given as objects, with names for reports and refusals."""
        taken = {
            options[role]
            for role in self._roles
            if isinstance(options.get(role), str) and role not in columns
        }
        named = []
        for role, column in columns.items():
            own = (
                options["value"]
                if role == "value" and isinstance(options.get("value"), str)
                else name_of(column)
            )
            name = next(
                name for name in (own, role, f"{role}_", f"{role}__") if name and name not in taken
            )
            taken.add(name)
            self.options[role] = name
            named.append((name, self._column(column, name)))
        return named


def _is_elsewhere(data: object, options: Mapping[str, Any]) -> bool:
    """Returns true if only options name the data: a level table, or a table of a database."""
    places = (options.get(name) for name in ("from_levels", "table", "query"))
    return data is None and any(place is not None for place in places)


def _of_records(records: Sequence[dict[Any, Any]]) -> dict[Any, list[Any]]:
    """Columns of records that are dictionaries; where one lacks a name its cell is missing."""
    names = dict.fromkeys(name for record in records for name in record)
    return {name: [record.get(name) for record in records] for name in names}


def _rows(table: Any) -> int:
    return len(next(iter(table.values()), [])) if isinstance(table, Mapping) else len(table)


def _is_read_once(data: Any) -> bool:
    """Returns true if the data can be read once only: a reader, a query, or a lazy table."""
    lazy = library(data) in ("duckdb", "_duckdb") or (
        library(data) == "polars" and hasattr(data, "collect")
    )
    return lazy or hasattr(data, "read_next_batch") or _is_dataset(data)


def _is_relation(data: Any) -> bool:
    """Returns true for a relation of DuckDB, and false for the reader of one."""
    return library(data) in ("duckdb", "_duckdb") and hasattr(data, "project")


def _is_dataset(data: Any) -> bool:
    """Returns true for a dataset of PyArrow: files that are read on request."""
    return library(data) == "pyarrow" and hasattr(data, "scanner")


def _asked(ask: Callable[[], T]) -> T:
    """Calls a library for data. Its message on failure could repeat a value, so it is replaced."""
    try:
        return ask()
    except Exception as raised:
        raise ReadError(
            "data: they could not be read",
            "read them without suum to see why, for example with pyarrow.table(data)",
        ) from raised


def _stream(data: Any, names: list[str]) -> object:
    """Stream of only the columns that are read, from libraries that would otherwise compute others
    in vain.
    """
    is_relation = _is_relation(data)
    if is_relation or _is_dataset(data):
        check_names(names, data)
    if is_relation:
        if names:
            columns = ", ".join('"' + name.replace('"', '""') + '"' for name in names)
            data = _asked(lambda: data.project(columns))
        # Its reader is one of PyArrow.
        is_read = hasattr(data, "to_arrow_reader") and find_spec("pyarrow") is not None
        return _Relation(data) if is_read else data
    if _is_dataset(data):
        return _asked(lambda: data.scanner(columns=names or None).to_reader())
    if hasattr(data, "__arrow_c_stream__") or hasattr(data, "__arrow_c_array__"):
        return data
    for export in ("fetch_arrow_reader", "to_reader", "to_arrow"):
        if hasattr(data, export):
            return getattr(data, export)()
    raise no_table(data)


class _Relation:
    """Relation of DuckDB, whose own stream would keep Python waiting until its query is done."""

    def __init__(self, relation: Any) -> None:
        self._relation = relation

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self._relation.to_arrow_reader().__arrow_c_stream__(requested_schema)


def _table(data: Any, names: list[str]) -> object:
    """Data as a table; streams are read with these columns only."""
    if is_table(data):
        return data
    if _is_dataset(data):
        return _asked(lambda: aside(lambda: data.to_table(columns=names)))
    for whole in ("read_all", "to_arrow_table", "fetch_arrow_table"):
        if hasattr(data, whole):
            return _asked(lambda: aside(getattr(data, whole)))
    raise RequestError(
        "epsilon: budgets of persons are looked up in a table",
        "collect the data first, for example with polars.DataFrame(data)",
    )
