"""What is said in Python names keywords, not options; and leaves names that people gave alone."""

from __future__ import annotations

import html
import pickle
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas
import pytest
import suum

#: Labels, a column and tiers that look like options.
ODD = ["--bounds", "--word", "see --explain"]
PEOPLE = pandas.DataFrame({
    "v": [1.0, 2.0, 3.0] * 2000, "n": [1, 2, 3] * 2000, "--value": [1.0, 2.0, 3.0] * 2000,
    "g": ODD * 2000, "t": ["--x", "y", "--x"] * 2000, "e": 1.0,
})  # fmt: skip
V: dict[str, Any] = {"value": "v", "epsilon": "e", "bounds": (0, 10)}
AUTO: dict[str, Any] = {"value": "v", "epsilon": "e", "bounds": "auto", "insecure_seed": 1}
HIDDEN: dict[str, Any] = {"neighbors": "both", "epsilon_range": (0.1, 1)}
PROFILE: dict[float, int] = {1.0: 500, 0.1: 50}
TIERS: dict[str, Any] = {"privacy": "t", "levels": {"--x": 0.1, "y": 1}}
MEAN = {"statistic": "mean", "value": "v", "bounds": (0, 10)}
SHARES = {"statistic": "frequency", "value": "g", "categories": ODD}
CASES: dict[str, Callable[[], Any]] = {
    "mean": lambda: suum.mean(PEOPLE, **V),
    "auto": lambda: suum.mean(PEOPLE, **AUTO),
    "sum": lambda: suum.sum(PEOPLE, **AUTO),
    "variance": lambda: suum.variance(PEOPLE, **AUTO),
    "summary": lambda: suum.summary(PEOPLE, **AUTO),
    "percentiles": lambda: suum.quantile(PEOPLE, **V, q="percentiles"),
    "integers": lambda: suum.median(PEOPLE, **{**V, "value": "n"}),
    "few": lambda: suum.median(PEOPLE[:20], **{**V, "epsilon": 0.05}, interval_share=0.01),
    "hidden": lambda: suum.mean(PEOPLE, **V, **HIDDEN),
    "checked": lambda: suum.mean(PEOPLE, **V, check_bounds=True),
    "correlated": lambda: suum.mean(PEOPLE, **V, target="dataset-correlated"),
    "weak": lambda: suum.mean(PEOPLE, **{**V, "epsilon": 50.0}),
    "count": lambda: suum.count(PEOPLE, epsilon="e"),
    "shares": lambda: suum.frequency(PEOPLE, value="g", epsilon="e", categories=ODD),
    "groups": lambda: suum.mean(PEOPLE, **V, group_by="g", groups=ODD),
    "strata": lambda: suum.mean(PEOPLE, **V, strata="g", classes=ODD),
    "tiers": lambda: suum.mean(PEOPLE, value="v", bounds=(0, 10), **TIERS),
    "column": lambda: suum.mean(PEOPLE, **{**V, "value": "--value"}),
    "survey": lambda: suum.run({"epsilon": "e", "answers": [MEAN, SHARES]}, PEOPLE),
    "plan": lambda: suum.plan(profile=PROFILE, bounds=(0, 10)),
    "plan of shares": lambda: suum.plan(statistic="frequency", profile=PROFILE, categories=ODD),
    "plan of data": lambda: suum.plan(PEOPLE, **V),
    "what if": lambda: suum.plan(PEOPLE, **V, what_if={1.0: 50}),
    "deciles": lambda: suum.plan(
        statistic="quantile", profile=PROFILE, bounds=(0, 10), q="deciles"
    ),
}
OPTION = re.compile(r"(?:^|[^-\w])--[a-z][a-z-]*|suum [a-z]+ (?:DATA|--)")


def options_in(text: str, at_all: bool = False) -> list[str]:
    """The options that a text names, but for names of the data and what another program takes."""
    for name in (*sorted(ODD, key=len, reverse=True), "--value", "--x"):
        text = text.replace(name, "NAME")
    text = re.sub(r"suum-experiments [^<]*", "", text)
    return OPTION.findall(text)


