"""Level tables that engines make for statistics, and what is left to be asked of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Mapping
from typing import Any

from ._budgets import is_number
from ._levels import Levels
from ._relation import hides_people


def of_engine(
    make: Callable[..., Levels],
    keywords: Container[str],
    what: str,
    options: Mapping[str, Any],
    is_whole: bool = False,
) -> tuple[Levels, dict[str, Any]]:
    """The level table that a statistic of records elsewhere needs, and the options that are left to
    be asked of it. ``make`` has these keywords; ``is_whole`` says that values are whole numbers.
    """
    hides = hides_people(options)
    epsilon = options.get("epsilon")
    if is_number(epsilon) and hides:
        # It is known of everybody, whether there are records or not.
        options = {"epsilon_range": (epsilon, epsilon), **options}
    asked = {name: value for name, value in options.items() if name in keywords}
    if what == "plan" and options.get("value") is None:
        # A plan reads no value.
        people = {name: asked[name] for name in asked if name in _PEOPLE}
        return make(**people), {
            name: value for name, value in options.items() if name not in people or name in _KEPT
        }
    if what != "levels" and not _has_quantiles(what, options):
        # With candidates of quantiles a table has no sums in cells, from which a mean learns.
        asked.pop("step", None)
    elif what != "levels" and not asked.keys() & {"step", "cells"}:
        # Means of integers are none.
        is_whole = is_whole and options.get("per_person") not in ("mean", "median")
        asked.update({"step": 1} if is_whole else {"cells": 65536})
    left = {name: value for name, value in options.items() if name not in asked or name in _KEPT}
    if hides:
        # A table of hidden people does not say what is public.
        left.update({name: asked[name] for name in _DECLARED if name in asked})
    if not _learns(what, options):
        asked["adapt"] = False
    return make(**asked), left


#: Options that are passed on to the query of a level table, besides being used to make it.
_KEPT = (
    "group_by", "groups", "other_group", "strata", "weight", "classes", "population_shares",
    "public_columns", "adapt", "per_person",
)  # fmt: skip

#: Options that declare values and tiers.
_DECLARED = (
    "bounds", "categories", "bins", "other", "crosstab", "step", "cells", "rows", "levels",
)  # fmt: skip

#: Options of a level table without values: they say who takes part, and in which group.
_PEOPLE = (
    "epsilon", "privacy", "levels", "missing_consent", "null", "person", "where", "table", "query",
    "trust_query", *_KEPT[:-2],
)  # fmt: skip


def _learns(what: str, options: Mapping[str, Any]) -> bool:
    """Returns true if this can be a mean or a sum that first learns where the values lie, which
    takes sums in cells. They are most of the cost of a level table.
    """
    if what == "levels":
        return options.get("adapt") is not False
    said = options.get("statistic", "mean") if what == "plan" else what
    return (
        (said if isinstance(said, str) else ",".join(said)) in ("mean", "sum")
        and options.get("adapt") is not False
        and (options.get("adapt") is True or options.get("ledger") is None)
        and options.get("estimator") in (None, "auto")
        and options.get("target") != "dataset-correlated"
        and options.get("variance") is None
        and options.get("strata") is None
        and not options.get("shrink")
    )


def _has_quantiles(what: str, options: Mapping[str, Any]) -> bool:
    said = options.get("statistic", "q50" if what == "summary" else what)
    names = said.split(",") if isinstance(said, str) else list(said)
    return any(re.fullmatch(r"quantile|q[0-9.]+", str(name).strip()) for name in names)
