"""The package says the same as the command line for the same seed: numbers to the last character,
and text in the words of Python.
"""

from __future__ import annotations

import inspect
import json
import math
import re
import typing
from pathlib import Path
from typing import Any

import pandas
import polars
import pyarrow
import pytest
import suum
from conftest import LEVELS, RANDHIE, TIERS, CommandLine, keywords_of, without_query
from suum import _suum
from suum._entries import entries

HEALTH = ["excellent", "good", "fair", "poor"]

#: A function, its keywords, and the words for the same on the command line.
CASES: list[tuple[str, dict[str, Any], str]] = [
    ("mean", {"value": "visits", "bounds": (0, 77)}, "--value visits --bounds 0,77"),
    (
        "mean",
        {
            "value": "visits",
            "bounds": (0, 77),
            "variance": 20,
        },
        "--value visits --bounds 0,77 --variance 20",
    ),
    (
        "mean",
        {
            "value": "visits",
            "bounds": (0, 77),
            "shrink": True,
            "target": "dataset",
            "confidence": 0.9,
        },
        "--value visits --bounds 0,77 --shrink --target dataset --confidence 0.9",
    ),
    (
        "mean",
        {"value": "visits", "bounds": (0, 77), "adapt": False},
        "--value visits --bounds 0,77 --no-adapt",
    ),
    (
        "sum",
        {"value": "visits", "bounds": (0, 365), "spare": 0.5},
        "--value visits --bounds 0,365 --spare 0.5",
    ),
    (
        "mean",
        {"value": "visits", "bounds": (0, 77), "estimator": "hpm-cp", "beta": 0.1},
        "--value visits --bounds 0,77 --estimator hpm-cp --beta 0.1",
    ),
    (
        "mean",
        {"value": "visits", "bounds": (0, 77), "neighbors": "add-remove", "clip": 0.5},
        "--value visits --bounds 0,77 --neighbors add-remove --clip 0.5",
    ),
    (
        "mean",
        {"value": "visits", "bounds": (0, 77), "group_by": "health", "groups": HEALTH},
        "--value visits --bounds 0,77 --group-by health --groups excellent,good,fair,poor",
    ),
    (
        "mean",
        {"value": "visits", "bounds": (0, 77), "person": "health"},
        "--value visits --bounds 0,77 --person health",
    ),
    ("mean", {"value": "chronic_index", "bounds": "auto"}, "--value chronic_index --bounds auto"),
    (
        "quantile",
        {"value": "chronic_index", "bounds": "auto", "q": [0.25, 0.5]},
        "--value chronic_index --bounds auto --q 0.25,0.5",
    ),
    (
        "summary",
        {"value": "chronic_index", "bounds": "auto", "statistic": "mean,variance,q50"},
        "--value chronic_index --bounds auto --statistic mean,variance,q50",
    ),
    (
        "mean",
        {
            "value": "visits",
            "bounds": (0, 77),
            "neighbors": "add-remove",
            "group_by": "health",
            "groups": HEALTH,
        },
        "--value visits --bounds 0,77 --neighbors add-remove --group-by health --groups "
        "excellent,good,fair,poor",
    ),
    ("sum", {"value": "visits", "bounds": (0, 77)}, "--value visits --bounds 0,77"),
    (
        "sum",
        {"value": "visits", "bounds": (0, 77), "neighbors": "add-remove"},
        "--value visits --bounds 0,77 --neighbors add-remove",
    ),
    (
        "frequency",
        {"value": "health", "categories": HEALTH, "post": "clamp"},
        "--value health --categories excellent,good,fair,poor --post clamp",
    ),
    (
        "frequency",
        {"value": "health", "categories": HEALTH, "simultaneous": True},
        "--value health --categories excellent,good,fair,poor --simultaneous",
    ),
    (
        "frequency",
        {"value": "health", "categories": HEALTH[:2], "other": "worse"},
        "--value health --categories excellent,good --other worse",
    ),
    ("frequency", {"value": "visits", "bins": [0, 2.5, 77]}, "--value visits --bins 0,2.5,77"),
    (
        "quantile",
        {"value": "visits", "bounds": (0, 77), "q": [0.25, 0.5], "step": 1},
        "--value visits --bounds 0,77 --q 0.25,0.5 --step 1",
    ),
    (
        "quantile",
        {
            "value": "visits",
            "bounds": (0, 77),
            "cells": 100,
            "interval_share": 0,
            "neighbors": "add-remove",
        },
        "--value visits --bounds 0,77 --cells 100 --interval-share 0 --neighbors add-remove",
    ),
    ("variance", {"value": "visits", "bounds": (0, 77)}, "--value visits --bounds 0,77"),
    (
        "summary",
        {
            "value": "visits",
            "bounds": (0, 77),
            "statistic": ["mean", "q50"],
            "split": {"quantile": 2},
            "step": 1,
        },
        "--value visits --bounds 0,77 --statistic mean,q50 --split quantile=2 --step 1",
    ),
    (
        "summary",
        {
            "value": "visits",
            "bounds": (0, 77),
            "statistic": ("mean", "variance"),
            "neighbors": "add-remove",
        },
        "--value visits --bounds 0,77 --statistic mean,variance --neighbors add-remove",
    ),
    (
        "variance",
        {"value": "visits", "bounds": (0, 77), "neighbors": "both"},
        "--value visits --bounds 0,77 --neighbors both",
    ),
    ("count", {}, ""),
    ("count", {"neighbors": "add-remove"}, "--neighbors add-remove"),
]


