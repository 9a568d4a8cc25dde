"""Consent: who allows what, as a study says it once or a register has it, and budgets that are no
column: one for everybody, or one for each person by name.
"""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from numbers import Real
from typing import Any, Union

from ._columns import column_of, is_missing, is_one, is_table, of_table as column_in, pieces
from ._errors import DataError, ParameterError, RequestError
from ._types import ByLabel, Instant, Names, Pair


@dataclass(frozen=True, repr=False)
class Consent:
    """Source of the budgets of a study, as ``tiers``, ``budgets``, ``everyone``, ``by_person`` and
    ``register`` make it.
    """

    kind: str
    #: Options of statistics that say it.
    options: Mapping[str, Any] = field(default_factory=dict)
    #: Words for people, which never hold data.
    words: str = ""

    def __repr__(self) -> str:
        return f"suum.{self.kind}({self.words})"


def tiers(
    column: str,
    levels: ByLabel | None = None,
    *,
    missing: float | str | None = None,
    **named: float,
) -> Consent:
    """Consent by tiers: ``column`` has the tier of each record, of which this is what each allows.

    >>> import math, suum
    >>> suum.tiers("privacy", strict=0.01, standard=0.1, public=math.inf)
    suum.tiers('privacy', strict=0.01, standard=0.1, public=inf)

    Parameters
    ----------
    column:
        The column of tiers.
    levels, named:
        What each tier allows, as a dictionary or as keywords. With a ledger neither, which knows.
    missing:
        The tier that records without one count as; 0 leaves them out. They are refused otherwise.
    """
    if levels is not None and named:
        raise ParameterError("levels: tiers are declared twice", "name them in one of both ways")
    if not isinstance(column, str):
        raise ParameterError(
            f"tiers: {type(column).__name__} names no column",
            'name one, as in tiers("privacy", …)',
        )
    options: dict[str, Any] = {"privacy": column, "missing_consent": missing}
    options["levels"] = levels if levels is not None else named or None
    if levels is not None and not isinstance(levels, (str, Mapping)):
        if not is_one(levels, "pandas", "Series"):
            raise ParameterError(
                f"levels: expected a dictionary or a Series, not a {type(levels).__name__}",
                'say what each tier allows, as in tiers("privacy", strict=0.1, open=1)',
            )
    amounts: Any = levels if isinstance(levels, Mapping) else named
    words = [repr(column), *(f"{name}={amount:g}" for name, amount in amounts.items())]
    return Consent("tiers", options, ", ".join(words))


def budgets(
    column: str, *, between: Pair | None = None, missing: float | None = None
) -> Consent:
    """Consent by numbers: ``column`` has the ε of each record, infinite if public, 0 if unused.

    >>> import suum
    >>> suum.budgets("eps")
    suum.budgets('eps')

    Parameters
    ----------
    column:
        The column of budgets.
    between:
        The least and the largest budget that there can be, where participation is hidden.
    missing:
        0 leaves out records without a budget. They are refused otherwise.
    """
    options = {"epsilon": column, "epsilon_range": between, "missing_consent": missing}
    return Consent("budgets", options, repr(column))


def everyone(epsilon: float) -> Consent:
    """Consent of everybody to the same ε.

    >>> import suum
    >>> suum.everyone(0.5)
    suum.everyone(0.5)
    """
    return Consent("everyone", {"epsilon": epsilon}, f"{float(epsilon):g}")


def by_person(epsilon: Any) -> Consent:
    """Consent of each person by their identifier: a dictionary, or a Series whose index has it.

    >>> import suum
    >>> suum.by_person({"ann": 0.5, "bob": 1.0})
    suum.by_person(…)
    """
    if not isinstance(epsilon, Mapping) and not is_one(epsilon, "pandas", "Series"):
        raise ParameterError(
            f"by_person: {type(epsilon).__name__} does not say whose each budget is",
            'give a dictionary such as {"ann": 0.5}, or a Series with persons as its index',
        )
    return Consent("by_person", {"epsilon": epsilon}, "…")


