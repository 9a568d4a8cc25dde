"""Answers as the numbers, dictionaries, data frames and plots that a data scientist expects."""

from __future__ import annotations

import datetime
import json
import math
import numbers
import pickle
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import matplotlib
import matplotlib.dates
import numpy
import pandas
import polars
import pytest
import suum

matplotlib.use("Agg")

VALUES = [3, 9, 0, 4] * 50
OPTIONS: dict[str, Any] = {"epsilon": [1.0] * 200, "insecure_seed": 3}
NUMBERS: dict[str, Any] = {**OPTIONS, "bounds": (0, 10)}
GROUPS: dict[str, Any] = {"group_by": [1, 2] * 100, "groups": [1, 2, 3]}

RELEASES: dict[str, Callable[..., Any]] = {
    "mean": lambda **more: suum.mean(VALUES, **NUMBERS, **more),
    "count": lambda **more: suum.count(epsilon=[1.0] * 200, insecure_seed=3, **more),
    "variance": lambda **more: suum.variance(VALUES, **NUMBERS, **more),
    "frequency": lambda **more: suum.frequency(VALUES, **OPTIONS, categories=[0, 3, 4, 9], **more),
    "bins": lambda **more: suum.frequency(VALUES, **OPTIONS, bins=[0, 2.5, 5, 10], **more),
    "quantile": lambda **more: suum.quantile(VALUES, **NUMBERS, q=[0.25, 0.5], step=1, **more),
    "summary": lambda **more: suum.summary(VALUES, **NUMBERS, step=1, **more),
}


def test_a_number_calculates_as_its_estimate() -> None:
    number = RELEASES["mean"]()
    estimate: float = number.estimate
    assert float(number) == estimate
    with pytest.raises(TypeError, match="digits would be lost: use float"):
        int(number)
    whole = suum.sum([3.0] * 20, epsilon=math.inf, bounds=(0, 3))
    assert int(whole) == whole.estimate == 60
    assert (number + 1, 1 + number, number - 1, 1 - number) == (
        estimate + 1, 1 + estimate, estimate - 1, 1 - estimate,
    )  # fmt: skip
    assert (number * 2, 2 * number, number / 2, 2 / number) == (
        estimate * 2, 2 * estimate, estimate / 2, 2 / estimate,
    )  # fmt: skip
    assert (number**2, 2**number, number // 2, 9 // number, number % 2, 9 % number) == (
        estimate**2, 2**estimate, estimate // 2, 9 // estimate, estimate % 2, 9 % estimate,
    )  # fmt: skip
    assert (-number, +number, abs(number)) == (-estimate, estimate, abs(estimate))
    assert (math.floor(number), math.ceil(number), math.trunc(number)) == (
        math.floor(estimate), math.ceil(estimate), math.trunc(estimate),
    )  # fmt: skip
    assert round(number) == round(estimate) and round(number, 1) == round(estimate, 1)
    assert number == estimate and number != 0 and number == RELEASES["mean"]()
    assert divmod(number, 2) == divmod(estimate, 2) and divmod(7, number) == divmod(7, estimate)
    assert number < 10 and number <= estimate and number > 0 and number >= number
    assert 0 < number < 10 and not number > estimate and not number < estimate
    assert hash(number) == hash(estimate) and max(number, -1) is number
    assert f"{number:.3f}" == f"{estimate:.3f}" and f"{number}" == f"{estimate}"
    for wrong in ["1", None, [1]]:
        with pytest.raises(TypeError):
            number + wrong
    assert number != "1"


def test_numpy_and_pandas_take_a_number_for_one() -> None:
    number = RELEASES["mean"]()
    assert numpy.asarray(number).shape == () and numpy.sqrt(number) == number.estimate**0.5
    assert (numpy.array([number, 1.0]) == [number.estimate, 1.0]).all()
    assert (numpy.array([1, 2]) * number == numpy.array([1, 2]) * number.estimate).all()
    assert numpy.int64(3) * number == 3 * number.estimate and numpy.float64(3) - number < 3
    series = pandas.Series([1.0, 2.0])
    assert (series / number).equals(series / number.estimate)
    assert (number - series).equals(number.estimate - series)
    assert (series < number).tolist() == [True, True]
    with pytest.raises(TypeError):
        list(number)


