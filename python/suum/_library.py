"""Library of an object, found without importing that library."""

from __future__ import annotations

#: Libraries whose classes users derive from; an object of a derived class is the library's too.
_DERIVED_FROM = {"numpy", "pandas", "polars", "pyarrow"}


def library(thing: object) -> str:
    """The name of the top-level package that defines the class of a thing, or a base of it.

    >>> import collections
    >>> library(collections.Counter())
    'collections'
    """
    packages = [base.__module__.partition(".")[0] for base in type(thing).__mro__]
    return next((package for package in packages if package in _DERIVED_FROM), packages[0])


def is_one(thing: object, package: str, *names: str) -> bool:
    """Returns true if a thing is of one of these classes of a library, or of a subclass.

    >>> is_one({}, "builtins", "dict"), is_one({}, "pandas", "DataFrame")
    (True, False)
    """
    return any(
        base.__module__.partition(".")[0] == package and base.__name__ in names
        for base in type(thing).__mro__
    )
