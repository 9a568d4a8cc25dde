"""Several answers in one release."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, Union

from . import _html, _tidy
from ._ask import answer_of
from ._data import ROLES, Given, without_points
from ._entries import entries
from ._errors import ParameterError
from ._classes import part_of_record
from ._forms import Data
from ._groups import columns, shown
from ._process import enter
from ._release import Release, record_of
from ._report import Privacy, Report


class Survey(Report):
    """Several private answers from one split of every budget: a sequence of releases in the order
    asked for, and one certificate.

    >>> import suum
    >>> people = {"age": [30, 50, 41] * 200, "sick": ["no", "yes", "no"] * 200, "eps": [1.0] * 600}
    >>> age = {"statistic": "mean", "value": "age", "bounds": (0, 120)}
    >>> sick = {"statistic": "frequency", "value": "sick", "categories": ["no", "yes"]}
    >>> survey = suum.run({"epsilon": "eps", "answers": [age, sick]}, people)
    >>> len(survey), 0 <= survey[0].estimate <= 120
    (2, True)
    >>> all(tier.spent <= tier.epsilon for tier in survey.privacy)
    True
    """

    _instead = "survey[0], or survey.to_pandas()"

    @cached_property
    def answers(self) -> list[Release]:
        """The releases, in the order asked for."""
        return [part_of_record(answer) for answer in self._record["answers"]]

    @staticmethod
    def from_json(survey: Union[str, os.PathLike[str], Mapping[str, Any]]) -> Survey:
        """The answers that a JSON text stands for, as ``Release.from_json`` reads one."""
        record = record_of(survey)
        if not isinstance(record.get("answers"), list):
            raise ParameterError("survey: it has no answers", "for one, suum.Release.from_json")
        return Survey(record)

    def to_pandas(self) -> Any:
        """A pandas DataFrame with the rows of all answers, as ``Release.to_pandas`` has them,
        behind the ``column`` that each is of.
        """
        return _tidy.to_pandas(self._tidy())

    def to_polars(self) -> Any:
        """The same as a Polars DataFrame."""
        return _tidy.to_polars(self._tidy())

    def plot(self, axes: Any = None) -> Any:
        """Draws each answer on one of ``axes`` of matplotlib, or new ones, and returns them."""
        if axes is None:
            from matplotlib import pyplot

            count = len(self)
            size = (6.4, 2.4 * count)
            figure = pyplot.subplots(count, figsize=size, squeeze=False, layout="constrained")
            axes = figure[1][:, 0]
        for answer, one in zip(self.answers, axes):
            answer.plot(one)
        return axes

    def _tidy(self) -> dict[str, list[Any]]:
        parts = [(shown(one._record.get("column") or ""), one._tidy()) for one in self.answers]
        sizes = [len(part["estimate"]) for _, part in parts]
        more = dict.fromkeys(name for _, part in parts for name in part)
        last = ("estimate", "lower", "upper", "rmse")
        names = [*(name for name in more if name not in last), *last]
        filled = {
            name: [
                one
                for (_, part), size in zip(parts, sizes)
                for one in part.get(name, [None] * size)
            ]
            for name in names
        }
        of = [column for (column, _), size in zip(parts, sizes) for _ in range(size)]
        return {"column": of, **filled}

    @property
    def privacy(self) -> Privacy:
        """What each tier allowed, and spent on all answers together."""
        return Privacy(self._record["privacy"])

    @property
    def private(self) -> bool:
        """Whether the noise is secret: false with ``insecure_seed``, and then nobody is
        protected.
        """
        return bool(self._record["private"])

    @property
    def ledger(self) -> dict[str, Any] | None:
        """What the release did to the accounts of its ledger, if it was charged to one
        (docs/reference/json.md).
        """
        return self._record.get("ledger")

    def __getitem__(self, at: int) -> Release:
        return self.answers[at]

    def __len__(self) -> int:
        return len(self.answers)

    def __iter__(self) -> Iterator[Release]:
        return iter(self.answers)

    def __contains__(self, answer: object) -> bool:
        return answer in self.answers

    def _line(self) -> str:
        count = len(self.answers)
        told = f"{count} answer{'' if count == 1 else 's'}"
        return told + ("" if self.private else ", NOT PRIVATE")

    def _fragment(self) -> str:
        parts = [answer._fragment() for answer in self.answers]
        parts.append(_html.tiers(self.privacy))
        return _html.fragment("Several private answers", parts, self.private, self.explain())


def several(asked: Mapping[str, Any], data: Data | None) -> Survey:
    """Several answers from one split of every budget: ``answers`` has the options of each, under
    those that all of them have.
    """
    enter()
    common = {name: option for name, option in asked.items() if name not in ("answers", "data")}
    answers = [dict(one) for one in asked["answers"]]
    progress = common.pop("progress", None)
    named = [one.get(role) for one in [common, *answers] for role in ROLES]
    labels = [name for one in answers for name in _of_labels(one)]
    further = [name for name in [*named, *labels] if isinstance(name, str)]
    # What another answer calculates with stays a number.
    numbers = [one.get("value") for one in answers if one.get("categories") is None]
    given = Given(data, common, further, [name for name in labels if name not in numbers])
    if given.records is not None:
        answers = [without_points(one) for one in answers]
    job = entries({**given.options, "data": given.path})
    job["answers"] = [entries(one) for one in answers]
    hides = common.get("neighbors") in ("add-remove", "both")
    return Survey(answer_of("release", job, given, False if hides else progress))


def _of_labels(asked: Mapping[str, Any]) -> list[str]:
    """The columns that an answer reads as labels."""
    counted = ["value"] if asked.get("categories") is not None else []
    named = [asked.get(role) for role in ("privacy", "group_by", "strata", "weight", *counted)]
    return [name for name in [*named, *(columns(asked) or [])] if isinstance(name, str)]
