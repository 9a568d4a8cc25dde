"""Groups of several columns, and the difference of two groups."""

from __future__ import annotations

import datetime
import json
import pickle
from pathlib import Path
from typing import Any

import numpy
import pandas
import polars
import pytest
import suum
from conftest import LEVELS, RANDHIE

OPTIONS: dict[str, Any] = {
    "value": "visits", "bounds": (0, 77), "privacy": "privacy", "levels": LEVELS,
    "insecure_seed": 7,
}  # fmt: skip
HEALTH = ["excellent", "good", "fair", "poor"]
TIERS = list(LEVELS)
BOTH: dict[str, Any] = {"group_by": ["health", "privacy"], "groups": [HEALTH, [*TIERS, "nobody"]]}
BY_HEALTH: dict[str, Any] = {"group_by": "health", "groups": HEALTH}


def test_plans_of_groups_have_the_labels_that_were_declared() -> None:
    people = {"tier": ["a", "b"] * 6, "year": [2024, 2025, 2024] * 4, "sex": ["f"] * 12}
    asked: dict[str, Any] = {"privacy": "tier", "levels": {"a": 0.1, "b": 1.0}, "bounds": (0, 9)}
    plan = suum.plan(people, **asked, group_by="year", groups=iter([2024, 2025]))
    for one in [plan, pickle.loads(pickle.dumps(plan))]:
        assert list(one.groups) == [2024, 2025] and one.groups["2025"].chosen
        assert [tier.level for tier in one.groups[2024].privacy] == ["a", "b"]
    lists = [[2024, 2025], ["f", "m"]]
    both = suum.plan(people, **asked, group_by=["year", "sex"], groups=lists)
    assert list(both.groups) == [(2024, "f"), (2025, "f")] and both.groups[2025, "f"].rmse


def test_groups_of_several_columns_are_found_by_their_labels(tmp_path: Path) -> None:
    release = suum.mean(RANDHIE, **OPTIONS, **BOTH)
    assert list(release) == [(health, tier) for health in HEALTH for tier in TIERS]
    assert release["good", "strict"].estimate == release.groups["good", "strict"].estimate
    assert ("good", "nobody") not in release and "good" not in release
    with pytest.raises(KeyError, match="has no records"):
        release["good", "nobody"]
    assert release.to_dict()["group_by"] == ["health", "privacy"]
    assert release.to_dict()["groups"][0]["group"] == ["excellent", TIERS[0]]
    assert "16 groups of health, privacy" in repr(release)
    assert "by health, privacy" in release._repr_html_() and "good, strict" in release._repr_html_()
    axes = release.plot()
    assert axes.get_title() == "Private mean of visits by health, privacy"
    assert axes.get_yticklabels()[0].get_text() == f"excellent, {TIERS[0]}"
    for table in (release.to_pandas(), release.to_polars()):
        found = zip(table["health"], table["privacy"], table["estimate"])
        assert [key for *key, estimate in found if estimate == estimate and estimate is not None] \
            == [list(key) for key in release]
        declared = [(health, tier) for health in BOTH["groups"][0] for tier in BOTH["groups"][1]]
        assert list(zip(table["health"], table["privacy"])) == declared
    one = release["good", "strict"].to_pandas()
    assert one[["health", "privacy"]].values.tolist() == [["good", "strict"]]
    assert list(pickle.loads(pickle.dumps(release))) == list(release)
    assert list(suum.Release.from_json(release.to_json())) == list(release)
    assert suum.run(release, RANDHIE).to_dict() == release.to_dict()
    # Labels in a file.
    (tmp_path / "health").write_text("\n".join(HEALTH))
    by_file = {**BOTH, "groups": [f"@{tmp_path / 'health'}", BOTH["groups"][1]]}
    assert suum.mean(RANDHIE, **OPTIONS, **by_file).to_dict() == release.to_dict()


