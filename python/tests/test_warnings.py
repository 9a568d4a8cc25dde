"""Warnings come before a release costs anything: whoever makes them errors has paid nothing."""

from __future__ import annotations

import hashlib
import sqlite3
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy
import pytest
import suum

#: Budgets of the first kind are warned of, those of the second kind are not.
WEAK = {"low": 1000.0, "high": 20000.0}
SOUND = {"low": 8.0, "high": 9.0}

ROWS = 4000
PEOPLE: dict[str, list[Any]] = {
    "v": [3.0, 0.0, 9.0, 1.0] * (ROWS // 4),
    "w": [1.0, 2.0] * (ROWS // 2),
    "c": ["x", "y", "y", "x"] * (ROWS // 4),
    "tier": ["low", "high"] * (ROWS // 2),
    "site": ["n", "s", "s", "n"] * (ROWS // 4),
}
NUMBERS: dict[str, Any] = {"value": "v", "bounds": (0, 10)}
LABELS: dict[str, Any] = {"value": "c", "categories": ["x", "y"]}
GROUPS: dict[str, Any] = {"group_by": "site", "groups": ["n", "s"]}
HIDDEN: dict[str, Any] = {"neighbors": "add-remove"}
ANSWERS = [{"statistic": "mean", **NUMBERS}, {"statistic": "frequency", **LABELS}]

#: What is asked, each in one call that a ledger charges.
ASKED: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {
    "mean": (suum.mean, NUMBERS),
    "mean of hidden people": (suum.mean, {**NUMBERS, **HIDDEN}),
    "mean without bounds": (suum.mean, {"value": "v", "bounds": "auto"}),
    "checked mean": (suum.mean, {**NUMBERS, "check_bounds": True}),
    "means": (suum.mean, {"value": ["v", "w"], "bounds": (0, 10)}),
    "means of groups": (suum.mean, {**NUMBERS, **GROUPS}),
    "sum": (suum.sum, NUMBERS),
    "variance": (suum.variance, NUMBERS),
    "std": (suum.std, NUMBERS),
    "median": (suum.median, NUMBERS),
    "quantile": (suum.quantile, {**NUMBERS, "q": [0.25, 0.75]}),
    "frequency": (suum.frequency, LABELS),
    "frequencies of groups": (suum.frequency, {**LABELS, **GROUPS}),
    "crosstab": (
        suum.frequency, {"crosstab": ["c", "site"], "categories": [["x", "y"], ["n", "s"]]},
    ),
    "histogram": (suum.histogram, {**NUMBERS, "bins": 4}),
    "summary": (suum.summary, NUMBERS),
    "difference": (suum.difference, {**NUMBERS, **GROUPS, "between": ["n", "s"]}),
    "count": (suum.count, HIDDEN),
    "run": (lambda data, **asked: suum.run({"statistic": "mean", **asked}, data), NUMBERS),
    "answers": (lambda data, **asked: suum.run({"answers": ANSWERS, **asked}, data), {}),
}


def content(ledger: suum.Ledger) -> str:
    """All bytes of the ledger."""
    return hashlib.sha256(Path(ledger.path).read_bytes()).hexdigest()


@pytest.mark.parametrize("what", ASKED)
@pytest.mark.parametrize("levels", [WEAK, SOUND], ids=["weak", "sound"])
def test_a_warning_that_is_an_error_comes_before_the_charge(
    what: str, levels: dict[str, float], tmp_path: Path
) -> None:
    function, asked = ASKED[what]
    relation = asked.get("neighbors", "replace")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", suum.PrivacyWarning)
        path = tmp_path / "visits.ledger"
        ledger = suum.Ledger.create(path, dataset="d", levels=levels, neighbors=relation)
    asked = {**asked, "privacy": "tier", "ledger": ledger, "spend": "10%"}
    before = content(ledger)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        if levels is WEAK:
            with pytest.raises(suum.PrivacyWarning, match="practically nothing"):
                function(PEOPLE, **asked)
            assert content(ledger) == before
            warnings.simplefilter("default", suum.PrivacyWarning)
            with pytest.warns(suum.PrivacyWarning, match="practically nothing") as caught:
                release = function(PEOPLE, **asked)
            assert [one.filename for one in caught] == [__file__]
            assert release.warnings == [str(one.message) for one in caught]
            warnings.simplefilter("error")
        else:
            release = function(PEOPLE, **asked)
            assert release.warnings == []
        # What is shown of it warns of nothing either.
        assert repr(release) and str(release) and release.explain() and release.to_html()
        assert release._repr_html_() and release.to_json()
    assert content(ledger) != before


def test_no_warning_is_raised_by_numbers_of_a_release() -> None:
    release = suum.mean(PEOPLE, **NUMBERS, epsilon=1.0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert float(release) == numpy.asarray(release) == numpy.float64(release)
        assert f"{release:.3f}" and round(release, 2) is not None
        assert len(release.to_pandas()) == 1 and len(release.to_polars()) == 1


def test_what_a_listener_raises_comes_before_the_charge(tmp_path: Path) -> None:
    """Whoever shows warnings can fail, also by an interrupt."""
    with pytest.warns(suum.PrivacyWarning):
        ledger = suum.Ledger.create(tmp_path / "visits.ledger", dataset="d", levels=WEAK)
    before = content(ledger)
    for failure in [OSError("no space"), KeyboardInterrupt()]:
        with warnings.catch_warnings():
            warnings.simplefilter("always")

            def show(*_: Any, **__: Any) -> None:
                raise failure

            warnings.showwarning = show
            with pytest.raises(type(failure)):
                suum.mean(PEOPLE, **NUMBERS, privacy="tier", ledger=ledger, spend="10%")
        assert content(ledger) == before


def test_a_warning_without_a_ledger_comes_before_noise_is_drawn() -> None:
    asked = {**NUMBERS, "epsilon": 1000.0}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(suum.PrivacyWarning, match="practically nothing"):
            suum.mean(PEOPLE, **asked)
        with pytest.raises(suum.PrivacyWarning, match="practically nothing"):
            suum.plan(PEOPLE, **asked)
    assert issubclass(suum.PrivacyWarning, UserWarning)


def test_a_broken_terminal_does_not_lose_a_release(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    class Closed:
        def write(self, _: str) -> int:
            raise BrokenPipeError

        flush = isatty = write

    from suum._process import Bar

    monkeypatch.setattr(sys, "stderr", Closed())
    with Bar(True) as bar:
        bar(5, 10)
        bar(10, 10)
    monkeypatch.undo()
    # Nothing of a database is warned of after the charge.
    file = tmp_path / "people.sqlite"
    with sqlite3.connect(file) as con:
        con.execute("CREATE TABLE people (v REAL, tier TEXT)")
        con.executemany("INSERT INTO people VALUES (?, ?)", zip(PEOPLE["v"], PEOPLE["tier"]))
    con.close()
    ledger = suum.Ledger.create(tmp_path / "visits.ledger", dataset="d", levels=SOUND)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        asked = {**NUMBERS, "privacy": "tier", "ledger": ledger, "spend": "10%"}
        assert 0 <= suum.mean(file, table="people", **asked).estimate <= 10
