"""Level tables of what Apache Spark can read: the cluster adds the records up, and the driver makes
the release.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from functools import partial
from typing import Any, cast, Protocol, Unpack

from . import keywords
from ._level_query import KEYWORDS, Result, level_options, of_engine, run
from ._errors import ParameterError
from ._help import documented
from ._levels import Levels
from ._spark_records import condition, native

__all__ = ["levels"]


class Session(Protocol):
    """A session of PySpark."""

    def sql(self, sqlQuery: str) -> Any: ...


class DataFrame(Protocol):
    """A DataFrame of PySpark."""

    @property
    def sparkSession(self) -> Any: ...

    def createTempView(self, name: str) -> None: ...


@documented(keywords.LevelQuery, "suum.Levels")
def levels(
    data: DataFrame | Session,
    *,
    table: str | None = None,
    query: str | None = None,
    **options: Unpack[keywords.LevelQuery],
) -> Levels:
    """The raw level table of a DataFrame, added up by Spark. NOT private: keep it as safe as the
    data.

    It is one query, which reads the data twice: once for the sums, once for an independent count of
    the rows. Nothing that is random happens in a task, which Spark may run again: noise is drawn on
    the driver, by the statistic that takes the table.

    >>> import suum
    >>> people = spark.range(4000).selectExpr("id % 20 AS visits", "'strict' AS consent")
    >>> strict = {"privacy": "consent", "levels": {"strict": 0.1}}
    >>> table = suum.spark.levels(people, value="visits", bounds=(0, 77), **strict)
    >>> 0 <= suum.mean(table).estimate <= 77
    True

    Parameters
    ----------
    data:
        A DataFrame of PySpark. It stands under a name of its own among the temporary views until
        the query is done. Or a session, and ``table`` or ``query``.
    table, query:
        The table or view of the session, as NAME or SCHEMA.NAME (a name with a point in it stands
        in double quotes); or a SELECT whose rows are the records.
    """
    given = {**level_options("levels", locals()), "dialect": "spark"}
    if not hasattr(data, "createTempView"):
        return run("spark", given, lambda text: _collected(data, text), condition)
    if table is not None or query is not None:
        raise ParameterError(
            "table: a DataFrame is the data itself",
            "leave table and query out, or give the session",
        )
    view = f"suum_levels_{uuid.uuid4().hex}"
    frame = cast(DataFrame, data)
    session = frame.sparkSession

    def answer(text: str) -> Result:
        frame.createTempView(view)
        try:
            return _collected(session, text)
        finally:
            session.catalog.dropTempView(view)

    return run("spark", {**given, "table": view}, answer, condition)


def of_data(data: Any, what: str, options: Mapping[str, Any]) -> tuple[Levels, dict[str, Any]]:
    """The level table that a statistic of a DataFrame needs, and the options that are left to be
    asked of it.
    """
    data = native(data)
    kind = dict(data.dtypes).get(options.get("value"))
    is_whole = kind in ("tinyint", "smallint", "int", "bigint")
    return of_engine(partial(levels, data), KEYWORDS, what, options, is_whole)


def _collected(session: Any, text: str) -> Result:
    found = session.sql(text)
    return found.columns, found.collect()
