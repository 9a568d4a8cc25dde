"""The names that data scientists look for: median, std, histogram; and a query as data."""

from __future__ import annotations

import builtins
import json
from pathlib import Path
from typing import Any

import numpy
import pytest
import suum
from conftest import LEVELS, RANDHIE, keywords_of

VALUES = [3, 9, 0, 4] * 50
OPTIONS: dict[str, Any] = {"epsilon": 1.0, "bounds": (0, 10), "insecure_seed": 3}


def without_function(release: suum.Release, function: str) -> dict[str, Any]:
    """A release as a dictionary, but for the function that it names."""
    found = release.to_dict()
    assert found.pop("function") == function
    return found


def test_a_median_is_the_quantile_in_the_middle_as_a_number() -> None:
    median = suum.median(VALUES, **OPTIONS, step=1)
    quantile = suum.quantile(VALUES, **OPTIONS, q=0.5, step=1)
    assert float(median) == quantile.estimate[0.5] and median.interval == quantile.interval[0.5]
    assert without_function(median, "median") == quantile.to_dict()
    assert str(median) == str(quantile)
    assert repr(median).startswith("<suum.Median: median of value: ")
    frame = median.to_pandas()
    assert frame["statistic"].tolist() == ["median"] and frame["rmse"].isna().all()
    grouped = suum.median(VALUES, **OPTIONS, step=1, group_by=[1, 2] * 100, groups=[1, 2])
    assert isinstance(grouped[1], suum.Median) and float(grouped[1]) < float(grouped[2])


def test_what_has_a_name_of_its_own_keeps_it_when_asked_again() -> None:
    asked = {"value": "v", "epsilon": "e", "bounds": (0, 10), "insecure_seed": 3}
    data = {"v": VALUES, "e": [1.0] * 200}
    for release in [suum.std(data, **asked), suum.median(data, **asked, step=1)]:
        again = suum.run(release, data)
        assert type(again) is type(release) and float(again) == float(release)
    quartile = suum.run(suum.median(data, **asked, step=1), data, q=[0.25])
    assert isinstance(quartile, suum.Quantiles)
    for release in [suum.std(data, **asked), suum.median(data, **asked)]:
        mean = suum.run(release, data, statistic="mean")
        assert isinstance(mean, suum.Number) and not isinstance(mean, type(release))
        assert mean.to_json() == suum.mean(data, **asked).to_json()


def test_a_standard_deviation_is_the_root_of_a_variance() -> None:
    std, variance = suum.std(VALUES, **OPTIONS), suum.variance(VALUES, **OPTIONS)
    assert std == variance.deviation == std.estimate
    assert std.interval == variance.deviation.interval
    assert (std.variance, std.mean) == (variance.estimate, variance.mean)
    assert (std.variance.interval, std.mean.interval) == (variance.interval, variance.mean.interval)
    assert without_function(std, "std") == variance.to_dict()
    assert repr(std).startswith("<suum.Deviation: standard deviation of value: ")
    grouped = suum.std(VALUES, **OPTIONS, group_by=[1, 2] * 100, groups=[1, 2])
    assert isinstance(grouped[1], suum.Deviation) and len(grouped.to_pandas()) == 2