def test_series_of_polars_do_not_lose_the_digits_of_a_number() -> None:
    number = RELEASES["mean"]()
    for series in [polars.Series([1.0, 2.0]), polars.Series([1, 2])]:
        for found in [lambda: (series * number).to_list(), lambda: (number + series).to_list()]:
            try:
                digits = found()
            except TypeError as refused:
                assert series.dtype == polars.Int64 and "Number" in str(refused)
            else:
                assert digits != [int(one) for one in digits]
    frame = polars.DataFrame({"a": [1, 9]})
    assert frame.filter(polars.col("a") > number)["a"].to_list() == [9]


def test_groups_are_a_mapping_by_the_labels_that_were_declared() -> None:
    release = RELEASES["mean"](**GROUPS)
    assert isinstance(release, Mapping) and isinstance(release, suum.Number)
    assert list(release) == [1, 2] and list(release.keys()) == [1, 2] and 3 not in release
    assert release[1] is release["1"] and release.get(3) is None and release.get(2) is release[2]
    assert {group: one.estimate for group, one in release.items()} == {
        1: release[1].estimate, 2: release[2].estimate,
    }  # fmt: skip
    assert [float(one) for one in release.values()] == [float(release[1]), float(release[2])]
    assert release._ipython_key_completions_() == [1, 2]  # type: ignore[attr-defined]
    for wrong in [3, "x", (1,), None, [1]]:
        with pytest.raises((KeyError, TypeError)):
            release[wrong]
    days = [datetime.date(2020, 1, 1), datetime.date(2020, 1, 2)]
    of_days: Any = RELEASES["mean"](group_by=days * 100, groups=days)
    assert list(of_days) == days and of_days._ipython_key_completions_() == [
        "2020-01-01", "2020-01-02",
    ] and of_days["2020-01-02"] is of_days[days[1]]  # fmt: skip
    of_numpy = RELEASES["mean"](group_by=[1, 2] * 100, groups=numpy.array([1, 2]))
    assert repr(list(of_numpy)) == "[1, 2]"
    words = RELEASES["mean"](group_by=["1", "2"] * 100, groups="1,2")
    assert list(words) == ["1", "2"]
    shares = RELEASES["frequency"](**GROUPS)[1]
    assert list(shares.estimate) == [0, 3, 4, 9] and shares.estimate["3"] == shares.estimate[3]
    assert list(shares.interval) == [0, 3, 4, 9]
    once = RELEASES["mean"](group_by=[1, 2] * 100, groups=(one for one in [1, 2]))
    assert list(once) == [1, 2]


def test_a_release_of_groups_is_no_number() -> None:
    release = RELEASES["mean"](**GROUPS)
    uses: list[Callable[[Any], object]] = [
        float, int, round, abs, lambda it: it + 1, lambda it: it < 1, lambda it: f"{it:.2f}",
    ]  # fmt: skip
    for use in uses:
        with pytest.raises(TypeError, match="each group"):
            use(release)
    assert release != RELEASES["mean"](**GROUPS) and {release: 1}[release] == 1


ROWS = {"mean": 1, "count": 1, "variance": 3, "frequency": 4, "bins": 3, "quantile": 2}


@pytest.mark.parametrize("name", ROWS)
def test_data_frames_have_a_row_for_each_estimate(name: str) -> None:
    release = RELEASES[name]()
    of = {"frequency": ["category"], "bins": ["category"], "quantile": ["q"]}.get(name, [])
    expected = ["group", "statistic", *of, "estimate", "lower", "upper", "rmse"]
    grouped = RELEASES[name](**GROUPS)
    for one, rows in [(release, ROWS[name]), (grouped, 3 * ROWS[name])]:
        frame, polar = one.to_pandas(), one.to_polars()
        assert list(frame.columns) == expected == polar.columns
        assert len(frame) == len(polar) == rows
        for column in ["estimate", "lower", "upper", "rmse"]:
            assert frame[column].dtype == float and polar[column].dtype == polars.Float64
            assert polar[column].fill_null(math.nan).to_list() == pytest.approx(
                frame[column].tolist(), nan_ok=True
            )
    assert list(dict.fromkeys(grouped.to_pandas()["group"])) == [1, 2, 3]
    # Nobody is in the last group.
    last = grouped.to_pandas().tail(ROWS[name])
    assert last[["estimate", "lower", "upper", "rmse"]].isna().all(axis=None)
    first = grouped.to_pandas().iloc[0]
    answer = grouped[1].estimate
    assert first["estimate"] == (next(iter(answer.values())) if of else answer)
    if name != "quantile":
        assert first["rmse"] == grouped[1].error.rmse


