"""What releases and plans can be asked, and turned into."""

from __future__ import annotations

import copy
import json
import math
import pickle
import warnings
from html import escape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import matplotlib
import pandas
import polars
import pyarrow
import pytest
import suum
from conftest import LEVELS, RANDHIE

OPTIONS: dict[str, Any] = {
    "value": "visits", "bounds": (0, 77), "privacy": "privacy", "levels": LEVELS,
    "insecure_seed": 7,
}  # fmt: skip
HEALTH = ["excellent", "good", "fair", "poor"]


def test_a_budget_that_protects_nothing_is_warned_of(tmp_path: Path) -> None:
    with pytest.warns(UserWarning, match="ε = 100 protects practically nothing") as caught:
        release = suum.mean([3, 9, 0], epsilon=[1, 100, math.inf], bounds=(0, 10))
    assert caught[0].filename == __file__
    assert len(release.warnings) == 1 and release.warnings == release.to_dict()["warnings"]
    with pytest.warns(UserWarning, match="practically nothing"):
        suum.plan(profile={100: 5, 0.1: 10})
    with pytest.warns(UserWarning, match="practically nothing"):
        suum.Ledger.create(tmp_path / "ledger", dataset="d", levels={"a": 100})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert suum.mean([3, 9, 0], epsilon=[1, 2, math.inf], bounds=(0, 10)).warnings == []


def test_percentages_are_quantiles() -> None:
    records: dict[str, Any] = {"epsilon": [1, 1, 1], "bounds": (0, 10), "step": 1}
    assert list(suum.quantile([3, 9, 0], **records, q="90%").estimate) == [0.9]
    assert list(suum.quantile([3, 9, 0], **records, q=["25%", 0.5]).estimate) == [0.25, 0.5]


