"""What is no array and no sequence says so; nothing is silently empty."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy
import pandas
import pytest
import suum

OPTIONS: dict[str, Any] = {"epsilon": [1.0] * 4, "insecure_seed": 1}
VALUES = [3, 9, 0, 4]


def grouped() -> suum.Number:
    groups = {"group_by": ["a", "b", "a", "b"], "groups": ["a", "b", "c"]}
    return suum.mean(VALUES, **OPTIONS, **groups, bounds=(0, 10))


WHOLES: dict[str, tuple[Callable[[Path], Any], str]] = {
    "mean": (lambda _: suum.mean(VALUES, **OPTIONS, bounds=(0, 10)), "release.estimate"),
    "count": (lambda _: suum.count(epsilon=[1.0] * 4), "release.estimate"),
    "variance": (lambda _: suum.variance(VALUES, **OPTIONS, bounds=(0, 10)), "release.estimate"),
    "frequency": (
        lambda _: suum.frequency(["a", "b", "a", "a"], **OPTIONS, categories=["a", "b"]),
        "release.estimate",
    ),
    "quantile": (lambda _: suum.quantile(VALUES, **OPTIONS, bounds=(0, 10)), "release.estimate"),
    "summary": (lambda _: suum.summary(VALUES, **OPTIONS, bounds=(0, 10)), "release.mean"),
    "one group": (lambda _: grouped()["a"], "release.estimate"),
    "plan": (lambda _: suum.plan(profile={0.5: 99}), "plan.estimators"),
    "levels": (lambda _: suum.levels(epsilon=[1.0] * 4), "suum.mean"),
    "ledger": (
        lambda path: suum.Ledger.create(path / "l", dataset="d", levels={"a": 1}),
        "ledger.datasets",
    ),
    "simulation": (
        lambda _: suum.simulate([0.0, 1.0], profile={0.5: 9}, bounds=(0, 1), trials=2),
        "simulation.errors",
    ),
    "audit": (lambda _: suum.audit("affine", runs=100, statistic="mean"), "audit.levels"),
}


@pytest.mark.parametrize("name", WHOLES)
def test_what_is_one_thing_is_no_sequence(name: str, tmp_path: Path) -> None:
    make, instead = WHOLES[name]
    whole = make(tmp_path)
    as_arrays: list[Callable[[Any], object]] = [
        numpy.asarray,
        lambda it: numpy.asarray(it, dtype=float),
        lambda it: numpy.array([it, it]),
        numpy.isnan,
        pandas.Series,
    ]
    uses: list[Callable[[Any], object]] = [list, tuple, iter, lambda it: "a" in it, len]
    # A number is one for NumPy too (test_answers.py), and nothing that pandas goes through.
    if not isinstance(whole, suum.Number):
        uses += as_arrays
    for use in uses:
        with pytest.raises(TypeError, match="is no sequence: use|is not iterable") as refused:
            use(whole)
        assert instead in str(refused.value) or isinstance(whole, suum.Number)
    assert bool(whole)
    # Containers of other objects hold it as they hold any object.
    assert pandas.DataFrame({"it": [whole]})["it"][0] is whole


def test_a_number_without_groups_has_no_parts(tmp_path: Path) -> None:
    number = WHOLES["mean"][0](tmp_path)
    with pytest.raises(TypeError, match=r"use release\.estimate"):
        number["a"]
    assert number.groups == {}


def test_several_answers_are_a_sequence_and_no_array() -> None:
    query = {"answers": [{"statistic": "mean", "bounds": [0, 10], "value": "v"}] * 2}
    survey = suum.run(query, {"v": VALUES}, epsilon=1.0)
    assert len(list(survey)) == len(survey) == 2 and bool(survey)
    with pytest.raises(TypeError, match="is no sequence: use survey"):
        numpy.asarray(survey)


def test_several_differences_are_no_number() -> None:
    groups: dict[str, Any] = {"group_by": ["a", "b"] * 2, "groups": ["a", "b"]}
    asked: dict[str, Any] = {**OPTIONS, **groups, "between": ["a", "b"], "bounds": (0, 10)}
    several: Any = suum.quantile(VALUES, **asked, q=[0.25, 0.75])
    uses: list[Callable[[Any], object]] = [float, numpy.asarray, lambda it: it + 1]
    for use in uses:
        with pytest.raises(TypeError, match="use differences"):
            use(several)
    assert float(suum.mean(VALUES, **asked)) == suum.mean(VALUES, **asked).estimate


def test_a_release_of_groups_is_a_dictionary_and_no_array() -> None:
    release = grouped()
    assert list(release) == ["a", "b"] and len(release) == 2, "those with records"
    assert "a" in release and "c" not in release and bool(release)
    assert {name: release[name] for name in release} == release.groups
    with pytest.raises(TypeError, match=r"release\[group\]"):
        numpy.asarray(release)
    nobody = suum.mean(
        VALUES, **OPTIONS, bounds=(0, 10), group_by=["a"] * 4, groups=["b"], other_group="a"
    )
    assert list(nobody) == ["a"]