def register(
    source: Any,
    choice: Consent,
    *,
    key: str,
    since: str | None = None,
    until: str | None = None,
    status: str | None = None,
    active: Names | None = None,
    withdrawn: Names | None = None,
    expired: Names | None = None,
    reference: str | None = None,
    attributes: Names | None = None,
    as_of: Instant | None = None,
) -> Consent:
    """Consent as a register has it: a row for each person, or for each of their decisions.

    >>> import suum
    >>> choices = {"id": [1, 2], "privacy": ["strict", "open"]}
    >>> suum.register(choices, suum.tiers("privacy", strict=0.1, open=1), key="id")
    suum.register(dict, suum.tiers('privacy', strict=0.1, open=1), key='id')

    Parameters
    ----------
    source:
        A CSV or Parquet file, a table in memory, or the name of a table of the same database.
    choice:
        What the register says: ``tiers`` or ``budgets`` of one of its columns.
    key:
        The column by which a choice is found, in the data and in the register ("id", or
        "respondent=id").
    since, until, status, reference:
        Columns of decisions: from when on one holds, until when, whether it is active, and what
        proves it.
    attributes:
        Columns of the register that stand for columns of the data: groups, strata or weights.
    active, withdrawn, expired:
        The words of ``status``, in place of the usual ones.
    as_of:
        The date or time whose decisions count; now, if there is none.
    """
    if choice.kind not in ("tiers", "budgets"):
        raise ParameterError(
            f"choice: a register has no {choice.kind}",
            "give suum.tiers(COLUMN, …) or suum.budgets(COLUMN)",
        )
    decisions = {
        "from": since,
        "until": until,
        "status": status,
        "active": active,
        "withdrawn": withdrawn,
        "expired": expired,
        "reference": reference,
        "attributes": attributes,
    }
    options = {
        **choice.options,
        "consent": source,
        "key": key,
        **{f"consent_{name}": value for name, value in decisions.items()},
        "as_of": as_of,
    }
    is_path = isinstance(source, (str, os.PathLike))
    place = repr(os.fspath(source)) if is_path else type(source).__name__
    return Consent("register", options, f"{place}, {choice!r}, key={key!r}")


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


class Common:
    """One budget for everybody."""

    def __init__(self, budget: float) -> None:
        self._budget = budget

    def column(self, persons: object) -> object:
        """Number in place of a column: the extension repeats it."""
        return self._budget


class ByKey:
    """Budget of each person, by name."""

    def __init__(self, budgets: Mapping[Any, Any] | _OfSeries) -> None:
        self._budgets = budgets

    def column(self, persons: object) -> object:
        """Budget of the person of each row."""
        if persons is None:
            raise RequestError(
                "epsilon: budgets by person need to know whose row it is",
                'name the column of persons, for example person="id"; what tiers allow is '
                "levels={…}, with privacy=COL",
            )
        get, missing = self._budgets.get, object()
        found: list[float] = []
        for piece in pieces(persons):
            budgets = [get(person, missing) for person in piece]
            if missing in budgets:
                row = len(found) + budgets.index(missing) + 1
                raise DataError(
                    f"person, row {row}: epsilon has no budget for this person",
                    "give every person a budget; 0 means that their rows are not used",
                )
            found += [_number(one, row) for row, one in enumerate(budgets, start=len(found) + 1)]
        return found


class _OfSeries:
    """Budgets of a Series by its index. They are split into many dictionaries: a large one would
    keep Python waiting while it grows.
    """

    def __init__(self, budgets: Any) -> None:
        parts = max(1, len(budgets) >> 16)
        self._parts: list[dict[Any, Any]] = [{} for _ in range(parts)]
        for persons, amounts in zip(pieces(budgets.index), pieces(budgets)):
            for person, amount in zip(persons, amounts):
                self._parts[hash(person) % parts][person] = amount
        if sum(map(len, self._parts)) < len(budgets):
            raise RequestError(
                "epsilon: its index has a person twice", "give each person one budget"
            )

    def get(self, person: Any, missing: Any) -> Any:
        return self._parts[hash(person) % len(self._parts)].get(person, missing)


def _number(budget: Any, row: int) -> float:
    """Budget of one person; NaN if there is none."""
    if is_missing(budget):
        return math.nan
    try:
        return float(budget)
    except (TypeError, ValueError):
        # Python's words repeat what it is.
        refused = DataError(
            f"person, row {row}: the budget of this person is no number",
            "give every person a number; 0 means that their rows are not used",
        )
    raise refused


Budgets = Union[Common, ByKey]


def budgets_of(options: Mapping[str, Any]) -> Budgets | None:
    """Budgets of the option ``epsilon``, if it is not a column.

    A Series of pandas is one by person if its index has the name of the column of persons. By
    position it must have the index of the data, as every other Series.
    """
    epsilon: Any = options.get("epsilon")
    person = options.get("person")
    if is_number(epsilon):
        return Common(of_all(epsilon))
    if is_one(epsilon, "pandas", "Series") and _is_of_persons(epsilon, person):
        return ByKey(_OfSeries(epsilon))
    if isinstance(epsilon, Mapping):
        return ByKey(epsilon)
    return None


def is_number(epsilon: Any) -> bool:
    """Returns true if a budget is one number for everybody.

    >>> is_number(1), is_number(Decimal("0.5")), is_number(True), is_number([1])
    (True, True, False, False)
    """
    if isinstance(epsilon, (Real, Decimal)):
        return not isinstance(epsilon, bool)
    return getattr(epsilon, "ndim", None) == 0 and hasattr(epsilon, "__float__")


def of_all(epsilon: Any) -> float:
    """Budget of everybody."""
    budget = float(epsilon)
    if math.isnan(budget):
        raise ParameterError(
            "epsilon: not a privacy budget",
            "give everybody a number from 1e-100 to 1e100, or math.inf (public)",
        )
    return budget


def _is_of_persons(epsilon: Any, person: Any) -> bool:
    named = person if isinstance(person, str) else getattr(person, "name", None)
    return named is not None and epsilon.index.name == named
