"""Rows are chosen by public columns only: what a role may be computed from.

The values are protected, with all columns that they are computed from. Tiers, budgets, persons,
strata and weights are public, and so are groups where it is public who takes part. If one of these
were computed from a protected column, a release would publish that column. So they are columns as
they stand, or computed from columns that are declared public.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from ._errors import RequestError


class Computed(NamedTuple):
    """Origin of a column that plays a role."""

    #: The columns of the data that it reads.
    roots: frozenset[str]
    #: True of one of them as it stands, by whatever name.
    is_column: bool


def check(options: Mapping[str, Any], computed: Mapping[str, Computed], hides: bool) -> None:
    """Refuses roles that tell of protected columns.

    ``options`` has the names of columns that are given by name, ``computed`` the roles that are
    not; ``hides`` says that nobody may know who takes part.
    """
    public = declared(options.get("public_columns"))
    made = [of for role, of in computed.items() if _is_value(role)]
    values = {_folded(name) for of in made for name in of.roots}
    by_name = [one for role, one in options.items() if _is_value(role) and isinstance(one, str)]
    named = set(map(_folded, by_name))
    for role, of in {**_plain(options), **computed}.items():
        # Two names are the business of whoever reads the columns.
        protected = values | named if role in computed else values
        if _is_value(role) or (hides and role.startswith("group_by")):
            continue
        shown = re.sub(r"_[0-9]+$", "", role)
        for name in sorted(of.roots):
            if _folded(name) in public:
                continue
            if not of.is_column:
                raise RequestError(
                    f"{shown}: it is computed from column {name}, which is not declared public",
                    f"name a column as it stands; if everybody may know {name} of everybody, say "
                    f"public_columns=[{_quoted(name)}]",
                )
            if _folded(name) in protected:
                raise RequestError(
                    f"{shown}: the values are made of column {name}, too, which protects it",
                    f"leave it out of one of both; if everybody may know {name} of everybody, say "
                    f"public_columns=[{_quoted(name)}]",
                )


def declared(columns: Any) -> set[str]:
    """The names of the columns that are declared public, without regard to case.

    >>> sorted(declared("Age, site")), declared(["a,b"]), declared(None)
    (['age', 'site'], {'a,b'}, set())
    """
    if isinstance(columns, str):
        columns = [re.sub(r"\\([,\\])", r"\1", one) for one in re.split(r"(?<!\\),", columns)]
    names: Iterable[Any] = columns or ()
    return {_folded(name) for name in names if isinstance(name, str)}


#: Roles that choose rows, beside groups.
_CHOICES = ("epsilon", "privacy", "person", "strata", "weight")


def _plain(options: Mapping[str, Any]) -> dict[str, Computed]:
    """Origins of the roles that are given by the name of a column."""
    return {
        role: Computed(frozenset([name]), True)
        for role, name in options.items()
        if (role in _CHOICES or role.startswith("group_by")) and isinstance(name, str)
    }


def _is_value(role: str) -> bool:
    return role == "value" or role.startswith("crosstab")


def _folded(name: str) -> str:
    return name.strip().lower()


def _quoted(name: str) -> str:
    return json.dumps(name, ensure_ascii=False)
