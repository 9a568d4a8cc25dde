"""Types, examples, and the documentation."""

from __future__ import annotations

import ast
import doctest
import importlib.metadata
import inspect
import json
import os
import pkgutil
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import suum
from conftest import ROOT, keyword_type, keywords_of, run_page
from suum._help import indented

PYTHON = ROOT / "python"


def test_the_version_is_that_of_the_wheel() -> None:
    assert suum.__version__ == importlib.metadata.version("suum")


@pytest.mark.parametrize(
    "name",
    ["mean", "sum", "count", "frequency", "quantile", "variance", "summary", "plan", "levels"],
)
def test_every_keyword_is_explained_once(name: str) -> None:
    def explained(thing: Any) -> list[str]:
        text = thing.__doc__.partition("Parameters\n")[2]
        headers = re.findall(r"^    ([a-z_, ]+):$", text, re.MULTILINE)
        return sorted(keyword for header in headers for keyword in header.split(", "))

    kind = keyword_type(name)
    assert explained(kind) == sorted(kind.__annotations__)
    function = getattr(suum, name)
    own = explained(function)
    assert len(own) == len(set(own))
    assert set(inspect.signature(function).parameters) <= set(own)
    assert set(own) <= {*keywords_of(name), "data", "of", "options"}
    # Those that it does not explain it names.
    assert all(keyword in function.__doc__ for keyword in kind.__annotations__)


FUNCTIONS = ["mean", "sum", "count", "frequency", "quantile", "variance", "summary", "plan",
             "levels", "std", "median", "histogram", "difference"]  # fmt: skip


@pytest.mark.parametrize("name", FUNCTIONS)
def test_help_fits_a_screen(name: str) -> None:
    lines = (inspect.getdoc(getattr(suum, name)) or "").splitlines()
    assert len(lines) <= 56 and max(map(len, lines)) <= 96
    assert "Returns" in lines and "Raises" in lines
    assert len(inspect.signature(getattr(suum, name)).parameters) <= 12


