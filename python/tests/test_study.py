"""Studies: data, consent and columns said once; every answer is that of the functions."""

from __future__ import annotations

import datetime
import inspect
import json
import math
import pickle
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import numpy
import pandas
import polars
import pyarrow
import pytest
import suum
from suum import _study
from conftest import LEVELS, RANDHIE, ROOT, CommandLine

HEALTH = ["excellent", "good", "fair", "poor"]
COLUMNS = {
    "visits": suum.number(0, 77, step=1),
    "chronic_index": suum.number(0, 60),
    "health": suum.labels(*HEALTH, public=True),
}
STUDY = suum.Study(RANDHIE, consent=suum.tiers("privacy", LEVELS), columns=COLUMNS)
SEEDED = STUDY.options(insecure_seed=7)
COMMON: dict[str, Any] = {
    "privacy": "privacy", "levels": LEVELS, "insecure_seed": 7,
}  # fmt: skip
VISITS: dict[str, Any] = {"value": "visits", "bounds": (0, 77), **COMMON}
STEPS = {**VISITS, "step": 1}
PUBLIC: dict[str, Any] = {"public_columns": ["health"]}
GROUPS: dict[str, Any] = {"group_by": "health", "groups": HEALTH, **PUBLIC}
TENS = [0, 10, 20, 77]

#: An answer of a study, and that of a function.
PAIRS: dict[str, tuple[Callable[[Any], Any], Callable[[], Any]]] = {
    "mean": (lambda it: it.mean("visits"), lambda: suum.mean(RANDHIE, **STEPS)),
    "shrunk": (
        lambda it: it.mean("visits", shrink=True), lambda: suum.mean(RANDHIE, **STEPS, shrink=True)
    ),
    "sum": (lambda it: it.sum("visits"), lambda: suum.sum(RANDHIE, **STEPS)),
    "variance": (lambda it: it.variance("visits"), lambda: suum.variance(RANDHIE, **VISITS)),
    "std": (lambda it: it.std("visits"), lambda: suum.std(RANDHIE, **VISITS)),
    "median": (lambda it: it.median("visits"), lambda: suum.median(RANDHIE, **STEPS)),
    "quantile": (
        lambda it: it.quantile("visits", [0.25, 0.5]),
        lambda: suum.quantile(RANDHIE, **STEPS, q=[0.25, 0.5]),
    ),
    "cdf": (lambda it: it.cdf("visits"), lambda: suum.quantile(RANDHIE, **STEPS, cdf=True)),
    "frequency": (
        lambda it: it.frequency("health"),
        lambda: suum.frequency(RANDHIE, value="health", categories=HEALTH, **COMMON),
    ),
    "bins": (
        lambda it: it.histogram("visits", TENS),
        lambda: suum.frequency(RANDHIE, value="visits", bins=TENS, **COMMON),
    ),
    "histogram": (
        lambda it: it.histogram("visits", 7),
        lambda: suum.histogram(RANDHIE, **VISITS, bins=7),
    ),
    "count": (lambda it: it.count(), lambda: suum.count(RANDHIE, **COMMON)),
    "summary": (lambda it: it.summary("visits"), lambda: suum.summary(RANDHIE, **STEPS)),
    "groups": (
        lambda it: it.by("health").mean("visits"), lambda: suum.mean(RANDHIE, **STEPS, **GROUPS)
    ),
    "difference": (
        lambda it: it.by("health").compare("visits", "poor", "good"),
        lambda: suum.difference(RANDHIE, **STEPS, **GROUPS, between=["poor", "good"]),
    ),
    "medians": (
        lambda it: it.by("health").compare("visits", "poor", "good", statistic="median"),
        lambda: suum.median(RANDHIE, **STEPS, **GROUPS, between=["poor", "good"]),
    ),
    "where": (
        lambda it: it.where("health = 'poor'").mean("visits"),
        lambda: suum.mean(RANDHIE, **STEPS, where="(health = 'poor')", **PUBLIC),
    ),
    "strata": (
        lambda it: it.strata("health").mean("visits"),
        lambda: suum.mean(RANDHIE, **STEPS, strata="health", classes=HEALTH, **PUBLIC),
    ),
    "several": (
        lambda it: it.variance(["visits", "chronic_index"]),
        lambda: suum.variance(
            RANDHIE, value=["visits", "chronic_index"],
            bounds={"visits": (0, 77), "chronic_index": (0, 60)}, **COMMON,
        ),
    ),
    "crosstab": (
        lambda it: it.crosstab("health", "privacy"),
        lambda: suum.frequency(
            RANDHIE, crosstab=["health", "privacy"], categories=[HEALTH, list(LEVELS)], **COMMON
        ),
    ),
}  # fmt: skip
WITH_TIERS = {**COLUMNS, "privacy": suum.labels(LEVELS)}


