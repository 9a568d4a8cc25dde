"""Several answers of a study in one release."""

from __future__ import annotations

import json
from functools import cache
from types import TracebackType
from typing import Any

from ._release import OF_GROUPS, R, Release
from ._column_options import SUMMARY, completed
from ._errors import RequestError
from ._kinds import Difference
from ._queries import unshortened
from ._question import Asked, Question, Statistics
from ._survey import Survey, answered
from ._suum import schema


class StudyRelease(Statistics, Survey):
    """Block in which answers are asked for, and which draws them all when it ends.

    Inside of ``with study.release() as release`` its methods are those of a study, and what they
    return has no value yet. Afterwards it is a ``Survey`` of all of them, in the order asked for.
    """

    def __init__(self, study: Asked) -> None:
        self._study = study
        #: Options, class and answer of each question.
        self._questions: list[tuple[dict[str, Any], type[Release], Release]] = []
        self._is_open = False

    def __enter__(self) -> StudyRelease:
        if self._is_open or self._questions:
            raise RequestError("release: this block has run", "begin another: study.release()")
        self._is_open = True
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        raised: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._is_open = False
        if raised is None:
            self._draw_all()

    def __reduce__(self) -> tuple[Any, ...]:
        return (Survey, *super().__reduce__()[1:])

    def by(self, *columns: str, **options: Any) -> _Part:
        """The same block, in which answers are by groups, as ``Study.by`` makes them."""
        return _Part(self, self._study.by(*columns, **options))

    def share(self, part: float) -> _Part:
        """The same block, in which an answer gets so many parts of every budget. Others get 1."""
        return _Part(self, self._study, part)

    def _ask(self, kind: type[R], function: str, of: Question) -> Any:
        return self._collect(self._study, kind, function, of)

    def _collect(
        self,
        study: Asked,
        kind: type[R],
        function: str,
        of: Question,
        share: float | None = None,
    ) -> Any:
        """Adds a question; returns its answer, which is without value until the block ends."""
        if not self._is_open:
            raise RequestError(
                "release: its block has ended or not begun",
                "ask inside of: with study.release() as release",
            )
        if "spend" in of.options:
            raise RequestError(
                "spend: the answers of a release share what is spent",
                'say it once: study.release(spend="10%")',
            )
        if isinstance(of.column, (list, tuple)) and not of.is_table:
            return {
                name: self._collect(study, kind, function, of.about(name), share)
                for name in of.column
            }
        query = study._keywords(function, of)
        answer = Release.__new__(OF_GROUPS[kind] if "group_by" in query else kind)
        query = {"statistic": _NAMES.get(function, function), **query}
        query = query if share is None else {**query, "share": share}
        self._questions.append((query, Difference if "between" in query else kind, answer))
        return answer

    def _draw_all(self) -> None:
        if not self._questions:
            raise RequestError(
                "release: its block asked for nothing", 'ask, for example release.mean("age")'
            )
        common: dict[str, Any] = {}
        answers: list[dict[str, Any]] = []
        for options, _, _ in self._questions:
            answers.append(
                unshortened({name: options[name] for name in options if name in _of_answers()})
            )
            common.update({name: options[name] for name in options if name not in _of_answers()})
        known = completed(self._study.columns, [options for options, _, _ in self._questions])
        for name in ("null", "public_columns"):
            own = [one for options, _, _ in self._questions for one in options.get(name, [])]
            common[name] = list(dict.fromkeys([*known.get(name, []), *own])) or None
        query = {**common, "answers": answers}
        # A record does not tell a median from other quantiles.
        kinds = [kind if kind._statistic else None for _, kind, _ in self._questions]
        functions = [kind._function or "" if kind else "" for kind in kinds]
        function = ",".join(functions) if any(functions) else None
        Survey.__init__(self, *answered(query, self._study.data, function=function), kinds)
        drawn = [one for _, one in self._named]
        for (_, _, answer), found in zip(self._questions, drawn):
            answer.__dict__.update(found.__dict__)


#: Statistics of a summary that does not say which.
_NAMES: dict[str, Any] = {"summary": list(SUMMARY)}


class _Part(Statistics):
    """Block in which answers are by groups, or have a share of their own."""

    def __init__(self, release: StudyRelease, study: Asked, share: float | None = None) -> None:
        self._release, self._study, self._share = release, study, share

    def by(self, *columns: str, **options: Any) -> _Part:
        """The same, by groups."""
        return _Part(self._release, self._study.by(*columns, **options), self._share)

    def _ask(self, kind: type[R], function: str, of: Question) -> Any:
        return self._release._collect(self._study, kind, function, of, self._share)


@cache
def _of_answers() -> frozenset[str]:
    """Options of each answer of several; all others are those of the whole release."""
    answers = json.loads(schema())["properties"]["answers"]
    return frozenset(answers["items"]["properties"])
