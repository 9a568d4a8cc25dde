"""Expressions of Polars in roles: rows are chosen by public columns only."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import pandas
import polars
import pyarrow
import pyarrow.compute
import pytest
import suum

TABLE: dict[str, list[Any]] = {
    "v": [3, 19, 0, 14] * 20,
    "w": [1, 2, 3, 4] * 20,
    "e": [1.0, 0.5, 1.0, 2.0] * 20,
    "t": ["low", "high", "low", "high"] * 20,
    "g": ["a", "b", "b", "a"] * 20,
    "i": list(range(80)),
    "d": [1.0, 2.5, 2.5, 1.0] * 20,
}
LEVELS = {"low": 0.5, "high": 1.0}
V, W = polars.col("v"), polars.col("w")


def by_value(yes: Any, no: Any) -> polars.Expr:
    """An expression that tells whether a value is large."""
    return polars.when(V > 10).then(polars.lit(yes)).otherwise(polars.lit(no))


#: For each role the column that plays it as it stands, an expression of that column, one that tells
#: of the values, and what is asked with it.
ROLES: dict[str, tuple[str, polars.Expr, polars.Expr, dict[str, Any]]] = {
    "epsilon": ("e", polars.col("e") / 2, by_value(1.0, 0.5), {}),
    "privacy": (
        "t", polars.col("t").str.to_lowercase(), by_value("high", "low"), {"levels": LEVELS},
    ),
    "person": ("i", polars.col("i") + 1, V * 100 + W, {"epsilon": 1.0}),
    "group_by": (
        "g",
        polars.col("g").str.to_lowercase(),
        by_value("a", "b"),
        {"epsilon": 1.0, "groups": ["a", "b"]},
    ),
    "strata": (
        "g",
        polars.col("g").str.to_lowercase(),
        by_value("a", "b"),
        {"epsilon": 1.0, "classes": ["a", "b"]},
    ),
    "weight": (
        "d", polars.col("d") * 1, by_value(1.0, 2.5), {"epsilon": 1.0, "classes": [1, 2.5]},
    ),
}
RELATIONS: dict[str, dict[str, Any]] = {
    "replace": {},
    "add-remove": {"neighbors": "add-remove", "epsilon_range": (0.25, 2)},
    "both": {"neighbors": "both", "epsilon_range": (0.25, 2)},
    "without missing": {"missing": "exclude", "epsilon_range": (0.25, 2)},
}
#: Strata are for people who are known to take part.
CASES = [
    (role, relation)
    for role in ROLES
    for relation in RELATIONS
    if relation == "replace" or role not in ("strata", "weight")
]
TABLES = {"table": polars.DataFrame(TABLE), "lazy table": polars.LazyFrame(TABLE)}


def asked(role: str, relation: str, column: Any, **more: Any) -> dict[str, Any]:
    options = {**ROLES[role][3], **RELATIONS[relation], "value": "v", "bounds": (0, 20), **more}
    if "levels" in options:
        options.pop("epsilon_range", None)
    return {**options, role: column}


@pytest.mark.parametrize("form", TABLES)
@pytest.mark.parametrize(("role", "relation"), CASES)
def test_rows_are_chosen_by_public_columns(role: str, relation: str, form: str) -> None:
    name, own, telling, _ = ROLES[role]
    is_hidden_group = role == "group_by" and relation != "replace"
    for column in [name, polars.col(name), polars.col(name).alias("other")]:
        assert suum.mean(TABLES[form], **asked(role, relation, column))
    for column, roots in [(own, [name]), (telling, ["v", "w"])]:
        if is_hidden_group:
            assert suum.mean(TABLES[form], **asked(role, relation, column))
            continue
        with pytest.raises(suum.RequestError) as refused:
            suum.mean(TABLES[form], **asked(role, relation, column))
        named = next(root for root in roots if f"column {root}," in refused.value.message)
        assert refused.value.message.startswith(f"{role}: it is computed from column {named}")
        assert f'public_columns=["{named}"]' in (refused.value.hint or "")
        public = [one.upper() for one in roots]
        assert suum.mean(
            TABLES[form], **asked(role, relation, column, public_columns=public)
        )


@pytest.mark.parametrize(("role", "relation"), CASES)
def test_a_column_that_values_are_computed_from_chooses_no_rows(role: str, relation: str) -> None:
    name = ROLES[role][0]
    number = polars.col(name).str.len_chars() if name in "tg" else polars.col(name)
    for column in [name, polars.col(name)]:
        options = asked(role, relation, column, value=V + number)
        if role == "group_by" and relation != "replace":
            assert suum.mean(TABLES["table"], **{**options, "bounds": (0, 200)})
            continue
        with pytest.raises(suum.RequestError, match=f"^{role}: .* column {name},") as refused:
            suum.mean(TABLES["table"], **options)
        assert f'public_columns=["{name}"]' in (refused.value.hint or "")
        assert suum.mean(
            TABLES["table"], **{**options, "bounds": (0, 200), "public_columns": [name]}
        )


@pytest.mark.parametrize("role", ["epsilon", "person", "group_by", "weight"])
def test_the_column_of_values_chooses_no_rows_by_another_name(role: str) -> None:
    table = polars.DataFrame({"v": [1.0, 2.5] * 20})
    asked_of = {**asked(role, "replace", None), "groups": [1, 2.5] if role == "group_by" else None}
    for value, column in [("v", V.alias("x")), (V, "v"), (V.alias("x"), V)]:
        options = {**asked_of, "value": value, role: column}
        with pytest.raises(suum.RequestError, match=f"^{role}: the values are .* column v,"):
            suum.mean(table, **options)
        assert suum.mean(table, **options, public_columns=["v"])


FUNCTIONS: dict[str, dict[str, Any]] = {
    "mean": {"value": "v", "bounds": (0, 20)},
    "sum": {"value": "v", "bounds": (0, 20)},
    "variance": {"value": "v", "bounds": (0, 20)},
    "std": {"value": "v", "bounds": (0, 20)},
    "median": {"value": "v", "bounds": (0, 20)},
    "quantile": {"value": "v", "bounds": (0, 20)},
    "histogram": {"value": "v", "bounds": (0, 20)},
    "frequency": {"value": "g", "categories": ["a", "b"]},
    "summary": {"value": "v", "bounds": (0, 20)},
    "count": {},
    "plan": {"value": "v", "bounds": (0, 20)},
    "levels": {"value": "v", "bounds": (0, 20)},
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_function_knows_the_rule(name: str) -> None:
    function, table = getattr(suum, name), TABLES["table"]
    tiers: dict[str, Any] = {"privacy": by_value("high", "low"), "levels": LEVELS}
    with pytest.raises(suum.RequestError, match="^privacy: it is computed from column v, which"):
        function(table, **FUNCTIONS[name], **tiers)
    assert function(table, **FUNCTIONS[name], **tiers, public_columns="v")


def test_answers_about_several_columns_know_the_rule() -> None:
    table = TABLES["table"]
    several: dict[str, Any] = {"value": ["v", "w"], "bounds": (0, 20)}
    answers = [{"statistic": "mean", "value": "v", "bounds": (0, 20)}]
    with pytest.raises(suum.RequestError, match="^epsilon: it is computed from column v,"):
        suum.mean(table, **several, epsilon=by_value(1.0, 0.5))
    with pytest.raises(suum.RequestError, match="^epsilon: it is computed from column v,"):
        suum.run({"answers": answers}, table, epsilon=by_value(1.0, 0.5))
    halves: dict[str, Any] = {"epsilon": (V * 0 + 1.0), "public_columns": ["v"]}
    # A column that is computed under the name of another one takes the place of none.
    means = suum.mean(table, **several, **halves, insecure_seed=1)
    plain = suum.mean(table, **several, epsilon=polars.lit(1.0), insecure_seed=1)
    assert means["v"].estimate == plain["v"].estimate


def test_a_ledger_keeps_the_columns_that_others_are_computed_from(tmp_path: Path) -> None:
    options: dict[str, Any] = {
        "privacy": "t", "bounds": (0, 40), "spend": "10%", "value": (V + W).alias("both"),
    }  # fmt: skip
    for relation in ("replace", "both"):
        ledger = suum.Ledger.create(
            tmp_path / f"{relation}.ledger", dataset="d", levels=LEVELS, neighbors=relation
        )
        groups: dict[str, Any] = {"group_by": polars.col("g") + "", "groups": ["a", "b"]}
        if relation == "replace":
            groups["public_columns"] = ["g"]
        common = {**groups, "ledger": ledger, "neighbors": relation}
        release = suum.mean(TABLES["table"], **options, **common)
        assert release.to_dict()["column"] == "both"
        columns = ledger.balance()["columns"]
        hidden = relation == "both"
        assert columns["values"] == (["g", "v", "w"] if hidden else ["v", "w"])
        assert columns["published"] == (["t"] if hidden else ["g", "t"])
        with pytest.raises(suum.RequestError, match="column w: its values"):
            suum.count(
                TABLES["table"],
                privacy="t",
                group_by="w",
                groups=[1, 2, 3, 4],
                ledger=tmp_path / "replace.ledger",
            )
    answers = [{"statistic": "mean", "value": "v", "bounds": (0, 20)}]
    ledger = suum.Ledger.create(tmp_path / "answers.ledger", dataset="d", levels=LEVELS)
    tiers: dict[str, Any] = {"privacy": polars.col("t") + "", "public_columns": ["t"]}
    suum.run({"answers": answers}, TABLES["table"], **tiers, ledger=ledger, spend="10%")
    assert ledger.balance()["columns"] == {
        "values": ["v"], "published": ["t"], "declared": ["t"],
    }  # fmt: skip


FOREIGN: dict[str, tuple[Any, Any]] = {
    "pandas": (pandas.DataFrame(TABLE), pandas.col("v") * 2 if hasattr(pandas, "col") else None),
    "pyarrow": (pyarrow.table(TABLE), pyarrow.compute.field("v")),
    "duckdb": (duckdb.from_arrow(pyarrow.table(TABLE)), duckdb.ColumnExpression("v")),
}


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("package", FOREIGN)
def test_other_expressions_are_refused(package: str, role: str) -> None:
    data, expression = FOREIGN[package]
    if expression is None:
        pytest.skip("pandas has none before version 3")
    with pytest.raises(suum.RequestError, match=f"^{role}: an expression of {package} is not"):
        suum.mean(data, **asked(role, "replace", expression))
    with pytest.raises(suum.RequestError, match=f"^value: an expression of {package} is not"):
        suum.mean(data, value=expression, epsilon="e", bounds=(0, 20))
    answer = {"statistic": "mean", "value": "v", "bounds": (0, 20), role: expression}
    with pytest.raises(suum.RequestError, match=f"^{role}: an expression of {package} is not"):
        suum.run({"answers": [answer]}, data, privacy="t", levels=LEVELS)


def test_answers_name_their_columns() -> None:
    answer = {"statistic": "mean", "value": V * 2, "bounds": (0, 40)}
    with pytest.raises(suum.RequestError, match="^value: an expression of polars is not read here"):
        suum.run({"answers": [answer]}, TABLES["table"], epsilon="e")


def test_names_stand_for_columns_and_not_for_patterns() -> None:
    for pattern in ["^v.*$", "*"]:
        with pytest.raises(suum.RequestError, match="privacy: this expression is not known"):
            suum.mean(
                TABLES["table"],
                value="v",
                bounds=(0, 20),
                privacy=polars.col(pattern),
                levels=LEVELS,
                public_columns=[pattern],
            )
