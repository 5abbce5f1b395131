"""What follows from a model alone: the audit, coverage, the theorem's parameters; and the pages."""

from __future__ import annotations

import html as _html
import json
import math
import warnings as _warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from os import PathLike
from pathlib import Path
from typing import Any

from . import _core, _numbers
from ._problem import Problem, core
from ._rows import Data, source
from ._run import Progress, Run, Setting, _setting, exponent, interval, perform, plan


@dataclass(frozen=True)
class Finding:
    """One statement of the paper on a model: both sides, exactly where they are rational."""

    statement: str
    compares: str
    lhs: Fraction | float | str
    rhs: Fraction | float | str
    residual: Fraction | float | str
    #: "holds", "fails", or what else `opd audit --json` says.
    status: str


@dataclass(frozen=True)
class Audit:
    """Every statement of the paper on one model. Shows itself in a notebook."""

    findings: list[Finding] = field(repr=False)
    html: str | None = field(repr=False)

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.findings)

    def __len__(self) -> int:
        return len(self.findings)

    @property
    def failures(self) -> list[Finding]:
        """What does not hold and is no erratum."""
        return [finding for finding in self.findings if finding.status == "fails"]

    def _repr_html_(self) -> str | None:
        return None if self.html is None else framed(self.html)


@dataclass(frozen=True)
class Report:
    """A page of HTML with figures, complete in itself. Shows itself in a notebook."""

    html: str = field(repr=False)
    run: Run = field(repr=False)

    def save(self, file: str | PathLike[str]) -> None:
        """Writes the page."""
        Path(_numbers.path("file", file)).write_text(self.html, encoding="utf-8")

    def _repr_html_(self) -> str:
        return framed(self.html)


def audit(problem: Problem, *, html: bool = False, budget: float = 1.0) -> Audit:
    """Checks every statement of the paper on a model, as `opd audit` does. Beyond about a minute's work, which `budget` multiplies, it is refused;
    Ctrl-C stops it.

    >>> audit(Problem.instance("two-state")).failures
    []
    """
    lines, page = core(problem).audit(bool(html), _budget(budget))
    findings = [
        Finding(line["statement"], line["compares"], _side(line["lhs"]), _side(line["rhs"]), _side(line["residual"]), line["status"])
        for line in json.loads(lines)
    ]
    return Audit(findings, page)


def coverage(problem: Problem, *, budget: float = 1.0) -> dict[str, Any]:
    """How well the behaviour policy covers an optimal one (Definition E.1).

    `c_half`, `c_one` and `diamond` are Fractions, or infinite; `dagger` is the pair that it lies between; `method` says "exact". Beyond about a minute's
    work, which `budget` multiplies, `method` says "enclosure" and each is a pair.

    >>> coverage(Problem.instance("two-state"))["c_one"]
    Fraction(790925, 38416)
    """
    found = json.loads(core(problem).coverage(_budget(budget)))
    return {key: value if key == "method" else _ratio(value) for key, value in found.items()}


def tune(
    problem: Problem,
    data: Data = None,
    *,
    outer: int | None = None,
    samples: int | None = None,
    epsilon: float | None = None,
    setting: Setting = "discounted",
    c: Any = 1,
    radius_theta: float | None = None,
    radius_beta: float | None = None,
    search: int | None = None,
    splits: int = 3,
    seed: int = 0,
    progress: Progress | None = None,
    budget: float = 1.0,
) -> dict[str, Any]:
    """The theorem's K, T, rates and bound for a model, from T = `outer`, from n = `samples`, or from the suboptimality `epsilon` to promise.

    >>> tune(Problem.instance("two-state"), outer=1000)["setting"]
    'discounted'

    With `data`, rates that learn, as `opd tune --data --search N` finds them, at c = 1 in the discounted setting: `search` candidates are run on four fifths
    of the rows, and ranked by what the other fifth says of their policies (LSTDQ; an estimate without guarantee). `best` is for :func:`run`; `warnings`
    say where the estimate is not to be trusted (each is also a UserWarning); `html` is the page with the learning curve. Of a model, if there is one, the
    search sees nothing; `truth` says afterwards what it found. `progress` is called with the number of runs.

    >>> import offline_primal_dual as opd
    >>> two = Problem.instance("two-state")
    >>> rows = opd.sample(two, 2000, seed=1)
    >>> found = tune(two, rows, search=8, seed=1)
    >>> done = opd.run(two, rows, **found["best"])
    """
    if data is not None or search is not None:
        given = {"outer": outer, "samples": samples, "epsilon": epsilon}
        theirs = [name for name, value in given.items() if value is not None]
        if theirs or search is None or _setting(setting) != "discounted" or exponent(c) != "1":
            raise ValueError(f"{', '.join(theirs) or 'search'}: expected `data` with `search` alone, the discounted setting and c = 1")
        if progress is not None and not callable(progress):
            raise ValueError("progress: expected a function of the number of runs")
        counts = (_numbers.count("search", search), _numbers.count("splits", splits), _numbers.seed(seed))
        radii = (_rate("radius_theta", radius_theta), _rate("radius_beta", radius_beta))
        written, page = _core.search(core(problem), counts, radii, _budget(budget), source(data), progress)
        searched: dict[str, Any] = json.loads(written)
        for warning in searched["warnings"]:
            _warnings.warn(warning, stacklevel=2)
        # The program's own: a file's name, and command lines.
        own = ("data", "command", "evaluate")
        return {key: value for key, value in searched.items() if key not in own} | {"html": page}
    goal = (
        None if outer is None else _numbers.count("outer", outer),
        None if samples is None else _numbers.count("samples", samples),
        _rate("epsilon", epsilon),
    )
    radii = (_rate("radius_theta", radius_theta), _rate("radius_beta", radius_beta))
    found: dict[str, Any] = json.loads(core(problem).tune((_setting(setting), exponent(c)), goal, radii, _budget(budget)))
    return found


def report(
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
) -> Report:
    """A run, and the page that `opd run --html` writes: figures, coverage, policy. The last line of a notebook's cell shows it.

    >>> report(Problem.instance("two-state"), inner=5, outer=20).html[:15]
    '<!doctype html>'
    """
    parameters = plan(
        setting=setting, c=c, inner=inner, outer=outer, seed=seed, alpha=alpha, eta=eta, zeta=zeta, xi=xi,
        radius_theta=radius_theta, radius_beta=radius_beta,
    )  # fmt: skip
    done = perform(problem, data, parameters, False, None, True)
    return Report(done.html or "", done)


def framed(page: str) -> str:
    """A whole page inside another: its styles stay its own."""
    return f'<iframe srcdoc="{_html.escape(page, quote=True)}" style="width: 100%; height: 40em; border: 0"></iframe>'


def _rate(name: str, value: object) -> float | None:
    number = _numbers.maybe(name, value)
    if number is not None and not 0 <= number < math.inf:
        raise ValueError(f"{name}: found {number}, expected a number >= 0")
    return number


def _budget(value: object) -> float:
    number = _rate("budget", value)
    return 1.0 if number is None else number


def _side(written: str) -> Fraction | float | str:
    for kind in (Fraction, float):
        try:
            return kind(written)
        except (ValueError, ZeroDivisionError):
            continue
    return written


def _ratio(value: Any) -> Any:
    if isinstance(value, dict):
        return interval(value)
    return math.inf if value == "infinite" else Fraction(value)
