"""Several answers in one release, and queries in files."""

from __future__ import annotations

import json
import math
import pickle
from pathlib import Path
from typing import Any

import pandas
import pyarrow.csv
import pytest
import suum
from conftest import LEVELS, RANDHIE, ROOT, CommandLine

COMMON: dict[str, Any] = {"privacy": "privacy", "levels": LEVELS, "insecure_seed": 7}
MEAN: dict[str, Any] = {"statistic": "mean", "value": "visits", "bounds": (0, 77), "share": 2}
HEALTH: dict[str, Any] = {
    "statistic": "frequency", "value": "health",
    "categories": ["excellent", "good", "fair", "poor"],
}  # fmt: skip
BY_COST: dict[str, Any] = {
    "statistic": "quantile", "value": "chronic_index", "bounds": (0, 60),
    "group_by": "coinsurance_log", "groups": ["0", "3.258096", "3.931826", "4.564348", "4.61512"],
}  # fmt: skip
QUERY = {**COMMON, "answers": [MEAN, HEALTH, BY_COST]}


def test_a_survey_is_its_answers_in_order_and_one_certificate() -> None:
    survey = suum.run(QUERY, RANDHIE)
    assert isinstance(survey, suum.Survey) and len(survey) == 3 and not survey.private
    mean, health, by_cost = survey
    assert isinstance(mean, suum.Number) and isinstance(health, suum.Frequencies)
    assert isinstance(by_cost, suum.Quantiles) and len(by_cost.groups) == 5
    assert [answer.to_dict()["share"] for answer in survey] == pytest.approx([0.5, 0.25, 0.25])
    spent = {tier.level: tier.spent for tier in survey.privacy}
    assert 0.0099 < spent["strict"] <= 0.01 and spent["public"] < math.inf
    own = [mean.privacy, health.privacy]
    assert sum(rows[0].spent for rows in own) < spent["strict"]
    assert "Answer 3: median of chronic_index by coinsurance_log" in str(survey)
    assert "What is guaranteed" in survey.explain()
    told = str(by_cost)
    assert "\nPrivate quantile of chronic_index by coinsurance_log\n" in told
    assert "\n  0: q = 0.5 " in told
    assert "Answer 2" in survey.to_html() and "frequencies of health" in survey._repr_html_()
    assert pickle.loads(pickle.dumps(survey)).to_dict() == survey.to_dict()
    assert suum.verify(survey).agrees


def test_a_survey_is_a_table_and_a_plot_and_comes_back_from_its_json(tmp_path: Path) -> None:
    pyplot = pytest.importorskip("matplotlib.pyplot")
    survey = suum.run(QUERY, RANDHIE)
    assert isinstance(survey, suum.Survey)
    table = survey.to_pandas()
    first = ["column", "group", "statistic"]
    assert list(table.columns) == [*first, "category", "q", "estimate", "lower", "upper", "rmse"]
    assert list(table["column"]) == ["visits"] + 4 * ["health"] + 5 * ["chronic_index"]
    assert list(table["estimate"][1:5]) == list(survey[1].estimate.values())
    assert list(table["group"][5:]) == list(survey[2])
    assert survey.to_polars()["estimate"].to_list() == list(table["estimate"])
    axes = survey.plot()
    assert [one.get_title() for one in axes] == [answer._title_by() for answer in survey]
    pyplot.close("all")
    (tmp_path / "survey.json").write_text(survey.to_json())
    for given in [survey.to_json(), survey.to_dict(), tmp_path / "survey.json"]:
        assert suum.Survey.from_json(given).to_pandas().equals(table)
    with pytest.raises(suum.ParameterError, match="it has no answers") as refused:
        suum.Survey.from_json(suum.count([1.0], epsilon=1.0).to_json())
    assert "Release.from_json" in str(refused.value.hint)
    with pytest.raises(suum.ParameterError, match="it is no release") as refused:
        suum.Release.from_json(survey.to_json())
    assert "Survey.from_json" in str(refused.value.hint)


