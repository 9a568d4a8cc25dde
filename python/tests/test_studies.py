"""Plans with names, simulations of quantiles, and audits that look past low-order bits."""

from __future__ import annotations

import math
import pickle
from pathlib import Path
from typing import Any

import numpy
import pandas
import pytest
import suum

TIERS = {"strict": 0.1, "open": 1, "free": 1, "public": math.inf}
TABLE = {"t": ["strict"] * 50 + ["open"] * 30 + ["free"] * 10 + ["public"] * 10}


def test_a_plan_keeps_the_names_of_tiers() -> None:
    plan = suum.plan(TABLE, privacy="t", levels=TIERS, bounds=(0, 1))
    expected = [("strict", 50), ("open, free", 40), ("public", 10)]
    text = "strict=0.1,open=1,free=1,public=inf"
    rows = {**TABLE, "v": [0.5] * 100}
    table = suum.levels(rows, value="v", privacy="t", levels=TIERS, bounds=(0, 1))
    for one in [
        plan,
        suum.plan(TABLE, privacy="t", levels=text, bounds=(0, 1)),
        suum.plan(TABLE, privacy="t", levels=pandas.Series(TIERS), bounds=(0, 1)),
        pickle.loads(pickle.dumps(plan)),
    ]:
        assert [(tier.level, tier.count) for tier in one.privacy] == expected
    # A level table has its own order.
    of_table = [tier.level for tier in suum.plan(table).privacy]
    assert of_table == ["strict", "free, open", "public"]
    assert "strict" in plan._repr_html_() and list(plan.privacy.to_pandas()["level"]) == [
        "strict", "open, free", "public",
    ]  # fmt: skip
    of_numbers = suum.levels({"e": [0.1, 1.0]}, epsilon="e")
    assert [tier.level for tier in suum.plan(of_numbers).privacy] == ["0.1", "1"]
    by_number = suum.plan(profile={0.1: 5, 1: 5})
    assert [tier.level for tier in by_number.privacy] == ["0.1", "1"]
    groups = suum.plan(
        TABLE, privacy="t", levels=TIERS, bounds=(0, 1), group_by=["a", "b"] * 50, groups="a,b"
    ).groups
    assert groups["a"].privacy[0].level == "strict"


def test_a_plan_marks_the_estimator_that_it_chose() -> None:
    plan = suum.plan(profile={0.1: 3400, 1: 30}, bounds=(0, 1))
    chosen = [one.name for one in plan.estimators if one.chosen]
    assert chosen == [plan.chosen] and f'class="chosen">{plan.chosen} (' in plan._repr_html_()
    frame = pandas.DataFrame(plan.estimators)
    assert list(frame.columns) == ["name", "rmse", "chosen"] and frame["chosen"].sum() == 1
    other = suum.plan(profile={0.1: 3400, 1: 30}, bounds=(0, 1), estimator="uniform")
    assert [one.name for one in other.estimators if one.chosen] == ["uniform"]


def test_quantiles_are_simulated() -> None:
    options: dict[str, Any] = {"statistic": "quantile", "bounds": (0, 20), "step": 1, "seed": 5}
    values = list(range(21))
    some = suum.simulate(values, profile={1.0: 300, 0.5: 100}, trials=40, **options)
    assert len(some.errors) == 40 and abs(some.bias) < 3 and 0 < some.rmse < 5
    assert some.errors == suum.simulate(
        values, profile={1.0: 300, 0.5: 100}, trials=40, **options
    ).errors
    # Without noise, of these very records, it is exact.
    exact = suum.simulate(
        values, epsilon=[math.inf] * 21, target="dataset", trials=3, q=[0.25, 0.5], **options
    )
    assert exact.errors == [0, 0, 0]
    fixed = suum.simulate(
        values, epsilon=math.inf, target="dataset-correlated", trials=2, **options
    )
    assert fixed.errors == [0, 0]
    noisier = suum.simulate(values, profile={0.02: 400}, trials=40, **options)
    counts = pandas.Series([0.02]).repeat(400).value_counts()
    for same in [counts, "0.02:400"]:
        assert suum.simulate(values, profile=same, trials=40, **options).errors == noisier.errors
    assert noisier.rmse > some.rmse
    for wrong in [{"released": False}, {"target": "dataset"}]:
        with pytest.raises(suum.ParameterError):
            suum.simulate(values, profile={1.0: 3}, trials=2, **options, **wrong)
    with pytest.raises(suum.ParameterError, match="there are none"):
        suum.simulate([], profile={1.0: 3}, trials=2, **options)