def test_columns_of_groups_can_be_in_memory() -> None:
    expected = {name: one.estimate for name, one in suum.mean(RANDHIE, **OPTIONS, **BOTH).items()}

    def estimates(release: suum.Number) -> dict[Any, float]:
        return {name: one.estimate for name, one in release.items()}

    frame = pandas.read_csv(RANDHIE)
    assert estimates(suum.mean(frame, **OPTIONS, **BOTH)) == expected
    lazy = polars.from_pandas(frame).lazy()
    assert estimates(suum.mean(lazy, **OPTIONS, **BOTH)) == expected
    by_expression = [polars.col("health"), "privacy"]
    assert estimates(suum.mean(lazy, **OPTIONS, **{**BOTH, "group_by": by_expression})) == expected
    beside = {**BOTH, "group_by": [frame["health"].to_numpy(), "privacy"]}
    assert estimates(suum.mean(frame, **OPTIONS, **beside)) == expected
    # Two columns of the same name, beside values.
    twice = [frame["health"], frame["privacy"].rename("health")]
    alone = {**OPTIONS, **BOTH, "value": None, "privacy": frame["privacy"], "group_by": twice}
    assert estimates(suum.mean(frame["visits"], **alone)) == expected
    moved = {**BOTH, "group_by": ["health", frame["privacy"][::-1]]}
    assert estimates(suum.mean(frame, **OPTIONS, **moved)) == expected
    short = {**BOTH, "group_by": ["health", frame["privacy"][:-1]]}
    with pytest.raises(suum.RequestError, match="group_by_2: its index has other labels"):
        suum.mean(frame, **OPTIONS, **short)
    with pytest.raises(suum.RequestError, match="group_by_2: the data are elsewhere"):
        suum.mean(RANDHIE, **OPTIONS, **moved)


def test_labels_have_the_type_of_each_column() -> None:
    days = [datetime.date(2020, 1, 1), datetime.date(2020, 1, 2)]
    table = {
        "day": numpy.repeat(days, 100), "arm": [1.0, 2.0] * 100, "x": [3.0] * 200,
        "eps": [1.0] * 200,
    }  # fmt: skip
    by: dict[str, Any] = {"group_by": ["day", "arm"], "groups": (iter(days), numpy.array([1, 2]))}
    release = suum.mean(table, value="x", epsilon="eps", bounds=(0, 10), **by)
    assert list(release) == [(day, arm) for day in days for arm in (1, 2)]
    one = release[days[0], 1]
    assert release["2020-01-01", "1"] is one and release[days[0], 1.0] is one
    with pytest.raises(KeyError):
        release[days[0]]


def test_one_column_in_lists_is_one_column() -> None:
    release = suum.mean(RANDHIE, **OPTIONS, group_by=["health"], groups=[HEALTH])
    assert list(release) == HEALTH
    assert release.to_dict() == suum.mean(RANDHIE, **OPTIONS, **BY_HEALTH).to_dict()


def test_a_comma_is_a_part_of_one_name() -> None:
    for name in ("a,b", "a\\b"):
        frame = pandas.read_csv(RANDHIE).rename(columns={"health": name})
        named = suum.mean(frame, **OPTIONS, group_by=name, groups=HEALTH)
        assert list(named) == HEALTH and named.to_dict()["group_by"] == name
        assert suum.run(named, frame).to_dict() == named.to_dict()


def test_levels_and_plans_have_groups_of_several_columns() -> None:
    options = {name: OPTIONS[name] for name in ("value", "bounds", "privacy", "levels")}
    release = suum.mean(RANDHIE, **OPTIONS, **BOTH)
    table = suum.levels(RANDHIE, **options, **BOTH)
    again = suum.mean(table, levels=LEVELS, insecure_seed=7, **BOTH)
    assert again["good", "strict"].estimate == release["good", "strict"].estimate
    plan = suum.plan(RANDHIE, **options, **BOTH)
    assert list(plan.groups) == list(release) and "groups of health, privacy" in repr(plan)
    sql: dict[str, Any] = {"dialect": "duckdb", "table": "t", "value": "v", "epsilon": "e"}
    text = suum.levels_sql(**sql, bounds=(0, 1), **BOTH)
    assert '"privacy"' in text and '"health"' in text
    with pytest.raises(suum.RequestError, match="group_by_2: the data are elsewhere"):
        suum.levels_sql(**sql, bounds=(0, 1), **{**BOTH, "group_by": ["a", [1, 2]]})


