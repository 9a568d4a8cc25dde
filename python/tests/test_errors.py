"""Refusals: their classes, their words, and that they can be caught."""

from __future__ import annotations

from typing import Any

import pandas
import pytest
import suum
from conftest import LEVELS, RANDHIE
from suum._words import refusal


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
    ("words", "python"),
    [
        ("add --value COL", "add value=COL"),
        ("leave --epsilon-range out", "leave epsilon_range out"),
        (
            "leave --shrink out, or choose another estimator",
            "leave shrink=True out, or choose another estimator",
        ),
        (
            "epsilon-range: is for --neighbors add-remove",
            'epsilon_range: is for neighbors="add-remove"',
        ),
        ("leave out with --missing exclude, which", 'leave out with missing="exclude", which'),
        ("for example --bounds 0,100", "for example bounds=(0, 100)"),
        ("for example --q 0.25,0.5", "for example q=[0.25, 0.5]"),
        ("or --categories good,fair", 'or categories=["good", "fair"]'),
        ("--levels strict=0.01,public=inf", 'levels={"strict": 0.01, "public": math.inf}'),
        ("--epsilon-range 0.01,inf", "epsilon_range=(0.01, math.inf)"),
        (
            'give --profile "0.1:3400,inf:23", or data',
            "give profile={0.1: 3400, math.inf: 23}, or data",
        ),
        (
            "suum levels DATA --value COL --bounds LO,HI …",
            "suum.levels(DATA, value=COL, bounds=(LO, HI), …)",
        ),
        (
            "open accounts: suum ledger init --persons",
            "open accounts: suum.Ledger.create(…, persons=True)",
        ),
        (
            "--spend 10% or --spend 1/12 of what was allowed, --spend 10%-of-left of what is left, "
            "or --spend eps=0.05",
            'spend="10%" or spend="1/12" of what was allowed, spend="10%-of-left" of what is left, '
            'or spend="eps=0.05"',
        ),
        ("lower --cells, or use coarser budgets", "lower cells, or use coarser budgets"),
        ("the value '3x' for '--clip <EPSILON>' is", "the value '3x' for clip is"),
        ("give --privacy COL --levels a=1", 'give privacy=COL, levels={"a": 1}'),
        ("it does with --estimator auto, without", 'it does with estimator="auto", without'),
        ("Wide? --estimator hpm-a has less error", 'Wide? estimator="hpm-a" has less error'),
        ("(else --target dataset-correlated)", '(else target="dataset-correlated")'),
        ("find it with --bounds auto", 'find it with bounds="auto"'),
        (
            "leave sums out with --no-adapt (in Python adapt=False)",
            "leave sums out with adapt=False",
        ),
        ("help (suum plan).", "help (suum.plan)."),
        ("what `suum levels-sql` prints", "what suum.levels_sql prints"),
        ("for example 0.01,1; of tiers", "for example (0.01, 1); of tiers"),
        ("for example --missing 2020-01-01", 'for example missing="2020-01-01"'),
        ("for example --delta 1e-6; it", "for example delta=1e-6; it"),
        ("or --delimiter tab, --encoding latin-1", 'or delimiter="tab", encoding="latin-1"'),
        (
            "say --decimal , (and mostly --delimiter ';'); of dates",
            'say decimal="," (and mostly delimiter=";"); of dates',
        ),
        ("--table people, or --table and --query", 'table="people", or table and query'),
        (
            "in order: --crosstab region,sex --categories north,south --categories f,m",
            'in order: crosstab=["region", "sex"], categories=[["north", "south"], ["f", "m"]]',
        ),
        (
            "of --group-by: --group-by region,sex --groups north,south --groups f,m; a comma",
            'of group_by: group_by=["region", "sex"], groups=[["north", "south"], ["f", "m"]]; '
            "a comma",
        ),
        (
            "for each group: suum levels DATA … --group-by COL --groups A,B",
            "for each group: suum.levels(DATA, …, group_by=COL, groups=[A, B])",
        ),
        ("nothing to change", "nothing to change"),
    ],
)
def test_options_become_keywords(words: str, python: str) -> None:
    assert refusal(words) == python


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
    with pytest.raises(TypeError, match="expected a number"):
        suum.mean([1], epsilon=[1], bounds=(0, None))  # type: ignore[arg-type]


def test_wrong_types_are_told_by_their_keyword() -> None:
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"bounds": (None, 77)}, "bounds: expected a number"),
        ({"bounds": (0, 77), "confidence": [0.9, ()]}, "confidence: expected a number"),
        ({"bounds": (0, 77), "levels": {"a": None}}, "levels: expected a number"),
    ]
    for options, message in wrong:
        with pytest.raises(TypeError, match=message):
            suum.mean([1], epsilon=[1], **options)
    with pytest.raises(TypeError, match="profile: expected a whole number"):
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
