"""Refusals: their classes, their words, and that they can be caught."""

from __future__ import annotations

from typing import Any

import pandas
import pytest
import suum
from conftest import LEVELS, RANDHIE


def test_classes_tell_what_kind_of_thing_was_refused() -> None:
    for name in ["Parameter", "Request", "Data", "Table", "Read", "Ledger", "Budget", "Internal"]:
        assert issubclass(getattr(suum, f"{name}Error"), suum.Error)
    assert issubclass(suum.ParameterError, ValueError) and issubclass(suum.RequestError, ValueError)
    assert issubclass(suum.ReadError, OSError) and not issubclass(suum.DataError, ValueError)


def test_messages_and_hints_speak_python() -> None:
    with pytest.raises(suum.ParameterError) as refused:
        suum.mean(RANDHIE, value="visits", privacy="privacy", levels=LEVELS)
    assert refused.value.message == "bounds: no bounds are given"
    assert (
        refused.value.hint
        == "add bounds=(LO, HI) with the range that values can take, from public knowledge"
    )
    assert str(refused.value) == f"{refused.value.message}\nhint: {refused.value.hint}"


@pytest.mark.parametrize(
    ("options", "hint"),
    [
        ({"bounds": (10, 0)}, "swap the two numbers: bounds=(LO, HI)"),
        ({"bounds": (0, 1), "group_by": "g"}, 'declare the groups: groups=["A", "B", "C"]'),
        ({"bounds": (0, 1), "spend": "10%"}, "leave spend out, or add ledger=FILE"),
        ({"bounds": (0, 1), "population_shares": {"a": 1}},
         "leave population_shares out, or name their column with strata=COL"),
        ({"bounds": (0, 1), "shrink": True, "adapt": True}, "adapt=False"),
        ({}, "add bounds=(LO, HI) with the range that values can take"),
    ],
)  # fmt: skip
def test_hints_name_keywords(options: dict[str, Any], hint: str) -> None:
    with pytest.raises(suum.Error) as refused:
        suum.mean({"v": [1.0, 2.0], "e": [1.0, 1.0], "g": ["a", "b"]}, value="v", epsilon="e",
                  **options)  # fmt: skip
    assert hint in str(refused.value.hint)
    assert "--" not in str(refused.value)


def test_usage_is_refused_as_a_parameter() -> None:
    with pytest.raises(suum.ParameterError, match="neighbors"):
        suum.mean([1], epsilon=[1], bounds=(0, 1), neighbors="nobody")  # type: ignore[arg-type]
    with pytest.raises(suum.ParameterError, match="groups"):
        suum.mean(
            RANDHIE,
            value="visits",
            privacy="privacy",
            levels=LEVELS,
            bounds=(0, 77),
            group_by="health",
        )
    with pytest.raises(suum.ParameterError, match="levels"):
        suum.count(RANDHIE, privacy="privacy")
    with pytest.raises(TypeError, match="epsilom"):
        suum.mean([1], epsilom=[1], bounds=(0, 1))  # type: ignore[call-arg]
    with pytest.raises(suum.ParameterError, match="expected a number"):
        suum.mean([1], epsilon=[1], bounds=(0, None))  # type: ignore[arg-type]


def test_wrong_types_are_told_by_their_keyword() -> None:
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"bounds": (None, 77)}, "bounds: expected a number"),
        ({"bounds": (0, 77), "confidence": [0.9, ()]}, "confidence: expected a number"),
        ({"bounds": (0, 77), "levels": {"a": None}}, "levels: expected a number"),
    ]
    for options, message in wrong:
        with pytest.raises(suum.ParameterError, match=message):
            suum.mean([1], epsilon=[1], **options)
    with pytest.raises(suum.ParameterError, match="profile: expected a whole number"):
        suum.plan(profile={0.1: 2.7})  # type: ignore[dict-item]
    for truth in (True, False):
        with pytest.raises(suum.ParameterError, match="missing"):
            suum.mean([1], epsilon=[1], bounds=(0, 1), missing=truth)
    assert suum.plan(profile=pandas.Series([0.1, 0.1, 1.0]).value_counts()).privacy[0].count == 2


def test_kinds_of_refusals() -> None:
    with pytest.raises(suum.RequestError):
        suum.sum([1], epsilon=[1], bounds="auto", shrink=True)
    with pytest.raises(suum.TableError):
        suum.count(suum.from_levels("{}"))
    with pytest.raises(suum.LedgerError):
        suum.mean([1], epsilon=[1], bounds=(0, 1), ledger=RANDHIE, spend="10%")


def test_no_refusal_repeats_a_value() -> None:
    with pytest.raises(suum.DataError) as refused:
        suum.frequency(["secret"], epsilon=[1], categories=["a", "b"])
    assert "secret" not in str(refused.value) and "row 1" in str(refused.value)
