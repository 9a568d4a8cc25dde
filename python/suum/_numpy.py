"""NumPy arrays in Arrow's C data interface, where they lie.

NumPy has no such interface of its own. Its arrays are described here with ctypes, by the two structures of
https://arrow.apache.org/docs/format/CDataInterface.html. Nothing is copied, and nothing needs NumPy to be installed.
"""

from __future__ import annotations

import ctypes
from ctypes import POINTER, c_char_p, c_int64, c_void_p
from typing import Any, ClassVar

#: The formats of Arrow by the kind and size of the items of an array.
_FORMATS = {
    "f2": "e", "f4": "f", "f8": "g",
    "i1": "c", "i2": "s", "i4": "i", "i8": "l",
    "u1": "C", "u2": "S", "u4": "I", "u8": "L",
}  # fmt: skip


class _Schema(ctypes.Structure):
    pass


class _Array(ctypes.Structure):
    pass


_ReleaseSchema = ctypes.CFUNCTYPE(None, POINTER(_Schema))
_ReleaseArray = ctypes.CFUNCTYPE(None, POINTER(_Array))

_Schema._fields_ = [
    ("format", c_char_p),
    ("name", c_char_p),
    ("metadata", c_char_p),
    ("flags", c_int64),
    ("n_children", c_int64),
    ("children", c_void_p),
    ("dictionary", c_void_p),
    ("release", _ReleaseSchema),
    ("private_data", c_void_p),
]
_Array._fields_ = [
    ("length", c_int64),
    ("null_count", c_int64),
    ("offset", c_int64),
    ("n_buffers", c_int64),
    ("n_children", c_int64),
    ("buffers", POINTER(c_void_p)),
    ("children", c_void_p),
    ("dictionary", c_void_p),
    ("release", _ReleaseArray),
    ("private_data", c_void_p),
]

_new_capsule = ctypes.pythonapi.PyCapsule_New
_new_capsule.restype = ctypes.py_object
_new_capsule.argtypes = [c_void_p, c_char_p, c_void_p]

#: Arrays that somebody still reads, by the number in ``private_data``; here they outlive the capsules.
_lent: dict[int, object] = {}


def _release_schema(schema: Any) -> None:
    schema.contents.release = _ReleaseSchema()


def _release_array(array: Any) -> None:
    _lent.pop(array.contents.private_data, None)
    array.contents.release = _ReleaseArray()


_schema_released = _ReleaseSchema(_release_schema)
_array_released = _ReleaseArray(_release_array)


class NumpyColumn:
    """A NumPy array of numbers in one dimension, as an array of Arrow.

    Items are copied that lie apart, in another byte order, or in another size than Arrow knows, and truth values.
    """

    _next: ClassVar[int] = 1

    def __init__(self, array: Any) -> None:
        self.length = array.size
        if array.dtype.kind == "b":
            from numpy import packbits

            self.format, self.array = "b", packbits(array, bitorder="little")
            return
        kind = f"{array.dtype.kind}{array.dtype.itemsize}"
        if kind not in _FORMATS:
            kind = "f8"
        array = array.astype(f"={kind}", copy=False)
        self.format, self.array = _FORMATS[kind], array if array.flags.c_contiguous else array.copy()

    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]:
        schema = _Schema(format=self.format.encode(), name=b"", flags=2, release=_schema_released)
        # Without a bitmap no item is missing; NaN is for whoever reads it.
        buffers = (c_void_p * 2)(None, self.array.ctypes.data if self.array.size else None)
        number = NumpyColumn._next
        NumpyColumn._next += 1
        array = _Array(
            length=self.length,
            n_buffers=2,
            buffers=ctypes.cast(buffers, POINTER(c_void_p)),
            release=_array_released,
            private_data=number,
        )
        # Whoever imports them takes over a copy of the structure and the duty to release it.
        _lent[number] = (self.array, buffers, array, schema)
        return (
            _new_capsule(ctypes.addressof(schema), b"arrow_schema", None),
            _new_capsule(ctypes.addressof(array), b"arrow_array", None),
        )
