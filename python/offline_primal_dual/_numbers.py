"""What a caller may write for a number or an array, and what it means."""

from __future__ import annotations

import numbers
import operator
import os
from decimal import Decimal
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Doubles: TypeAlias = NDArray[np.float64]

#: A number that is read exactly. A float means the decimal that it prints as: 0.1 is 1/10, as in a problem file.
Number: TypeAlias = int | float | str | Fraction | Decimal

#: Integers up to here are doubles.
_EXACT_INTEGER = 2**53


def count(name: str, value: object, least: int = 1) -> int:
    """An integer from `least` on.

    >>> count("inner", 3)
    3
    """
    try:
        found = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        found = least - 1
    if isinstance(value, (bool, np.bool_)) or not least <= found < 2**63:
        raise ValueError(f"{name}: found {_shown(value)}, expected an integer >= {least}")
    return found


def seed(value: object) -> int:
    """An integer that a seed can be: 64 bits."""
    try:
        found = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        found = -1
    if isinstance(value, (bool, np.bool_)) or not 0 <= found < 2**64:
        raise ValueError(f"seed: found {_shown(value)}, expected an integer from 0 to 2^64 - 1")
    return found


def double(name: str, value: object) -> float:
    """The double nearest to a number."""
    try:
        found = float(Fraction(value)) if isinstance(value, str) else float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError, ZeroDivisionError):
        raise ValueError(f"{name}: found {_shown(value)}, expected a number") from None
    return found


def maybe(name: str, value: object) -> float | None:
    """A number, or None."""
    return None if value is None else double(name, value)


def text(name: str, value: object) -> str:
    """A number as the library reads it, exactly."""
    if isinstance(value, str):
        return value
    if isinstance(value, (bool, np.bool_)):
        raise ValueError(f"{name}: found {value}, expected a number")
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, Fraction):
        return f"{value.numerator}/{value.denominator}"
    if isinstance(value, Decimal):
        return str(value)
    if isinstance(value, numbers.Real):
        return repr(float(value))
    raise ValueError(f"{name}: found {_shown(value)}, expected a number, a Fraction or a string like '1/3'")


def array(name: str, value: object, dimensions: int) -> Doubles | NDArray[Any]:
    """Doubles where nothing is lost by it, else an array of objects for :func:`text`."""
    try:
        found = np.asarray(value)
        if found.dtype.kind not in "fiu" or found.dtype.itemsize > 8:
            found = np.asarray(value, dtype=object)
    except (ValueError, TypeError, OverflowError) as error:
        raise ValueError(f"{name}: {_line(error)}, expected numbers in {dimensions} dimensions") from None
    if found.ndim != dimensions:
        raise ValueError(f"{name}: found {found.ndim} dimensions, expected {dimensions}")
    if found.dtype.kind == "f" or (found.dtype.kind in "iu" and _small(found)):
        return np.ascontiguousarray(found, dtype=np.float64)
    return found.astype(object)


def texts(name: str, values: NDArray[Any]) -> tuple[list[str], NDArray[np.int64]]:
    """Every number of an array as the library reads it: the distinct ones, and where each stands."""
    if values.dtype != object:
        distinct, places = np.unique(values.ravel(), return_inverse=True)
        return [text(name, value) for value in distinct.tolist()], np.ascontiguousarray(places.ravel(), dtype=np.int64)
    known: dict[str, int] = {}
    found = [known.setdefault(text(name, value), len(known)) for value in values.ravel().tolist()]
    return list(known), np.array(found, dtype=np.int64)


def path(name: str, value: object) -> str:
    """A file's name that the system can have."""
    try:
        found = os.fspath(value)  # type: ignore[call-overload]
        if isinstance(found, str) and found and "\0" not in found and os.fsencode(found):
            return found
    except (TypeError, ValueError):
        pass
    raise ValueError(f"{name}: found {_shown(value)}, expected the name of a file")


def fractions(value: object) -> Any:
    """Strings within lists as Fractions.

    >>> fractions(["1/2", ["3"]])
    [Fraction(1, 2), [Fraction(3, 1)]]
    """
    return [fractions(part) for part in value] if isinstance(value, list) else Fraction(str(value))


def _small(found: NDArray[Any]) -> bool:
    return found.size == 0 or bool(found.max() <= _EXACT_INTEGER and found.min() >= -_EXACT_INTEGER)


def _shown(value: object) -> str:
    try:
        shown = repr(value)
    except Exception:
        shown = type(value).__name__
    shown = " ".join(shown.split())
    return shown if len(shown) <= 60 else shown[:60] + "…"


def _line(error: Exception) -> str:
    return str(error).splitlines()[0] if str(error) else type(error).__name__
