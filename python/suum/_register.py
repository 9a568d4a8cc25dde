"""Registers of choices in memory: one row for each person, or for each of their decisions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ._columns import column_of, is_table, of_table as column_in
from ._errors import RequestError

#: The options that name columns of a register, of which all but budgets are read as text.
_COLUMNS = (
    "privacy", "epsilon", "consent_from", "consent_until", "consent_status", "consent_reference",
)


def keys(options: Mapping[str, Any]) -> tuple[str, str]:
    """Names of the column of keys in the data and in the register.

    >>> keys({"key": "id"}), keys({"key": "respondent=id"})
    (('id', 'id'), ('respondent', 'id'))
    """
    key = options.get("key")
    if not isinstance(key, str) or not key:
        raise RequestError(
            "consent: it is not said what a choice is found by",
            'name the column of keys, in the data and in the register: key="id", or '
            'key="respondent=id"',
        )
    data, _, register = key.partition("=")
    return data.strip(), register.strip() or data.strip()


def attributes(options: Mapping[str, Any]) -> list[str]:
    """Names of the columns of the register that data with its keys need not have.

    >>> attributes({"consent_attributes": "region, sex"}), attributes({})
    (['region', 'sex'], [])
    """
    names = options.get("consent_attributes") or []
    return [name.strip() for name in (names.split(",") if isinstance(names, str) else names)]


def of_table(register: Any, options: Mapping[str, Any]) -> list[tuple[str, object]]:
    """The columns of a register that are read, as the extension takes them."""
    if not is_table(register):
        raise RequestError(
            "consent: expected a path, or a table of pandas, Polars or PyArrow, or a dictionary of "
            "columns",
            "name a CSV or Parquet file, or read the register into a table",
        )
    named = {option: options.get(option) for option in _COLUMNS}
    names = {"key": keys(options)[1], **named}
    further = attributes(options)
    labels = {*(name for option, name in names.items() if option != "epsilon"), *further}
    columns = dict.fromkeys([*(name for name in names.values() if isinstance(name, str)), *further])
    return [
        (name, column_of(column_in(register, name), name, name in labels)) for name in columns
    ]