def test_a_summary_as_a_data_frame() -> None:
    frame = RELEASES["summary"]().to_pandas()
    assert frame["statistic"].tolist() == [
        "mean", "variance", "standard deviation", "quantile", "quantile", "quantile",
    ]  # fmt: skip
    assert frame["q"].dropna().tolist() == [0.25, 0.5, 0.75]
    assert frame["rmse"].notna().tolist() == [False, True, False, False, False, False]


@pytest.mark.parametrize("name", RELEASES)
@pytest.mark.parametrize("grouped", [False, True])
def test_every_release_is_drawn(name: str, grouped: bool) -> None:
    release = RELEASES[name](**GROUPS) if grouped else RELEASES[name]()
    axes = release.plot()
    assert release.plot(ax=axes) is axes and "Private" in axes.get_title()
    assert ("by group_by" in axes.get_title()) == grouped
    has_legend = grouped and name in ("frequency", "bins", "quantile")
    assert (axes.get_legend() is not None) == has_legend
    axes.figure.canvas.draw()
    matplotlib.pyplot.close("all")


def test_histograms_lie_where_their_bins_are_and_begin_at_0() -> None:
    axes = RELEASES["bins"]().plot()
    bars = [(bar.get_x(), bar.get_width(), bar.get_y()) for bar in axes.patches]
    assert bars == [(0, 2.5, 0), (2.5, 2.5, 0), (5, 5, 0)]
    assert axes.get_ylim()[0] == 0 and axes.get_xlabel() == "value"
    names = [tick.get_text() for tick in RELEASES["frequency"]().plot().get_xticklabels()]
    assert names == ["0", "3", "4", "9"]
    matplotlib.pyplot.close("all")


DAYS = [datetime.date(2020, 1, 1), datetime.date(2020, 12, 1)] * 100
TIMES = [datetime.datetime(2020, 1, 1, 7), datetime.datetime(2020, 12, 1, 8)] * 100


@pytest.mark.parametrize("column", [DAYS, TIMES], ids=["days", "times"])
@pytest.mark.parametrize("name", ["mean", "median", "quantile", "histogram"])
@pytest.mark.parametrize("grouped", [False, True])
def test_dates_are_drawn_as_dates(column: list[Any], name: str, grouped: bool) -> None:
    asked: dict[str, Any] = {"bounds": ("2020-01-01", "2021-01-01"), "epsilon": 1.0}
    asked |= GROUPS if grouped else {}
    axes = getattr(suum, name)(column, **asked).plot()
    low, high = map(matplotlib.dates.num2date, axes.get_xlim())
    assert 2019 <= low.year <= high.year <= 2021
    axes.figure.canvas.draw()
    assert isinstance(axes.xaxis.get_major_formatter(), matplotlib.dates.ConciseDateFormatter)
    matplotlib.pyplot.close("all")


@pytest.mark.parametrize("name", RELEASES)
@pytest.mark.parametrize("grouped", [False, True])
def test_intervals_are_pairs_that_contain_their_estimate(name: str, grouped: bool) -> None:
    release = RELEASES[name](**GROUPS) if grouped else RELEASES[name]()
    found = [one for one in release._estimates() if one.interval is not None]
    assert found or name in ("quantile", "count")
    for one in found:
        interval = one.interval
        low, high = interval
        assert (low, high) == tuple(interval) == (interval.lower, interval.upper)
        assert one in interval and not interval.excludes(one)
        assert interval.excludes(high + 1) and interval.excludes(low - 1)
        assert interval.confidence == 0.95 and len(interval) == 2
        again = pickle.loads(pickle.dumps(one))
        assert again == one and again.interval == interval and again.interval.confidence == 0.95
    assert "Interval(" in repr(suum.mean(VALUES, **NUMBERS).interval)


def test_a_clear_difference_excludes_0() -> None:
    more = suum.difference(
        [9.0, 1.0] * 500, epsilon=1.0, bounds=(0, 10), group_by=["a", "b"] * 500,
        groups=["a", "b"], between=["a", "b"],
    )  # fmt: skip
    assert more.interval is not None and more.interval.excludes(0) and more in more.interval


