"""The way from keyword arguments to the extension and back."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Mapping, Sequence
from typing import Any

from ._data import Inputs
from ._entries import check_filled, entries
from ._errors import PrivacyWarning
from ._groups import types_of
from ._columns import is_connection, is_one
from ._process import Bar, enter
from ._public import hides_people
from ._spark_records import named as named_columns
from ._spark_records import needs_records
from ._suum import Answer, run
from .spark import of_data
from .sql import of_connection


def ask(
    what: str,
    data: object,
    options: Mapping[str, Any],
    function: str | None = None,
) -> Answer:
    """Asks for a statistic of data, for its "plan", or for its "levels"; ``options`` are the
    keyword arguments, and ``progress`` among them. ``function`` is the one that was called, where
    several make the same statistic.
    """
    enter()
    wanted = options.get("progress")
    options = said(options)
    check_filled(options)
    if isinstance(options.get("ledger"), os.PathLike):
        options["ledger"] = os.fspath(options["ledger"])
    # If participation is private, nothing but the release may say anything about the data.
    hides = hides_people(options)
    origins: dict[str, set[str]] = {}
    if is_one(data, "pyspark", "DataFrame"):
        data, options, origins = named_columns(data, options, hides)
        if not needs_records(data, what, options):
            data, options = of_data(data, what, options)
    elif is_connection(data) and _of_database(options):
        data, options = of_connection(data, what, options)
    given = Inputs(data, options, hides=hides and what != "levels")
    given.origins.update(origins)
    given.function = function
    job = {**given.options, "data": given.path}
    if what == "summary":
        # Also one statistic is one of several here.
        names = job.get("statistic", "mean,variance,q25,q50,q75")
        job["statistic"] = names.split(",") if isinstance(names, str) else list(names)
    elif what == "plan":
        names = job.get("statistic", "mean")
        job["statistic"] = names if isinstance(names, str) else ",".join(names)
    elif what != "levels":
        job["statistic"] = what
    if what == "count" and options.get("value") is None:
        # Values that were handed over count; nothing else is to be done with them.
        job.pop("value", None)
    kind = what if what in ("plan", "levels") else "release"
    given.label_types = [types_of(options)]
    return answer_of(kind, entries(job), given, False if hides else wanted)


def _of_database(options: Mapping[str, Any]) -> bool:
    return any(options.get(name) is not None for name in ("table", "query"))


def answer_of(
    kind: str,
    asked: Mapping[str, Any],
    given: Inputs,
    wanted: bool | None,
) -> Answer:
    """Returns the answer to a job; shows a progress bar if it takes long and one is wanted.

    A release raises its warnings before it costs anything, and nothing after that.
    """
    if not any(given.label_types):
        given.label_types = []

    def answered(bar: Bar | None) -> Answer:
        def warn(texts: Sequence[str]) -> None:
            if bar is not None:
                bar.clear()
            raise_warnings(texts)

        return run(kind, asked, given, bar, warn)

    if wanted is False:
        answer = answered(None)
    else:
        with Bar(wanted) as bar:
            answer = answered(bar)
    return answer if kind == "release" else warned(answer)


def said(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a query that have a value."""
    return {
        name: value
        for name, value in options.items()
        if name not in ("data", "progress") and value is not None
    }


def warned(answer: Answer) -> Answer:
    """Returns an answer after raising its warnings."""
    raise_warnings(answer.warnings())
    return answer


def raise_warnings(texts: Sequence[str]) -> None:
    """Raises warnings, which name the line outside of this package."""
    level = 2
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__package__") == __package__:
        frame = frame.f_back
        level += 1
    for text in texts:
        warnings.warn(text, PrivacyWarning, stacklevel=level)