class Balanced(HTMLParser):
    """Refuses elements that are not closed, scripts, and what is loaded from elsewhere."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        assert tag != "script"
        assert not any(name in ("src", "href") for name, _ in attributes)
        self.seen.add(tag)
        if tag != "br":
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def elements(html: str) -> set[str]:
    parser = Balanced()
    parser.feed(html)
    assert parser.open == []
    return parser.seen


RELEASES = {
    "mean": lambda: suum.mean(RANDHIE, **OPTIONS),
    "count": lambda: suum.count(RANDHIE, privacy="privacy", levels=LEVELS),
    "quantile": lambda: suum.quantile(RANDHIE, **OPTIONS, q=[0.25, 0.5], interval_share=0.2),
    "variance": lambda: suum.variance(RANDHIE, **OPTIONS),
    "summary": lambda: suum.summary(RANDHIE, **OPTIONS),
    "frequency": lambda: suum.frequency(
        RANDHIE,
        value="health",
        categories=HEALTH,
        privacy="privacy",
        levels=LEVELS,
        insecure_seed=7,
    ),
    "groups": lambda: suum.mean(RANDHIE, **OPTIONS, group_by="health", groups=HEALTH),
    "hidden": lambda: suum.mean(RANDHIE, **OPTIONS, neighbors="add-remove"),
    "hidden quantile": lambda: suum.quantile(RANDHIE, **OPTIONS, neighbors="add-remove"),
    "plan": lambda: suum.plan(RANDHIE, privacy="privacy", levels=LEVELS),
    "plan of several": lambda: suum.plan(
        profile={0.1: 999}, statistic="mean,variance", bounds=(0, 1)
    ),
}


@pytest.mark.parametrize("name", RELEASES)
def test_html_stands_alone(name: str) -> None:
    release = RELEASES[name]()
    html = release._repr_html_()
    assert {"section", "table", "style"} <= elements(html)
    if name not in ("count", "plan of several"):
        assert "svg" in elements(html)
    assert ("NOT PRIVATE." in html) == (not release.to_dict().get("private", True))


@pytest.mark.parametrize("name", RELEASES)
def test_markdown_is_that_of_the_answer_also_in_other_processes(name: str) -> None:
    release = RELEASES[name]()
    markdown, html = release._repr_markdown_(), release._repr_html_()
    titles = [line for line in markdown.splitlines() if line.startswith("### ")]
    assert len(titles) == 1 and "<" not in markdown.partition("```")[0]
    assert ("NOT PRIVATE" in markdown) == (not release.to_dict().get("private", True))
    again = pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(release))))
    assert again._repr_markdown_() == markdown and again._repr_html_() == html
    if name == "groups":
        part = release["good"]._repr_markdown_()
        assert part.count("### ") == 1 and f"{release['good'].privacy[0].count:,}" in part


def test_html_shows_labels_as_they_are() -> None:
    nasty = "<script>alert(1)</script>&"
    release = suum.frequency([nasty, "b"], epsilon=[1, 1], value=nasty, categories=[nasty, "b"])
    elements(release._repr_html_())
    for html in (release._repr_html_(), release.to_html()):
        assert "&lt;script&gt;" in html and "<script" not in html


@pytest.mark.parametrize("name", RELEASES)
def test_pages_are_those_of_the_command_line(name: str) -> None:
    release = RELEASES[name]()
    page = release.to_html()
    assert page.startswith("<!DOCTYPE html>") and page.endswith("</html>\n")
    # The JSON on the page is that of this release.
    assert escape(release.to_json()) in page
    if name == "groups":
        assert release["good"].to_html() == release["good"]._repr_html_()


@pytest.mark.parametrize("name", RELEASES)
def test_dictionaries_have_what_the_json_has(name: str) -> None:
    release = RELEASES[name]()
    # In text, where the order of keys shows, and whether a number is an integer.
    assert json.dumps(release.to_dict()) == json.dumps(
        json.loads(release.to_json(), object_hook=_with_infinities)
    )


def _with_infinities(record: dict[str, Any]) -> dict[str, Any]:
    return {
        key: math.inf if value == "inf" and key not in LABELS else value
        for key, value in record.items()
    }


#: Keys whose values are names, which can read as infinity.
LABELS = ["level", "category", "group", "column", "person", "group_by"]


def test_names_that_read_as_infinity_stay_names() -> None:
    options: dict[str, Any] = {
        "privacy": ["inf", "b"],
        "levels": {"inf": math.inf, "b": 1},
        "group_by": ["inf", "-inf"],
    }
    release = suum.frequency(
        ["inf", "-inf"], **options, categories=["inf", "-inf"], groups=["inf", "-inf"]
    )
    assert list(release) == ["inf", "-inf"]
    for group in release.groups.values():
        assert list(group.estimate) == ["inf", "-inf"]
    assert (release["inf"].privacy[0].level, release["inf"].privacy[0].epsilon) == ("inf", math.inf)


@pytest.mark.parametrize("name", RELEASES)
def test_releases_can_be_sent_to_other_processes(name: str) -> None:
    release = RELEASES[name]()
    once = pickle.loads(pickle.dumps(release))
    for kept in [once, pickle.loads(pickle.dumps(once)), copy.deepcopy(release)]:
        assert type(kept) is type(release)
        assert (repr(kept), kept.to_json(), kept.to_html()) == (
            repr(release),
            release.to_json(),
            release.to_html(),
        )
        assert json.dumps(kept.to_dict()) == json.dumps(release.to_dict())
    if name == "groups":
        group = pickle.loads(pickle.dumps(release["good"]))
        assert (group.estimate, repr(group)) == (release["good"].estimate, repr(release["good"]))


def test_what_several_releases_have_each_is_not_asked_of_all() -> None:
    grouped = RELEASES["groups"]()
    for name in ["estimate", "interval", "error", "privacy", "estimator"]:
        with pytest.raises(AttributeError, match="a release for each group"):
            getattr(grouped, name)
    for name in ["error", "estimator"]:
        with pytest.raises(AttributeError, match="of its own"):
            getattr(RELEASES["summary"](), name)


def test_dictionaries_can_be_changed() -> None:
    release = RELEASES["mean"]()
    estimate = release.estimate
    release.to_dict()["estimate"] = -5
    assert release.estimate == estimate


def test_a_number_has_an_interval_and_errors() -> None:
    release = suum.mean(RANDHIE, **OPTIONS)
    lower, upper = release.interval
    assert lower < release.estimate < upper and release.interval.confidence == 0.95
    assert release.error.rmse == pytest.approx(
        math.hypot(release.error.noise_sd, release.error.sampling_sd)
    )
    assert release.estimator == "typical" and not release.private and release.ledger is None


def test_groups_are_found_by_their_names() -> None:
    release = suum.mean(RANDHIE, **OPTIONS, group_by="health", groups=[*HEALTH, "unheard of"])
    assert list(release) == HEALTH and len(release) == 4 and "good" in release and bool(release)
    assert release["good"].interval.lower < release["good"].estimate
    assert "unheard of" not in release and "Private mean of visits" in str(release["good"])
    assert json.loads(release["good"].to_json())["group"] == "good"
    with pytest.raises(KeyError, match="unheard of"):
        release["unheard of"]
    with pytest.raises(AttributeError, match="each group"):
        release.estimate
    assert not suum.mean(RANDHIE, **OPTIONS).groups


def test_frequencies_quantiles_and_summaries_are_told_apart_by_name() -> None:
    frequencies = RELEASES["frequency"]()
    assert sum(frequencies.estimate.values()) == pytest.approx(1)
    assert all(
        frequencies.interval[name].lower <= share for name, share in frequencies.estimate.items()
    )
    quantiles = suum.quantile(RANDHIE, **OPTIONS, q=[0.25, 0.5], interval_share=0)
    assert list(quantiles.estimate) == [0.25, 0.5]
    assert quantiles.interval == {0.25: None, 0.5: None}, "nothing was bought"
    assert "no part of the budget" in quantiles.to_dict()["no_interval"]
    assert "no interval" in quantiles._repr_html_()
    summary = suum.summary(RANDHIE, **OPTIONS, statistic="variance,q90")
    assert summary.variance is not None and list(summary.quantiles) == [0.9]
    variance = suum.variance(RANDHIE, **OPTIONS)
    assert variance.deviation.estimate == pytest.approx(math.sqrt(variance.estimate))


def test_privacy_turns_into_data_frames() -> None:
    privacy = suum.mean(RANDHIE, **OPTIONS).privacy
    assert (
        [tier.level for tier in privacy] == list(LEVELS)
        and privacy[0].epsilon == 0.01
        and len(privacy[1:]) == 3
    )
    frame = privacy.to_pandas()
    assert isinstance(frame, pandas.DataFrame) and list(frame["level"]) == list(LEVELS)
    assert frame["count"].sum() == 20190
    assert polars.DataFrame(privacy).equals(privacy.to_polars())
    assert pyarrow.table(privacy).column("epsilon").to_pylist() == list(LEVELS.values())
    assert repr(privacy).startswith("level") and "<table>" in privacy._repr_html_()


def test_privacy_without_counts_where_they_are_private() -> None:
    privacy = suum.mean(RANDHIE, **OPTIONS, neighbors="add-remove").privacy
    assert [tier.count for tier in privacy] == [None] * 4
    assert privacy.to_polars()["count"].null_count() == 4


def test_plans_are_compared_and_drawn() -> None:
    matplotlib.use("Agg")
    plan = suum.plan(RANDHIE, privacy="privacy", levels=LEVELS, bounds=(0, 77))
    chosen = next(one for one in plan.estimators if one.name == plan.chosen)
    assert chosen.name == "typical" and plan.rmse == chosen.rmse
    assert plan.gap is not None and plan.gap >= 1 and plan.lower_bound is not None
    axes = plan.plot()
    assert len(axes.patches) == len(plan.estimators)
    assert plan.plot(axes) is axes
    assert suum.plan(profile={0.1: 99}, statistic="variance", bounds=(0, 1)).rmse is not None
    assert suum.plan(profile={0.1: 99}, statistic="quantile", bounds=(0, 1)).rmse is not None


def test_simulations_find_the_error_of_the_plan() -> None:
    profile = {0.1: 300, 1.0: 50, math.inf: 5}
    coins = [0.0, 1.0]
    plan = suum.plan(profile=profile, bounds=(0, 1))
    simulation = suum.simulate(
        coins, profile=profile, bounds=(0, 1), seed=2, trials=4000, released=False
    )
    # 4000 trials know the error to some 1.5 %; six of these.
    assert simulation.rmse == pytest.approx(plan.rmse, rel=0.1)
    assert abs(simulation.bias) < 5 * simulation.rmse / math.sqrt(4000)
    assert simulation.quantile(0.5) < simulation.quantile(0.95) <= max(map(abs, simulation.errors))
    again = suum.simulate(
        coins, profile=profile, bounds=(0, 1), seed=2, trials=4000, released=False
    )
    assert again.errors == simulation.errors
    paired = suum.simulate(
        [1, 0, 1], epsilon=[1.0, 0.1, 1.0], bounds=(0, 1), target="dataset", trials=10
    )
    assert len(paired.errors) == 10
    shares = suum.simulate(
        ["a", "b"], profile=profile, statistic="frequency", categories=["a", "b"], trials=10
    )
    assert all(error >= 0 for error in shares.errors)
    total = suum.simulate(
        coins, profile=profile, statistic="sum", bounds=(0, 1), seed=2, trials=10, released=False
    )
    assert total.errors == pytest.approx([355 * error for error in simulation.errors[:10]])
    with pytest.raises(suum.RequestError):
        suum.simulate(coins, profile={0.1: 3}, bounds=(0, 1), target="dataset-correlated")


def made_up(kind: type[Any], **record: Any) -> Any:
    """A release of which only the JSON is given, as another version of the command could say it."""
    common = {"column": "v", "private": True, "privacy": [{"epsilon": 1, "spent": 1}]}
    return kind({**common, **record})


NO_INTERVAL: dict[str, Any] = {"estimate": 2.5, "interval": None}
WITHOUT_INTERVALS = [
    made_up(suum.Number, statistic="mean", **NO_INTERVAL),
    made_up(
        suum.Variance, statistic="variance", deviation=NO_INTERVAL, mean=NO_INTERVAL, **NO_INTERVAL
    ),
    made_up(
        suum.Frequencies, statistic="frequency", frequencies=[{"category": "a", **NO_INTERVAL}]
    ),
    made_up(suum.Quantiles, statistic="quantile", quantiles=[{"q": 0.5, **NO_INTERVAL}]),
    made_up(
        suum.Summary,
        statistic="summary",
        statistics=["mean"],
        mean=NO_INTERVAL,
        quantiles=[{"q": 0.5, **NO_INTERVAL}],
    ),
]


@pytest.mark.parametrize("release", WITHOUT_INTERVALS, ids=lambda release: type(release).__name__)
def test_a_release_without_an_interval_shows_none(release: Any) -> None:
    if hasattr(release, "interval"):
        intervals = release.interval
        assert intervals is None or set(intervals.values()) == {None}
    else:
        assert release.mean.interval is None and release.quantiles[0.5].interval is None
    assert "no interval" in str(release) and "%" not in repr(release)
    html = release._repr_html_()
    elements(html)
    assert '<td class="number">no interval</td>' in html and "% interval" not in html
    again = pickle.loads(pickle.dumps(release))
    assert again.to_json() == release.to_json() and again.explain() == release.explain()


def test_some_groups_have_an_interval_and_others_none() -> None:
    ends = {"lower": 1.0, "upper": 3.0, "confidence": 0.95}
    common = {"statistic": "mean", "privacy": [{"epsilon": 1, "spent": 1}]}
    groups = [
        {"group": "a", "estimate": 2.0, "interval": ends, "assumes": ["one"], **common},
        {"group": "b", "assumes": ["one", "two"], "warnings": ["three"], **NO_INTERVAL, **common},
        {"group": "c", "records": 0},
    ]
    record = {"statistic": "mean", "private": True, "group_by": "g", "groups": groups}
    release = suum.Release.from_json(record)
    html = release._repr_html_()
    elements(html)
    ends = '<data value="1">1.0</data> to <data value="3">3.0</data>'
    assert ends in html and '<td class="number">no interval</td>' in html
    # The line of the interval and its two ends.
    assert html.count('class="extent"') == 3
    assert release.assumes == ["one", "two"] and release.warnings == ["three"]
    assert release["a"].assumes == ["one"] and release["a"].warnings == []


def test_assumptions_and_warnings_are_lists_of_sentences() -> None:
    told = {"assumes": ["budgets <do> not depend on values"], "warnings": ["ε is 5000"]}
    release = made_up(suum.Number, statistic="mean", **told, **NO_INTERVAL)
    assert release.assumes == told["assumes"] and release.warnings == told["warnings"]
    assert "budgets <do> not depend" in str(release) and "ε is 5000" in str(release)
    html = release._repr_html_()
    elements(html)
    assert "budgets &lt;do&gt; not depend on values" in html and "ε is 5000" in html
    # An absent field is no sentence.
    silent = made_up(suum.Number, statistic="mean", **NO_INTERVAL)
    assert silent.assumes == [] and silent.warnings == []
    assert suum.plan(profile={0.1: 99}).warnings == []


def test_tiers_are_of_records_unless_persons_are_named() -> None:
    rows = suum.mean([1, 2], epsilon=[1, 1], bounds=(0, 3))
    persons = suum.mean([1, 2], epsilon=[1, 1], person=["ann", "ann"], bounds=(0, 3))
    assert '<th scope="col" class="number">records</th>' in rows._repr_html_()
    assert '<th scope="col" class="number">people</th>' in persons._repr_html_()
    assert persons.privacy[0].count == 1


def test_a_sum_is_of_the_totals_of_persons() -> None:
    people: dict[str, Any] = {"epsilon": [math.inf] * 4, "person": ["ann", "bob", "ann", "bob"]}
    people |= {"bounds": (0, 10), "insecure_seed": 1}
    visits = [100.0, 3.0, -96.0, 20.0]
    # ann has 4, and bob's 23 are moved to 10.
    release = suum.sum(visits, **people, adapt=False)
    assert release.estimate == pytest.approx(14) and release.privacy[0].count == 2
    assert json.loads(release.to_json())["bounds_of"] == "total of each person"
    seed = people.pop("insecure_seed")
    table = suum.levels(visits, **people, totals=True)
    assert suum.sum(table, adapt=False, insecure_seed=seed).estimate == pytest.approx(14)
    with pytest.raises(suum.TableError) as refused:
        suum.mean(table)
    assert "totals" in str(refused.value)
    with pytest.raises(suum.TableError) as refused:
        suum.sum(suum.levels(visits, **people))
    assert "totals=True" in str(refused.value.hint)


@pytest.mark.parametrize(
    ("per_person", "mean"),
    [("mean", 4.25), ("total", 8.5), ("median", 3.75), ("min", 1.5), ("max", 7.5)],
)
def test_a_person_counts_with_one_number(per_person: Any, mean: float) -> None:
    # ann has 2, 4 and 9, and bob 1 and 6; her total is moved to 10.
    people = pandas.DataFrame({"id": ["ann", "bob"] * 2 + ["ann"], "v": [9.0, 1.0, 4.0, 6.0, 2.0]})
    of = {"value": "v", "epsilon": math.inf, "person": "id", "per_person": per_person}
    options: dict[str, Any] = {"bounds": (0, 10), "insecure_seed": 1}
    release = suum.mean(people, **of, **options)
    assert release.estimate == pytest.approx(mean)
    words = {"min": "least", "max": "largest"}.get(per_person, per_person)
    assert json.loads(release.to_json())["contribution"] == f"{words} of rows"
    table = suum.levels(people, **of, bounds=(0, 10))
    again = suum.mean(table, per_person=per_person, insecure_seed=1)
    assert again.estimate == release.estimate
    if per_person != "mean":
        with pytest.raises(suum.TableError):
            suum.mean(table)
    with pytest.raises(suum.Error) as refused:
        suum.mean(people, value="v", epsilon=math.inf, per_person=per_person, bounds=(0, 10))
    assert "per_person" in str(refused.value) and "person=" in str(refused.value.hint)


def test_what_was_spent_is_never_shown_as_less() -> None:
    spent = [{"level": "a", "epsilon": 0.123456, "count": 1, "spent": 0.100001, "weight": 0.12344}]
    release = made_up(suum.Number, statistic="mean", estimate=1.0, interval=None)
    privacy = type(release.privacy)(spent)
    assert repr(privacy).splitlines()[1].split() == ["a", "0.1235", "1", "0.1001", "0.1234"]
    assert '<td class="number">0.1001</td>' in privacy._repr_html_()


def test_certificates_are_computed_again(tmp_path: Path) -> None:
    people = {"privacy": "privacy", "levels": LEVELS}
    release = suum.summary(RANDHIE, value="visits", bounds=(0, 77), **people)
    verified = suum.verify(release)
    assert verified.agrees and verified.faults == [] and "It agrees" in str(verified)
    file = tmp_path / "release.json"
    file.write_text(release.to_json(), encoding="utf-8")
    assert suum.verify(file).agrees and suum.verify(str(file)).agrees
    changed = release.to_dict()
    assert suum.verify(changed).agrees
    changed["measurements"][0]["levels"][0]["weight"] = "1"
    wrong = suum.verify(changed)
    assert not wrong.agrees and wrong.faults[0].startswith("strict: spent is said to be")
    with pytest.raises(suum.ParameterError, match="measurements"):
        suum.verify({"statistic": "mean", "privacy": []})
    with pytest.raises(suum.ReadError):
        suum.verify(tmp_path / "missing.json")


def test_plans_of_groups_and_targets() -> None:
    plan = suum.plan(
        RANDHIE,
        value="visits",
        bounds=(0, 77),
        privacy="privacy",
        levels=LEVELS,
        group_by="health",
        groups=["good", "dead"],
        other_group="others",
    )
    assert list(plan.groups) == ["good", "others"] and (plan.groups["good"].half_width or 0) > 0
    people = {0.1: 3400, 1: 100}
    needed = suum.plan(profile=people, bounds=(0, 10), target_half_width=0.1).needed
    assert needed and needed["factor"] > 1 and needed["reached"] <= 0.1
    assert suum.plan(profile=people, bounds=(0, 10)).needed is None


def test_an_interval_says_what_it_is_if_tiers_differ() -> None:
    release = suum.mean(RANDHIE, **OPTIONS)
    assert release.sensitivity(0) == release.interval == release.sensitivity()
    curve = [release.sensitivity(difference) for difference in (0, 0.1, 1, 10, 77)]
    assert all(b.lower <= a.lower and a.upper <= b.upper for a, b in zip(curve, curve[1:]))
    broken = release.breakdown(claim=("above", 2.5))
    assert release.sensitivity(broken * 0.999).lower > 2.5
    assert release.sensitivity(broken * 1.01).lower <= 2.5
    assert release.breakdown(claim=("below", 1)) == 0
    assert release.breakdown(claim=("below", 78)) == math.inf
    again = suum.Release.from_json(release.to_json())
    assert again.sensitivity(0.5) == release.sensitivity(0.5)
    with pytest.raises(suum.ParameterError, match="claim"):
        release.breakdown(claim=("over", 1))
    with pytest.raises(suum.ParameterError, match="difference"):
        release.sensitivity(-1)


def test_an_interval_allows_for_tiers_that_differ() -> None:
    plain = suum.mean(RANDHIE, **OPTIONS)
    for difference in (1, "1", "+1", "10%"):
        wider = suum.mean(RANDHIE, **OPTIONS, tiers_differ=difference)
        assert wider.interval.upper - wider.interval.lower > (
            plain.interval.upper - plain.interval.lower
        )
        assert wider.to_dict()["tiers_differ"] == str(difference)
    apart = suum.mean(RANDHIE, **OPTIONS, tiers_apart=True)
    tiers = apart.to_dict()["tiers_apart"]["tiers"]
    assert [tier["level"] for tier in tiers] == list(LEVELS)
    again = suum.Release.from_json(apart.to_json())
    assert again.sensitivity(2) == apart.sensitivity(2)
    with pytest.raises(suum.ParameterError, match="tiers_differ"):
        suum.mean(RANDHIE, **OPTIONS, tiers_differ="much")
    with pytest.raises(suum.Error, match="tiers_differ"):
        suum.mean(RANDHIE, **OPTIONS, tiers_differ=1, neighbors="both")


def test_several_estimates_have_a_sensitivity_each() -> None:
    sick = {key: OPTIONS[key] for key in ("privacy", "levels", "insecure_seed")}
    shares = suum.frequency(RANDHIE, value="health", categories=HEALTH, **sick)
    assert list(shares.sensitivity(0.05)) == HEALTH
    assert set(shares.breakdown(claim=("above", 0.01))) == set(HEALTH)
    groups = suum.mean(RANDHIE, **OPTIONS, group_by="health", groups=HEALTH)
    assert groups["poor"].sensitivity(0) == groups["poor"].interval
    with pytest.raises(AttributeError, match="each group"):
        groups.sensitivity(1)
    between = ["excellent", "poor"]
    less = suum.difference(RANDHIE, **OPTIONS, group_by="health", groups=HEALTH, between=between)
    assert less.sensitivity(0) == less.interval
    assert less.breakdown(claim=("below", 0)) > 0
    hidden = suum.mean(RANDHIE, **OPTIONS, neighbors="add-remove")
    with pytest.raises(suum.ParameterError, match="sensitivity"):
        hidden.sensitivity(1)
