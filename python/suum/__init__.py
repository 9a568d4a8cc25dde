"""Publish statistics of data in which every person chose their own privacy level.

>>> import math, suum
>>> people = {"visits": [3, 0, 9, 1] * 500, "privacy": ["strict", "open", "public", "open"] * 500}
>>> study = suum.Study(
...     people,
...     consent=suum.tiers("privacy", strict=0.1, open=1, public=math.inf),
...     columns={"visits": suum.number(0, 77, step=1)},
... )
>>> 0 <= study.mean("visits").estimate <= 77
True

A ``Study`` says once who allows what (``tiers``, ``budgets``, ``everyone``, ``by_person``,
``register``) and what the columns mean (``number``, ``labels``, ``date``, ``truth``). Its methods
are the statistics, ``study.plan`` has the same as plans, and ``with study.release() as release``
makes one release of several answers.

Each statistic is also a function of data: ``mean``, ``sum``, ``count``, ``frequency``,
``histogram``, ``quantile``, ``median``, ``variance``, ``std``, ``summary`` and ``difference``.
``run`` makes the release that a query asks for, ``plan`` says beforehand how good one would be,
``Ledger`` keeps account of what they cost, ``verify`` computes a certificate again, and ``audit``
tries to disprove what they promise.
"""

from . import duckdb, keywords, spark, sql
from ._checks import Audit, AuditedLevel, Verification, audit, audit_function, verify
from ._codebook import Column, labels, number, truth
from ._codebook import date as date
from ._consent import Consent, budgets, by_person, everyone, register, tiers
from ._errors import (
    BudgetError,
    DataError,
    Error,
    InternalError,
    LedgerError,
    ParameterError,
    PrivacyWarning,
    ReadError,
    RequestError,
    TableError,
)
from ._functions import (
    count,
    difference,
    frequency,
    histogram,
    levels,
    mean,
    median,
    plan,
    quantile,
    run,
    std,
    sum as sum,
    summary,
    variance,
)
from ._kinds import Deviation, Difference, Frequencies, Median, Number, Quantiles, Summary, Variance
from ._ledger import Ledger
from ._level_query import levels_sql
from ._levels import Levels, from_levels
from ._plan import Candidate, Plan
from ._release import Release
from ._report import Privacy
from ._simulation import Simulation, simulate
from ._study import Study
from ._survey import ByColumn, Survey
from ._suum import __version__ as __version__
from ._values import Estimate, ExpectedError, Interval, Moment, Tier

# ``sum`` is left out, so that ``from suum import *`` leaves Python's own alone.
__all__ = [
    "Audit",
    "AuditedLevel",
    "BudgetError",
    "ByColumn",
    "Candidate",
    "Column",
    "Consent",
    "DataError",
    "Deviation",
    "Difference",
    "Error",
    "Estimate",
    "ExpectedError",
    "Frequencies",
    "InternalError",
    "Interval",
    "Ledger",
    "LedgerError",
    "Levels",
    "Median",
    "Moment",
    "Number",
    "ParameterError",
    "Plan",
    "Privacy",
    "PrivacyWarning",
    "Quantiles",
    "ReadError",
    "Release",
    "RequestError",
    "Simulation",
    "Study",
    "Summary",
    "Survey",
    "TableError",
    "Tier",
    "Variance",
    "Verification",
    "audit",
    "audit_function",
    "budgets",
    "by_person",
    "count",
    "difference",
    "duckdb",
    "everyone",
    "frequency",
    "from_levels",
    "histogram",
    "keywords",
    "labels",
    "levels",
    "levels_sql",
    "mean",
    "median",
    "number",
    "plan",
    "quantile",
    "register",
    "run",
    "simulate",
    "spark",
    "sql",
    "std",
    "summary",
    "tiers",
    "truth",
    "variance",
    "verify",
]