def test_a_histogram_has_edges_or_as_many_bins() -> None:
    edges = [0, 2.5, 5, 7.5, 10]
    people: dict[str, Any] = {"epsilon": 1.0, "insecure_seed": 3}
    expected = suum.frequency(VALUES, bins=edges, **people)
    for histogram in [
        suum.histogram(VALUES, bins=edges, **people),
        suum.histogram(VALUES, bins=numpy.linspace(0, 10, 5), **people),
        suum.histogram(VALUES, bins=4, bounds=(0, 10), **people),
        suum.histogram(VALUES, bins=numpy.int64(4), bounds=numpy.array([0, 10]), **people),
        suum.histogram(VALUES, bins=4, bounds="0,10", **people),
    ]:
        assert histogram.to_json() == expected.to_json() and histogram.edges == edges
    assert len(suum.histogram(VALUES, bounds=(0, 10), **people).estimate) == 20
    tenths = suum.histogram(VALUES, bins=10, bounds=(0, 1), other="more", **people)
    assert list(tenths.estimate)[2] == "[0.2, 0.3)" and tenths.edges is None
    thirds = suum.histogram(VALUES, bins=3, bounds=(0, 10), **people)
    assert list(thirds.estimate)[1] == "[3.33333333333, 6.66666666667)"
    assert suum.frequency(["a"], categories=["a", "b"], **people).edges is None


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"bins": 4}, "bounds: a number of bins"),
        ({"bins": 0, "bounds": (0, 1)}, "bins: there must be at least one"),
        ({"bins": 4, "bounds": (1, 0)}, "bounds: two finite numbers"),
        ({"bins": 4, "bounds": (0, numpy.inf)}, "bounds: two finite numbers"),
        ({"bins": 4, "bounds": "auto"}, "bounds: two finite numbers"),
        ({"bins": [0, 1], "bounds": (0, 1)}, "bounds: the edges of bins"),
    ],
)
def test_bins_that_make_no_sense_are_refused(options: dict[str, Any], match: str) -> None:
    with pytest.raises(suum.ParameterError, match=match):
        suum.histogram(VALUES, epsilon=1.0, **options)


@pytest.mark.parametrize(
    ("function", "of", "without", "more"),
    [
        (suum.median, suum.quantile, {"q", "cdf", "simultaneous"}, set()),
        (suum.std, suum.variance, set(), set()),
        (suum.histogram, suum.frequency, {"categories", "crosstab"}, {"bounds"}),
        (suum.difference, suum.mean, set(), set()),
    ],
)
def test_keywords_are_those_of_the_longer_name(
    function: Any, of: Any, without: set[str], more: set[str]
) -> None:
    mine, theirs = (keywords_of(one.__name__) for one in (function, of))
    assert set(mine) == (set(theirs) - without) | more
    for name in set(mine) & set(theirs) - {"bins", "between"}:
        assert mine[name] == theirs[name], name
    assert "Raises" in function.__doc__ and "epsilon" in function.__doc__


def test_shares_of_numpy_are_quantiles() -> None:
    release = suum.quantile(VALUES, **OPTIONS, q=numpy.linspace(0.1, 0.9, 9), step=1)
    assert list(release.estimate) == [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]
    asked = numpy.linspace(0.1, 0.9, 9)[2]
    assert asked != 0.3 and release.estimate[asked] == release.estimate[0.3]
    assert release.interval[asked] == release.interval[0.3]
    thirds = suum.quantile(VALUES, **OPTIONS, q=[1 / 3, 2 / 3], step=1)
    assert thirds.estimate[1 / 3] <= thirds.estimate[2 / 3]
    with pytest.raises(KeyError):
        thirds.estimate[0.5]
    for half in [numpy.float64(0.5), numpy.array(0.5), numpy.float32(0.5)]:
        assert list(suum.quantile(VALUES, **OPTIONS, q=half).estimate) == [0.5]
    with pytest.raises(suum.ParameterError, match="between 0 and 1"):
        suum.quantile(VALUES, **OPTIONS, q=numpy.linspace(0, 1, 5))


def test_all_names_at_once_leave_those_of_python_alone() -> None:
    names: dict[str, Any] = {}
    exec("from suum import *", names)
    taken = {name for name in names if name in vars(builtins) and not name.startswith("_")}
    assert taken == set() and names["median"] is suum.median and callable(suum.sum)


def test_a_summary_has_what_was_asked_for() -> None:
    summary = suum.summary(VALUES, **OPTIONS, statistic="mean,q50", step=1)
    assert summary.mean.estimate >= 0
    for name in ["variance", "deviation"]:
        with pytest.raises(AttributeError, match="not asked for, but mean, q50 was"):
            getattr(summary, name)
        assert not hasattr(summary, name)


