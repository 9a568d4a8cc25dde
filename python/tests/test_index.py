"""Budgets reach the records they belong to: pandas objects meet by the labels of their indexes."""

from __future__ import annotations

import math
import random
import typing
from collections.abc import Callable
from typing import Any

import duckdb
import numpy
import pandas
import polars
import pytest
import suum
from conftest import keywords_of
from suum._data import ROLES
from suum._types import ArrowStream

#: Labels of records that are not their positions.
LABELS = ["ann", "bob", "cid", "dot", "eve", "fay"]
TABLE = pandas.DataFrame(
    {
        "value": [3.0, 0.0, 9.0, 1.0, 7.0, 2.0],
        "epsilon": [0.5, 1.0, math.inf, 0.0, 1.0, 2.0],
        "privacy": ["low", "high", "high", "low", "high", "low"],
        "person": ["a", "b", "c", "d", "e", "f"],
        "group_by": ["n", "s", "n", "s", "n", "s"],
        "strata": ["x", "x", "y", "y", "y", "y"],
        "weight": [1.0, 1.0, 2.5, 2.5, 2.5, 2.5],
    },
    index=LABELS,
)
LEVELS = {"low": 0.5, "high": 1.0}

STATISTICS: dict[str, dict[str, Any]] = {
    "mean": {"bounds": (0, 10)},
    "sum": {"bounds": (0, 10)},
    "frequency": {"bins": [0, 5, 10]},
    "quantile": {"bounds": (0, 10), "step": 1},
    "variance": {"bounds": (0, 10)},
    "summary": {"bounds": (0, 10)},
    "count": {},
    "plan": {"bounds": (0, 10)},
    "levels": {"bounds": (0, 10)},
}


def roles_of(name: str) -> list[str]:
    """The roles that a function has for columns."""
    return [role for role in ROLES if role in keywords_of(name)]


def used_with(name: str, role: str) -> list[str]:
    """All roles at once that can stand beside this one: budgets are numbers or labels, and strata
    are alone.
    """
    without = {"epsilon" if role == "privacy" else "privacy"} | {"strata", "weight"} - {role}
    return [other for other in roles_of(name) if other not in without]


def options_of(name: str, role: str) -> dict[str, Any]:
    options = dict(STATISTICS[name])
    if role == "privacy":
        options["levels"] = LEVELS
    if "group_by" in roles_of(name):
        options["groups"] = ["n", "s"]
    if role in ("strata", "weight"):
        options["classes"] = ["x", "y"] if role == "strata" else [1, 2.5]
    return options


def as_frame(name: str, role: str, column: Any) -> dict[str, Any]:
    named = {other: other for other in used_with(name, role) if other != role}
    return {"data": TABLE, **named, role: column}


def as_dictionary(name: str, role: str, column: Any) -> dict[str, Any]:
    used = used_with(name, role)
    columns = {other: TABLE[other] for other in used}
    return {"data": {**columns, role: column}, **{other: other for other in used}}


def as_keywords(name: str, role: str, column: Any) -> dict[str, Any]:
    columns = {other: TABLE[other] for other in used_with(name, role)}
    return {**columns, role: column}


def as_values(name: str, role: str, column: Any) -> dict[str, Any]:
    columns = as_keywords(name, role, column)
    return {"data": columns.pop("value"), **columns}


FORMS: dict[str, Callable[[str, str, Any], dict[str, Any]]] = {
    "frame": as_frame,
    "dictionary": as_dictionary,
    "keywords": as_keywords,
    "values": as_values,
}

CASES = [
    pytest.param(name, role, form, id=f"{name}-{role}-{form}")
    for name in STATISTICS
    for role in roles_of(name)
    for form in FORMS
    if form != "values" or "value" in roles_of(name)
]

#: What a Series of the same length or another can become beside a table.
DIFFERENCES: dict[str, Callable[[Any], Any]] = {
    "without labels": lambda column: column.reset_index(drop=True),
    "one other label": lambda column: column.rename({"fay": "gus"}),
    "shorter": lambda column: column.iloc[:-1],
    "a label twice": lambda column: column.rename({"fay": "ann"}),
    "two kinds of labels": lambda column: column.set_axis(
        pandas.MultiIndex.from_product([["x"], LABELS])
    ),
}


