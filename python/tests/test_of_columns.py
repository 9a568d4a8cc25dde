"""One statistic of several columns: the answers of ``suum.run``, by the names of columns."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy
import pandas
import polars
import pytest
import suum

PEOPLE = pandas.DataFrame({
    "wage": [9.0, 12.0] * 300, "hours": [40, 35, 20] * 200, "site": ["a", "b"] * 300,
    "sick": [True, False, False] * 200, "eps": [0.5, 1.0] * 300,
})  # fmt: skip
BOUNDS: dict[str, tuple[float, float]] = {"wage": (0, 50), "hours": (0, 80)}
BOTH: dict[str, Any] = {
    "value": ["wage", "hours"], "bounds": BOUNDS, "epsilon": "eps", "insecure_seed": 5
}  # fmt: skip


def asked(statistic: Any, **options: Any) -> suum.Survey:
    """The same in a query."""
    answers = [
        {"statistic": statistic, "value": name, "bounds": BOUNDS[name], **options}
        for name in BOUNDS
    ]
    survey = suum.run({"epsilon": "eps", "insecure_seed": 5, "answers": answers}, PEOPLE)
    assert isinstance(survey, suum.Survey)
    return survey


@pytest.mark.parametrize(
    ("name", "statistic", "kind"),
    [
        ("mean", "mean", suum.Number),
        ("sum", "sum", suum.Number),
        ("variance", "variance", suum.Variance),
        ("std", "variance", suum.Deviation),
        ("median", "quantile", suum.Median),
        ("quantile", "quantile", suum.Quantiles),
        ("summary", ["mean", "variance", "q25", "q50", "q75"], suum.Summary),
    ],
)
def test_several_columns_share_every_budget_as_in_a_query(
    name: str, statistic: Any, kind: type[suum.Release]
) -> None:
    found = getattr(suum, name)(PEOPLE, **BOTH)
    assert isinstance(found, suum.ByColumn) and isinstance(found, suum.Survey)
    record = found.to_dict()
    assert record.pop("function", None) == kind._function
    assert record == asked(statistic).to_dict()
    assert all(tier.spent <= tier.epsilon for tier in found.privacy)
    assert found.privacy[1].spent > 0.99
    assert [type(one) for one in found] == [kind, kind]
    assert found["hours"].to_dict() == found[1].to_dict()
    again = pickle.loads(pickle.dumps(found))
    assert type(again) is suum.ByColumn and [type(one) for one in again] == [kind, kind]
    assert suum.verify(found).agrees
    assert [type(one) for one in suum.Survey.from_json(found.to_json())] == [kind, kind]


def test_bounds_are_said_once_or_of_each_column() -> None:
    once = suum.mean(PEOPLE, **{**BOTH, "bounds": (0, 80)})
    each = suum.mean(PEOPLE, **{**BOTH, "bounds": dict.fromkeys(BOUNDS, (0, 80))})
    assert once.to_json() == each.to_json()
    for wrong, said in [
        ({"wage": (0, 50)}, "bounds: nothing is said of column hours"),
        ({**BOUNDS, "age": (0, 9)}, "bounds: value names no column age"),
    ]:
        with pytest.raises(suum.ParameterError, match=said):
            suum.mean(PEOPLE, **{**BOTH, "bounds": wrong})
    with pytest.raises(suum.DataError, match="column wages: the data have none") as refused:
        suum.mean(PEOPLE, **{**BOTH, "value": ["wages", "hours"], "bounds": (0, 80)})
    assert "did you mean wage?" in str(refused.value.hint)


def test_shares_of_several_columns_need_categories_of_each() -> None:
    labels: dict[str, Any] = {"site": ["a", "b"], "sick": [True, False]}
    shares = suum.frequency(PEOPLE, value=["site", "sick"], epsilon=1.0, categories=labels)
    assert list(shares["sick"].estimate) == [True, False]
    assert list(shares["site"].estimate) == ["a", "b"]
    bins = {"wage": [0, 10, 20], "hours": [0, 30, 60]}
    shares = suum.frequency(PEOPLE, value=["wage", "hours"], epsilon=1.0, bins=bins)
    assert list(shares["hours"].estimate) == ["[0, 30)", "[30, 60]"]
    # A list of text is a column.
    alone = suum.frequency(value=["a", "b"] * 300, epsilon=1.0, categories=["a", "b"])
    assert isinstance(alone, suum.Frequencies)


def test_groups_files_and_other_tables_have_several_columns_too(tmp_path: Path) -> None:
    found = suum.mean(PEOPLE, **BOTH, group_by="sick", groups=[True, False])
    assert list(found["wage"]) == [True, False] and 0 <= found["hours"][True].estimate <= 80
    expected = suum.mean(PEOPLE, **BOTH).to_dict()["answers"]
    PEOPLE.to_csv(tmp_path / "people.csv", index=False)
    lazy = polars.from_pandas(PEOPLE).lazy()
    for data in [tmp_path / "people.csv", lazy, PEOPLE.to_dict("list")]:
        assert suum.mean(data, **BOTH).to_dict()["answers"] == expected
    for names in (PEOPLE.columns[:2], numpy.array(["wage", "hours"]), ("wage", "hours")):
        assert suum.mean(PEOPLE, **{**BOTH, "value": names}).to_dict()["answers"] == expected
    with pytest.raises(suum.RequestError, match="names of several columns") as refused:
        suum.levels(PEOPLE, value=["wage", "hours"], epsilon="eps", bounds=(0, 80))
    assert "suum.mean take several" in str(refused.value.hint)
    query = {"statistic": "mean", **BOTH}
    assert suum.run(query, PEOPLE).to_dict()["answers"] == expected


def test_the_answer_about_a_column_is_the_only_one() -> None:
    survey = asked("mean")
    with pytest.raises(KeyError, match="no answer is about a column 'age'"):
        survey["age"]
    checked = suum.mean(PEOPLE, **BOTH, check_bounds=True)
    assert len(checked) == 4 and isinstance(checked["wage"], suum.Number)
    assert checked._ipython_key_completions_() == ["wage", "hours"]
    one = {"statistic": "mean", "value": "wage", "bounds": (0, 50)}
    twice = suum.run({"epsilon": "eps", "answers": [one, one]}, PEOPLE)
    assert isinstance(twice, suum.Survey)
    with pytest.raises(KeyError, match="several answers are about a column 'wage'"):
        twice["wage"]


def test_histograms_have_bins_by_column() -> None:
    one = {"epsilon": "eps", "value": ["wage", "hours"]}
    edges = suum.histogram(PEOPLE, **one, bins={"wage": [0, 10, 50], "hours": [0, 40, 80]})
    assert [answer.edges for answer in edges] == [[0, 10, 50], [0, 40, 80]]
    widths = suum.histogram(PEOPLE, **one, bins=2, bounds=BOUNDS)
    assert [answer.edges for answer in widths] == [[0, 25, 50], [0, 40, 80]]
    both = suum.histogram(PEOPLE, **one, bins={"wage": 2, "hours": 4}, bounds=BOUNDS)
    assert [len(answer.edges or []) for answer in both] == [3, 5]
    with pytest.raises(suum.ParameterError, match="bins: nothing is said of column hours"):
        suum.histogram(PEOPLE, **one, bins=2, bounds={"wage": (0, 50)})


def test_plans_of_checks_of_bounds_stand_after_their_answers() -> None:
    people = {"profile": {0.1: 3400, 1: 200}, "bounds": (0, 77), "group_by": "g", "groups": [1, 2]}
    plan = suum.plan(**people, check_bounds=0.25)
    assert [one.to_dict()["share"] for one in plan.answers] == [0.75, 0.25]
    assert [one.chosen is not None for one in plan.answers] == [False, True]
    assert list(plan.answers[0].groups) == [1, 2]
    query = {"statistic": "mean", "check_bounds": 0.25, "no_adapt": True}
    assert suum.plan(query, **people).to_dict() == suum.plan(**people, check_bounds=0.25,
                                                            adapt=False).to_dict()  # fmt: skip
    both = suum.plan(PEOPLE.assign(g=[1, 2] * 300), value=["wage", "hours"], bounds=BOUNDS,
                     epsilon="eps", check_bounds=True, group_by="g", groups=[1, 2])  # fmt: skip
    assert [list(one.groups) for one in both.answers] == [[1, 2], [], [1, 2], []]


def test_a_dictionary_is_for_several_columns() -> None:
    with pytest.raises(suum.ParameterError, match="bounds: a dictionary is for") as refused:
        suum.mean(PEOPLE, value="wage", epsilon="eps", bounds=BOUNDS)
    assert 'value=["wage"]' in str(refused.value.hint)
