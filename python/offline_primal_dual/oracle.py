"""The exact oracle as plain functions: Fractions in, Fractions out."""

from __future__ import annotations

import json
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from . import _core, _numbers
from ._problem import Problem, core
from ._run import Setting, _setting, exponent


@dataclass(frozen=True)
class Value:
    """What a policy is worth."""

    #: ρ(π), the normalised return; the gain in the average-reward setting.
    result: Fraction
    #: v^π, [S].
    v: list[Fraction]
    #: q^π, [S][A].
    q: list[list[Fraction]]


def value(problem: Problem, policy: Any = None, *, setting: Setting = "discounted", budget: float = 1.0) -> Value:
    """Return (or gain), v^π and q^π of a policy [S][A]; of an optimal one if it is left out.

    >>> value(Problem.instance("two-state")).result
    Fraction(94, 245)
    """
    found = _ask(problem, "value", setting, budget, policy=policy)
    return Value(_exact(found["return"]), _exact(found["v"]), _exact(found["q"]))


def occupancy(problem: Problem, policy: Any = None, *, setting: Setting = "discounted", budget: float = 1.0) -> list[list[Fraction]]:
    """μ^π, [S][A]."""
    found: list[list[Fraction]] = _exact(_ask(problem, "occupancy", setting, budget, policy=policy))
    return found


def theta(problem: Problem, policy: Any = None, *, setting: Setting = "discounted", budget: float = 1.0) -> list[Fraction]:
    """θ^π, [d]: q^π = Φθ^π."""
    found: list[Fraction] = _exact(_ask(problem, "theta", setting, budget, policy=policy))
    return found


def optimal_policy(problem: Problem, *, setting: Setting = "discounted", budget: float = 1.0) -> list[list[Fraction]]:
    """A deterministic optimal policy, [S][A]."""
    found: list[list[Fraction]] = _exact(_ask(problem, "optimal", setting, budget))
    return found


def policy_coverage(problem: Problem, policy: Any = None, *, setting: Setting = "discounted", budget: float = 1.0) -> dict[str, Any]:
    """The ratios of Definition E.1 of any policy; `dagger` is the pair that it lies between."""
    found = _ask(problem, "coverage", setting, budget, policy=policy)
    dagger = found.pop("dagger")
    return {key: _exact(part) for key, part in found.items()} | {"dagger": (_exact(dagger["at_least"]), _exact(dagger["at_most"]))}


def gap(
    problem: Problem, thetas: Any, betas: Any, policies: Any, rhos: Any = None, *,
    policy: Any = None, setting: Setting = "discounted", c: Any = 1, budget: float = 1.0,
) -> dict[str, Fraction]:  # fmt: skip
    """Both sides of Lemma 4.1 (C.3) on iterates [T][d], [T][d], [T][S][A] and, in the average-reward setting, [T]: `gap`, `suboptimality`."""
    given = {"thetas": thetas, "betas": betas, "policies": policies, "rhos": rhos, "policy": policy}
    found = _ask(problem, "gap", setting, budget, c=exponent(c), **given)
    return {key: _exact(part) for key, part in found.items()}


def regrets(
    problem: Problem, thetas: Any, betas: Any, policies: Any, rhos: Any = None, *,
    policy: Any = None, setting: Setting = "discounted", c: Any = 1, budget: float = 1.0,
) -> dict[str, Fraction]:  # fmt: skip
    """The regrets of Lemma 4.2 (C.4) on the same: they add up to the gap."""
    given = {"thetas": thetas, "betas": betas, "policies": policies, "rhos": rhos, "policy": policy}
    found = _ask(problem, "regrets", setting, budget, c=exponent(c), **given)
    return {key: _exact(part) for key, part in found.items()}


def _ask(problem: Problem, question: str, setting: str, budget: float, **given: Any) -> Any:
    request = {"model": json.loads(core(problem).to_json()), "setting": _setting(setting), "ask": [question]}
    for key, part in given.items():
        if part is not None:
            request[key] = part if key == "c" else _written(key, part)
    return json.loads(_core.oracle(json.dumps(request), _numbers.double("budget", budget)))[question]


def _written(key: str, part: Any) -> Any:
    part = part.tolist() if hasattr(part, "tolist") else part
    if isinstance(part, (list, tuple)):
        return [_written(key, inside) for inside in part]
    return _numbers.text(key, part)


def _exact(found: Any) -> Any:
    return [_exact(part) for part in found] if isinstance(found, list) else Fraction(found["exact"])
