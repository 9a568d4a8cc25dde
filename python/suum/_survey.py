"""Several answers in one release."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, TypeVar, Union, cast, get_args

from ._ask import answer_of, said
from ._release import R, Release, is_beside, named_by, part_of_record, record_of
from ._data import ROLES, Inputs, without_points
from ._report import Privacy, Published
from ._entries import check_filled, entries
from ._errors import ParameterError
from ._groups import Labels, columns, labels_of, listed, shown, types_of
from ._names import Statistic
from ._process import enter
from ._public import hides_people, times_of_rows
from ._suum import Answer
from ._types import Data
from ._columns import is_one, names_of, refuse_expressions

S = TypeVar("S", bound="Survey")


class Survey(Published):
    """Several private answers from one split of every budget: a sequence of releases in the order
    asked for, and one certificate. ``survey["age"]`` is the answer about a column, if it is the
    only one.

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

    def __init__(
        self,
        answer: Answer | dict[str, Any],
        labels: Sequence[Labels] = (),
        kinds: Sequence[type[Release] | None] = (),
    ) -> None:
        """Wraps an answer, the declared labels of each statistic, and the class of each release, if
        its record does not tell.
        """
        super().__init__(answer)
        self._labels_of = list(labels)
        self._kinds = list(kinds)

    def __reduce__(self) -> tuple[Any, ...]:
        kind, content = super().__reduce__()
        return kind, (*content, self._labels_of, self._kinds)

    @cached_property
    def answers(self) -> list[Release]:
        """The releases, in the order asked for."""
        labels, kinds, found = iter(self._labels_of), iter(self._kinds), []
        own = next(labels, None)
        for record in self._record["answers"]:
            if is_beside(record):
                # Sizes are of the groups of the answer behind them.
                of_groups = own if record.get("counts_groups") else None
                found.append(part_of_record(record, of_groups))
            else:
                found.append(part_of_record(record, own, next(kinds, None)))
                own = next(labels, None)
        return found

    @classmethod
    def from_json(cls: type[S], survey: Union[str, os.PathLike[str], Mapping[str, Any]]) -> S:
        """The answers that a JSON text stands for, as ``Release.from_json`` reads one."""
        record = record_of(survey)
        if not isinstance(record.get("answers"), list):
            raise ParameterError("survey: it has no answers", "for one, suum.Release.from_json")
        kinds = named_by(record)
        asked = [one for one in record["answers"] if not is_beside(one)]
        return cls(record, labels_of(record), kinds * len(asked) if len(kinds) == 1 else kinds)

    def to_pandas(self) -> Any:
        """A pandas DataFrame with the rows of all answers, as ``Release.to_pandas`` has them,
        behind the ``column`` that each is of.
        """
        return super().to_pandas()

    def plot(self, ax: Any = None) -> Any:
        """Draws each answer on one of several axes of matplotlib, or new ones, and returns them."""
        axes = ax
        if axes is None:
            from matplotlib import pyplot

            count = len(self)
            size = (6.4, 2.4 * count)
            figure = pyplot.subplots(count, figsize=size, squeeze=False, layout="constrained")
            axes = figure[1][:, 0]
        for answer, one in zip(self.answers, axes):
            answer.plot(one)
        return axes

    def _tidy(self, dates: bool = True) -> dict[str, list[Any]]:
        units = {answer.unit for one in self.answers for answer in one._estimates()}
        parts = [
            (shown(one._record.get("column") or ""), one._tidy(dates=len(units) == 1))
            for one in self.answers
        ]
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
        """Allowed budget of each tier, and the loss from all answers together."""
        return Privacy(self._record["privacy"])

    def __getitem__(self, at: int | str) -> Release:
        if not isinstance(at, str):
            return self.answers[at]
        found = [one for name, one in self._named if name == at]
        if len(found) != 1:
            there = "several answers are" if found else "no answer is"
            raise KeyError(f"{there} about a column {at!r}")
        return found[0]

    @property
    def _named(self) -> list[tuple[str, Release]]:
        """Requested answers with the names of their columns, without what is released beside
        them.
        """
        return [
            (shown(one._record.get("column") or ""), one)
            for one in self.answers
            if not is_beside(one._record)
        ]

    def _ipython_key_completions_(self) -> list[str]:
        return [name for name, _ in self._named if name]

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

    def _told(self) -> dict[str, Any]:
        return {
            "title": "Several private answers",
            "private": self.private,
            "parts": [answer._told() for answer in self.answers],
            "tiers": self.privacy._told(),
        }


class ByColumn(Survey, Generic[R]):
    """The answers of one statistic about several columns, as ``suum.mean(people, value=["age",
    "wage"], …)`` gives them: a ``Survey`` of which ``answers["age"]`` is the one about a column.

    >>> import suum
    >>> people = {"age": [30, 50] * 300, "wage": [9.0, 12.0] * 300, "eps": [1.0] * 600}
    >>> bounds = {"age": (0, 120), "wage": (0, 50)}
    >>> means = suum.mean(people, value=["age", "wage"], epsilon="eps", bounds=bounds)
    >>> 0 <= means["wage"].estimate <= 50
    True
    """

    if TYPE_CHECKING:

        @cached_property
        def answers(self) -> list[R]: ...  # type: ignore[override]
        def __getitem__(self, at: int | str) -> R: ...
        def __iter__(self) -> Iterator[R]: ...


def several(asked: Mapping[str, Any], data: Data | None) -> Survey:
    """Several answers from one split of every budget: ``answers`` has the options of each, under
    those that all of them have.
    """
    return Survey(*answered(asked, data))