def seeded(name: str) -> suum.Study:
    if name != "crosstab":
        return SEEDED
    crossed = suum.Study(RANDHIE, consent=suum.tiers("privacy", LEVELS), columns=WITH_TIERS)
    return crossed.options(insecure_seed=7)


@pytest.mark.parametrize("name", PAIRS)
def test_answers_are_those_of_the_functions(name: str) -> None:
    of_study, of_function = PAIRS[name]
    found, expected = of_study(seeded(name)), of_function()
    assert type(found) is type(expected) and found.to_json() == expected.to_json()


@pytest.mark.parametrize("name", [name for name in PAIRS if name != "count"])
def test_plans_are_those_of_the_same_call_and_run(name: str) -> None:
    of_study, of_function = PAIRS[name]
    plan = of_study(seeded(name).plan if name in DIRECT else Planning(seeded(name)))
    assert isinstance(plan, suum.Plan)
    assert plan.run().to_json() == of_function().to_json()
    with pytest.raises(suum.RequestError, match="plan: it has no data to release"):
        pickle.loads(pickle.dumps(plan)).run()


class Planning:
    """Study whose changed studies plan."""

    def __init__(self, study: suum.Study) -> None:
        self._study = study

    def __getattr__(self, name: str) -> Any:
        return lambda *args: getattr(self._study, name)(*args).plan


CHANGED = ("groups", "difference", "medians", "where", "strata")
DIRECT = [name for name in PAIRS if name not in CHANGED]


def test_a_block_makes_one_release_of_all_answers() -> None:
    with SEEDED.release() as release:
        mean = release.mean("visits")
        median = release.median("visits")
        spread = release.std("visits")
        shares = release.frequency("health")
        summary = release.summary("visits")
        by_health = release.by("health").mean("visits")
        more = release.by("health").compare("visits", "poor", "good")
        each = release.variance(["visits", "chronic_index"])
        assert repr(mean) == "<suum.Number: drawn when its block ends>"
        for early in (lambda: mean.estimate, lambda: by_health["poor"], lambda: release.privacy):
            with pytest.raises(suum.RequestError, match="drawn when its block ends"):
                early()
    common = {**COMMON, **PUBLIC}
    groups = {name: value for name, value in GROUPS.items() if name not in PUBLIC}
    visits: dict[str, Any] = {"value": "visits", "bounds": (0, 77)}
    chronic: dict[str, Any] = {"value": "chronic_index", "bounds": (0, 60)}
    expected = suum.run(
        {
            **common,
            "answers": [
                {"statistic": "mean", **visits, "step": 1},
                {"statistic": "median", **visits, "step": 1},
                {"statistic": "variance", **visits},
                {"statistic": "frequency", "value": "health", "categories": HEALTH},
                {"statistic": ["mean", "variance", "q25", "q50", "q75"], **visits, "step": 1},
                {"statistic": "mean", **visits, "step": 1, **groups},
                {"statistic": "mean", **visits, "step": 1, **groups, "between": ["poor", "good"]},
                {"statistic": "variance", **visits},
                {"statistic": "variance", **chronic},
            ],
        },
        RANDHIE,
    )
    found = json.loads(release.to_json())
    # It says, too, by which method each answer was asked for.
    assert found.pop("function") == ",median,std,,,,,,"
    assert isinstance(expected, suum.Survey) and found == json.loads(expected.to_json())
    assert [type(one) for one in (mean, median, spread, shares, summary)] == [
        suum.Number, suum.Median, suum.Deviation, suum.Frequencies, suum.Summary,
    ]  # fmt: skip
    assert float(mean) == float(expected[0]) and list(by_health) == HEALTH
    assert more.between == ("poor", "good") and spread.estimate == expected[2].deviation.estimate
    assert list(each) == ["visits", "chronic_index"] and len(release) == 9
    assert all(tier.spent <= tier.epsilon for tier in release.privacy)
    assert suum.verify(release).agrees
    for one in (release, mean, median, by_health):
        assert repr(pickle.loads(pickle.dumps(one))) .split(":")[1:] == repr(one).split(":")[1:]
    again = pickle.loads(pickle.dumps(release))
    for answers in (release, again):
        assert [type(one) for one in answers[:3]] == [suum.Number, suum.Median, suum.Deviation]
        assert type(answers[6]) is type(more) and float(answers[1]) == float(median)
    with pytest.raises(suum.RequestError, match="its block has ended"):
        release.mean("visits")