def test_answers_of_a_survey_have_their_own_groups() -> None:
    common = {name: OPTIONS[name] for name in ("privacy", "levels", "insecure_seed")}
    mean: dict[str, Any] = {"statistic": "mean", "value": "visits", "bounds": (0, 77)}
    between = {**mean, **BY_HEALTH, "between": ["poor", "good"]}
    query = {**common, "answers": [{**mean, **BOTH}, between]}
    survey = suum.run(query, RANDHIE)
    assert isinstance(survey, suum.Survey)
    by_both, difference = survey
    assert list(by_both)[0] == ("excellent", TIERS[0])
    assert isinstance(difference, suum.Difference) and difference.between == ("poor", "good")
    assert suum.run(query, pandas.read_csv(RANDHIE)).to_dict() == survey.to_dict()
    assert suum.verify(survey).agrees


def test_a_difference_is_a_number_and_has_both_groups() -> None:
    found = suum.difference(RANDHIE, **OPTIONS, **BY_HEALTH, between=("poor", "good"))
    assert isinstance(found, suum.Difference) and found.between == ("poor", "good")
    assert list(found) == ["good", "poor"] and type(found["good"]) is suum.Number
    assert found.estimate == found["poor"].estimate - found["good"].estimate
    assert found.interval is not None and found.interval.confidence == 0.95
    assert float(found) == found.estimate == found + 0 and f"{found:.3f}" == f"{float(found):.3f}"
    assert numpy.asarray(found) == found.estimate
    assert suum.verify(found).agrees
    assert repr(found).startswith("<suum.Difference: difference of the mean of visits, poor less")
    assert "more than good" in str(found) and "poor less good" in found._repr_html_()
    axes = found.plot()
    labels = [label.get_text() for label in axes.get_yticklabels()]
    assert labels == ["good", "poor", "poor less good"]
    frame = found.to_pandas()
    assert list(frame["statistic"]) == ["difference", "mean", "mean"]
    assert frame["group"].isna().tolist() == [True, False, False]
    assert frame["estimate"][0] == found.estimate and frame["lower"][0] == found.interval.lower
    assert found.to_polars()["group"].to_list() == [None, "good", "poor"]
    for again in [pickle.loads(pickle.dumps(found)), suum.Release.from_json(found.to_json())]:
        assert isinstance(again, suum.Difference) and again.to_dict() == found.to_dict()
        assert again.between == found.between and list(again) == list(found)
    assert "poor less good  " in str(suum.Release.from_json(found.to_json()))


def test_means_and_sums_have_differences_too() -> None:
    found = suum.difference(RANDHIE, **OPTIONS, **BY_HEALTH, between=["poor", "good"])
    mean = suum.mean(RANDHIE, **OPTIONS, **BY_HEALTH, between=["poor", "good"])
    assert isinstance(mean, suum.Difference) and mean.to_dict() == found.to_dict()
    assert suum.run(found, RANDHIE).to_dict() == found.to_dict()
    total = suum.sum(RANDHIE, **OPTIONS, **BY_HEALTH, between=["poor", "good"])
    assert isinstance(total, suum.Difference) and json.loads(total.to_json())["of"] == "sum"
    assert repr(total).startswith("<suum.Difference: difference of the sum of visits, poor less")
    between = [("poor", "strict"), ("good", "strict")]
    several = suum.mean(RANDHIE, **OPTIONS, **BOTH, between=between)
    assert isinstance(several, suum.Difference) and list(several.between) == between
    assert "poor, strict less good, strict" in repr(several)
    assert suum.run(several, RANDHIE).to_dict() == several.to_dict()
    numbers: dict[str, Any] = {"group_by": [1.0, 2.0] * 100, "groups": [1, 2], "between": (2, 1)}
    typed = suum.difference([3.0, 4.0] * 100, epsilon=1.0, bounds=(0, 10), **numbers)
    assert typed.between == (2, 1) and set(typed) == {1, 2}