@pytest.fixture(scope="session")
def mypy(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """mypy, which reads the types of other packages once for all tests."""
    command = [sys.executable, "-m", "mypy", "--strict"]
    command += ["--config-file", str(PYTHON / "pyproject.toml")]
    return [*command, "--cache-dir", str(tmp_path_factory.mktemp("mypy"))]


def test_types_are_complete(tmp_path: Path, mypy: list[str]) -> None:
    """The package, and a small program of a user."""
    program = tmp_path / "program.py"
    program.write_text(
        "import math\n"
        "import numpy, pandas, polars, pyarrow, duckdb\n"
        "import suum\n"
        "values, budgets = numpy.array([3.0, 0.0]), numpy.array([0.5, math.inf])\n"
        "release = suum.mean(values, epsilon=budgets, bounds=(0, 77), target='dataset')\n"
        "estimate: float = release.estimate\n"
        "if release.interval is not None:\n"
        "    lower, upper = release.interval\n"
        "spent: list[float] = [tier.spent for tier in release.privacy]\n"
        "frame = polars.DataFrame({'v': values, 'e': budgets})\n"
        "grouped: suum.Number = suum.mean("
        "frame, value='v', epsilon='e', bounds=(0, 1), group_by='g', groups=['a'])\n"
        "of_group: float = grouped['a'].estimate\n"
        "shares: dict[str, float] = "
        "suum.frequency(['a'], epsilon=[1], categories=['a', 'b']).estimate\n"
        "said: list[str] = release.assumes + release.warnings\n"
        "table = pyarrow.table({'v': [1.0]})\n"
        "suum.count(table, epsilon='v')\n"
        "suum.count(duckdb.sql('select 1.0 as v'), epsilon='v')\n"
        "suum.quantile(pandas.Series([1.0]), epsilon=polars.Series([1.0]), bounds=(0, 1), q=0.5)\n"
        "suum.count({'v': ['a', None]}, privacy='v', levels={'a': 1})\n"
        "con = duckdb.connect()\n"
        "raw: suum.Levels = suum.duckdb.levels("
        "con, table='t', epsilon='e', value='v', bounds=(0, 1))\n"
        "suum.duckdb.levels(duckdb, query='SELECT 1.0 AS e', epsilon='e')\n"
        "query: str = suum.levels_sql(dialect='bigquery', table='t', epsilon='e')\n"
        "from pyspark.sql import SparkSession\n"
        "session = SparkSession.builder.getOrCreate()\n"
        "suum.mean(suum.spark.levels(session.range(3), epsilon='id', value='id', bounds=(0, 1)))\n"
        "suum.spark.levels("
        "session, table='t', epsilon='e', levels={'a': 1}, groups=['a'], group_by='g')\n"
    )
    wrong = tmp_path / "wrong.py"
    wrong.write_text(
        "import suum\n"
        "suum.mean('x.csv', target='everybody')\n"
        "x: str = suum.count('x.csv').estimate\n"
        "end: float = suum.count('x.csv').interval.upper\n"
        "len(suum.plan('x.csv'))\n"
        "list(suum.levels('x.csv'))\n"
    )

    def errors(*files: Path) -> str:
        return subprocess.run(
            [*mypy, *files], capture_output=True, text=True, check=False, cwd=tmp_path
        ).stdout

    assert errors(program).startswith("Success")
    assert errors(wrong).count("error:") == 5
    assert errors(PYTHON / "suum").startswith("Success")


PROGRAM = """\
# pyright: strict, reportMissingTypeStubs=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false
import math
import sqlite3
from datetime import date, datetime, time
from decimal import Decimal
import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.dataset as ds
import suum

release = suum.mean(np.array([3.0, 0.0]), epsilon=1.0, bounds=[0, 77], estimator="affine")
both = {"wage": (0, 50), "hours": (0, 80)}
of_both: suum.ByColumn[suum.Number] = suum.mean(
    "x.csv", value=["wage", "hours"], epsilon=1.0, bounds=both)
wage: float = of_both["wage"].estimate + of_both[1].estimate
medians = suum.median("x.csv", value=("a", "b"), bounds="auto")
middle: list[float] = [one.estimate for one in medians]
of_shares = suum.frequency("x.csv", value=["a", "b"], categories={"a": ["x"], "b": [True]})["a"]
some: dict[str, float] = of_shares.estimate
column: suum.Frequencies = suum.frequency(value=["x", "y"], epsilon=1, categories=["x", "y"])
answers: suum.Survey = of_both
one_budget = suum.sql.levels(sqlite3.connect(":memory:"), "people", epsilon=1.0)
twice: float = 2 * release + 1
text = f"{release:.2f}"
less: bool = release < 3
rounded: int = round(release)
frame = pl.DataFrame({"v": [1.0], "e": [0.5]})
grouped = suum.mean(frame, value="v", epsilon="e", bounds=(0, 1), group_by="g", groups=[1, 2])
one: float = grouped[1].estimate
for key in grouped:
    print(key)
for key, part in grouped.items():
    print(key, float(part))
share: float = suum.frequency(["a"], epsilon=[1], categories=["a", "b"]).estimate["a"]
shares = np.linspace(0.1, 0.9, 9)
q = suum.quantile(pd.Series([1.0]), epsilon=pl.Series([1.0]), bounds=(0, 1), q=shares)
lazy = pl.LazyFrame({"v": [1.0]})
median = suum.median(lazy, value="v", epsilon={"a": 0.5}, person="id", bounds=(0, 1))
mean: float = suum.summary([1.0], epsilon=1.0, bounds=(0, 1)).mean.estimate
h = suum.histogram([1.0], epsilon=1.0, bins=np.linspace(0, 1, 5))
h2 = suum.histogram([1.0], epsilon=1.0, bins=5, bounds=(0, 1))
again: suum.Release = suum.Release.from_json(release.to_json())
r = suum.run({"statistic": "mean"}, frame, epsilon="e")
t = suum.mean({"v": [1.0]}, value="v", privacy="t", levels={"a": math.inf}, bounds=(0, 1))
p: float | None = suum.plan(profile={0.5: 99}).rmse
days = [date(2020, 1, 1), None]
dates = suum.mean(days, epsilon=1.0, bounds=(days[0] or "", "2021-01-01"), missing=days[0])
when: datetime = dates.as_datetime().estimate
suum.histogram([datetime(2020, 1, 1)], epsilon=1.0, bins=pd.date_range("2020-01-01", "2021-01-01"))
suum.mean([time(7)], epsilon=1.0, bounds=(time(0), "24:00"))
ends = (np.datetime64("2020-01-01"), np.datetime64("2021-01-01"))
suum.median(np.array(days, "M8[D]"), epsilon=1.0, bounds=ends)
suum.mean([Decimal("1.5")], epsilon=1, bounds=(False, True))
suum.mean(lazy, value=pl.col("v") * 2, epsilon=pl.lit(1.0), group_by=pl.col("v"), groups=[1])
suum.count(privacy=[1, 2], levels={1: 0.1, 2: 1})
suum.count(privacy=[True], levels={True: 0.1})
young = pd.Series({"young": 1.0})
suum.mean([1.0], epsilon=1.0, bounds=(0, 1), strata=["young"], population_shares=young)
suum.plan(profile=pd.Series([0.5]).value_counts(), bounds=[0, 1])
suum.Ledger.create("l", dataset="d", levels={1: 1.0})
con = duckdb.connect()
suum.duckdb.levels(con, table="t", value="v", epsilon="e", bins=np.linspace(0, 1, 5))
suum.sql.levels(sqlite3.connect(""), "t", value="v", privacy="p", levels={1: 0.5}, bounds=[0, 1])
suum.levels_sql(dialect="spark", table="t", value="v", epsilon="e", bounds=[0, 1])
suum.mean(ds.dataset(pa.table({"v": [1.0]})), value="v", epsilon=1.0, bounds=(0, 1))
suum.simulate([0.0, 1.0], profile={0.5: 10}, bounds=[0, 1], statistic="quantile", q=[0.5])
noon = [pd.Timestamp("2020-01-01"), pd.Timestamp("2021-01-01")]
suum.mean(noon, epsilon=1.0, bounds=noon, missing=noon[0])
suum.simulate([0.0, 1.0], profile=pd.Series([0.5]).value_counts(), bounds=[0, 1])
again_median: suum.Median = suum.Median.from_json(median.to_json())
total: float = suum.sum([1.0], epsilon=1.0, bounds=(0, 1)).estimate
ages, sexes = [1, 2], ["f", "m"]
suum.count(epsilon=1.0, group_by=[[1], ["a"]], groups=[[1], ["a"]])
suum.count(epsilon=1.0, group_by=[ages, sexes], groups=[[1, 2], ["f", "m"]])
suum.count(epsilon=1.0, group_by=(ages, np.array(sexes)), groups=([1, 2], ["f", "m"]))
suum.count(epsilon=1.0, group_by=[[True], [date(2020, 1, 1)]], groups=[[True], days[:1]])
suum.frequency(crosstab=[ages, sexes], categories=[[1, 2], ["f", "m"]], epsilon=1.0)
study = suum.Study(
    frame,
    consent=suum.tiers("privacy", strict=0.1, public=math.inf),
    columns={"wage": suum.number(0, 200), "region": suum.labels("n", "s")},
    person="id",
    ledger="x.ledger",
)
study_mean: suum.Number = study.mean("wage", spend="10%")
of_region: float = study.by("region", suppress_below=10).mean("wage")["n"].estimate
plan: suum.Plan = study.plan.mean("wage", confidence=0.9)
planned: suum.Release = plan.run()
of_regions: suum.Frequencies = study.shares("region")
with study.release(spend="10%") as r:
    mean_wage = r.mean("wage")
    pay = r.by("region").median("wage")
paid: float = mean_wage.estimate
middle_pay: suum.Median = pay
for answer in r:
    print(answer)
less_pay: suum.Difference = study.by("region").compare("wage", "n", "s")
by_person = suum.by_person(pd.Series({"a": 1.0}))
suum.Study("x.csv", consent=by_person, person="id").where("a = 1").options(confidence=0.9)
suum.Study(con, table="people", columns={"sick": suum.truth(), "day": suum.date("2020", "2021")})
suum.Study([{"v": 1.0}], consent=suum.everyone(1.0))
people = pd.DataFrame({"v": [1.0], "w": [1.0], "e": [0.5]})
piped: suum.Number = people.pipe(suum.mean, "v", epsilon="e", bounds=(0, 1))
each: float = people.pipe(suum.mean, ["v", "w"], epsilon="e", bounds=(0, 1))["w"].estimate
shares_of_each = suum.frequency(people, ["v", "w"], categories={"v": ["a"], "w": ["b"]})["v"].edges
more: suum.Difference = suum.mean(people, "v", group_by="g", groups=["a", "b"], between=["a", "b"])
at_ranks = suum.quantile(people, "v", q=[0.5], between=("a", "b")).differences
piped_plan: suum.Plan = people.pipe(suum.plan, "v", epsilon="e", bounds=(0, 1))
counted: suum.Number = suum.count(people, epsilon="e", neighbors="both")
"""

WRONG = """\
# pyright: strict
import suum
suum.mean([1.0], epsilon=1.0, bounds=(0, 1), estimator="afine")
suum.frequency([1.0], epsilon=1.0, categories=["a"], estimator="hpm-a")
x: str = suum.count(epsilon=1.0).estimate
suum.count(epsilon=1.0).interval.upper
len(suum.plan(profile={1: 3}))
suum.mean([object()], epsilon=1.0, bounds=(0, 1))
suum.simulate([1.0], profile={0.5: 10}, bounds=(0, 1), estimator="afine")
"""

MISNAMED = """\
# pyright: strict, reportMissingTypeStubs=false, reportUnknownMemberType=false
import pandas as pd
import suum
people = pd.DataFrame({"v": [1.0]})
people.pipe(suum.mean, "v", epsilon=1.0, bound=(0, 1))
suum.mean(people, "v", epsilon=1.0, bound=(0, 1))
suum.frequency(people, "v", epsilon=1.0, bound=["a"])
suum.count(people, epsilon=1.0, bound=1)
suum.plan(people, "v", epsilon=1.0, bound=(0, 1))
suum.levels(people, "v", epsilon=1.0, bound=(0, 1))
suum.levels_sql(dialect="duckdb", table="t", epsilon="e", bound=(0, 1))
suum.Study(people).options(bound=(0, 1))
suum.Study(people).mean("v", bound=(0, 1))
suum.Study(people).plan.mean("v", bound=(0, 1))
"""


def test_types_are_complete_for_pyright(tmp_path: Path, mypy: list[str]) -> None:
    """Also those of newer ways to say things, which mypy checks too."""
    pytest.importorskip("pyright")
    (tmp_path / "program.py").write_text(PROGRAM)
    (tmp_path / "wrong.py").write_text(WRONG)

    def answer(*command: str) -> str:
        return subprocess.run(
            command, capture_output=True, text=True, check=False, cwd=tmp_path, env=environment
        ).stdout

    # Also of a package that is used where its source is.
    environment = {**os.environ, "PYTHONPATH": str(Path(suum.__file__).parents[1])}
    assert answer(*mypy, "program.py").startswith("Success")
    pyright = [sys.executable, "-m", "pyright", "--outputjson", "--pythonpath", sys.executable]
    found = answer(*pyright, "program.py", "wrong.py")
    if not found.startswith("{"):
        pytest.skip("pyright needs Node.js, which it could not get")
    errors = [
        (Path(one["file"]).name, one["range"]["start"]["line"])
        for one in json.loads(found)["generalDiagnostics"]
    ]
    assert errors == [("wrong.py", line) for line in range(2, 9)]
    (tmp_path / "misnamed.py").write_text(MISNAMED)
    named = {
        one["range"]["start"]["line"]
        for one in json.loads(answer(*pyright, "misnamed.py"))["generalDiagnostics"]
        if '"bound"' in one["message"]
    }
    assert named == set(range(4, 14))
    by_mypy = answer(*mypy, "misnamed.py").splitlines()
    # To mypy nothing of pandas has a type here.
    assert [line.count('argument "bound"') for line in by_mypy if "error: Unexp" in line] == [1] * 9
    complete = json.loads(answer(*pyright, "--verifytypes", "suum", "--ignoreexternal"))
    assert complete["typeCompleteness"]["completenessScore"] == 1


# The examples of suum.spark need a session (test_spark.py).
MODULES = [
    name for _, name, _ in pkgutil.iter_modules(suum.__path__) if name not in ("_suum", "spark")
]


@pytest.mark.parametrize("module", MODULES)
def test_the_examples_of_the_documentation(module: str) -> None:
    assert doctest.testmod(importlib.import_module(f"suum.{module}")).failed == 0


def test_every_public_name_is_documented() -> None:
    for name in [*suum.__all__, "sum"]:
        thing = getattr(suum, name)
        assert thing.__doc__, name
        public = [
            member
            for member in vars(thing).values()
            if isinstance(member, property) or callable(member)
        ]
        for member in public if isinstance(thing, type) else []:
            if not getattr(member, "__name__", "_").startswith("_"):
                assert member.__doc__, (name, member)
    for function in [suum.levels_sql, suum.duckdb.levels, suum.spark.levels, suum.sql.levels]:
        documentation = function.__doc__
        assert documentation and ">>> " in documentation and "other_group" in documentation
    for name in ["mean", "sum", "count", "frequency", "quantile", "variance", "summary", "plan"]:
        documentation = getattr(suum, name).__doc__
        for part in (">>> ", "Returns", "Raises", "target_rmse", "Parameters"):
            assert part in documentation, (name, part)


@pytest.mark.parametrize(
    "example", sorted((PYTHON / "examples").glob("*.py")), ids=lambda path: path.name
)
def test_the_examples_run(example: Path, tmp_path: Path) -> None:
    environment = {**os.environ, "MPLBACKEND": "Agg"}
    subprocess.run(
        [sys.executable, example], check=True, cwd=tmp_path, env=environment, capture_output=True
    )


@pytest.mark.parametrize(
    ("page", "least"),
    [
        ("for/data-scientist.md", 2),
        ("how-to/python.md", 6),
        ("how-to/pandas.md", 2),
        ("how-to/audit.md", 1),
        ("how-to/databases.md", 1),
    ],
)
def test_the_examples_of_the_pages(page: str, least: int) -> None:
    assert len(run_page(page, {})) >= least


@pytest.mark.parametrize("name", ["mean", "plan", "levels_sql"])
def test_documentation_does_not_depend_on_its_indentation(name: str) -> None:
    """Python 3.13 takes it away."""
    text = getattr(suum, name).__doc__
    assert indented(inspect.cleandoc(text)) == indented(text) and "\n    bounds" in text


def test_files_import_each_other_in_one_direction() -> None:
    """As those of the crates do; and each shows one idea."""
    files = {path.stem: path.read_text() for path in Path(suum.__file__).parent.glob("*.py")}
    imports = {
        name: {
            found
            for node in ast.walk(ast.parse(text))
            if isinstance(node, ast.ImportFrom) and node.level == 1
            for found in ([node.module] if node.module else [one.name for one in node.names])
            if found in files
        }
        for name, text in files.items()
    }
    assert len(imports["_functions"]) > 4
    while leaves := [name for name, needed in imports.items() if not needed & imports.keys()]:
        imports = {name: needed for name, needed in imports.items() if name not in leaves}
    assert not imports, f"these are a circle, or need one: {sorted(imports)}"
