"""Labels have the type that they were declared with, also when a release comes back from JSON."""

from __future__ import annotations

import datetime
import json
import pickle
from typing import Any

import numpy
import pandas
import pytest
import suum

EAST = datetime.timezone(datetime.timedelta(hours=2))
LABELS: dict[str, list[Any]] = {
    "integer": [1, 2],
    "number": [1.0, 2.5],
    "boolean": [True, False],
    "date": [datetime.date(2020, 1, 31), datetime.date(2021, 1, 1)],
    "time": [datetime.datetime(2020, 1, 31), datetime.datetime(2020, 1, 1, 7, 30, 0, 120000)],
    "instant": [datetime.datetime(2020, 1, 31, 1, tzinfo=EAST),
                datetime.datetime(2020, 1, 31, tzinfo=EAST)],
    "text": ["1", "true"],
}  # fmt: skip


def frame(labels: list[Any]) -> pandas.DataFrame:
    return pandas.DataFrame({"v": [1.0, 2.0] * 200, "g": labels * 200, "e": 1.0})


def by(labels: Any) -> dict[str, Any]:
    return {"value": "v", "epsilon": "e", "group_by": "g", "groups": labels}


def typed(labels: Any) -> list[tuple[type, Any]]:
    return [(type(one), one) for one in labels]


@pytest.mark.parametrize("kind", LABELS)
def test_groups_and_categories_come_back_from_json_with_their_type(kind: str) -> None:
    labels, table = LABELS[kind], frame(LABELS[kind])
    mean = suum.mean(table, **by(labels), bounds=(0, 10))
    assert typed(mean) == typed(labels)
    assert ("label_types" in mean.to_dict()) == (kind != "text")
    for given in (mean.to_json(), mean.to_dict()):
        again = suum.Release.from_json(given)
        assert typed(again) == typed(mean)
        assert again[labels[1]].to_dict() == mean[labels[1]].to_dict()
        assert typed(pickle.loads(pickle.dumps(again))) == typed(mean)
    assert typed(suum.run(mean, table)) == typed(mean)
    median = suum.median(table, **by(labels), bounds=(0, 10))
    assert typed(suum.Median.from_json(median.to_json())) == typed(labels)
    shares = suum.frequency(table, value="g", epsilon="e", categories=labels)
    assert typed(suum.Release.from_json(shares.to_json()).estimate) == typed(labels)


def test_labels_of_two_columns_have_a_type_each() -> None:
    table = frame([1, 2]).assign(h=[True, True, False, False] * 100)
    both: list[list[Any]] = [[1, 2], [True, False]]
    mean = suum.mean(table, **{**by(both), "group_by": ["g", "h"]}, bounds=(0, 10))
    again = suum.Release.from_json(mean.to_json())
    assert list(again) == list(mean) == [(1, True), (1, False), (2, True), (2, False)]
    cells = suum.frequency(table, crosstab=["g", "h"], epsilon="e", categories=both)
    again = suum.Release.from_json(cells.to_json())
    assert list(again.estimate) == list(cells.estimate) and list(again.margins["h"])[1] is False


def test_differences_are_found_by_categories_of_their_type() -> None:
    table = frame([1, 2]).assign(h=[True, True, False, False] * 100)
    more = suum.frequency(table, **{**by([1, 2]), "value": "h"}, categories=[True, False],
                          between=[2, 1])  # fmt: skip
    assert isinstance(more, suum.Difference)
    again = suum.Release.from_json(more.to_json())
    assert isinstance(again, suum.Difference) and again.between == (2, 1)
    for one in (more, again):
        assert typed(one.differences) == [(bool, True), (bool, False)]
        assert one.differences["true"] == one.differences[True]


def test_json_without_types_has_text_and_so_has_what_nobody_declared() -> None:
    mean = suum.mean(frame([1, 2]), **by([1]), other_group="2", bounds=(0, 10))
    assert list(suum.Release.from_json(mean.to_json())) == list(mean) == [1, "2"]
    old = json.loads(mean.to_json())
    del old["label_types"]
    assert list(suum.Release.from_json(old)) == ["1", "2"]
    assert suum.verify(mean).agrees


def test_numpys_labels_are_those_of_python() -> None:
    days = numpy.array(["2020-01-31", "2020-02-01"], "M8[ns]")
    mean = suum.mean(frame(list(days)), **by(days), bounds=(0, 10))
    assert list(mean) == [datetime.datetime(2020, 1, 31), datetime.datetime(2020, 2, 1)]
    assert list(suum.Release.from_json(mean.to_json())) == list(mean)
    whole = suum.mean(frame([3, 4]), **by(numpy.array([3, 4], "i2")), bounds=(0, 10))
    assert typed(suum.Release.from_json(whole.to_json())) == [(int, 3), (int, 4)]


def test_each_of_several_answers_has_its_labels() -> None:
    table = frame([1, 2]).assign(h=[True, True, False, False] * 100)
    grouped = {"statistic": "mean", "value": "v", "bounds": (0, 10), "group_by": "g",
               "groups": [1, 2]}  # fmt: skip
    checked = {"statistic": "mean", "value": "v", "bounds": (0, 10), "check_bounds": True}
    shares = {"statistic": "frequency", "value": "h", "categories": [True, False]}
    survey = suum.run({"epsilon": "e", "answers": [checked, grouped, shares]}, table)
    assert isinstance(survey, suum.Survey)
    again = suum.Survey.from_json(survey.to_json())
    for one in (survey, again, pickle.loads(pickle.dumps(again)), suum.run(survey, table)):
        # The check of bounds is an answer, too.
        _, _, mean, health = one
        assert list(mean) == [1, 2] and list(health.estimate) == [True, False]


def test_nanoseconds_come_back_from_json() -> None:
    labels = [pandas.Timestamp("2020-01-01 00:00:00.000000001"), pandas.Timestamp("2020-01-02")]
    mean = suum.mean(frame(labels), **by(labels), bounds=(0, 10))
    again = suum.Release.from_json(mean.to_json())
    assert list(again) == labels and again[labels[0]].estimate == mean[labels[0]].estimate