def test_parts_of_an_answer_are_numbers_by_their_names() -> None:
    shares, ranks = RELEASES["frequency"](), RELEASES["quantile"]()
    assert float(shares[3]) == shares.estimate[3] == float(shares["3"]) and shares[3] < 1
    assert f"{shares[3]:.1%}".endswith("%") and shares[3].interval == shares.interval[3]
    assert ranks[0.5].estimate == ranks.estimate[0.5] and ranks[0.2 + 0.05] == ranks[0.25]
    with pytest.raises(KeyError):
        ranks[0.7]
    with pytest.raises(KeyError, match="choose one of 0, 3, 4, 9"):
        shares["x"]
    summary = RELEASES["summary"]()
    assert float(summary["mean"]) == summary.mean.estimate
    assert summary["std"] == summary["deviation"] == summary.deviation
    assert summary["median"] == summary["q50"] == summary[0.5] == summary.quantiles[0.5]
    assert summary["q25"] == summary.quantiles[0.25] and summary["variance"] == summary.variance
    assert numpy.asarray(summary["mean"]).shape == () and numpy.sqrt(shares[3]) <= 1
    assert repr(shares[3]).startswith("<suum.Estimate: 0.") and " (95 %: 0." in repr(shares[3])
    assert isinstance(shares[3], numbers.Real) and isinstance(RELEASES["mean"](), numbers.Real)
    assert (numpy.array([1, 2]) * shares[3] == numpy.array([1, 2]) * shares[3].estimate).all()
    with pytest.raises(TypeError):
        list(shares[3])  # type: ignore[call-overload]
    assert pandas.Series([shares[3], 1.0]).astype(float)[0] == shares[3].estimate


def test_large_numbers_are_shown_whole() -> None:
    count = suum.count(epsilon=[1.0] * 20_190)
    assert repr(count) == "<suum.Number: count: 20,190 (95 %: 20,190 to 20,190)>"
    assert "20,190" in count._repr_html_() and f"{count:,.0f}" == "20,190"


@pytest.mark.parametrize("column", [DAYS, TIMES], ids=["days", "times"])
@pytest.mark.parametrize("name", ["mean", "median", "quantile"])
@pytest.mark.parametrize("grouped", [False, True])
def test_dates_are_dates_in_every_view(column: list[Any], name: str, grouped: bool) -> None:
    asked: dict[str, Any] = {"bounds": ("2020-01-01", "2021-01-01"), "epsilon": 1.0}
    release = getattr(suum, name)(column, **asked, **(GROUPS if grouped else {}))
    one = release[1] if grouped else release
    record = suum.Release.from_json(one.to_dict()) if not grouped else one
    for text in (one._repr_html_().split("</style>")[1].split("<details>")[0], str(record)):
        assert "2020-" in text
    assert grouped or "2020-" in repr(release)
    frame, polar = release.to_pandas(), release.to_polars()
    for name in ("estimate", "lower", "upper"):
        assert frame[name].dtype.kind == "M" and polar[name].dtype == polars.Datetime
    assert frame["estimate"][0].year == 2020
    assert not grouped or frame["estimate"].isna().sum() == len(frame) // 3
    place = one[0.5] if name == "quantile" else one
    if not isinstance(one, suum.Quantiles):
        assert place.as_datetime().estimate.year == 2020


def test_a_summary_of_dates_has_dates_and_lengths() -> None:
    summary = suum.summary(DAYS, epsilon=1.0, bounds=("2020-01-01", "2021-01-01"))
    assert "mean = 2020-" in repr(summary) and "standard deviation = 1" in repr(summary)
    assert summary["mean"].as_datetime().estimate.year == 2020
    with pytest.raises(suum.RequestError, match="bounds were no dates"):
        summary["std"].as_datetime()
    assert summary.to_pandas()["estimate"].dtype == float
    more = suum.difference(
        DAYS, epsilon=1.0, bounds=("2020-01-01", "2021-01-01"), group_by=["a", "b"] * 100,
        groups=["a", "b"], between=["a", "b"],
    )  # fmt: skip
    assert ": -3" in repr(more) and more.to_pandas()["estimate"].dtype == float


def test_many_labels_do_not_hide_each_other() -> None:
    names = [f"a rather long name {at}" for at in range(8)]
    axes = suum.frequency(names * 25, epsilon=1.0, categories=names).plot()
    assert {tick.get_rotation() for tick in axes.get_xticklabels()} == {30}
    matplotlib.pyplot.close("all")