@pytest.mark.parametrize(("name", "role", "form"), CASES)
@pytest.mark.parametrize("difference", DIFFERENCES)
def test_another_index_is_refused(name: str, role: str, form: str, difference: str) -> None:
    column = DIFFERENCES[difference](TABLE[role])
    given = FORMS[form](name, role, column)
    with pytest.raises(suum.RequestError, match="index") as refused:
        getattr(suum, name)(**given, **options_of(name, role))
    hint = refused.value.hint or ""
    assert "reindex" in hint and "to_numpy" in hint
    # Both roles are named, the one that comes first as what the other must agree with.
    roles = [each for each in ["data", *ROLES] if each in refused.value.message.split(", and")[0]]
    shown = "data" if form == "values" and role == "value" else role
    assert len(roles) == 2 and (shown in roles or difference in refused.value.message)
    assert not any(label in str(refused.value) for label in LABELS), "labels can be data"


@pytest.mark.parametrize(("name", "role", "form"), CASES)
def test_another_order_of_labels_is_followed(name: str, role: str, form: str) -> None:
    function, options = getattr(suum, name), options_of(name, role)
    if name != "plan" and name != "levels":
        options["insecure_seed"] = 3
    named = {other: other for other in used_with(name, role)}
    expected = function(TABLE.reset_index(drop=True), **named, **options).to_json()
    for order in [[5, 4, 3, 2, 1, 0], [1, 0, 3, 2, 5, 4], [2, 5, 0, 3, 1, 4]]:
        given = FORMS[form](name, role, TABLE[role].iloc[order])
        assert function(**given, **options).to_json() == expected


@pytest.mark.parametrize(("name", "role", "form"), CASES)
def test_the_ways_out_give_what_one_table_gives(name: str, role: str, form: str) -> None:
    """The same index, a reindexed Series, and an array in the right order."""
    function, options = getattr(suum, name), options_of(name, role)
    if name != "plan" and name != "levels":
        options["insecure_seed"] = 3
    named = {other: other for other in used_with(name, role)}
    expected = function(TABLE.reset_index(drop=True), **named, **options).to_json()
    same = TABLE[role]
    for column in [same, same.iloc[::-1].reindex(TABLE.index), same.to_numpy()]:
        assert function(**FORMS[form](name, role, column), **options).to_json() == expected


#: Roles that stand beside each other in what follows, each with the column that plays it.
PLAYED = {
    "epsilon": {"epsilon": "epsilon"},
    "privacy": {"privacy": "privacy", "levels": {"low": 0, "high": math.inf}},
    "person": {"epsilon": "epsilon", "person": "person"},
    "group_by": {"epsilon": "epsilon", "group_by": "group_by", "groups": ["n", "s"]},
    "groups": {
        "epsilon": "epsilon",
        "group_by": ["group_by", "strata"],
        "groups": [["n", "s"], ["x", "y"]],
    },
    "strata": {"epsilon": "epsilon", "strata": "strata", "classes": ["x", "y"]},
    "weight": {"epsilon": "epsilon", "weight": "weight", "classes": [1, 2.5]},
}
#: What is asked, each of a column of numbers or of several.
WHAT: dict[str, dict[str, Any]] = {
    "mean": {"bounds": (0, 10), "value": "value"},
    "means": {"bounds": (0, 10), "value": ["value", "other"]},
    "summary": {"bounds": (0, 10), "value": ["other", "value"], "statistic": ["mean", "variance"]},
    "frequency": {"value": "label", "categories": ["p", "q"]},
    "crosstab": {"crosstab": ["label", "sex"], "categories": [["p", "q"], ["f", "m"]]},
    "run": {},
}
FUNCTIONS = {"means": suum.mean, "crosstab": suum.frequency}
ANSWERS = [
    {"statistic": "mean", "value": "value", "bounds": (0, 10)},
    {"statistic": "frequency", "value": "label", "categories": ["p", "q"]},
]


def people(chance: random.Random, rows: int) -> pandas.DataFrame:
    """People who allow anything or nothing, so that answers are exact, and tell who is paired with
    whose budget.
    """
    table = {
        "value": [chance.randrange(11) for _ in range(rows)],
        "other": [chance.randrange(11) for _ in range(rows)],
        "label": [chance.choice("pq") for _ in range(rows)],
        "sex": [chance.choice("fm") for _ in range(rows)],
        "epsilon": [chance.choice([0.0, math.inf, math.inf]) for _ in range(rows)],
        "privacy": [chance.choice(["low", "high", "high"]) for _ in range(rows)],
        "person": [f"p{at}" for at in range(rows)],
        "group_by": [chance.choice("ns") for _ in range(rows)],
        "strata": [chance.choice("xy") for _ in range(rows)],
        "weight": [chance.choice([1.0, 2.5]) for _ in range(rows)],
    }
    labels = chance.sample(range(1000), rows)
    return pandas.DataFrame(table, index=labels)


