"""`pytest --opd-target mypackage:run`: one test per case of the conformance kit, for an implementation of Algorithms 1 and 2.

Every test has the mark `opd` and one per capability that its case asks for: `opd_discounted`, `opd_average`, `opd_half` (c = 1/2), `opd_start`
(a start other than 0), `opd_large`. `--opd-skip` and `--opd-xfail` take tags (`average`, `half`, …) or patterns of case names.
"""

from __future__ import annotations

import fnmatch
import importlib
import sys
from collections.abc import Iterator
from typing import Any

import pytest

TAGS = {
    "discounted": "a case of Algorithm 1",
    "average": "a case of Algorithm 2",
    "half": "a case at c = 1/2, with a weight",
    "start": "a case that does not start at 0",
    "large": "a case with many features, actions or iterations",
}


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("offline-primal-dual", "conformance with Algorithms 1 and 2")
    group.addoption("--opd-target", metavar="MODULE:FUNCTION", help="the implementation: run(problem) -> dict of arrays")
    group.addoption("--opd-skip", metavar="TAG", action="append", default=[], help="skip cases by tag or name; may be repeated")
    group.addoption("--opd-xfail", metavar="TAG", action="append", default=[], help="expect cases to fail, by tag or name")
    group.addoption("--opd-seed", metavar="N", type=int, default=1, help="seeds the fresh cases")
    group.addoption("--opd-fresh", metavar="N", type=int, default=20, help="how many fresh cases beside the corner cases")
    group.addoption("--opd-precision", metavar="P", default="f64", help="the implementation's arithmetic: f64, f32, tf32 or bf16")
    group.addoption("--opd-factor", metavar="X", type=float, default=1.0, help="multiplies the tolerances; 0 asks for equal bits")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "opd: a case of the conformance kit of offline-primal-dual")
    for tag, what in TAGS.items():
        config.addinivalue_line("markers", f"opd_{tag}: {what}")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(session: pytest.Session, config: pytest.Config, items: list[pytest.Item]) -> None:
    """First, so that `-k` and `-m` see the cases."""
    name = config.getoption("--opd-target")
    if name:
        items.extend(Cases.from_parent(session, name=name, nodeid="opd").collect())


def target(name: str, directory: str) -> Any:
    """The function that `module:function` names."""
    module, _, function = name.partition(":")
    if not module or not function:
        raise pytest.UsageError(f"--opd-target: found {name!r}, expected MODULE:FUNCTION")
    if directory not in sys.path:
        sys.path.insert(0, directory)
    try:
        found: Any = importlib.import_module(module)
        for part in function.split("."):
            found = getattr(found, part)
    except (ImportError, AttributeError) as error:
        raise pytest.UsageError(f"--opd-target: {error}") from error
    return found


class Cases(pytest.Collector):
    """The cases of the kit."""

    def collect(self) -> Iterator[CaseItem]:
        from . import conformance

        option = self.config.getoption
        run = target(self.name, str(self.config.invocation_params.dir))
        fresh = option("--opd-fresh")
        try:
            problems = conformance.problems()
            problems += conformance.problems(seed=option("--opd-seed"), count=fresh) if fresh else []
        except ValueError as error:
            raise pytest.UsageError(f"--opd-seed, --opd-fresh: {error}") from error
        for problem in problems:
            item: CaseItem = CaseItem.from_parent(self, name=problem["id"], run=run, problem=problem)
            tags = conformance.tags(problem)
            item.add_marker("opd")
            for tag in tags:
                item.add_marker(f"opd_{tag}")
            for wish, mark in ((option("--opd-skip"), "skip"), (option("--opd-xfail"), "xfail")):
                named = [tag for tag in wish if tag in tags or fnmatch.fnmatch(problem["id"], tag)]
                if named:
                    item.add_marker(getattr(pytest.mark, mark)(reason=f"--opd-{mark} {named[0]}"))
            yield item


class CaseItem(pytest.Item):
    """One case."""

    def __init__(self, *, run: Any, problem: dict[str, Any], **rest: Any) -> None:
        super().__init__(**rest)
        self.run, self.problem = run, problem

    def runtest(self) -> None:
        from . import conformance

        option = self.config.getoption
        found = self.run(self.problem)
        verdict = conformance.judge([(self.problem["id"], found)], precision=option("--opd-precision"), factor=option("--opd-factor"))
        if not verdict:
            pytest.fail(verdict.text, pytrace=False)

    def reportinfo(self) -> tuple[Any, int | None, str]:
        return self.path, 0, f"opd {self.name}"
