"""The names of estimators, statistics and dialects; a test writes this file."""

from typing import Literal

MeanEstimator = Literal[
    "auto", "affine", "typical", "threshold", "uniform", "proportional", "mixed", "local", "hpm-a",
    "hpm-cp", "hpm-ce", "hpm-up", "hpm-ue", "hpm-cp-t", "hpm-ce-t", "hpm-up-t", "hpm-ue-t",
    "gaussian",
]

FrequencyEstimator = Literal[
    "auto", "affine", "threshold", "uniform", "proportional", "mixed", "local", "hpf-a", "hpf-cp",
    "hpf-ce", "hpf-up", "hpf-ue", "hpf-cp-t", "hpf-ce-t", "hpf-up-t", "hpf-ue-t",
]

QuantileEstimator = Literal[
    "auto", "weighted", "pe", "mixed",
]

AnyEstimator = Literal[
    "auto", "affine", "typical", "threshold", "uniform", "proportional", "mixed", "local", "hpm-a",
    "hpm-cp", "hpm-ce", "hpm-up", "hpm-ue", "hpm-cp-t", "hpm-ce-t", "hpm-up-t", "hpm-ue-t",
    "gaussian", "hpf-a", "hpf-cp", "hpf-ce", "hpf-up", "hpf-ue", "hpf-cp-t", "hpf-ce-t",
    "hpf-up-t", "hpf-ue-t", "weighted", "pe",
]

Statistic = Literal[
    "mean", "sum", "frequency", "quantile", "variance", "count",
]

Dialect = Literal[
    "postgres", "sqlite", "duckdb", "spark", "bigquery", "snowflake",
]

#: Other names of statistics, which mean the same.
ALIASES = {
    "average": "mean",
    "shares": "frequency",
    "histogram": "frequency",
    "proportion": "frequency",
    "quantiles": "quantile",
    "std": "variance",
    "describe": "summary",
}
