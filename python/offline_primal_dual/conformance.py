"""Is your implementation of Algorithms 1 and 2 right, and if not, where?

Write `run(problem) -> dict of arrays` and let it be checked, here or by `pytest --opd-target mypackage:run`. A problem is a dict: `id`,
`setting`, the sizes `states, actions, dim, inner, outer`, the numbers `alpha, eta, zeta, radius_theta, radius_beta` (+ `discount`, or `xi` and
`rho_start`), and the arrays `features` [S][A][d], `weight` [d][d] (None at c = 1), `theta_start`, `beta_start` [d], `x0, x, a, r, x_next, u`
(of the setting) [rows]. `docs/algorithms.md` says what to compute; everything random is in the problem.

The result has `theta` [T][d], `beta_next` [T][d] and, in the average-reward setting, `rho` [T]. Whatever else of that document's outer fields it has,
and under `inner` of its inner fields, [T][steps]…, makes the verdict more precise.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

from . import _core, _numbers

Problem: TypeAlias = dict[str, Any]
Target: TypeAlias = Callable[[Problem], Mapping[str, Any]]

_INDICES = ("x0", "x", "a", "x_next")
_ARRAYS = ("features", "weight", "theta_start", "beta_start", "r", "u")


@dataclass(frozen=True)
class Verdict:
    """What the results are worth; true if all agree."""

    passed: bool
    #: For people: where they first part, by how much, and the likely bug.
    text: str
    #: What `opd vectors check --json` prints.
    report: dict[str, Any] = field(repr=False)

    def __bool__(self) -> bool:
        return self.passed

    def __repr__(self) -> str:
        return f"{'pass' if self.passed else 'FAIL'}: {self.text}"


def problems(*, seed: int | None = None, count: int = 20) -> list[Problem]:
    """The fixed corner cases of both settings or, from a seed, fresh problems.

    >>> problems()[0]["id"]
    'discounted/plain'
    """
    fresh = None if seed is None else (_numbers.seed(seed), _numbers.count("count", count))
    return [_problem(line) for line in _core.vectors(fresh)]


def tags(problem: Problem) -> list[str]:
    """What a problem asks of an implementation: its setting, `half` (c = 1/2, a weight), `start` (not at 0), `large`.

    >>> tags(problems()[0])
    ['discounted']
    """
    found = [problem["setting"]]
    if problem["weight"] is not None:
        found.append("half")
    if np.any(problem["theta_start"]) or np.any(problem["beta_start"]) or problem.get("rho_start"):
        found.append("start")
    if problem["dim"] > 30 or problem["actions"] > 30 or problem["outer"] >= 100:
        found.append("large")
    return found


def judge(results: Iterable[tuple[str, Mapping[str, Any]]], *, precision: str = "f64", factor: float = 1.0, own_draws: bool = False) -> Verdict:
    """Judges results by the ids of their problems, each step from the result's own state before it, with derived tolerances."""
    lines = "\n".join(_written(case, found) for case, found in results)
    passed, text, report = _core.judge(lines, str(precision), _numbers.double("factor", factor), bool(own_draws))
    return Verdict(passed, text, json.loads(report))


def check(run: Target, *, skip: Iterable[str] = (), seed: int = 1, fresh: int = 40, precision: str = "f64", factor: float = 1.0) -> Verdict:
    """Runs an implementation on the corner cases and on fresh ones. `skip` are tags of what it cannot do, see :func:`tags`.

    >>> def mine(problem):
    ...     return {"theta": np.zeros((problem["outer"], problem["dim"])), "beta_next": np.zeros((problem["outer"], problem["dim"]))}
    >>> bool(check(mine, skip=["average"]))
    False
    """
    left_out = set(skip)
    cases = problems() + (problems(seed=seed, count=fresh) if fresh else [])
    wanted = [problem for problem in cases if not left_out.intersection(tags(problem))]
    if not wanted:
        raise ValueError("skip: leaves no case")
    return judge(((problem["id"], run(problem)) for problem in wanted), precision=precision, factor=factor)


def _problem(line: str) -> Problem:
    read = json.loads(line)
    found: Problem = {key: value for key, value in read.items() if not key.endswith("_bits")}
    found.setdefault("weight", None)
    for key in _INDICES:
        if key in found:
            found[key] = np.array(found[key], dtype=np.int64)
    for key in _ARRAYS:
        if found.get(key) is not None:
            found[key] = np.array(found[key], dtype=np.float64)
    return found


def _written(case: str, found: Mapping[str, Any]) -> str:
    """A line of results: arrays over t and k become steps."""
    if not isinstance(found, Mapping):
        raise ValueError(f"case {case}: found {type(found).__name__}, expected a dict of arrays")
    outer = {key: _listed(case, key, value) for key, value in found.items() if key not in ("inner", "order")}
    steps: list[dict[str, Any]] = []
    inside = found.get("inner") or {}
    if not isinstance(inside, Mapping):
        raise ValueError(f"case {case}: inner: found {type(inside).__name__}, expected a dict of arrays")
    inner = {key: _listed(case, f"inner.{key}", value) for key, value in inside.items()}
    for key, rows in inner.items():
        steps += [{"t": t, "k": k, key: row} for t, ks in enumerate(rows, 1) for k, row in enumerate(ks, 1)]
    for key, rows in outer.items():
        steps += [{"t": t, key: row} for t, row in enumerate(rows, 1)]
    merged: dict[tuple[int, int], dict[str, Any]] = {}
    for step in steps:
        merged.setdefault((step["t"], step.get("k", 2**62)), {}).update(step)
    result: dict[str, Any] = {"id": case, "steps": [merged[at] for at in sorted(merged)]}
    if "order" in found:
        result["order"] = _listed(case, "order", found["order"])
    return json.dumps(result)


def _listed(case: str, key: str, value: Any) -> list[Any]:
    """Lists of numbers; None for a number that is none."""
    try:
        array = np.asarray(value)
        if array.dtype.kind == "c":
            raise ValueError("complex numbers")
        if array.dtype.kind not in "fiu":
            array = array.astype(np.float64)
    except Exception as error:
        raise ValueError(f"case {case}: {key}: {_numbers._line(error)}, expected an array") from None
    if array.ndim == 0:
        raise ValueError(f"case {case}: {key}: found one number, expected one row per t")
    if array.dtype.kind == "f":
        array = array.astype(np.float64)
        if not np.isfinite(array).all():
            finite = np.isfinite(array)
            array = array.astype(object)
            array[~finite] = None
    listed: list[Any] = array.tolist()
    return listed