def test_a_block_that_raises_draws_nothing(tmp_path: Path) -> None:
    ledger = suum.Ledger.create(tmp_path / "ledger", dataset="visits", levels=LEVELS)
    study = suum.Study(
        RANDHIE, consent=suum.tiers("privacy"), columns=COLUMNS, ledger=ledger, dataset="visits"
    )
    with pytest.raises(ZeroDivisionError), study.release(spend="10%") as release:
        mean = release.mean("visits")
        _ = 1 / 0
    with pytest.raises(suum.RequestError, match="not if that raises an error"):
        mean.estimate
    assert ledger.balance()["tiers"][0]["spent"] == 0
    with study.release(spend="10%") as release:
        mean, shares = release.mean("visits"), release.frequency("health")
    assert ledger.balance()["tiers"][0]["spent"] == 0.001 and mean.estimate >= 0
    assert len(ledger.datasets()[0]["releases"]) == 1 and len(shares.estimate) == 4
    with pytest.raises(suum.RequestError, match="spend: the answers of a release share"):
        with study.release() as release:
            release.mean("visits", spend="10%")
    with pytest.raises(suum.RequestError, match="its block asked for nothing"):
        with study.release():
            pass


FRAME = {"v": [1.0, 4.0, 2.0] * 100, "t": ["a", "b", "a"] * 100, "g": [1, 2, 2] * 100}
TABLES: dict[str, Callable[[], Any]] = {
    "dictionary": lambda: FRAME,
    "pandas": lambda: pandas.DataFrame(FRAME),
    "polars": lambda: polars.DataFrame(FRAME),
    "lazy": lambda: polars.LazyFrame(FRAME),
    "pyarrow": lambda: pyarrow.table(FRAME),
    "records": lambda: [dict(zip(FRAME, row)) for row in zip(*FRAME.values())],
}
OF_FRAME = {"v": suum.number(0, 5), "g": suum.labels(1, 2)}


@pytest.mark.parametrize("name", TABLES)
def test_tables_of_every_kind_give_the_same(name: str) -> None:
    study = suum.Study(TABLES[name](), consent=suum.tiers("t", a=0.5, b=1), columns=OF_FRAME)
    found = study.options(insecure_seed=1).by("g").mean("v")
    assert list(found) == [1, 2] and found[1].privacy[0].level == "a"
    expected = suum.mean(
        FRAME, value="v", bounds=(0, 5), privacy="t", levels={"a": 0.5, "b": 1}, group_by="g",
        groups=[1, 2], insecure_seed=1,
    )  # fmt: skip
    assert found.to_json() == expected.to_json()


def test_consents_are_those_of_the_functions(tmp_path: Path) -> None:
    people = {"v": [1.0, 4.0, 2.0] * 100, "id": list(range(300)), "e": [0.5, 1.0, math.inf] * 100}
    budgets = dict(zip(people["id"], people["e"]))
    choices = {"id": people["id"], "e": people["e"]}
    series = pandas.Series(budgets)
    consents = {
        "budgets": suum.budgets("e"),
        "by person": suum.by_person(budgets),
        "series": suum.by_person(series),
        "register": suum.register(choices, suum.budgets("e"), key="id"),
    }
    for name, consent in consents.items():
        data = {"v": people["v"], "id": people["id"], **({} if "reg" in name else people)}
        study = suum.Study(
            data, consent=consent, person="id", columns={"v": suum.number(0, 5)}
        ).options(insecure_seed=1)
        assert [(tier.epsilon, tier.count) for tier in study.mean("v").privacy] == [
            (0.5, 100), (1, 100), (math.inf, 100),
        ], name  # fmt: skip
    everyone = suum.Study(people, consent=suum.everyone(1), columns={"v": suum.number(0, 5)})
    assert [tier.epsilon for tier in everyone.mean("v").privacy] == [1]
    assert repr(suum.by_person(budgets)) == "suum.by_person(…)"
    path = tmp_path / "register.csv"
    path.write_text("who,tier\n1,a\n2,b\n")
    of_people = suum.register(choices, suum.budgets("e"), key="id", attributes=["region"])
    assert of_people.options["consent_attributes"] == ["region"]
    register = suum.register(path, suum.tiers("tier", a=0.1, b=1), key="id=who")
    study = suum.Study({"v": [1.0, 2.0], "id": [1, 2]}, consent=register,
                       columns={"v": suum.number(0, 5)})
    assert [tier.level for tier in study.mean("v").privacy] == ["a", "b"]