def laplace(scale: float) -> Any:
    def noisy(value: float, seed: int, releases: int) -> Any:
        return value + numpy.random.default_rng(seed).laplace(scale=scale, size=releases)

    return noisy


def test_an_audit_can_look_past_low_order_bits() -> None:
    pairs = [(1.0, 0.0, 1.0)]
    assert suum.audit_function(laplace(1.0), pairs, batch=True).broken
    past = suum.audit_function(laplace(1.0), pairs, batch=True, ignore_low_bits=True)
    assert past.verdict == "not-disproved"
    # Half of the noise is another mistake, which shows all the same.
    wrong = suum.audit_function(laplace(0.5), pairs, batch=True, ignore_low_bits=True, runs=20_000)
    assert wrong.broken and (wrong.levels[0].at_least or 9) < 2.5
    refusing = suum.audit_function(
        lambda value, seed: None if seed % 2 else math.inf, pairs, ignore_low_bits=True, runs=500
    )
    assert refusing.verdict == "not-disproved"


QUERY: dict[str, Any] = {
    "statistic": "mean", "value": "visits", "bounds": (0, 10), "epsilon": "eps",
}  # fmt: skip
VISITS: dict[str, Any] = {
    "visits": [3.0, 4.0] * 50, "age": [30.0, 50.0] * 50, "eps": [1.0] * 100,
    "site": ["a", "b"] * 50,
}  # fmt: skip


def test_a_query_is_planned_from_wherever_it_is(tmp_path: Path) -> None:
    expected = suum.plan(VISITS, value="visits", epsilon="eps", bounds=(0, 10)).rmse
    assert suum.plan(QUERY, VISITS).rmse == suum.plan({**QUERY, "data": VISITS}).rmse == expected
    release = suum.run(QUERY, VISITS)
    assert suum.plan(release, VISITS).rmse == suum.plan(release.to_dict(), VISITS).rmse == expected
    file = tmp_path / "query.toml"
    file.write_text('statistic = "mean"\nvalue = "visits"\nbounds = [0, 10]\nepsilon = "eps"\n')
    assert suum.plan(file, VISITS).rmse == suum.plan(str(file), profile={1: 100}).rmse == expected
    assert suum.plan(QUERY, VISITS, bounds=(0, 20)).rmse != expected
    groups = suum.run({**QUERY, "group_by": "site", "groups": ["a", "b"]}, VISITS)
    assert list(suum.plan(groups, VISITS).groups) == ["a", "b"]
    with pytest.raises(suum.ParameterError, match="banana: there is no such option"):
        suum.plan({**QUERY, "banana": 1}, VISITS)
    with pytest.raises(suum.ParameterError, match="^of: "):
        suum.plan(VISITS, VISITS, epsilon="eps")