def _ids(case: tuple[str, dict[str, Any], str]) -> str:
    return f"{case[0]} {case[2]}"


def _forms(tmp_path: Path) -> dict[str, Any]:
    frame = pandas.read_csv(RANDHIE)
    parquet = tmp_path / "randhie.parquet"
    polars.read_csv(RANDHIE).write_parquet(parquet)
    table = pyarrow.Table.from_pandas(frame, preserve_index=False)
    return {
        "csv": RANDHIE,
        "parquet": parquet,
        "pandas": frame,
        "polars": polars.read_csv(RANDHIE),
        "lazy": polars.scan_csv(RANDHIE),
        "pyarrow": table,
        "chunks": pyarrow.concat_tables(
            [table.slice(0, 7), table.slice(7, 10_000), table.slice(10_007)]
        ),
        "stream": pyarrow.RecordBatchReader.from_batches(table.schema, table.to_batches(999)),
        "lists": {name: frame[name].tolist() for name in frame.columns},
    }


@pytest.mark.parametrize("case", CASES, ids=_ids)
def test_every_form_of_data_gives_the_release_of_the_command_line(
    case: tuple[str, dict[str, Any], str], command_line: CommandLine, tmp_path: Path
) -> None:
    name, options, words = case
    seeded = ["--insecure-seed", "7"]
    expected = command_line(name, RANDHIE, *words.split(), *TIERS, *seeded, "--format", "json")
    for form, data in _forms(tmp_path).items():
        release = getattr(suum, name)(
            data, privacy="privacy", levels=LEVELS, insecure_seed=7, **options
        )
        assert release.to_json() == expected, form
    text = command_line(name, RANDHIE, *words.split(), *TIERS, *seeded)
    release = getattr(suum, name)(
        RANDHIE, privacy="privacy", levels=LEVELS, insecure_seed=7, **options
    )
    assert _words(str(release)) == _words(_in_python(" ".join(text.split())))
    explained = command_line(name, RANDHIE, *words.split(), *TIERS, *seeded, "--explain")
    assert _words(release.explain()) == _words(_in_python(" ".join(explained.split())))
    assert explained != text


#: What the command line says, and Python in its place.
_SPOKEN = {
    "--report FILE.html": "to_html()",
    "--explain": "explain()",
    "--target dataset-correlated": 'target="dataset-correlated"',
    "--target dataset": 'target="dataset"',
    "--tiers-differ D": "tiers_differ=D",
    "--tiers-apart": "tiers_apart=True",
    "--person COL": "person=COL",
    "--check-bounds": "check_bounds",
    "--step 1": "step=1",
    "(suum plan)": "(suum.plan)",
}


def _in_python(text: str) -> str:
    for words, python in _SPOKEN.items():
        text = text.replace(words, python)
    return re.sub(r"--estimator (\S+)", r'estimator="\1"', text)


def _words(text: str) -> list[str]:
    return text.split()


