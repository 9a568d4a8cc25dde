"""NumPy arrays in Arrow's C data interface, where they lie.

NumPy has no such interface of its own. Its arrays are described here with ctypes, by the two
structures of https://arrow.apache.org/docs/format/CDataInterface.html. Nothing is copied, and
nothing needs NumPy to be installed.
"""

from __future__ import annotations

import ctypes
from ctypes import c_char_p, c_int64, c_void_p
from typing import Any, ClassVar

#: The formats of Arrow by the kind and size of the items of an array.
_FORMATS = {
    "f2": b"e", "f4": b"f", "f8": b"g",
    "i1": b"c", "i2": b"s", "i4": b"i", "i8": b"l",
    "u1": b"C", "u2": b"S", "u4": b"I", "u8": b"L",
}  # fmt: skip

_Release = ctypes.CFUNCTYPE(None, c_void_p)


class _Schema(ctypes.Structure):
    _fields_ = [
        ("format", c_char_p),
        ("name", c_char_p),
        ("metadata", c_char_p),
        ("flags", c_int64),
        ("n_children", c_int64),
        ("children", c_void_p),
        ("dictionary", c_void_p),
        ("release", _Release),
        ("private_data", c_void_p),
    ]


class _Array(ctypes.Structure):
    _fields_ = [
        ("length", c_int64),
        ("null_count", c_int64),
        ("offset", c_int64),
        ("n_buffers", c_int64),
        ("n_children", c_int64),
        ("buffers", c_void_p),
        ("children", c_void_p),
        ("dictionary", c_void_p),
        ("release", _Release),
        ("private_data", c_void_p),
    ]


class _Items(ctypes.Structure):
    """An array and what it points to, in one piece of memory."""

    _fields_ = [("array", _Array), ("buffers", c_void_p * 2)]


_new_capsule = ctypes.pythonapi.PyCapsule_New
_new_capsule.restype = ctypes.py_object
_new_capsule.argtypes = [c_void_p, c_char_p, c_void_p]

#: Arrays that somebody still reads, by the number in ``private_data``; here they outlive the
#: capsules.
_lent: dict[int, object] = {}


def _release_schema(at: int) -> None:
    _Schema.from_address(at).release = _Release()


def _release_array(at: int) -> None:
    array = _Array.from_address(at)
    _lent.pop(array.private_data, None)
    array.release = _Release()


_schema_released = _Release(_release_schema)
_array_released = _Release(_release_array)


#: The formats of Arrow by the units of dates and times.
_TIMES = {"D": b"tdD", "s": b"tss:", "ms": b"tsm:", "us": b"tsu:", "ns": b"tsn:"}


class NumpyColumn:
    """A NumPy array of numbers, dates or times in one dimension, as an array of Arrow.

    Items are copied that lie apart, across the bounds of words, in another byte order, or in
    another size than Arrow knows, and truth values.
    """

    _next: ClassVar[int] = 1

    def __init__(self, array: Any) -> None:
        self.length = array.size
        # A consumer need not import a schema that it reads, so schemas live as long as the column.
        self.schemas: list[_Schema] = []
        #: A bit for each item that is there; ``None`` if all are.
        self.present: Any = None
        if array.dtype.kind == "M":
            self._take_times(array)
            return
        if array.dtype.kind == "b":
            from numpy import packbits

            self.format, self.array = b"b", packbits(array, bitorder="little")
            return
        kind = f"{array.dtype.kind}{array.dtype.itemsize}"
        if kind not in _FORMATS:
            kind = "f8"
        array = array.astype(f"={kind}", copy=False)
        in_place = array.flags.c_contiguous and array.flags.aligned
        self.format, self.array = _FORMATS[kind], array if in_place else array.copy()

    def _take_times(self, array: Any) -> None:
        from numpy import datetime_data, isnat, packbits

        missing = isnat(array)
        if missing.any():
            self.present = packbits(~missing, bitorder="little")
        unit, step = datetime_data(array.dtype)
        if unit not in _TIMES or step != 1:
            # Months and hours have no format in Arrow, nor have steps of five minutes.
            unit = {"Y": "D", "M": "D", "W": "D", "D": "D", "h": "s", "m": "s"}.get(unit, "us")
        counts = array.astype(f"=M8[{unit}]").view("i8")
        self.format, self.array = _TIMES[unit], counts.astype("i4") if unit == "D" else counts

    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]:
        number = NumpyColumn._next
        NumpyColumn._next += 1
        schema = _Schema(format=self.format, name=b"", flags=2, release=_schema_released)
        self.schemas.append(schema)
        items = _Items(
            _Array(
                length=self.length,
                null_count=0 if self.present is None else -1,
                n_buffers=2,
                release=_array_released,
                private_data=number,
            ),
            # Without a bitmap no item is missing; NaN is for whoever reads it.
            (
                None if self.present is None else self.present.ctypes.data,
                self.array.ctypes.data if self.array.size else None,
            ),
        )
        address = ctypes.addressof(items)
        items.array.buffers = address + _Items.buffers.offset
        # The consumer imports a copy of the array, and with it the duty to release it.
        _lent[number] = (self.array, self.present, items)
        return (
            _new_capsule(ctypes.addressof(schema), b"arrow_schema", None),
            _new_capsule(address, b"arrow_array", None),
        )