def test_studies_never_change() -> None:
    by, where, some = STUDY.by("health"), STUDY.where("health = 'poor'"), STUDY.options(cells=9)
    strata = STUDY.strata("health")
    for changed in (by, where, some, strata):
        assert changed is not STUDY and type(changed) is suum.Study
    assert repr(STUDY) == (
        f"<suum.Study: {RANDHIE!r}, consent tiers('privacy', strict=0.01, standard=0.1, "
        "relaxed=1, public=inf), columns visits, chronic_index, health>"
    )
    assert repr(by).endswith("by health>") and "by" not in repr(STUDY)
    assert repr(where).endswith("where (health = 'poor')>")
    assert where.where("health <> 'good'")._keywords.__self__._where == (
        "health = 'poor'", "health <> 'good'",
    )  # fmt: skip
    assert pickle.loads(pickle.dumps(by)).mean("visits").keys() == set(HEALTH)
    columns = STUDY.columns
    columns.clear()
    assert list(STUDY.columns) == list(COLUMNS)
    assert "31.5" not in repr(suum.Study({"v": [31.5]}, consent=suum.by_person({"ann": 1})))


def test_labels_of_studies_have_their_type() -> None:
    days = [datetime.date(2020, 1, 1), datetime.date(2020, 2, 1)]
    data = {"day": days * 100, "sick": [True, False] * 100, "n": [1, 2] * 100}
    columns = {
        "day": suum.date("2020-01-01", "2020-12-31", bins=[*days, datetime.date(2020, 12, 31)]),
        "sick": suum.truth(),
        "n": suum.labels(range(1, 3)),
    }
    study = suum.Study(data, consent=suum.everyone(1), columns=columns)
    assert list(study.by("sick").count()) == [False, True]
    assert list(study.frequency("sick").estimate) == [False, True]
    assert 0 <= study.mean("sick").estimate <= 1
    assert list(study.frequency("n").estimate) == [1, 2]
    assert study.frequency("day").edges == [*days, datetime.date(2020, 12, 31)]
    assert list(study.by("sick", "n").count())[0] == (False, 2)
    assert list(study.by(n=[2, 1]).count()) == [2, 1]
    assert study.median("day").as_datetime().estimate.year == 2020


def test_totals_of_persons_have_bounds_of_their_own() -> None:
    trips = {"id": [1, 1, 2] * 100, "km": [3.0, 14.0, 2.5] * 100}
    study = suum.Study(
        trips, consent=suum.everyone(1), person="id", columns={"km": suum.number(0, 20, step=0.5)}
    ).options(insecure_seed=1)
    ids: dict[str, Any] = {"value": "km", "epsilon": 1, "person": "id", "insecure_seed": 1}
    for ask in (lambda: study.sum("km"), lambda: study.mean("km", per_person="total")):
        with pytest.raises(suum.RequestError, match="column km: its range is that of a row"):
            ask()
    total = study.sum("km", bounds=(0, 2000))
    assert total.to_json() == suum.sum(trips, **ids, bounds=(0, 2000)).to_json()
    # The mean of the rows of a person lies between steps.
    assert study.mean("km").to_json() == suum.mean(trips, **ids, bounds=(0, 20)).to_json()


def test_ranges_that_are_searched_have_no_steps() -> None:
    data = {"v": [3.0, 14.0, 2.5] * 1000}
    study = suum.Study(data, consent=suum.everyone(1), columns={"v": suum.number(step=1)})
    found = study.options(insecure_seed=1).mean("v")
    expected = suum.mean(data, value="v", epsilon=1, bounds="auto", insecure_seed=1)
    assert found.to_json() == expected.to_json()