def in_form(
    chance: random.Random, form: str, table: pandas.DataFrame, asked: dict[str, Any]
) -> dict[str, Any]:
    """What is asked, with columns in a form and in orders of their own; some stand beside."""

    def shuffled(name: str) -> pandas.Series:
        return table[name].sample(frac=1, random_state=chance.randrange(1 << 30))

    asked = dict(asked)
    beside = [role for role in ROLES if role in asked and form != "dictionary"]
    if form == "some beside":
        beside = [role for role in beside if chance.random() < 0.5]
    for role in beside:
        said = asked[role]
        if role == "value" and (form != "keywords" or not isinstance(said, str)):
            continue
        asked[role] = (
            shuffled(said) if isinstance(said, str) else [shuffled(one) for one in said]
        )
    if form == "keywords":
        return asked
    if form == "frame":
        return {"data": table.sample(frac=1, random_state=chance.randrange(1 << 30)), **asked}
    return {"data": {name: shuffled(name) for name in table.columns}, **asked}


@pytest.mark.parametrize("form", ["dictionary", "some beside", "frame", "keywords"])
@pytest.mark.parametrize("played", PLAYED)
@pytest.mark.parametrize("what", WHAT)
def test_rows_are_paired_by_labels_in_every_form(what: str, played: str, form: str) -> None:
    if form == "keywords" and what in ("means", "summary", "crosstab", "run"):
        pytest.skip("several columns have names of a table")
    if what == "summary" and played in ("strata", "weight"):
        pytest.skip("a summary has no strata")
    function = FUNCTIONS.get(what) or getattr(suum, what)
    chance = random.Random(f"{what} {played} {form}")
    for _ in range(3):
        table = people(chance, 60)
        asked = {**WHAT[what], **PLAYED[played]}

        def answer(given: dict[str, Any]) -> Any:
            if what == "run":
                own = dict(given)
                return suum.run({"answers": ANSWERS, "insecure_seed": 1}, own.pop("data"), **own)
            return function(**given, insecure_seed=1)

        expected = answer({"data": table.reset_index(drop=True), **asked})
        found = answer(in_form(chance, form, table, asked))
        assert found.to_pandas().equals(expected.to_pandas())


def test_several_columns_follow_one_order() -> None:
    """Each column that is asked about is paired with the budgets of its own people."""
    labels = ["ann", "bob", "cid", "dot"]
    data = {
        "income": pandas.Series([10, 20, 30, 40], labels[::-1]),
        "age": pandas.Series([1, 2, 3, 4], labels),
        "eps": pandas.Series([math.inf, 0.0, 0.0, 0.0], labels),
    }
    asked: dict[str, Any] = {"epsilon": "eps", "bounds": (0, 50)}
    means = suum.mean(data, value=["income", "age"], **asked)
    assert round(means["income"].estimate) == 40 and round(means["age"].estimate) == 1
    short = {**data, "eps": data["eps"].iloc[:3]}
    with pytest.raises(suum.RequestError, match="^income: its index has other labels than .* eps"):
        suum.mean(short, value=["income", "age"], **asked)


def test_a_column_without_an_index_has_no_place_beside_two_orders() -> None:
    values, budgets = TABLE["value"], TABLE["epsilon"].iloc[::-1]
    listed = TABLE["group_by"].tolist()
    asked: dict[str, Any] = {"bounds": (0, 10), "groups": ["n", "s"]}
    refusals: list[tuple[str, dict[str, Any]]] = [
        ("group_by", {"value": values, "epsilon": budgets, "group_by": listed}),
        (
            "group_by",
            {
                "data": {"value": values, "epsilon": budgets, "group_by": listed},
                **{name: name for name in ("value", "epsilon", "group_by")},
            },
        ),
        (
            "data",
            {
                "data": polars.DataFrame({"value": values.tolist()}),
                "value": "value",
                "epsilon": budgets,
                "group_by": TABLE["group_by"],
            },
        ),
    ]
    for name, given in refusals:
        with pytest.raises(suum.RequestError, match=f"^{name}: it has no index") as refused:
            suum.levels(**given, **asked)
        assert "one table" in (refused.value.hint or "")
    # Beside a table, or a column of values, the order is theirs.
    named = {name: name for name in ("value", "epsilon", "group_by")}
    expected = suum.levels(TABLE, **named, **asked).to_json()
    for given in [
        {"data": TABLE, "value": "value", "epsilon": budgets, "group_by": listed},
        {"data": values, "epsilon": budgets, "group_by": listed},
    ]:
        assert suum.levels(**given, **asked).to_json() == expected