def test_columns_side_by_side_give_it_too(
    command_line: CommandLine, visits: list[float], tiers: list[str], health: list[str]
) -> None:
    words = [
        "--value",
        "visits",
        "--bounds",
        "0,77",
        "--group-by",
        "health",
        "--groups",
        "excellent,good,fair,poor",
    ]
    expected = command_line(
        "mean", RANDHIE, *words, *TIERS, "--insecure-seed", "7", "--format", "json"
    )
    grouped = pandas.Series(health, name="health")
    release = suum.mean(
        polars.Series("visits", visits),
        privacy=pyarrow.array(tiers),
        levels=LEVELS,
        bounds=(0, 77),
        group_by=grouped,
        groups=HEALTH,
        insecure_seed=7,
    )
    assert release.to_json() == expected


@pytest.mark.parametrize("estimator", ["sample", "stretch", "gaussian-diffusion"])
def test_what_is_for_study_is_refused_and_said_where_it_is(estimator: str) -> None:
    options: dict[str, Any] = {"value": "visits", "privacy": "privacy", "levels": LEVELS}
    for bounds in [(0, 77), "auto"]:
        with pytest.raises(suum.RequestError, match="is for study") as refused:
            suum.mean(RANDHIE, bounds=bounds, estimator=estimator, **options)
        assert str(refused.value).endswith(f"suum-experiments mean DATA --estimator {estimator}")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"profile": {0.1: 3400, math.inf: 23}}, "--profile 0.1:3400,inf:23"),
        (
            {"profile": "0.1:3400,inf:23", "what_if": {math.inf: 500, 0.1: -20}, "bounds": (0, 77)},
            "--profile 0.1:3400,inf:23 --what-if inf:+500,0.1:-20 --bounds 0,77",
        ),
        (
            {"profile": {0.1: 3400}, "statistic": "frequency", "categories": ["a", "b"]},
            "--profile 0.1:3400 --statistic frequency --categories a,b",
        ),
        (
            {"profile": {0.1: 34000}, "statistic": "quantile", "q": 0.9, "bounds": (0, 9)},
            "--profile 0.1:34000 --statistic quantile --q 0.9 --bounds 0,9",
        ),
        (
            {
                "profile": {0.1: 3400},
                "statistic": "frequency",
                "categories": HEALTH,
                "simultaneous": True,
            },
            "--profile 0.1:3400 --statistic frequency --categories excellent,good,fair,poor "
            "--simultaneous",
        ),
        (
            {"profile": {0.1: 3400}, "statistic": ["mean", "variance"], "bounds": (-1, 1)},
            "--profile 0.1:3400 --statistic mean,variance --bounds=-1,1",
        ),
        ({"profile": {0.1: 34000}, "bounds": "auto"}, "--profile 0.1:34000 --bounds auto"),
        (
            {"profile": {0.1: 34000}, "bounds": "auto", "statistic": "quantile", "q": 0.5},
            "--profile 0.1:34000 --bounds auto --statistic quantile --q 0.5",
        ),
        (
            {"profile": {0.1: 34000}, "bounds": "auto", "statistic": "mean,variance"},
            "--profile 0.1:34000 --bounds auto --statistic mean,variance",
        ),
        (
            {"profile": {0.1: 340}, "neighbors": "add-remove", "epsilon_range": (0.01, math.inf)},
            "--profile 0.1:340 --neighbors add-remove --epsilon-range 0.01,inf",
        ),
    ],
)
def test_plans_are_those_of_the_command_line(
    options: dict[str, Any], words: str, command_line: CommandLine
) -> None:
    plan = suum.plan(**options)
    assert plan.to_json() == command_line("plan", *words.split(), "--format", "json")
    text = " ".join(command_line("plan", *words.split()).split())
    assert _words(str(plan)) == _words(_in_python(text))


def test_level_tables_are_those_of_the_command_line(
    command_line: CommandLine, tmp_path: Path
) -> None:
    words = ["--value", "visits", "--bounds", "0,77", "--cells", "77", "--quiet"]
    expected = command_line("levels", RANDHIE, *words, *TIERS)
    options: dict[str, Any] = {
        "value": "visits",
        "bounds": (0, 77),
        "privacy": "privacy",
        "levels": LEVELS,
    }
    table = suum.levels(pandas.read_csv(RANDHIE), **options, cells=77)
    assert table.to_json() == expected
    table.save(tmp_path / "table.json")
    plain = without_query(suum.variance(RANDHIE, **options, insecure_seed=3).to_json())
    for given in [table, suum.from_levels(expected), suum.from_levels(tmp_path / "table.json")]:
        assert without_query(suum.variance(given, insecure_seed=3).to_json()) == plain
    of_file = suum.variance(from_levels=tmp_path / "table.json", insecure_seed=3)
    assert without_query(of_file.to_json()) == plain