@pytest.mark.parametrize("case", CASES)
def test_texts_json_and_pages_name_no_option(case: str) -> None:
    found = CASES[case]()
    assert options_in(str(found)) == [] and options_in(found.explain()) == []
    assert options_in(found.to_json()) == []
    # The script of a plan writes a command, under words that say so.
    body = re.sub(r"<(script|style).*?</\1>", "", found.to_html(), flags=re.DOTALL)
    assert options_in(html.unescape(body)) == []


@pytest.mark.parametrize("case", ["shares", "groups", "strata", "tiers", "column", "survey"])
def test_names_that_look_like_options_stay_as_they_are(case: str) -> None:
    found = CASES[case]()
    names = {"tiers": ["--x"], "column": ["--value"]}.get(case, ODD)
    for one in (found, pickle.loads(pickle.dumps(found))):
        said = " ".join(f"{one} {one.explain()}".split())
        body = html.unescape(one.to_html())
        for name in names:
            assert name in said and name in body
    assert "Details: explain(), to_html()" in str(found)


def test_ledgers_and_certificates_leave_names_alone(tmp_path: Path) -> None:
    levels = {"--x": 1.0, "y": 2.0}
    ledger = suum.Ledger.create(tmp_path / "l", dataset="--bounds", levels=levels)
    asked: dict[str, Any] = {"value": "--value", "privacy": "t", "bounds": (0, 10)}
    release = suum.mean(PEOPLE, **asked, ledger=ledger, spend="10%")
    said = f"{ledger} {html.unescape(ledger._repr_html_())}"
    for name in ("--x", "--bounds"):
        assert said.count(name) >= 2
    assert "--x" in str(suum.verify(release)) and "--bounds" in release.explain()
    assert "--x" in str(pickle.loads(pickle.dumps(release)))


def test_a_refusal_leaves_names_alone() -> None:
    with pytest.raises(suum.DataError) as refused:
        suum.mean(PEOPLE, **V, group_by="g", groups=[*ODD[1:], "other"])
    assert "--" not in refused.value.message
    with pytest.raises(suum.DataError, match="column --word: "):
        suum.mean({"--word": ["x"]}, value="--word", epsilon=1.0, bounds=(0, 1))


def test_the_call_of_a_page_asks_the_same_again() -> None:
    release = suum.mean(PEOPLE, **V, group_by="g", groups=ODD)
    found = re.search(r'<pre id="again-command"[^>]*><code>(.*?)</code>', release.to_html())
    assert found is not None
    again = eval(html.unescape(found[1]), {"suum": suum, "DATA": PEOPLE})
    assert again.to_dict()["query"] == release.to_dict()["query"]


def called(release: Any) -> str:
    """The call on the page of a release that asks the same again."""
    found = re.search(r'<pre id="again-command"[^>]*><code>(.*?)</code>', release.to_html())
    assert found is not None
    return html.unescape(found[1])


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({**V, "adapt": False},
         'suum.mean(DATA, value="v", bounds=(0, 10), epsilon="e", adapt=False)'),
        ({**V, "value": "--value", "confidence": 0.9},
         'suum.mean(DATA, value="--value", bounds=(0, 10), epsilon="e", confidence=0.9)'),
        ({"value": "v", "bounds": (-5, 5), **TIERS},
         'suum.mean(DATA, value="v", bounds=(-5, 5), privacy="t", levels={"--x": 0.1, "y": 1})'),
        ({**V, **HIDDEN},
         'suum.mean(DATA, value="v", bounds=(0, 10), epsilon="e", epsilon_range=(0.1, 1), '
         'neighbors="both")'),
    ],
)  # fmt: skip
def test_a_page_has_the_call(options: dict[str, Any], expected: str) -> None:
    assert called(suum.mean(PEOPLE, **options)) == expected


def test_the_call_of_several_groups_has_lists() -> None:
    release = suum.frequency(
        PEOPLE, epsilon="e", crosstab=["g", "t"], categories=[ODD, ["--x", "y"]]
    )
    assert 'categories=[["--bounds", "--word", "see --explain"], ["--x", "y"]]' in called(release)


def test_the_call_of_a_plan_has_the_people() -> None:
    page = suum.plan(profile=PROFILE, bounds=(0, 10)).to_html()
    assert 'suum.plan(profile={1: 500, 0.1: 50}' in html.unescape(page) or (
        'suum.plan(profile={0.1: 50, 1: 500}' in html.unescape(page)
    )