def test_one_budget_is_known_where_it_is_hidden_who_takes_part() -> None:
    options: dict[str, Any] = {"bounds": (0, 10), "neighbors": "add-remove", "insecure_seed": 3}
    declared = suum.mean(VALUES, epsilon=[1.0] * 200, epsilon_range=(1, 1), **options)
    assert suum.mean(VALUES, epsilon=1.0, **options).to_json() == declared.to_json()


QUERY: dict[str, Any] = {
    "statistic": "mean", "value": "visits", "bounds": (0, 77), "privacy": "privacy",
    "levels": LEVELS, "insecure_seed": 7,
}  # fmt: skip


def test_a_query_is_run_from_wherever_it_is(tmp_path: Path) -> None:
    expected = suum.mean(
        RANDHIE, **{name: value for name, value in QUERY.items() if name != "statistic"}
    )
    toml = tmp_path / "survey.toml"
    toml.write_text(
        'statistic = "mean"\nvalue = "visits"\nbounds = [0, 77]\nprivacy = "privacy"\n'
        f'insecure-seed = 7\ndata = "{RANDHIE}"\n'
        "levels = { strict = 0.01, standard = 0.1, relaxed = 1, public = 'inf' }\n",
        encoding="utf-8",
    )
    saved = tmp_path / "release.json"
    saved.write_text(expected.to_json(), encoding="utf-8")
    asked = {name.replace("_", "-"): value for name, value in QUERY.items()}
    for release in [
        suum.run(QUERY, RANDHIE),
        suum.run({**asked, "data": RANDHIE}),
        suum.run(toml),
        suum.run(str(toml), RANDHIE),
        suum.run(saved, RANDHIE),
        suum.run(expected, RANDHIE),
        suum.run(expected.to_json(), RANDHIE),
    ]:
        assert isinstance(release, suum.Number) and release.to_json() == expected.to_json()
    fewer = suum.run(toml, confidence=0.5)
    assert json.loads(fewer.to_json())["interval"]["confidence"] == 0.5


def test_a_query_can_be_of_every_statistic() -> None:
    asked: dict[str, Any] = {"epsilon": 1.0, "bounds": (0, 10)}
    kinds = {
        "sum": suum.Number, "quantile": suum.Quantiles,
        "variance": suum.Variance, "mean,q50": suum.Summary,
    }  # fmt: skip
    for statistic, kind in kinds.items():
        assert type(suum.run({"statistic": statistic, **asked}, VALUES)) is kind
    assert suum.run({"statistic": "count", "epsilon": 1.0}, VALUES) == 200
    several = suum.run({"statistic": ["mean", "variance"], **asked}, VALUES)
    assert isinstance(several, suum.Summary) and several.variance.estimate >= 0
    categories = {"statistic": "frequency", "categories": [3, 9, 0, 4]}
    shares = suum.run(categories, VALUES, epsilon=1.0)
    assert isinstance(shares, suum.Frequencies) and list(shares.estimate) == [3, 9, 0, 4]
    exact = suum.run({"statistic": "mean", "no-adapt": True, **asked}, VALUES)
    assert "learned_range" not in exact.to_dict()


@pytest.mark.parametrize(
    ("query", "match"),
    [
        ({"statistic": "mean", "bound": (0, 1)}, "bound"),
        ({"statistic": "mode"}, "statistic"),
        ({"value": "visits"}, "statistic"),
        ("{", "no JSON object"),
        ({"statistic": "count", "bounds": (0, 1)}, "bounds"),
    ],
)
def test_queries_that_make_no_sense_are_refused(query: Any, match: str) -> None:
    with pytest.raises((suum.ParameterError, suum.RequestError), match=match):
        suum.run(query, VALUES, epsilon=1.0)


def test_a_query_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(suum.ReadError, match="query: the file cannot be read"):
        suum.run(tmp_path / "missing.toml")
    wrong = tmp_path / "wrong.toml"
    wrong.write_text("statistic =\n", encoding="utf-8")
    with pytest.raises(suum.ParameterError, match="no TOML"):
        suum.run(wrong)