def test_levels_of_an_index_in_another_order_are_refused() -> None:
    pairs = [(0, 1), (1, 0), (0, 0), (1, 1), (2, 0), (0, 2)]
    index = pandas.MultiIndex.from_tuples(pairs, names=["a", "b"])
    values = TABLE["value"].set_axis(index)
    swapped = TABLE["epsilon"].set_axis(index.set_names(["b", "a"])).iloc[::-1]
    with pytest.raises(suum.RequestError, match="epsilon: its index"):
        suum.levels(values, epsilon=swapped, bounds=(0, 10))


def test_budgets_follow_their_persons_into_a_sorted_table() -> None:
    """People with ε = 0 are not used, whatever the order of the table."""
    ordered = TABLE.sort_values("value")
    budgets, options = TABLE["epsilon"], {"value": "value", "bounds": (0, 10)}
    expected = suum.levels(TABLE, epsilon="epsilon", **options).to_json()
    assert suum.levels(ordered, epsilon=budgets, **options).to_json() == expected
    assert (
        suum.levels(ordered, epsilon=budgets.reindex(ordered.index), **options).to_json()
        == expected
    )
    wrong = suum.levels(ordered, epsilon=budgets.to_numpy(), **options).to_json()
    assert wrong != expected, "the order is known to differ"
    with pytest.raises(suum.DataError, match="missing"):
        suum.mean(ordered, epsilon=budgets[:-1].reindex(ordered.index), **options)


def test_labels_may_repeat_in_equal_order() -> None:
    repeated = TABLE.set_axis(["x", "x", "y", "y", "y", "z"])
    options = {"value": "value", "bounds": (0, 10)}
    expected = suum.levels(TABLE, epsilon="epsilon", **options).to_json()
    assert suum.levels(repeated, epsilon=repeated["epsilon"], **options).to_json() == expected
    with pytest.raises(suum.RequestError, match="index"):
        suum.levels(repeated, epsilon=repeated["epsilon"].iloc[::-1], **options)


@pytest.mark.parametrize(
    "table",
    [
        {"value": TABLE["value"].to_numpy()},
        {"value": TABLE["value"].tolist()},
        polars.DataFrame({"value": TABLE["value"].tolist()}),
        polars.DataFrame({"value": TABLE["value"].tolist()}).to_arrow(),
        TABLE["value"].to_numpy(),
        TABLE["value"].tolist(),
        numpy.ma.array(TABLE["value"].to_numpy()),
    ],
    ids=lambda table: type(table).__name__,
)
def test_a_series_beside_what_has_no_index_is_paired_by_position(table: Any) -> None:
    budgets = TABLE["epsilon"].set_axis(range(60, 0, -10))
    options = {"value": "value", "bounds": (0, 10)}
    expected = suum.levels(TABLE, epsilon="epsilon", **options).to_json()
    assert suum.levels(table, epsilon=budgets, **options).to_json() == expected


class Frame(pandas.DataFrame):
    """A class of a user's own, as GeoPandas has one."""


class Budgets(pandas.Series):
    """Another."""


def test_classes_derived_from_those_of_pandas_have_indexes_too() -> None:
    options = {"value": "value", "bounds": (0, 10)}
    expected = suum.levels(TABLE, epsilon="epsilon", **options).to_json()
    frame, budgets = Frame(TABLE), Budgets(TABLE["epsilon"])
    assert suum.levels(frame, epsilon=budgets, **options).to_json() == expected
    for ordered, beside in [(frame.iloc[::-1], TABLE["epsilon"]), (TABLE.iloc[::-1], budgets)]:
        assert suum.levels(ordered, epsilon=beside, **options).to_json() == expected