def test_level_tables_of_groups_are_those_of_the_command_line(
    command_line: CommandLine, tmp_path: Path
) -> None:
    groups = ["--group-by", "health", "--groups", "poor,good", "--other-group", "other"]
    words = ["--value", "visits", "--bounds", "0,77", "--quiet", *groups]
    expected = command_line("levels", RANDHIE, *words, *TIERS)
    named: dict[str, Any] = {
        "group_by": "health",
        "groups": ["poor", "good"],
        "other_group": "other",
    }
    options: dict[str, Any] = {
        "value": "visits",
        "bounds": (0, 77),
        "privacy": "privacy",
        "levels": LEVELS,
    }
    table = suum.levels(pandas.read_csv(RANDHIE), **options, **named)
    assert table.to_json() == expected
    table.save(tmp_path / "table.json")
    release = suum.mean(RANDHIE, **options, **named, insecure_seed=3)
    for given in [table, suum.from_levels(expected), suum.from_levels(tmp_path / "table.json")]:
        found = suum.mean(given, **named, insecure_seed=3)
        assert without_query(found.to_json()) == without_query(release.to_json())
        with pytest.raises(suum.TableError, match="it has a table for each group"):
            suum.mean(given)
    with pytest.raises(suum.TableError, match="it has no group west"):
        suum.mean(table, **{**named, "other_group": "west"})


RELEASES = ["mean", "sum", "count", "frequency", "quantile", "variance"]
STATISTICS = [*RELEASES, "summary", "plan", "levels"]


#: What a register of decisions over time has.
REGISTER = {
    "consent_from", "consent_until", "consent_status", "consent_active", "consent_withdrawn",
    "consent_expired", "consent_reference", "consent_attributes", "as_of",
}  # fmt: skip

#: Where the data are, and who pays.
SOURCE = {
    "table", "query", "trust_query", "where", "public_columns", "delimiter", "encoding", "decimal",
    "consent",
    "key",
    *REGISTER,
    "from_levels",
}  # fmt: skip
ACCOUNTS = {
    "ledger",
    "dataset",
    "spend",
    "target_rmse",
    "target_half_width",
    "edition",
    "again",
    "allow_moves",
}
SCHEMA = json.loads(_suum.schema())["properties"]


@pytest.mark.parametrize("name", STATISTICS)
def test_keywords_are_the_options_of_a_query(name: str) -> None:
    """The same names; what differs is listed here, and must stay needed."""
    keywords = set(keywords_of(name))
    keywords.remove("progress")
    if name == "plan":
        options = {option for one in [*RELEASES, "summary"] for option in _suum.options(one)}
        # It draws nothing.
        options.remove("insecure_seed")
        options |= {"statistic", "profile", "what_if", "assume"}
    elif name == "levels":
        # A level table is no release: it has nothing of an estimate, and costs nothing.
        counted = _suum.options("frequency") + _suum.options("quantile")
        # What a sum of persons adds up must be said of its table, and whether a mean can learn.
        options = set(counted) & keywords | {"totals", "adapt", "public_columns"}
        assert {"value", "epsilon", "bounds", "categories", "cells"} <= options
    else:
        options = set(_suum.options(name))
    # ``adapt=False`` stands for it.
    options.discard("no_adapt")
    if name == "summary":
        options.add("statistic")
    assert keywords == options | SOURCE | (ACCOUNTS if name != "levels" else set())


@pytest.mark.parametrize("name", STATISTICS)
def test_functions_have_no_defaults_of_their_own(name: str) -> None:
    """What is not said has the default of a query, and what is said is checked."""
    signature = inspect.signature(getattr(suum, name))
    for keyword, parameter in signature.parameters.items():
        assert parameter.default in (None, inspect.Parameter.empty), keyword
    last = list(signature.parameters.values())[-1]
    assert last.kind is inspect.Parameter.VAR_KEYWORD
    with pytest.raises(TypeError, match="argument 'epsilom': did you mean epsilon"):
        getattr(suum, name)([1.0], epsilom=1.0)


@pytest.mark.parametrize("name", STATISTICS)
def test_choices_are_those_of_a_query(name: str) -> None:
    hints = keywords_of(name)
    for keyword in hints:
        # Some statistics are several.
        choices = SCHEMA.get(keyword, {}).get("enum")
        if choices is not None:
            words = typing.get_args(hints[keyword])
            if type(None) in words:
                # One that has no default among them.
                words = typing.get_args(words[0])
            assert words == tuple(choices), keyword


