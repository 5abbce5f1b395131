"""The rows of a run: columns `x0, x, a, r, x_next, u`, from whatever holds columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from os import PathLike
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._numbers import _line, _shown, path

#: One array per column. Discounted: x0, x, a, r, x_next. Average-reward: x, a, r, x_next, u.
Rows: TypeAlias = dict[str, NDArray[Any]]

#: A mapping of columns (a dict, a DataFrame of pandas or polars, an Arrow table), batches of them, a data file, or nothing.
Data: TypeAlias = "Mapping[str, Any] | Iterable[Mapping[str, Any]] | str | PathLike[str] | None"

COLUMNS = {"x0": np.int64, "x": np.int64, "a": np.int64, "r": np.float64, "x_next": np.int64, "u": np.float64}


def source(data: Any) -> _core.Source:
    """What the compiled half takes: columns without a copy where they are contiguous and of the right type."""
    if data is None:
        return None
    if isinstance(data, (str, PathLike)):
        return path("data", data)
    if _names(data) is not None:
        return columns(data)
    if isinstance(data, Iterable) and not isinstance(data, (bytes, bytearray, memoryview, np.ndarray, np.generic)):
        return _batches(data)
    raise ValueError(f"data: found {_shown(data)}, expected columns, an iterable of columns, or a file's name")


def columns(data: Any) -> dict[str, object]:
    """Contiguous columns; None for those that are not there."""
    names = _names(data)
    if names is None:
        raise ValueError(f"rows: found {_shown(data)}, expected columns by name")
    unknown = [name for name in names if name not in COLUMNS]
    if unknown:
        raise ValueError(f"rows: found column {_shown(unknown[0])}, expected only {', '.join(COLUMNS)}")
    return {name: _column(name, data[name]) if name in names else None for name in COLUMNS}


def _names(data: Any) -> list[Any] | None:
    """The names of the columns, if `data` has columns by name."""
    if isinstance(data, Mapping):
        return list(data)
    for attribute in ("column_names", "columns"):  # an Arrow table; a DataFrame of pandas or polars
        names = getattr(data, attribute, None)
        if names is not None and hasattr(data, "__getitem__"):
            return [str(name) for name in names if name is not None]
    return None


def _column(name: str, cells: Any) -> NDArray[Any]:
    wanted = COLUMNS[name]
    try:
        found = np.asarray(cells.to_numpy() if hasattr(cells, "to_numpy") else cells)
    except Exception as error:
        raise ValueError(f"rows: column {name}: {_line(error)}, expected an array") from None
    if found.ndim != 1:
        raise ValueError(f"rows: column {name}: found {found.ndim} dimensions, expected 1")
    kinds = "iu" if wanted is np.int64 else "fiu"
    if found.size and found.dtype.kind not in kinds:
        expected = "integers" if wanted is np.int64 else "numbers"
        raise ValueError(f"rows: column {name}: found {found.dtype}, expected {expected}")
    if found.dtype == np.uint64 and found.size and found.max() > 2**63 - 1:
        raise ValueError(f"rows: column {name}: found {found.max()}, expected an index")
    return np.ascontiguousarray(found, dtype=wanted)


def _batches(data: Iterable[Any]) -> Iterator[dict[str, object]]:
    for batch in data:
        yield columns(batch)