def test_simulations_pair_values_and_budgets_by_their_labels() -> None:
    values, budgets = TABLE["value"].iloc[:3], TABLE["epsilon"].iloc[:3]
    options: dict[str, Any] = {"bounds": (0, 10), "target": "dataset-correlated", "trials": 10}
    expected = suum.simulate(values.tolist(), epsilon=budgets.tolist(), **options).errors
    assert suum.simulate(values, epsilon=budgets, **options).errors == expected
    assert suum.simulate(values, epsilon=budgets.to_numpy(), **options).errors == expected
    assert suum.simulate(values, epsilon=budgets.iloc[::-1], **options).errors == expected
    with pytest.raises(suum.RequestError, match="epsilon: its index has other labels"):
        suum.simulate(values, epsilon=budgets.reset_index(drop=True), **options)
    with pytest.raises(suum.ParameterError, match="a table is no column"):
        suum.simulate(TABLE[["value"]], epsilon=budgets, **options)


@pytest.mark.parametrize("role", roles_of("levels"))
def test_queries_take_names_of_columns_only(role: str) -> None:
    """A Series would lend only its name, and the query would read another column of that name."""
    con = duckdb.connect()
    con.register("people", TABLE)
    options = {"table": "people", "value": "value", "epsilon": "epsilon", "bounds": (0, 10)}
    if role in ("privacy", "group_by"):
        options |= {"levels": LEVELS} if role == "privacy" else {"groups": ["n", "s"]}
    if role == "privacy":
        del options["epsilon"]
    options[role] = TABLE[role].iloc[::-1]
    with pytest.raises(suum.RequestError, match=f"{role}: the data are elsewhere"):
        suum.duckdb.levels(con, **options)
    with pytest.raises(suum.RequestError, match=f"{role}: the data are elsewhere"):
        suum.levels_sql(dialect="postgres", **options)

    class Session:
        def sql(self, query: str) -> Any:
            raise AssertionError("the query was run")

    with pytest.raises(suum.RequestError, match=f"{role}: the data are elsewhere"):
        suum.spark.levels(Session(), **options)


def test_columns_stand_beside_no_level_table_and_no_file(tmp_path: Any) -> None:
    table = suum.levels(TABLE, value="value", epsilon="epsilon", bounds=(0, 10))
    path = tmp_path / "levels.json"
    table.save(path)
    for given in [{"data": table}, {"from_levels": path}]:
        with pytest.raises(suum.RequestError, match="epsilon: the data are elsewhere"):
            suum.mean(**given, epsilon=TABLE["epsilon"])


def test_values_are_given_once() -> None:
    with pytest.raises(suum.RequestError, match="value: data are a column"):
        suum.mean(TABLE["value"], value=TABLE["value"] + 1, epsilon=TABLE["epsilon"], bounds=(0, 9))


@pytest.mark.parametrize(
    "table", [TABLE[["epsilon"]], polars.DataFrame({"epsilon": TABLE["epsilon"].tolist()})]
)
def test_a_table_is_no_column(table: Any) -> None:
    with pytest.raises(suum.DataError, match="epsilon: a DataFrame is no column"):
        suum.mean(TABLE, value="value", epsilon=table, bounds=(0, 9))


def test_every_keyword_that_takes_a_column_is_a_role_whose_index_is_checked() -> None:
    for name in STATISTICS:
        hints = {**typing.get_type_hints(getattr(suum, name)), **keywords_of(name)}
        columns = {key for key, hint in hints.items() if ArrowStream in typing.get_args(hint)}
        assert columns <= {"data", "of", *ROLES} and columns >= set(roles_of(name)), name


def test_a_series_is_a_dictionary_only_where_one_is_expected() -> None:
    counts = TABLE["epsilon"].value_counts()
    assert suum.plan(profile=counts).to_json() == suum.plan(profile=counts.to_dict()).to_json()
    with pytest.raises(suum.ParameterError, match="profile: .* once"):
        suum.plan(profile=pandas.Series([3, 4], index=[0.5, 0.5]))
    tiers = pandas.Series([0.5, 1.0, 2.0], index=["low", "high", "low"])
    with pytest.raises(suum.ParameterError, match="levels: .* once"):
        suum.count(TABLE, privacy="privacy", levels=tiers)
    options = {"epsilon": [1.0, 1.0], "insecure_seed": 1}
    shares = suum.frequency(["a", "b"], categories=pandas.Series(["a", "b"]), **options)
    assert list(shares.estimate) == ["a", "b"]