def test_other_labels_are_counted_as_one() -> None:
    data = {"g": ["a", "b", "c"] * 100, "h": ["x", "y", "z"] * 100}
    columns = {"g": suum.labels("a", "b", other="more"), "h": suum.labels("x", other="more")}
    study = suum.Study(data, consent=suum.everyone(math.inf), columns=columns)
    assert list(study.by("g").count()) == ["a", "b", "more"]
    assert study.frequency("g").estimate["more"] == pytest.approx(1 / 3)
    assert ("more", "x") in list(study.by("g", "h").count()) or len(study.by("g", "h").count()) == 3
    assert study.crosstab("g", "h")["more", "more"] == pytest.approx(1 / 3)
    assert list(study.by(g=["a"], other="rest").count()) == ["a", "rest"]


def test_answers_of_a_block_have_shares() -> None:
    with SEEDED.release() as release:
        twice = release.share(2).mean("visits")
        by_health = release.share(1).by("health").mean("visits")
        last = release.by("health").count()
    assert [one["share"] for one in release.to_dict()["query"]["answers"][:2]] == [2, 1]
    assert twice.privacy[0].spent > by_health["poor"].privacy[0].spent and len(last) == 4


def test_nulls_and_missing_cells_are_those_of_the_column() -> None:
    data = {"v": ["1", "-9", "3"] * 100, "g": ["a", "", "b"] * 100, "u": [1.0, 2.0, 3.0] * 100}
    columns = {
        "v": suum.number(0, 5, null=-9, missing=0), "g": suum.labels("a", "b", missing="none"),
        "u": suum.number(0, 5),
    }  # fmt: skip
    frame = pandas.DataFrame(data).astype({"v": float})
    study = suum.Study(frame, consent=suum.everyone(1), columns=columns)
    assert study.mean("v").estimate >= 0
    frame["g"] = frame["g"].replace("", None)
    study = suum.Study(frame, consent=suum.everyone(math.inf), columns=columns)
    assert study.frequency("g").estimate["none"] == pytest.approx(1 / 3)
    assert "null" not in study.mean("u").to_dict()["query"]


def test_empty_cells_of_all_columns_of_a_request_are_read_by_one_rule() -> None:
    data = {"v": [1.0, -9.0, 3.0] * 100, "u": [-1.0, 2.0, 3.0] * 100, "g": ["a", "?", "b"] * 100}
    columns = {
        "v": suum.number(0, 5, null=-9, missing=0), "u": suum.number(0, 5, null=-1, missing=0),
        "g": suum.labels("a", "b", null="?", missing="none"),
        "w": suum.number(-10, 5),
    }  # fmt: skip
    study = suum.Study(data, consent=suum.everyone(math.inf), columns=columns)
    with study.release() as release:
        of_v, of_u, of_g = release.mean("v"), release.mean("u"), release.frequency("g")
    assert float(of_v) == pytest.approx(4 / 3) and float(of_u) == pytest.approx(5 / 3)
    assert of_g["none"] == pytest.approx(1 / 3)
    assert sorted(map(str, release.to_dict()["query"]["null"])) == ["-1", "-9", "?"]
    both = study.on({**data, "w": [-9.0] * 300})
    with pytest.raises(suum.RequestError, match="null: .* in v can be a value of w"):
        with both.release() as release:
            release.mean("v")
            release.mean("w")
    assert float(both.mean("w")) == pytest.approx(-9)


