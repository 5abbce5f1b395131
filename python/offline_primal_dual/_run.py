"""Runs and certificates."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from os import PathLike
from pathlib import Path
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from . import _core, _numbers
from ._numbers import Doubles
from ._problem import Problem, core
from ._rows import Data, Rows, source

Setting: TypeAlias = Literal["discounted", "average"]

#: Two fractions that a number is proved to lie between.
Interval: TypeAlias = tuple[Fraction, Fraction]

#: Called with the number of rows since the last call, about twenty times a second: `tqdm(total=…).update` fits.
Progress: TypeAlias = Callable[[int], object]


@dataclass(frozen=True)
class Policy:
    """π(a|x) ∝ exp(α⟨φ(x, a), Σθ⟩): a table, and a function of the state."""

    #: π(a|x), [S][A].
    table: Doubles
    alpha: float
    theta_sum: Doubles = field(repr=False)

    def __call__(self, state: int) -> Doubles:
        """π(·|x) of a state of the problem."""
        x = _numbers.count("state", state, 0)
        if x >= len(self.table):
            raise ValueError(f"state: found {x}, expected an integer from 0 to {len(self.table) - 1}")
        row: Doubles = self.table[x]
        return row

    def of_features(self, features: Any) -> Doubles:
        """π(·|x) of any state, from its features φ(x, ·) [A][d]: what to deploy where states are not in a table."""
        phi = _numbers.array("features", features, 2)
        if phi.dtype == object or phi.shape[1] != len(self.theta_sum):
            raise ValueError(f"features: found shape {phi.shape}, expected floats [actions][{len(self.theta_sum)}]")
        return _core.policy(phi.shape[0], self.alpha, phi.ravel(), self.theta_sum)

    def action(self, state: int, u: float) -> int:
        """The draw A ~ π(·|x) behind u ∈ [0, 1): the first action whose cumulative probability exceeds u."""
        return int(min(np.searchsorted(np.cumsum(self(state)), u, side="right"), self.table.shape[1] - 1))


@dataclass(frozen=True)
class Trace:
    """The iterates: row t − 1 is iteration t."""

    theta: Doubles
    beta: Doubles
    theta_sum: Doubles
    #: In the average-reward setting.
    rho: Doubles | None
    #: Of the inner steps, where `trace="inner"` asked for them: [T][steps][d], [T][steps].
    inner_gradient: Doubles | None = field(repr=False, default=None)
    inner_theta: Doubles | None = field(repr=False, default=None)
    inner_rho: Doubles | None = field(repr=False, default=None)


@dataclass(frozen=True)
class Run:
    """What a run gives."""

    #: π_J, J uniform on 1 … T: the policy that the theorem speaks of.
    policy: Policy
    #: π_{T+1}.
    last_policy: Policy
    theta: Doubles = field(repr=False)
    beta: Doubles = field(repr=False)
    theta_sum: Doubles = field(repr=False)
    rho: float | None
    #: The iterates, where they were asked for.
    trace: Trace | None = field(repr=False)
    #: Everything that `opd run --json` prints: rates, radii, norms, and with a model also `values` and `bound` or `no_bound`.
    report: dict[str, Any] = field(repr=False)
    #: The page, where :func:`report` asked for it.
    html: str | None = field(repr=False, default=None)
    #: What of the data was taken otherwise than it stands.
    notes: list[str] = field(repr=False, default_factory=list)
    #: What of the data the model forbids; each is also a UserWarning. The theorem's bound is then withheld.
    contradictions: list[str] = field(repr=False, default_factory=list)

    def policies(self) -> Iterator[Policy]:
        """π_1, π_2, …, π_T; needs a trace."""
        if self.trace is None:
            raise ValueError("trace: not kept, expected run(…, trace=True)")
        sums = np.vstack([np.zeros_like(self.theta_sum), self.trace.theta_sum[:-1]])
        for theta_sum in sums:
            yield _policy(self._features, self.policy.alpha, np.ascontiguousarray(theta_sum))

    _features: Doubles = field(repr=False, default_factory=lambda: np.zeros((0, 0, 0)))

    def _repr_html_(self) -> str | None:
        return self.html


@dataclass(frozen=True)
class Certificate:
    """What a run was worth, exactly: Lemmas 4.1 and 4.2 (C.3 and C.4) as equal fractions."""

    gap: Fraction
    suboptimality: Fraction
    regret_theta: Fraction
    regret_beta: Fraction
    regret_pi: Fraction
    #: In the average-reward setting.
    regret_rho: Fraction | None
    #: π*, [S][A].
    comparator: list[list[Fraction]] = field(repr=False)
    #: Whether gap = suboptimality = sum of the regrets.
    equal: bool
    #: For `opd check`, the verified checker.
    text: str = field(repr=False)
    html: str | None = field(repr=False, default=None)
    #: What of the data was taken otherwise than it stands, and what of it the model forbids.
    notes: list[str] = field(repr=False, default_factory=list)
    contradictions: list[str] = field(repr=False, default_factory=list)
    method: Literal["exact"] = field(default="exact", init=False)

    @property
    def at_least(self) -> Fraction:
        """The suboptimality, as of an :class:`Enclosure`."""
        return self.suboptimality

    @property
    def at_most(self) -> Fraction:
        """The suboptimality, as of an :class:`Enclosure`."""
        return self.suboptimality

    def save(self, file: str | PathLike[str]) -> None:
        """Writes the text that `opd check` reads."""
        Path(_numbers.path("file", file)).write_text(self.text, encoding="utf-8")

    def _repr_html_(self) -> str | None:
        return self.html


@dataclass(frozen=True)
class Enclosure:
    """What a run was worth where exact arithmetic would exceed the budget: intervals that are proved to hold the value."""

    #: (1/T) Σ_t (ρ* − ρ(π_t)).
    suboptimality: Interval
    #: ρ*.
    optimum: Interval
    #: ρ* − ρ(π_t) for t = 1 … T: `each[run.report["output_index"] - 1]` is that of `run.policy`.
    each: list[Interval] = field(repr=False)
    #: C^†; None where it is not enclosed.
    dagger: Interval | None
    #: Why it is not exact, and which budget would do.
    why: str = field(repr=False)
    #: What of the data was taken otherwise than it stands, and what of it the model forbids.
    notes: list[str] = field(repr=False, default_factory=list)
    contradictions: list[str] = field(repr=False, default_factory=list)
    method: Literal["enclosure"] = field(default="enclosure", init=False)

    @property
    def at_least(self) -> Fraction:
        """The lower end for the suboptimality."""
        return self.suboptimality[0]

    @property
    def at_most(self) -> Fraction:
        """The upper end for the suboptimality."""
        return self.suboptimality[1]


def sample(problem: Problem, rows: int, *, setting: Setting = "discounted", seed: int = 0) -> Rows:
    """Draws independent rows from the model, as `opd sample` does: (X, A) from the behaviour policy's occupancy.

    >>> sample(Problem.instance("two-state"), 3, seed=1)["x"].tolist()
    [0, 0, 0]
    """
    found: Any = _core.sample(core(problem), _setting(setting), _numbers.count("rows", rows), _numbers.seed(seed))
    return dict(found)


def plan(**given: Any) -> dict[str, object]:
    """The parameters of a run as the compiled half takes them."""
    rates = ("alpha", "eta", "zeta", "xi", "radius_theta", "radius_beta")
    return {
        "setting": _setting(given["setting"]),
        "c": exponent(given["c"]),
        "inner": _numbers.count("inner", given["inner"]),
        "outer": _numbers.count("outer", given["outer"]),
        "seed": _numbers.seed(given["seed"]),
        "budget": _numbers.double("budget", given.get("budget", 1.0)),
        **{name: _numbers.maybe(name, given[name]) for name in rates},
    }


def run(
    problem: Problem,
    data: Data = None,
    *,
    inner: int,
    outer: int,
    setting: Setting = "discounted",
    c: Any = 1,
    alpha: float | None = None,
    eta: float | None = None,
    zeta: float | None = None,
    xi: float | None = None,
    radius_theta: float | None = None,
    radius_beta: float | None = None,
    seed: int = 0,
    trace: bool | Literal["inner"] = False,
    progress: Progress | None = None,
) -> Run:
    """Runs Algorithm 1 (or 2) by the fast engine: the bits of `opd run` on the same rows.

    `data` are columns (a dict, a DataFrame of pandas or polars, an Arrow table), an iterable of such batches, the name of a data file, or
    None: then rows are drawn from the model with `seed`. K = `inner`, T = `outer`. Rates and radii left out are the theorem's. Where the problem has a
    model, rows that contradict it are counted (`contradictions`, and a UserWarning). The interpreter's lock is released; Ctrl-C stops the run.

    >>> two = Problem.instance("two-state")
    >>> done = run(two, sample(two, 2000, seed=1), inner=10, outer=200)
    >>> done.policy.table.shape, bool(done.report["values"]["suboptimality"] < 0.2)
    ((2, 2), True)
    """
    parameters = plan(
        setting=setting, c=c, inner=inner, outer=outer, seed=seed, alpha=alpha, eta=eta, zeta=zeta, xi=xi,
        radius_theta=radius_theta, radius_beta=radius_beta,
    )  # fmt: skip
    return perform(problem, data, parameters, trace, progress, False)


def perform(problem: Problem, data: Any, parameters: dict[str, object], trace: object, progress: Any, html: bool) -> Run:
    """A run, with its page if it is wanted."""
    if trace not in (False, True, "inner"):
        raise ValueError(f"trace: found {trace!r}, expected True, False or 'inner'")
    if progress is not None and not callable(progress):
        raise ValueError("progress: expected a function of the number of rows")
    wanted = (bool(trace), trace == "inner", html)
    found: dict[str, Any] = _core.run(core(problem), parameters, source(data), wanted, progress)
    report: dict[str, Any] = json.loads(found["report"])
    contradictions: list[str] = report.get("contradictions", [])
    warn(contradictions, 4)
    theta, beta, theta_sum = (np.array(report.pop(key)) for key in ("theta", "beta", "theta_sum"))
    alpha, shape = report["alpha"], (problem.states, problem.actions)
    kept = None
    if trace:
        outer, dim = report["outer"], problem.dim
        average = report["setting"] == "average"
        inner: dict[str, Doubles] = {}
        if trace == "inner":
            steps = report["inner"] if average else report["inner"] - 1
            inner = {key: found[key].reshape(outer, steps, dim) for key in ("inner_gradient", "inner_theta")}
            if average:
                inner["inner_rho"] = found["inner_rho"].reshape(outer, steps)
        kept = Trace(
            theta=found["theta"].reshape(outer, dim),
            beta=found["beta"].reshape(outer, dim),
            theta_sum=found["theta_sum"].reshape(outer, dim),
            rho=found["rho"] if average else None,
            **inner,
        )
    return Run(
        policy=_policy(problem.features, alpha, found["output_theta_sum"]),
        last_policy=Policy(found["last_policy"].reshape(shape), alpha, theta_sum),
        theta=theta,
        beta=beta,
        theta_sum=theta_sum,
        rho=report.get("rho"),
        trace=kept,
        report=report,
        html=found["html"],
        notes=report.get("notes", []),
        contradictions=contradictions,
        _features=problem.features if trace else np.zeros((0, 0, 0)),
    )


def certify(
    problem: Problem,
    data: Data = None,
    *,
    inner: int,
    outer: int,
    setting: Setting = "discounted",
    c: Any = 1,
    alpha: float | None = None,
    eta: float | None = None,
    zeta: float | None = None,
    xi: float | None = None,
    radius_theta: float | None = None,
    radius_beta: float | None = None,
    seed: int = 0,
    html: bool = False,
    progress: Progress | None = None,
    budget: float = 1.0,
) -> Certificate | Enclosure:
    """Runs, and says what the run was worth, as `opd certify` does. Needs the whole model.

    In exact arithmetic where that is about a minute's work, which `budget` multiplies; else, and with budget 0, in rigorous intervals, an
    :class:`Enclosure`. Both have `method`, `at_least` and `at_most`; `html` needs the exact one. Ctrl-C stops it.

    >>> certificate = certify(Problem.instance("two-state"), inner=5, outer=3, seed=1)
    >>> certificate.method, certificate.at_least == certificate.at_most
    ('exact', True)
    >>> enclosed = certify(Problem.instance("two-state"), inner=5, outer=3, seed=1, budget=0)
    >>> enclosed.method, enclosed.at_least <= certificate.at_least <= enclosed.at_most
    ('enclosure', True)
    """
    parameters = plan(
        setting=setting, c=c, inner=inner, outer=outer, seed=seed, alpha=alpha, eta=eta, zeta=zeta, xi=xi,
        radius_theta=radius_theta, radius_beta=radius_beta, budget=budget,
    )  # fmt: skip
    if progress is not None and not callable(progress):
        raise ValueError("progress: expected a function of the number of rows")
    written, text, page, notes, contradictions = _core.certify(core(problem), parameters, source(data), bool(html), progress)
    warn(contradictions, 3)
    found = json.loads(written)
    if found["method"] == "enclosure" or text is None:
        each = [interval(ends) for ends in found["suboptimality_of_each"]]
        dagger = None if "not_enclosed" in found["dagger"] else interval(found["dagger"])
        mean, optimum = interval(found["suboptimality"]), interval(found["optimum"])
        return Enclosure(mean, optimum, each, dagger, found["not_exact"], notes, contradictions)
    numbers = {key: Fraction(found[key]) for key in ("gap", "suboptimality", "regret_theta", "regret_beta", "regret_pi")}
    rho = Fraction(found["regret_rho"]) if "regret_rho" in found else None
    comparator = _numbers.fractions(found["comparator"])
    return Certificate(
        **numbers, regret_rho=rho, comparator=comparator, equal=found["equal"], text=text, html=page, notes=notes, contradictions=contradictions
    )


def interval(ends: Any) -> Interval:
    """The ends of an enclosure."""
    return Fraction(ends["at_least"]), Fraction(ends["at_most"])


def warn(contradictions: list[str], stacklevel: int) -> None:
    """Says where the data contradict the model."""
    for found in contradictions:
        warnings.warn(f"the data contradict the model: {found}", stacklevel=stacklevel)


def _setting(value: object) -> str:
    if value not in ("discounted", "average"):
        raise ValueError(f"setting: found {_numbers._shown(value)}, expected 'discounted' or 'average'")
    return str(value)


def exponent(value: object) -> str:
    """c as the program names it."""
    try:
        exact = Fraction(value) if isinstance(value, (int, float, str, Fraction)) else None
    except (ValueError, OverflowError, ZeroDivisionError):
        exact = None
    if exact not in (1, Fraction(1, 2)):
        raise ValueError(f"c: found {_numbers._shown(value)}, expected 1 or '1/2'")
    return "1" if exact == 1 else "1/2"


def _policy(features: Doubles, alpha: float, theta_sum: Doubles) -> Policy:
    states, actions, _ = features.shape
    table: NDArray[np.float64] = _core.policy(actions, alpha, features.ravel(), theta_sum)
    return Policy(table.reshape(states, actions), alpha, theta_sum)

