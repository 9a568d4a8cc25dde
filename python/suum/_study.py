"""Study: data, who allows what, and what columns mean, said once for all statistics, also in a file
of TOML or for several answers in one release.
"""

from __future__ import annotations

import copy
import json
import os
import pathlib
import tomllib
from collections.abc import Mapping
from functools import cache, partial
from types import TracebackType
from typing import Any, Literal, TypeVar, Unpack, cast

from . import _functions
from ._codebook import Codebook, Column, description
from ._question import SUMMARY, Asked, Plans, Question, Statistics, column_options, completed
from ._consent import Consent
from ._errors import ParameterError, ReadError, RequestError
from ._kinds import Difference
from ._ledger import Ledger
from ._plan import Plan
from ._functions import PLANNED, plan, unshortened
from ._release import OF_GROUPS, R, Release
from ._survey import Survey, answered
from ._suum import schema
from ._types import Data, Labels, Path
from ._columns import library
from .keywords import StudyOptions, instead


S = TypeVar("S", bound="Study")


class Study(Statistics):
    """Data with all that statistics of them have in common: whose they are, who allows what, and
    what the columns mean.

    A study never changes: ``by``, ``where``, ``strata`` and ``options`` return new ones.

    >>> import math, suum
    >>> people = {
    ...     "wage": [31.0, 18.5] * 500,
    ...     "region": ["north", "south"] * 500,
    ...     "privacy": ["strict", "open"] * 500,
    ... }
    >>> study = suum.Study(
    ...     people,
    ...     consent=suum.tiers("privacy", strict=0.1, open=1),
    ...     columns={"wage": suum.number(0, 200), "region": suum.labels("north", "south")},
    ... )
    >>> list(study.by("region").median("wage"))
    ['north', 'south']
    >>> study.plan.mean("wage").rmse < 10
    True
    >>> with study.release() as release:
    ...     wage, shares = release.mean("wage"), release.frequency("region")
    >>> list(shares.estimate)
    ['north', 'south']
    """

    def __init__(
        self,
        data: Data | None = None,
        *,
        consent: Consent | None = None,
        person: str | None = None,
        columns: Codebook | None = None,
        ledger: Path | Ledger | None = None,
        dataset: str | None = None,
        table: str | None = None,
        query: str | None = None,
    ) -> None:
        """Describes a study, and reads nothing.

        ``data`` is a path or a table; of a database ``table`` or ``query`` says which records.
        ``person`` is the column that says whose row it is; without it each row is a record of its
        own. ``columns`` describes columns by their names, with ``suum.number``, ``suum.labels``,
        ``suum.date`` and ``suum.truth``. ``ledger`` keeps account of what ``dataset`` has spent.
        """
        if consent is not None and not isinstance(consent, Consent):
            raise RequestError(
                f"consent: {type(consent).__name__} does not say who allows what",
                "give suum.tiers, suum.budgets, suum.everyone, suum.by_person or suum.register",
            )
        for name, column in (columns or {}).items():
            if not isinstance(column, Column):
                raise RequestError(
                    f"column {name}: {type(column).__name__} does not describe a column",
                    "give suum.number, suum.labels, suum.date or suum.truth",
                )
        self._data = data
        self._consent = consent
        self._columns = dict(columns or {})
        places = {"person": person, "ledger": ledger, "dataset": dataset}
        self._options: dict[str, Any] = {**places, "table": table, "query": query}
        self._by: dict[str, Any] = {}
        self._strata: dict[str, Any] = {}
        self._where: tuple[str, ...] = ()

    @classmethod
    def read(cls, path: Path, data: Data | None = None) -> Study:
        """The study of a study file (docs/how-to/study-file.md), about its data or others.

        >>> import suum
        >>> suum.Study.read("examples/study.toml").mean("visits")  # doctest: +SKIP
        """
        entries = read_entries(path)
        own = entries.pop("data", None)
        consent, columns = consent_of(entries), columns_of(entries)
        study = cls(own if data is None else data, consent=consent, columns=columns)
        return study.options(**entries)

    @property
    def data(self) -> Data | None:
        """The data, as they were given."""
        return self._data

    @property
    def consent(self) -> Consent | None:
        """Who allows what."""
        return self._consent

    @property
    def columns(self) -> dict[str, Column]:
        """Descriptions of the columns."""
        return dict(self._columns)

    @property
    def plan(self) -> Plans:
        """The same statistics as plans: what each would cost and how good it would be.

        >>> import suum
        >>> study = suum.Study({"age": [30.0] * 99}, consent=suum.everyone(1),
        ...                    columns={"age": suum.number(0, 120)})
        >>> plan = study.plan.mean("age")
        >>> plan.rmse < 20, 0 <= float(plan.run()) <= 120
        (True, True)
        """
        return Plans(self)

    def release(
        self,
        *,
        spend: str | None = None,
        edition: str | None = None,
        again: bool | None = None,
    ) -> StudyRelease:
        """Several answers in one release, with one split of every budget, one charge and one
        certificate. They are drawn when the block ends, and nothing is if it raises an error.

        >>> import suum
        >>> study = suum.Study({"age": [30.0] * 99}, consent=suum.everyone(1),
        ...                    columns={"age": suum.number(0, 120)})
        >>> with study.release() as release:
        ...     mean = release.mean("age")
        ...     median = release.median("age")
        >>> len(release), 0 <= mean.estimate <= 120
        (2, True)

        Parameters
        ----------
        spend:
            With a ledger: how much to spend, such as "10%".
        edition, again:
            The state of the data, by which a ledger finds an answer again, and whether to pay for
            a new one.
        """
        return StudyRelease(self.options(spend=spend, edition=edition, again=again))

    def on(self: S, data: Data, *, columns: Codebook | None = None) -> S:
        """The study of other data, with descriptions of further columns.

        >>> import suum
        >>> people = {"wage": [31.0, 18.5] * 500}
        >>> study = suum.Study(people, consent=suum.everyone(1))
        >>> doubled = {"double": [62.0, 37.0] * 500}
        >>> study.on(doubled, columns={"double": suum.number(0, 400)}).count().estimate
        1000.0
        """
        changed = Study(data, columns={**self._columns, **(columns or {})})
        options = {**self._options, "table": None, "query": None}
        return self._with(_data=data, _columns=changed._columns, _options=options)

    def by(
        self: S,
        *columns: str,
        groups: Any = None,
        other: str | None = None,
        suppress_below: int | None = None,
        person_groups: Literal["public"] | None = None,
        max_groups: int | None = None,
        **declared: Labels,
    ) -> S:
        """The study by groups, in place of earlier ones: answers are one for each label of a
        column, or of several.

        Parameters
        ----------
        columns:
            The columns of groups, whose descriptions have the labels.
        groups:
            The labels, in place of those: of several columns a list each.
        other:
            The label of the group for all others.
        suppress_below:
            Leaves out groups with fewer records than this.
        person_groups:
            With ``"public"`` persons count in all of their groups, with a part of their budget in
            each; it makes public who has rows in which group.
        max_groups:
            The most groups in which a person counts where participation is hidden.
        declared:
            More columns with their labels, as in ``by(region=["n", "s"])``.
        """
        names = [*columns, *declared]
        own = dict(zip(columns, [groups] if len(columns) == 1 else groups or [])) if groups else {}
        lists = [
            list(found) if (found := {**own, **declared}.get(name)) is not None
            else description(self._columns, name).as_groups(name)
            for name in names
        ]
        if not names:
            raise RequestError("by: it names no column", 'name one, as in study.by("region")')
        if other is None:
            others = {self._columns[name].other for name in columns if name in self._columns}
            other = others.pop() if len(others) == 1 else None
        single = len(names) == 1
        by = {"group_by": names[0] if single else names, "groups": lists[0] if single else lists}
        persons = {"person_groups": person_groups, "max_groups": max_groups}
        more = {"other_group": other, "suppress_below": suppress_below, **persons}
        return self._with(_by={**by, **more})

    def where(self: S, *conditions: str) -> S:
        """The study of the records of which all conditions are true, as in SQL; they are about
        public columns.

        >>> import suum
        >>> young = suum.Study("people.csv").where("age < 30", "region = 'north'")
        >>> young
        <suum.Study: 'people.csv', where (age < 30) AND (region = 'north')>
        """
        return self._with(_where=(*self._where, *conditions))

    def strata(
        self: S,
        column: str | None = None,
        *,
        classes: Labels | None = None,
        shares: Mapping[Any, float] | None = None,
        weight: str | None = None,
    ) -> S:
        """The study by strata or design weights, on which budgets may depend.

        Parameters
        ----------
        column:
            The column of strata.
        classes:
            Its labels, in place of those of its description.
        shares:
            The share of each stratum in the population, where that is known.
        weight:
            A column of design weights, in place of strata.
        """
        declared: dict[str, Any] = {"classes": classes, "population_shares": shares}
        if column in self._columns and classes is None and shares is None:
            declared = self._columns[column].as_strata(column)
        return self._with(_strata={"strata": column, "weight": weight, **declared})

    def options(self: S, **options: Unpack[StudyOptions]) -> S:
        """The study with further options of statistics, such as ``confidence``, ``neighbors`` or
        ``insecure_seed``, for all that use them; ``None`` takes one back.

        >>> import suum
        >>> study = suum.Study("people.csv").options(confidence=0.9)
        >>> study.options(confidnce=0.9)
        Traceback (most recent call last):
        suum._errors.RequestError: option confidnce: no statistic has it
        hint: did you mean confidence?
        """
        for name in options:
            if name not in _known() or name in _OWN:
                raise RequestError(f"option {name}: no statistic has it", _instead(name))
        return self._with(_options={**self._options, **options})

    def _with(self: S, **changes: Any) -> S:
        changed = copy.copy(self)
        changed.__dict__.update(changes)
        return changed

    def _ask(self, kind: type[R], function: str, of: Question) -> Any:
        return _functions.function(function)(self._data, **self._keywords(function, of))

    def _plan(self, function: str, of: Question) -> Plan:
        """Plan of a question, which can be run."""
        keywords = self._keywords(function, of)
        statistic = keywords.get("statistic", function)
        left = {name: value for name, value in keywords.items() if name in PLANNED}
        planned = plan(self._data, **{**left, "statistic": statistic})
        planned._release = partial(_functions.function(function), self._data, **keywords)
        return planned

    def _keywords(self, function: str, of: Question) -> dict[str, Any]:
        """Keywords of a function that asks a question of this study."""
        if self._consent is None and not self._has_own_consent:
            raise RequestError(
                "consent: the study does not say who allows what",
                "give consent=suum.tiers(COLUMN, …), suum.budgets(COLUMN) or suum.everyone(1.0)",
            )
        if "between" in of.options and not self._by:
            raise RequestError(
                "compare: the study has no groups", 'say which: study.by("region").compare(…)'
            )
        parts = (self._options, self._by, self._strata, self._consent_options())
        common = {name: one for part in parts for name, one in part.items() if one is not None}
        if self._where:
            common["where"] = " AND ".join(f"({one})" for one in self._where)
        allowed = _functions.KEYWORDS[function]
        unknown = sorted(of.options.keys() - allowed)
        if unknown:
            raise RequestError(f"{unknown[0]}: a {function} does not have it", "leave it out")
        own = column_options(self._columns, function, of, common)
        keywords = {**common, **of.options, **own}
        return {name: value for name, value in keywords.items() if name in allowed}

    @property
    def _has_own_consent(self) -> bool:
        """Returns true if data or ledger may say themselves who allows what."""
        return library(self._data) == "suum" or self._options.get("from_levels") is not None

    def _consent_options(self) -> dict[str, Any]:
        """Options that say who allows what."""
        if self._consent is None:
            return {}
        person = self._options.get("person")
        options = dict(self._consent.options)
        if self._consent.kind == "by_person" and person is None:
            raise RequestError(
                "by_person: the study does not say whose row it is",
                'name the column of persons: suum.Study(…, person="id")',
            )
        epsilon: Any = options.get("epsilon")
        if hasattr(epsilon, "rename_axis"):
            options["epsilon"] = epsilon.rename_axis(person)
        return options

    def __repr__(self) -> str:
        data = self._data
        is_path = isinstance(data, (str, os.PathLike))
        parts = [repr(os.fspath(cast(Path, data))) if is_path else type(data).__name__]
        if self._consent is not None:
            parts.append(f"consent {self._consent!r}".replace("suum.", ""))
        person = self._options.get("person")
        if person is not None:
            parts.append(f"person {person!r}")
        if self._columns:
            parts.append("columns " + ", ".join(self._columns))
        if self._by:
            by = self._by["group_by"]
            parts.append("by " + (by if isinstance(by, str) else ", ".join(by)))
        if self._where:
            parts.append("where " + " AND ".join(f"({one})" for one in self._where))
        return f"<suum.Study: {', '.join(parts)}>"