@pytest.mark.parametrize("name", RELEASES)
@pytest.mark.parametrize("grouped", [False, True])
def test_a_release_comes_back_from_its_json(name: str, grouped: bool, tmp_path: Path) -> None:
    release = RELEASES[name](**GROUPS) if grouped else RELEASES[name]()
    path = tmp_path / "release.json"
    path.write_text(release.to_json(), encoding="utf-8")
    for given in [release.to_json(), path, str(path), release.to_dict()]:
        again = suum.Release.from_json(given)
        assert type(again) is type(release) and again.to_dict() == release.to_dict()
        assert json.loads(again.to_json()) == json.loads(release.to_json())
        assert repr(again) == repr(release) and "<section" in again._repr_html_()
    assert not grouped or list(again) == [1, 2] and again["1"].privacy[0].count == 100
    sent = pickle.loads(pickle.dumps(release))
    assert list(sent.groups) == list(release.groups) and repr(sent) == repr(release)


@pytest.mark.parametrize("grouped", [False, True])
def test_a_check_of_bounds_comes_back_with_its_release(grouped: bool) -> None:
    release = RELEASES["mean"](check_bounds=True, **(GROUPS if grouped else {}))
    again = suum.Release.from_json(release.to_json())
    assert type(again) is type(release) and again.to_dict() == release.to_dict()
    assert json.loads(json.dumps(release.to_dict())) == json.loads(release.to_json())
    for given in [again, release.to_dict(), suum.Release.from_json(release.to_dict())]:
        assert suum.verify(given).agrees
    changed = release.to_dict()
    changed["privacy"][0]["spent"] = 0.1
    assert not suum.verify(changed).agrees
    for one in [again, pickle.loads(pickle.dumps(again))]:
        assert json.loads(one.to_json()) == json.loads(release.to_json())


@pytest.mark.parametrize("grouped", [False, True])
def test_a_class_reads_what_is_of_it(grouped: bool) -> None:
    asked: dict[str, Any] = {**(GROUPS if grouped else {}), "epsilon": 1.0, "bounds": (0, 10)}
    whole = suum.mean(VALUES, **asked)
    shorthands: list[tuple[type[suum.Release], suum.Release, type[suum.Release]]] = [
        (suum.Median, suum.median(VALUES, **asked), suum.Quantiles),
        (suum.Deviation, suum.std(VALUES, **asked), suum.Variance),
    ]
    for kind, release, plain in shorthands:
        for given in [release.to_json(), release.to_dict()]:
            again = kind.from_json(given)
            assert type(again) is type(release) and repr(again) == repr(release)
            assert again.to_pandas()["estimate"].equals(release.to_pandas()["estimate"])
            assert type(suum.Release.from_json(given)) is type(release)
            assert isinstance(plain.from_json(given), plain)
            # Another writer names no function.
            of_another = {**release.to_dict()}
            del of_another["function"]
            assert isinstance(suum.Release.from_json(of_another), plain)
            assert type(kind.from_json(of_another)) is type(release)
            assert type(type(release).from_json(given)) is type(release)
        with pytest.raises(suum.ParameterError, match=f"release: it is no {kind.__name__}"):
            kind.from_json(whole.to_json())
    assert repr(suum.Number.from_json(whole.to_json())) == repr(whole)
    deciles = suum.quantile(VALUES, **asked, q="deciles")
    with pytest.raises(suum.ParameterError, match="it is no Median") as refused:
        suum.Median.from_json(deciles.to_json())
    assert "suum.Quantiles.from_json" in str(refused.value.hint)


def test_what_is_no_release_is_refused(tmp_path: Path) -> None:
    for given in ["{", "{}", {"statistic": "mean"}, suum.plan(profile={1: 9}).to_json()]:
        with pytest.raises(suum.ParameterError, match="release: it is no"):
            suum.Release.from_json(given)
    with pytest.raises(suum.ReadError, match="the file cannot be read"):
        suum.Release.from_json(tmp_path / "missing.json")