def by_column(
    kind: type[R], asked: Mapping[str, Any], answers: list[dict[str, Any]], data: Data | None
) -> ByColumn[R]:
    """Answers of one statistic about several columns, from one split of every budget."""
    found = answered({**asked, "answers": answers}, data, function=kind._function)
    # Records of other classes name their class themselves.
    return ByColumn(*found, [kind if kind._statistic else None] * len(answers))


def answered(
    asked: Mapping[str, Any],
    data: Data | None,
    what: str = "release",
    function: str | None = None,
) -> tuple[Answer, list[Labels]]:
    """Answers to several questions, or with "plan" the plan of them, with the labels of each."""
    enter()
    check_filled(asked)
    common = listed({name: one for name, one in asked.items() if name not in ("answers", "data")})
    answers = [listed(dict(one)) for one in asked["answers"]]
    whole = [{**common, **one} for one in answers]
    for one in answers:
        refuse_expressions(one, (*ROLES, "crosstab"))
    progress = common.pop("progress", None)
    named = [one.get(role) for one in [common, *answers] for role in ROLES]
    of_labels = [name for one in answers for name in _of_labels(one)]
    further = [name for name in [*named, *of_labels] if isinstance(name, str)]
    # A column that another answer calculates with stays one of numbers.
    numbers = [one.get("value") for one in answers if one.get("categories") is None]
    hides = any(map(hides_people, whole))
    of_labels = [name for name in of_labels if name not in numbers]
    given = Inputs(data, common, further, of_labels, hides)
    if not given.is_text:
        answers = [without_points(one) for one in answers]
    job = entries({**given.options, "data": given.path})
    job["answers"] = [entries(one) for one in answers]
    given.label_types, given.function = [types_of(one) for one in whole], function
    # Nothing can be refused once the release is made.
    labels = [Labels.of(one) for one in whole]
    return answer_of(what, job, given, False if hides else progress), labels


def _of_labels(asked: Mapping[str, Any]) -> list[str]:
    """Names of the columns that an answer reads as labels."""
    counted = ["value"] if asked.get("categories") is not None else []
    named = [asked.get(role) for role in ("privacy", "group_by", "strata", "weight", *counted)]
    named = [*named, *(columns(asked) or []), *times_of_rows(asked)]
    return [name for name in named if isinstance(name, str)]


#: Options that can be dictionaries by column.
_OF_EACH = ("bounds", "categories", "bins")

#: The most answers that there can be.
_MOST = 1000

#: Statistics that can be asked for of several columns.
_ASKED = {*get_args(Statistic), "summary"} - {"count"}


def several_columns(what: str, options: Mapping[str, Any]) -> list[str] | None:
    """The names of several columns, if they are asked about."""
    value, data = options.get("value"), options.get("data")
    is_list = isinstance(value, (list, tuple)) or any(
        is_one(value, *kind) for kind in (("pandas", "Index"), ("numpy", "ndarray"))
    )
    places = (data, *(options.get(name) for name in ("table", "query", "from_levels", "profile")))
    if what not in _ASKED or all(place is None for place in places):
        return None
    by_name = [name for name in _OF_EACH if isinstance(options.get(name), Mapping)]
    if not is_list:
        if by_name and isinstance(value, str):
            raise ParameterError(
                f"{by_name[0]}: a dictionary is for several columns",
                f'say it of the column alone, or name columns in a list: value=["{value}"]',
            )
        return None
    if getattr(value, "ndim", 1) != 1 or not 0 < len(cast(Any, value)) <= _MOST:
        return None
    found = [str(one) for one in cast(Any, value) if isinstance(one, str)]
    # A tuple can be one name.
    is_one_name = isinstance(value, tuple) and value in names_of(data)
    if len(found) < len(cast(Any, value)) or is_one_name:
        return None
    # A list of text can be a column of labels.
    is_labels = what == "frequency" and not set(found) <= set(map(str, names_of(data)))
    return None if is_labels and not by_name else found


def released_by_column(
    kind: type[R], what: str, names: list[str], options: Mapping[str, Any]
) -> ByColumn[R]:
    """Releases of several columns: the answers of ``suum.run`` to one query for each."""
    common, answers = asked_of_columns(what, names, options)
    return by_column(kind, common, answers, options.get("data"))


def asked_of_columns(
    what: str, names: list[str], options: Mapping[str, Any]
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Options that all columns share, and the options of each."""
    common = said(options)
    common["progress"] = options.get("progress")
    asked: Any = common.pop("statistic", None)
    if what == "summary":
        asked = asked or "mean,variance,q25,q50,q75"
        statistic: Any = asked.split(",") if isinstance(asked, str) else list(asked)
    else:
        statistic = what
    own = {name: common.pop(name) for name in ("value", *_OF_EACH) if name in common}
    answers = []
    for name in names:
        each = {option: _of(option, said, name, names) for option, said in own.items()}
        answers.append({"statistic": statistic, **each, "value": name})
    return common, answers


def _of(option: str, said: Any, name: str, names: list[str]) -> Any:
    """Value of an option for one of the columns; an option that is given once applies to each."""
    if not isinstance(said, Mapping):
        return said
    unknown = [one for one in said if one not in names]
    if unknown:
        raise ParameterError(
            f"{option}: value names no column {unknown[0]}",
            f"name the columns of {option} as value does",
        )
    if name not in said:
        raise ParameterError(
            f"{option}: nothing is said of column {name}",
            f"name every column of value in {option}, or say it once for all of them",
        )
    return said[name]