WRONG: dict[str, tuple[Callable[[], object], str, str]] = {
    "no description": (
        lambda: STUDY.mean("age"), "column age: the study does not describe it", "suum.number(LO"
    ),
    "near": (lambda: STUDY.mean("visit"), "column visit: the study does not", "mean visits?"),
    "labels": (lambda: STUDY.mean("health"), "column health: it is described by labels", "number"),
    "no bins": (lambda: STUDY.frequency("visits"), "its numbers are in no bins", "histogram"),
    "group": (lambda: STUDY.by("visits"), "column visits: its description has no labels", "labels"),
    "no group": (lambda: STUDY.by(), "by: it names no column", "by("),
    "compare": (
        lambda: STUDY.compare("visits", "poor", "good"), "the study has no groups", "study.by("
    ),
    "private condition": (
        lambda: STUDY.where("visits > 3").count(), "where: column visits is not public",
        "public=True",
    ),
    "nobody's row": (
        lambda: suum.Study({"v": [1.0]}, consent=suum.by_person({1: 1.0})).count(),
        "by_person: the study does not say whose row", 'person="id"',
    ),
    "no consent": (
        lambda: suum.Study(RANDHIE, columns=COLUMNS).mean("visits"),
        "consent: the study does not say who allows what",
        "suum.tiers",
    ),
    "dictionary": (
        lambda: suum.Study(RANDHIE, consent=LEVELS),  # type: ignore[arg-type]
        "consent: dict does not say",
        "suum.tiers",
    ),
    "bounds": (
        lambda: suum.Study(RANDHIE, columns={"v": (0, 7)}),  # type: ignore[dict-item]
        "column v: tuple does not describe",
        "suum.number",
    ),
    "option": (lambda: STUDY.options(confidnce=1), "option confidnce: no", "confidence"),
    "value": (lambda: STUDY.options(value="v"), "option value: no", "columns and methods"),
    "twice": (lambda: suum.tiers("t", {"a": 1}, b=1), "declared twice", "one of both"),
    "nobody": (lambda: suum.by_person([1.0]), "by_person: list does not say", "dictionary"),
    "nothing": (lambda: suum.labels(), "labels: there are none", "labels("),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_refusals_are_in_the_words_of_a_study(name: str) -> None:
    call, message, hint = WRONG[name]
    with pytest.raises(suum.Error) as refused:
        call()
    assert message in refused.value.message and hint in str(refused.value.hint)


def test_methods_have_few_arguments_and_examples() -> None:
    methods = ["mean", "sum", "std", "variance", "median", "quantile", "cdf", "frequency"]
    methods += ["histogram", "count", "summary", "crosstab", "compare"]
    for name in methods:
        method = getattr(suum.Study, name)
        arguments = list(inspect.signature(method).parameters)[1:]
        assert 2 <= len(arguments) <= 8 and method.__doc__, name
        planned = inspect.signature(getattr(STUDY.plan, name))
        assert list(planned.parameters) == arguments and planned.return_annotation == "Plan"
    for alias, name in [("shares", "frequency"), ("quantiles", "quantile"),
                        ("describe", "summary"), ("average", "mean")]:
        assert getattr(suum.Study, alias) is getattr(suum.Study, name)


def test_answers_keep_their_class_in_json_and_in_other_processes() -> None:
    by_health = STUDY.by("health")
    with STUDY.release() as release:
        release.mean("visits", check_bounds=True)
        release.by("health").median("visits")
        release.std("visits")
        release.quantile("visits")
        release.by("health").compare("visits", "poor", "good")
    alone = [
        *(getattr(one, name)("visits") for one in (STUDY, by_health) for name in
          ("mean", "sum", "std", "variance", "median", "quantile", "cdf", "histogram", "summary")),
        STUDY.frequency("health"), STUDY.count(), by_health.count(),
        *(by_health.compare("visits", "poor", "good", statistic=one) for one in ("mean", "median")),
        by_health.mean("visits")["poor"], STUDY.mean("visits", check_bounds=True),
    ]  # fmt: skip
    for one in alone:
        for again in (suum.Release.from_json(one.to_json()), pickle.loads(pickle.dumps(one))):
            assert type(again) is type(one) and again.to_dict() == one.to_dict()
    several = STUDY.mean(["visits"])
    for survey in (release, several):
        for more in (type(several).from_json(survey.to_json()), pickle.loads(pickle.dumps(survey))):
            assert [type(one) for one in more] == [type(one) for one in survey]
            assert more.to_dict() == survey.to_dict()


def test_what_belongs_to_studies_is_pickled(tmp_path: Path) -> None:
    ledger = suum.Ledger.create(tmp_path / "a.ledger", dataset="d", levels=LEVELS)
    mean = STUDY.mean("visits")
    things = [
        STUDY, STUDY.by("health").where("privacy = 'public'").options(confidence=0.9), STUDY.plan,
        STUDY.plan.mean("visits"), suum.number(0, 7), suum.everyone(1), ledger, mean.interval,
        ledger.statement(tier="strict"), ledger.dossier(), suum.verify(mean), mean.privacy,
        STUDY.frequency("health")["poor"], suum.levels({"v": [1.0]}, "v", epsilon=1, bounds=(0, 1)),
        suum.ParameterError("a", "b"), suum.simulate([0.0, 1.0], profile={1: 9}, bounds=(0, 1)),
    ]  # fmt: skip
    for one in things:
        again = pickle.loads(pickle.dumps(one))
        assert type(again) is type(one) and repr(again) == repr(one) and str(again) == str(one)


def test_options_have_the_types_of_the_keywords_of_functions() -> None:
    said_otherwise = {"statistic", "cdf", "crosstab", *_study._OWN}
    keywords = set(suum.keywords.StudyOptions.__annotations__)
    assert keywords - {"group_by", "groups"} == _study._known() - said_otherwise


def test_names_complete() -> None:
    jedi = pytest.importorskip("jedi")
    answers: dict[str, Any] = {
        "median": STUDY.median("visits"), "groups": STUDY.by("health").mean("visits"),
        "plan": STUDY.plan.mean("visits"),
        "audit": suum.audit("affine", runs=100, statistic="mean", neighbors="replace"),
    }  # fmt: skip
    names = {"study": STUDY, "suum": suum, **answers}

    def completed(text: str) -> set[str]:
        return {one.name for one in jedi.Interpreter(text, [names]).complete()}

    assert {"mean", "by", "plan", "release", "columns"} <= completed("study.")
    assert {"mean", "median", "compare"} <= completed("study.plan.")
    assert {"mean", "where"} <= completed("study.by('health').")
    assert {"rmse", "run", "chosen"} <= completed("study.plan.mean('visits').")
    assert {"estimate", "interval"} <= completed("study.mean('visits').")
    assert "confidence=" in completed("study.mean('visits', conf")
    assert {"bounds=", "between="} <= completed("suum.mean(data, 'visits', b")
    assert {"estimate", "interval"} <= completed("suum.mean(data, 'visits').")
    source = "import suum\nsuum.mean(data, 'visits')."
    assert {"estimate", "interval"} <= {one.name for one in jedi.Script(source).complete()}
    assert {"everyone", "tiers"} <= completed("suum.")
    for name, expected in [("median", "interval"), ("groups", "items"), ("plan", "rmse"),
                           ("audit", "verdict")]:
        assert expected in completed(f"{name}.")
    block = "with study.release() as r:\n    "
    assert {"mean", "by"} <= completed(block + "r.")
    assert {"estimate", "interval"} <= completed(block + "r.mean('visits').")


def test_columns_of_numbers_need_no_name() -> None:
    values = numpy.array([3.0, 0.0, 9.0, 1.0] * 50)
    with pytest.raises(suum.Error):
        suum.Study(values, consent=suum.everyone(1)).mean()


def test_tables_of_connections_are_read_by_the_database() -> None:
    rows = list(zip(FRAME["v"], FRAME["t"], FRAME["g"]))
    in_file, of_duckdb = sqlite3.connect(":memory:"), duckdb.connect()
    for con in (in_file, of_duckdb):
        con.execute("CREATE TABLE people (v REAL, t TEXT, g INT)")
        con.executemany("INSERT INTO people VALUES (?, ?, ?)", rows)
    consent = suum.tiers("t", a=0.5, b=1)
    expected = suum.Study(FRAME, consent=consent, columns=OF_FRAME).options(insecure_seed=1)
    for con in (in_file, of_duckdb):
        study = suum.Study(con, table="people", consent=consent, columns=OF_FRAME)
        study = study.options(insecure_seed=1)
        for ask in (
            lambda it: it.mean("v"), lambda it: it.by("g").sum("v"), lambda it: it.frequency("g"),
            lambda it: it.count(), lambda it: it.variance("v"),
        ):  # fmt: skip
            found, same = ask(study), ask(expected)
            assert type(found) is type(same) and found.to_pandas().equals(same.to_pandas())
        # A mean of values in steps learns as one in memory does.
        steps = {**OF_FRAME, "v": suum.number(0, 77, step=0.5)}
        stepped = suum.Study(con, table="people", consent=consent, columns=steps)
        both = (stepped, stepped.on(FRAME))
        found, same = (one.options(insecure_seed=1).mean("v") for one in both)
        assert found.error == same.error and found.estimate == same.estimate
        assert 0 <= study.median("v").estimate <= 5 and list(study.by("g").count()) == [1, 2]
        assert study.plan.mean("v").rmse == expected.plan.mean("v").rmse
        with pytest.raises(suum.RequestError, match="table: a connection is asked for one answer"):
            with study.release() as release:
                release.mean("v")
    with pytest.raises(suum.DataError, match="is no table"):
        suum.Study(in_file, consent=consent, columns=OF_FRAME).mean("v")


FILE = """\
data = "DATA"
privacy = "privacy"
levels = { strict = 0.01, standard = 0.1, relaxed = 1, public = "inf" }
person = "person"

[columns.visits]
bounds = [0, 50]
step = 1

[columns.region]
categories = ["north", "south", "west"]
public = true
"""


def test_studies_are_read_from_files(tmp_path: Path) -> None:
    people = str(ROOT / "examples" / "people.csv")
    path = tmp_path / "study.toml"
    path.write_text(FILE.replace("DATA", people))
    of_file = suum.Study.read(path)
    written = suum.Study(
        people,
        consent=suum.tiers("privacy", LEVELS),
        person="person",
        columns={
            "visits": suum.number(0, 50, step=1),
            "region": suum.labels("north", "south", "west", public=True),
        },
    )
    for study in (of_file, suum.Study.read(path, pandas.read_csv(people))):
        for ask in (
            lambda it: it.median("visits"), lambda it: it.by("region").mean("visits"),
            lambda it: it.frequency("region"), lambda it: it.strata("region").mean("visits"),
            lambda it: it.where("region = 'north'").count(),
        ):  # fmt: skip
            found, expected = (ask(one.options(insecure_seed=1)) for one in (study, written))
            assert type(found) is type(expected) and found.to_dict() == expected.to_dict()
    assert repr(of_file).startswith(f"<suum.Study: {people!r}, consent tiers('privacy'), person")
    for text, message in [
        ("bounds", "is no TOML"), ("[columns.v]\nbound = [0, 1]", "columns.v: bound is no option"),
        ("columns = 5", "columns: expected tables"), ("confidnce = 1", "option confidnce"),
    ]:  # fmt: skip
        path.write_text(text)
        with pytest.raises(suum.Error, match=message):
            suum.Study.read(path)
    with pytest.raises(suum.ReadError, match="cannot be read"):
        suum.Study.read(tmp_path / "none.toml")


def test_descriptions_and_consents_are_shown_as_they_are_written() -> None:
    for text in [
        "suum.number(0, 77, step=1)", "suum.number()", "suum.number(0, 5, null=-9, missing=0)",
        "suum.labels('n', 's', other='more', public=True)", "suum.truth()",
        "suum.date('2020-01-01', '2021-01-01')", "suum.budgets('eps')", "suum.everyone(0.5)",
        "suum.tiers('privacy', strict=0.1, public=inf)",
    ]:  # fmt: skip
        assert repr(eval(text, {"suum": suum, "inf": math.inf})) == text


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (lambda it: it.mean("visits"), "mean --value visits"),
        (lambda it: it.sum("visits"), "sum --value visits"),
        (lambda it: it.std("visits"), "variance --value visits"),
        (lambda it: it.by("health").median("visits"), "median --value visits --group-by health"),
        (lambda it: it.frequency("health"), "frequency --value health"),
        (lambda it: it.strata("health").mean("visits"), "mean --value visits --strata health"),
        (lambda it: it.count(), "count"),
    ],
)
def test_files_mean_what_they_mean_on_the_command_line(
    ask: Callable[[Any], Any],
    words: str,
    command_line: CommandLine,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(ROOT)
    statistic, *rest = words.split()
    asked = ["--study", "examples/study.toml", *rest, "--insecure-seed", "7", "--format", "json"]
    expected = json.loads(command_line(statistic, *asked))
    release = ask(suum.Study.read("examples/study.toml").options(insecure_seed=7))
    found = json.loads(release.to_json())
    # It says by which name of the statistic it was asked for.
    found.pop("function", None)
    assert found == expected


def test_what_a_study_says_itself_replaces_what_its_columns_say() -> None:
    """Also as a study file does on the command line."""
    table = {"v": [0.0, 1, 2, 3] * 50, "g": ["a", "NA"] * 100, "id": [*range(100), *range(100)]}
    columns = {"v": suum.number(0, 8, step=1, null="NA", missing=0)}
    study = suum.Study(table, consent=suum.everyone(1.0), columns=columns)
    asked = study.options(step=2, missing=1).median("v").to_dict()["query"]
    assert (asked["step"], asked["missing"]) == (2, 1)
    # Means of persons lie between the steps of rows, and their medians do not.
    persons = suum.Study(table, consent=suum.everyone(1.0), person="id", columns=columns)
    assert "step" not in persons.summary("v").to_dict()["query"]
    assert "step" not in persons.mean("v").to_dict()["query"]
    assert persons.median("v").to_dict()["query"]["step"] == 1
    # A condition would read the text as an empty cell, too.
    public = study.options(public_columns=["g"])
    with pytest.raises(suum.RequestError, match="null: .* in v can be a value of g"):
        public.where("g <> 'NA'").mean("v")