def test_a_check_of_bounds_is_beside_its_answer() -> None:
    options: dict[str, Any] = {**COMMON, "value": "visits", "bounds": (0, 10)}
    release = suum.mean(RANDHIE, **options, check_bounds=True)
    assert isinstance(release, suum.Number) and 0 <= release.estimate <= 10
    check = release.bounds_check
    assert isinstance(check, suum.Frequencies)
    assert list(check.estimate) == ["at or below 0", "between", "at or above 10"]
    assert 0.25 < check.estimate["at or below 0"] < 0.4
    # What both cost together.
    spent = {tier.level: tier.spent for tier in release.privacy}
    of_check = {tier.level: tier.spent for tier in check.privacy}
    assert 0.0099 < spent["strict"] <= 0.01 and 0 < of_check["strict"] <= 0.0005
    assert "Bounds checked with 5 % of every budget" in str(release)
    assert suum.verify(release).agrees
    for again in [suum.Release.from_json(release.to_json()), pickle.loads(pickle.dumps(release))]:
        assert isinstance(again, suum.Number) and again.to_dict() == release.to_dict()
        assert again.bounds_check.estimate == check.estimate
    assert suum.mean(RANDHIE, **options).bounds_check is None
    more = suum.median(RANDHIE, **options, step=1, check_bounds=0.25)
    assert 0 < more.bounds_check.privacy[0].spent <= 0.0025 and 0 <= more.estimate <= 10
    query = {**options, "statistic": "mean", "check_bounds": True}
    survey = suum.run({**COMMON, "answers": [
        {name: query[name] for name in ("statistic", "value", "bounds", "check_bounds")}, HEALTH
    ]}, RANDHIE)  # fmt: skip
    assert isinstance(survey, suum.Survey) and len(survey) == 3
    with pytest.raises(suum.RequestError, match="check_bounds: no bounds are declared"):
        suum.mean(RANDHIE, **{**options, "bounds": "auto"}, check_bounds=True)


def test_tables_give_the_columns_of_all_answers() -> None:
    table = pandas.read_csv(RANDHIE, dtype={"coinsurance_log": str})
    from_file, from_table = suum.run(QUERY, RANDHIE), suum.run(QUERY, table)
    assert from_table.to_dict() == from_file.to_dict()


def test_numbers_are_labels_in_any_answer() -> None:
    mean: dict[str, Any] = {"statistic": "mean", "value": "x", "bounds": (0, 10)}
    halves = {name: [1.0, 2.0] * 200 for name in ("n", "m", "k")}
    table = {**halves, "x": [3.0, 4.0] * 200, "eps": [1.0] * 400}
    answers = [
        mean,
        {**mean, "group_by": "n", "groups": [1.0, 2.0]},
        {**mean, "group_by": ["n", "m"], "groups": [[1, 2], [1.0, 2]]},
        {**mean, "strata": "n", "population_shares": {1.0: 0.5, 2: 0.5}},
        {"statistic": "frequency", "value": "k", "categories": [1, 2]},
    ]
    survey = suum.run({"epsilon": "eps", "insecure_seed": 7, "answers": answers}, table)
    assert isinstance(survey, suum.Survey) and len(survey) == 5
    assert list(survey[1]) == [1, 2] and list(survey[2]) == [(1, 1), (2, 2)]
    assert repr(survey) == "<suum.Survey: 5 answers, NOT PRIVATE>"


def test_a_file_is_run_as_the_command_line_runs_it(
    tmp_path: Path, command_line: CommandLine
) -> None:
    text = (ROOT / "examples" / "survey.toml").read_text(encoding="utf-8")
    file = tmp_path / "survey.toml"
    file.write_text(f"insecure_seed = 7\n{text}", encoding="utf-8")
    said = json.loads(command_line("run", str(file), "--format", "json"))
    survey = suum.run(file, RANDHIE)
    assert isinstance(survey, suum.Survey)
    assert json.loads(survey.to_json()) == said
    # The JSON of a release asks the same again.
    again = tmp_path / "release.json"
    again.write_text(survey.to_json(), encoding="utf-8")
    assert suum.run(again, RANDHIE).to_dict() == survey.to_dict()


def test_a_reader_serves_all_answers_and_is_read_once() -> None:
    reader = pyarrow.csv.read_csv(RANDHIE).to_reader()
    assert suum.run(QUERY, reader).to_dict() == suum.run(QUERY, RANDHIE).to_dict()


def test_one_answer_is_a_release_as_its_function_makes_it() -> None:
    options = {**COMMON, "value": "visits", "bounds": (0, 77)}
    release = suum.run({"statistic": "mean", **options}, RANDHIE)
    assert isinstance(release, suum.Number)
    assert release.to_dict() == suum.mean(RANDHIE, **options).to_dict()


def test_what_is_wrong_is_refused_with_its_place(tmp_path: Path) -> None:
    wrong = {**COMMON, "answers": [MEAN, {**HEALTH, "bounds": (0, 1)}]}
    with pytest.raises(suum.RequestError, match="answer 2: bounds"):
        suum.run(wrong, RANDHIE)
    with pytest.raises(suum.ReadError, match="cannot be read"):
        suum.run(tmp_path / "none.toml", RANDHIE)
