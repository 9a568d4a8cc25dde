"""Options of a query, in whatever form it is."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Union

from ._codebook import edges
from ._errors import ParameterError, ReadError, RequestError
from ._groups import retyped
from ._names import ALIASES
from ._report import with_text
from ._release import Release
from ._survey import Survey
from ._suum import read_query

#: Query, in each form that ``run`` accepts.
Query = Union[Mapping[str, Any], Release, Survey, str, os.PathLike[str]]


def is_query(data: object) -> bool:
    """Returns true if something in the place of data is a query. No column is a text, and no file
    of data has such a name.

    >>> is_query({"statistic": "mean", "epsilon": "eps"}), is_query({"statistic": ["a"], "v": [1]})
    (True, False)
    >>> is_query("query.toml"), is_query("people.csv")
    (True, False)
    """
    if isinstance(data, (Release, Survey)):
        return True
    if isinstance(data, Mapping):
        names_one = "statistic" in data and any(isinstance(one, str) for one in data.values())
        return names_one or _is_record(data) or _has_answers(data)
    if isinstance(data, (str, os.PathLike)):
        text = os.fspath(data)
        return text.endswith((".toml", ".json")) or text.lstrip().startswith("{")
    return False


def _is_record(query: Mapping[Any, Any]) -> bool:
    """Returns true if a dictionary is the ``to_dict`` of a release."""
    return isinstance(query.get("query"), Mapping)


def _has_answers(query: Mapping[Any, Any]) -> bool:
    answers = query.get("answers")
    return isinstance(answers, (list, tuple)) and any(isinstance(one, Mapping) for one in answers)


def unshortened(asked: Mapping[str, Any]) -> dict[str, Any]:
    """Options in which a statistic has the name that queries have for it.

    >>> unshortened({"statistic": "median", "value": "v"})
    {'statistic': 'quantile', 'value': 'v', 'q': 0.5}
    """
    said = dict(asked)
    name = said.get("statistic")
    if not isinstance(name, str):
        return said
    name = ALIASES.get(name, name)
    said["statistic"] = name
    if name == "median" and said.get("q") is None:
        said.update(statistic="quantile", q=0.5)
    elif asked["statistic"] == "histogram" and said.get("categories") is None:
        bins = 20 if said.get("bins") is None else said["bins"]
        said.update(statistic="frequency", bins=edges(bins, said.get("bounds")), bounds=None)
    return said


def with_answers(asked: dict[str, Any]) -> dict[str, Any]:
    """Query of several answers, each with unshortened options."""
    return {**asked, "answers": [unshortened(one) for one in asked["answers"]]}


def asked_by(query: Query) -> dict[str, Any]:
    """The options of a query, by the names of keywords."""
    asked = _asked_by(query)
    if asked.pop("no_adapt", False):
        asked["adapt"] = False
    return asked


def _asked_by(query: Query) -> dict[str, Any]:
    """Options of a query by their own names."""
    if isinstance(query, (Release, Survey)):
        if "query" not in query._whole:
            raise RequestError(
                "query: this is one part of a release, which does not say what was asked",
                "give the whole release, or a dictionary of options",
            )
        query = query.to_json()
    elif isinstance(query, Mapping) and _is_record(query):
        query = json.dumps(with_text(query))
    if isinstance(query, Mapping):
        return {str(name).replace("-", "_"): value for name, value in query.items()}
    if not isinstance(query, (str, os.PathLike)):
        raise ParameterError(
            f"query: {type(query).__name__} is no query",
            'give a dictionary or a file; for several answers {"answers": [{…}, {…}]}',
        )
    text = os.fspath(query)
    if not text.lstrip().startswith("{"):
        try:
            text = Path(text).read_text(encoding="utf-8")
        except (OSError, ValueError) as raised:
            raise ReadError("query: the file cannot be read", "check the path") from raised
    is_toml = not text.lstrip().startswith("{")
    asked = read_query(text)
    for one in [asked, *(asked.get("answers") or [])]:
        by = one.get("group_by")
        if isinstance(by, list) and len(by) == 1:
            # One name, which is not a column of one row.
            one["group_by"] = by[0]
    return asked if is_toml else retyped(asked, json.loads(text).get("label_types") or [])