def test_quantiles_and_shares_have_differences_by_their_names() -> None:
    between = ["poor", "good"]
    bins: dict[str, Any] = {"bins": [0, 1, 5, 77], **BY_HEALTH, "between": between}
    shared = {name: option for name, option in OPTIONS.items() if name != "bounds"}
    shares = suum.frequency(RANDHIE, **shared, **bins)
    assert isinstance(shares, suum.Difference)
    assert type(shares["poor"]) is suum.Frequencies
    assert list(shares.differences) == ["[0, 1)", "[1, 5)", "[5, 77]"]
    for name, estimate in shares.differences.items():
        interval = estimate.interval
        of = {group: one.estimate[name] for group, one in shares.groups.items()}
        assert float(estimate) == pytest.approx(of["poor"] - of["good"]) and interval is not None
        assert interval.lower <= estimate <= interval.upper and interval.confidence == 0.95
    with pytest.raises(AttributeError, match="there are several: differences"):
        shares.estimate
    frame = shares.to_pandas()
    assert frame["category"][:3].tolist() == list(shares.differences) and len(frame) == 9
    assert "poor less good" in repr(shares) and repr(shares).endswith("and 2 more, NOT PRIVATE>")
    labels = [label.get_text() for label in shares.plot().get_yticklabels()]
    assert "poor less good, [0, 1)" in labels
    assert "poor less good" in shares._repr_html_()
    again = suum.Release.from_json(shares.to_json())
    assert isinstance(again, suum.Difference) and again.differences == shares.differences
    assert suum.run(shares, RANDHIE).to_dict() == shares.to_dict()
    ranks: dict[str, Any] = {**OPTIONS, **BY_HEALTH, "between": between, "step": 1}
    deciles = suum.quantile(RANDHIE, **ranks, q=[0.5, 0.9])
    assert isinstance(deciles, suum.Difference) and list(deciles.differences) == [0.5, 0.9]
    assert type(deciles["good"]) is suum.Quantiles
    median = suum.median(RANDHIE, **ranks)
    assert isinstance(median, suum.Difference) and type(median["good"]) is suum.Median
    assert float(median) == median["poor"].estimate - median["good"].estimate
    assert list(median.differences) == [0.5] and suum.verify(median).agrees


def test_what_is_no_difference_is_refused() -> None:
    with pytest.raises(suum.ParameterError, match="between: it is one group twice"):
        suum.difference(RANDHIE, **OPTIONS, **BY_HEALTH, between=["poor", "poor"])
    with pytest.raises(suum.ParameterError, match="between: these are not two of the declared"):
        suum.difference(RANDHIE, **OPTIONS, **BY_HEALTH, between=["poor", "west"])
    with pytest.raises(suum.ParameterError, match="between: there are no groups"):
        suum.mean(RANDHIE, **OPTIONS, between=["poor", "good"])


def test_the_release_of_one_group_says_which_in_a_data_frame() -> None:
    asked: dict[str, Any] = {"epsilon": 1.0, "bounds": (0, 10)}
    grouped = suum.mean([3, 9, 0, 4], **asked, group_by=[1, 2, 2, 1], groups=[1, 2])
    assert grouped[1].to_pandas()["group"].tolist() == [1]
    again = pickle.loads(pickle.dumps(grouped[2]))
    assert again.to_pandas()["group"].tolist() == [2]
    rows = pandas.concat([release.to_pandas() for release in grouped.values()])
    assert rows.reset_index(drop=True).equals(grouped.to_pandas())


def test_columns_of_groups_never_take_each_others_place() -> None:
    people: Any = {"q": ["n", "s"] * 50, "q_": ["f", "m"] * 50, "v": [3.0] * 100}
    lists: Any = {"groups": [["n", "s"], ["f", "m"]]}
    release = suum.mean(
        people, value="v", epsilon=1.0, bounds=(0, 10), group_by=["q", "q_"], **lists
    )
    table = release.to_pandas()
    assert list(zip(table["q__"], table["q_"])) == [
        ("n", "f"), ("n", "m"), ("s", "f"), ("s", "m"),
    ]  # fmt: skip
    assert table["estimate"].isna().tolist() == [False, True, True, False]
    with pytest.raises(KeyError):
        release[()]
    assert () not in release


def test_whole_numbers_stay_whole_beside_missing_labels() -> None:
    people: Any = {"k": [1, 2] * 50, "r": ["n", "s"] * 50, "v": [3.0, 4.0] * 50, "eps": [1.0] * 100}
    asked: Any = {"value": "v", "epsilon": "eps", "bounds": (0, 10)}
    both: Any = {"group_by": "k", "groups": [1, 2], "between": [1, 2]}
    table = suum.difference(people, **asked, **both).to_pandas()
    assert str(table["group"].dtype) == "Int64" and table["group"].tolist()[1:] == [1, 2]
    cross = {"crosstab": ["r", "k"], "categories": [["n", "s"], [1, 2]]}
    shares = suum.frequency(people, epsilon="eps", **cross).to_pandas()
    assert str(shares["k"].dtype) == "Int64" and shares["r"].isna().sum() == 2