def test_one_statistic_is_a_summary_too() -> None:
    options: dict[str, Any] = {"epsilon": [1.0] * 99, "bounds": (0, 10)}
    release = suum.summary([3.0] * 99, statistic="mean", **options)
    assert release.mean is not None and not hasattr(release, "variance")
    with pytest.raises(suum.ParameterError, match="statistic"):
        suum.summary([3.0] * 99, statistic="count", **options)
    assert suum.plan(profile={1: 99}, statistic=["mean"]).chosen == "typical"


def test_a_number_as_a_label_is_told_as_it_is_written(tmp_path: Path) -> None:
    path = tmp_path / "rooms.csv"
    path.write_text("rooms,eps\n" + "1.0,1\n2.5,1\n" * 50, encoding="utf-8")
    release = suum.frequency(path, value="rooms", epsilon="eps", categories=[1.0, 2.5])
    assert list(release.estimate) == [1.0, 2.5] and "1.0" in str(release)
    assert [share["category"] for share in release.to_dict()["frequencies"]] == ["1.0", "2.5"]


def test_nothing_is_ignored() -> None:
    with pytest.raises(suum.RequestError, match="declared bounds"):
        suum.simulate([5.0, 50.0], profile={1.0: 100}, bounds="auto")
    with pytest.raises(suum.RequestError, match="spend: there is no ledger"):
        suum.mean([1.0] * 9, epsilon=[1.0] * 9, bounds=(0, 1), spend="10%")
    with pytest.raises(suum.RequestError, match="from_levels|level table"):
        suum.levels(RANDHIE, privacy="privacy", levels=LEVELS, from_levels="table.json")


def test_a_query_is_the_same_from_keywords_and_words(tmp_path: Path) -> None:
    """Numbers, lists and tables say what their text says."""
    options = {"bounds": (0, 77.5), "levels": {"a,b": 0.1, "c": math.inf}, "groups": ["x", "y z"]}
    words = {"bounds": "0,77.5", "levels": "a\\,b=0.1,c=inf", "groups": "x, y z"}
    common = {"statistic": "mean", "value": "v", "privacy": "p", "group_by": "g"}
    one, other = (_suum.plain_job(entries({**common, **said})) for said in (options, words))
    assert one == other
    assert one["levels"] == {"a,b": 0.1, "c": "inf"}


def test_level_queries_are_those_of_the_command_line(command_line: CommandLine) -> None:
    words = [
        "--table",
        "survey",
        "--value",
        "visits",
        "--bounds",
        "0,77",
        "--group-by",
        "health",
    ]
    groups = ["--groups", "excellent,good", "--other-group", "worse"]
    for dialect in typing.get_args(typing.get_type_hints(suum.levels_sql)["dialect"]):
        query = suum.levels_sql(
            dialect=dialect,
            table="survey",
            value="visits",
            bounds=(0, 77),
            group_by="health",
            groups=["excellent", "good"],
            other_group="worse",
            privacy="privacy",
            levels=LEVELS,
        )
        expected = command_line("levels-sql", "--dialect", dialect, *words, *groups, *TIERS)
        assert query == expected.replace("suum … --from-levels RESULT", "suum.from_levels(RESULT)")


def test_keywords_of_level_queries_are_those_of_level_tables() -> None:
    """But for the data themselves, and totals of persons, for which their rows are read."""
    of_files = {
        "progress", "from_levels", "totals", "delimiter", "encoding", "decimal", "consent", "key",
        *REGISTER,
    }  # fmt: skip
    assert set(keywords_of("levels_sql")) == set(keywords_of("levels")) - of_files
    for function in [suum.levels_sql, suum.duckdb.levels, suum.spark.levels, suum.sql.levels]:
        parameters = inspect.signature(function).parameters
        assert {"table", "query"} < set(parameters) and "LevelQuery" in str(parameters["options"])
        with pytest.raises(TypeError, match="keyword argument 'epsilom': did you mean epsilon"):
            function(**{next(iter(parameters)): "duckdb"}, epsilom=1.0)


def test_the_help_of_the_command_line_knows_the_options(command_line: CommandLine) -> None:
    assert "--estimator" in command_line("mean", "--help")