#: Options that a study says in other ways.
_OWN = ("value", "bounds", "categories", "bins", "q", "between", "group_by", "groups", "data")


@cache
def _known() -> frozenset[str]:
    """Keywords of all statistics."""
    return frozenset().union(*_functions.KEYWORDS.values())


def _instead(name: str) -> str:
    return "the columns and methods of a study say it" if name in _OWN else instead(name)


def read_entries(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Entries of a study file."""
    name = os.fspath(path)
    try:
        text = pathlib.Path(path).read_text(encoding="utf-8")
    except (OSError, ValueError) as raised:
        raise ReadError(f"study: {name} cannot be read", "check the path") from raised
    try:
        entries: dict[str, Any] = tomllib.loads(text)
    except ValueError as wrong:
        raise ParameterError(f"study: {name} is no TOML: {wrong}", "mend the line") from None
    return {key.replace("-", "_"): value for key, value in entries.items()}


def consent_of(entries: dict[str, Any]) -> Consent | None:
    """Takes the consent out of the entries of a study."""
    names = [name for name in entries if name in _CONSENT or name.startswith("consent_")]
    options = {name: entries.pop(name) for name in names}
    if not options:
        return None
    kind = "register" if "consent" in options else "tiers" if "privacy" in options else "budgets"
    column = options.get("privacy", options.get("epsilon"))
    kind = kind if isinstance(column, str) else "everyone"
    return Consent(kind, options, repr(column))


_CONSENT = ("privacy", "levels", "epsilon", "missing_consent", "epsilon_range", "consent", "key",
            "as_of")  # fmt: skip


def columns_of(entries: dict[str, Any]) -> dict[str, Column]:
    """Takes the descriptions of columns out of the entries of a study."""
    tables = entries.pop("columns", {})
    are_tables = isinstance(tables, Mapping) and all(
        isinstance(one, Mapping) for one in tables.values()
    )
    if not are_tables:
        raise ParameterError("columns: expected tables", "write [columns.NAME]")
    return {name: _column(name, own) for name, own in tables.items()}


def _column(name: str, own: Mapping[str, Any]) -> Column:
    own = {key.replace("-", "_"): value for key, value in own.items()}
    known = _schema()["columns"]["additionalProperties"]["properties"]
    unknown = sorted(own.keys() - known)
    if unknown:
        raise ParameterError(
            f"columns.{name}: {unknown[0]} is no option of a column",
            f"a column has {', '.join(sorted(known))}",
        )
    labels = [own[key] for key in ("categories", "groups", "classes") if key in own]
    bounds = own.get("bounds")
    return Column(
        "labels" if labels else "number",
        tuple(bounds) if isinstance(bounds, list) else bounds,
        own.get("step"),
        own.get("bins"),
        tuple(labels[0]) if labels else (),
        own.get("other", own.get("other_group")),
        own.get("null"),
        own.get("missing"),
        own.get("public", False),
        groups=tuple(own.get("groups", ())),
        classes=tuple(own.get("classes", ())),
        shares=own.get("population_shares"),
    )


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
        # Options of each answer; all others are those of the whole release.
        own = _schema()["answers"]["items"]["properties"]
        for options, _, _ in self._questions:
            answers.append(unshortened({name: options[name] for name in options if name in own}))
            common.update({name: options[name] for name in options if name not in own})
        known = completed(self._study.columns, [options for options, _, _ in self._questions])
        for name in ("null", "public_columns"):
            of_each = [one for options, _, _ in self._questions for one in options.get(name, [])]
            common[name] = list(dict.fromkeys([*known.get(name, []), *of_each])) or None
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
def _schema() -> dict[str, Any]:
    """Options of a query, by the table."""
    options: dict[str, Any] = json.loads(schema())["properties"]
    return options