def test_infinities_come_back_as_numbers_and_names_as_names() -> None:
    release = suum.count(privacy=["inf"], levels={"inf": math.inf})
    tier = suum.Release.from_json(release.to_json()).privacy[0]
    assert (tier.level, tier.epsilon) == ("inf", math.inf)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("mean", "<suum.Number: mean of value: "),
        ("count", "<suum.Number: count: 200 (95 %: 200 to 200)"),
        ("variance", "<suum.Variance: variance of value: variance = "),
        ("frequency", "<suum.Frequencies: frequency of value: 0 = 0."),
        ("quantile", "<suum.Quantiles: quantile of value: q0.25 = "),
        ("summary", "<suum.Summary: summary of value: mean = "),
    ],
)
def test_a_release_is_one_line_and_prints_its_report(name: str, said: str) -> None:
    release = RELEASES[name]()
    assert repr(release).startswith(said)
    assert repr(release).endswith(", NOT PRIVATE>") == (name != "count"), "which is exact"
    assert "\n" not in repr(release) and "\n" in str(release)
    grouped = RELEASES[name](**GROUPS)
    assert "for 2 groups of group_by" in repr(grouped) and "Grouped" not in repr(grouped)
    assert str(grouped) == grouped.__str__() != repr(grouped)


@pytest.mark.parametrize("name", RELEASES)
@pytest.mark.parametrize(
    "more", [{}, {"neighbors": "both", "epsilon_range": (0.1, 1)}, {"check_bounds": True}]
)
def test_reports_speak_python(name: str, more: dict[str, Any]) -> None:
    """No report names an option of the command line, whose world is another."""
    if more == {"check_bounds": True} and name not in ("mean", "quantile"):
        return
    for groups in [{}, GROUPS]:
        release = RELEASES[name](**more, **groups)
        for told in [str(release), release.explain(), release._repr_html_().split("</style>")[1]]:
            assert "(in Python" not in told and not re.search("--[a-z]", told), told
            # A count is of nobody who would add up.
            assert "person=COL" in told or "(person)" in told or name == "count"
    assert "\nDetails: explain(), to_html()" in str(RELEASES[name]())


def test_plans_speak_python() -> None:
    plan = suum.plan(profile={0.1: 3400}, bounds="auto")
    for told in [str(plan), plan.explain(), plan._repr_html_()]:
        assert "With declared bounds there" in " ".join(told.split())
    learns = suum.plan(profile={0.1: 3400}, bounds=(0, 77))
    assert "guaranteed for one that does not." in " ".join(learns.explain().split())


def test_what_is_no_release_is_one_line_too(tmp_path: Path) -> None:
    plan = suum.plan(profile={0.5: 99})
    assert repr(plan).startswith("<suum.Plan: mean, typical, expected error ")
    several = suum.plan(profile={0.5: 99}, statistic="mean,variance", bounds=(0, 1))
    assert repr(several) == "<suum.Plan: summary, several estimators>"
    release = RELEASES["mean"]()
    assert repr(suum.verify(release)) == "<suum.Verification: agrees>"
    audit = suum.audit("affine", runs=100, statistic="mean", neighbors="replace")
    assert repr(audit).startswith("<suum.Audit: ") and "not-disproved" in repr(audit)
    for thing in [plan, several, audit]:
        assert "\n" not in repr(thing) and "\n" in str(thing)


def test_a_ledger_shows_itself_in_a_notebook(tmp_path: Path) -> None:
    ledger = suum.Ledger.create(tmp_path / "a<b", dataset="v&w", levels={"a": 1, "p": math.inf})
    tiers: dict[str, Any] = {"privacy": ["a"] * 200, "ledger": ledger, "spend": "10%"}
    suum.mean(VALUES, **tiers, bounds=(0, 10))
    html = ledger._repr_html_()
    cells = ["1", "0.1", "0", "0.9"]
    assert "".join(f'<td class="number">{cell}</td>' for cell in cells) in html
    assert '<td class="number">∞</td>' in html and "Dataset v&amp;w" in html
    assert html.count("<bdi>mean of value, suum") == 1
    assert "Dataset v&w" in ledger._repr_markdown_()
    persons = suum.Ledger.create(tmp_path / "p", dataset="d", persons=True, allow=2)
    budgets: dict[str, Any] = {"epsilon": [1.0] * 200, "person": list(range(200))}
    suum.mean(VALUES, **budgets, bounds=(0, 10), ledger=persons, spend="10%")
    assert "200 have spent 0.2 and have 1.8 left" in persons._repr_html_()