def test_plans_of_several_columns_and_answers() -> None:
    bounds = {"visits": (0, 10), "age": (0, 120)}
    plan = suum.plan(VISITS, value=["visits", "age"], epsilon="eps", bounds=bounds)
    visits, age = plan.answers
    alone = suum.plan(VISITS, value="visits", epsilon="eps", bounds=(0, 10))
    assert visits.rmse is not None and age.rmse == pytest.approx(12 * visits.rmse)
    assert alone.rmse is not None and visits.rmse > alone.rmse and alone.answers == []
    assert 0 < visits.privacy[0].spent < 1
    assert pickle.loads(pickle.dumps(plan)).answers[1].rmse == age.rmse
    with pytest.raises(AttributeError, match="plan.answers"):
        plan.privacy
    asked = {**QUERY, "answers": [{"statistic": "mean"}, {"statistic": "median"}]}
    assert [one.to_dict()["statistic"] for one in suum.plan(asked, VISITS).answers] == [
        "mean", "quantile",
    ]  # fmt: skip


def test_a_plan_has_the_error_of_a_difference() -> None:
    sites: dict[str, Any] = {"group_by": "site", "groups": ["a", "b"]}
    own: dict[str, Any] = {"value": "visits", "epsilon": "eps", "bounds": (0, 10), **sites}
    plan = suum.plan(VISITS, **own, between=["a", "b"])
    parts = [plan.groups[site].rmse or 0 for site in ("a", "b")]
    assert plan.difference == pytest.approx(math.hypot(*parts))
    assert suum.plan(VISITS, **own).difference is None


def test_statistics_have_the_names_of_functions() -> None:
    own: dict[str, Any] = {"value": "visits", "epsilon": "eps", "bounds": (0, 10)}
    half = suum.plan(VISITS, **own, statistic="quantile", q=0.5)
    assert suum.plan(VISITS, **own, statistic="median").rmse == half.rmse
    shares = suum.plan(VISITS, **own, statistic="histogram").to_dict()
    assert len(shares["categories"]) == 20
    assert isinstance(suum.run({**QUERY, "statistic": "median"}, VISITS), suum.Median)
    assert isinstance(suum.run({**QUERY, "statistic": "std"}, VISITS), suum.Deviation)
    made: dict[str, Any] = {"profile": {1.0: 50}, "bounds": (0, 1), "trials": 5}
    quantile = suum.simulate([0.0, 1.0], statistic="quantile", **made)
    assert suum.simulate([0.0, 1.0], statistic="median", **made).errors == quantile.errors
    variance = suum.plan(VISITS, **own, statistic="variance")
    for name in ("std", ["mean", "std"]):
        planned = suum.plan(VISITS, **own, statistic=name)
        assert planned.rmse == (variance.rmse if name == "std" else None)
    average = suum.run({**QUERY, "statistic": "average"}, VISITS)
    assert isinstance(average, suum.Number) and average.to_dict()["statistic"] == "mean"
    assert isinstance(suum.run({**QUERY, "statistic": "describe"}, VISITS), suum.Summary)
    with pytest.raises(suum.ParameterError, match="^statistic: "):
        suum.run({**QUERY, "statistic": "mood"}, VISITS)
    simulate: Any = suum.simulate
    with pytest.raises(suum.ParameterError, match="choose mean, sum, frequency, quantile"):
        simulate([0.0, 1.0], statistic="std", **made)


def test_numbers_that_say_nothing_are_refused_by_their_name() -> None:
    made: dict[str, Any] = {"bounds": (0, 1), "trials": 5}
    simulate: Any = suum.simulate
    for seed in (-1, 2**64, 0.5, "a"):
        with pytest.raises(suum.ParameterError, match="^seed: must be a whole number from 0 to"):
            simulate([0.0, 1.0], profile={1.0: 50}, seed=seed, **made)
    for trials in (0, 2**70):
        with pytest.raises(suum.ParameterError, match="^trials: must be"):
            suum.simulate([0.0, 1.0], profile={1.0: 50}, bounds=(0, 1), trials=trials)
    for plan in (lambda: suum.plan(profile={}), lambda: simulate([0.0], profile={}, **made)):
        with pytest.raises(suum.ParameterError, match="^profile: it is empty"):
            plan()
    with pytest.raises(suum.ParameterError, match="^what_if: it is empty"):
        suum.plan(profile={1.0: 5}, what_if={})
