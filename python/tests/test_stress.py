"""Ten thousand bad calls: every one is a ValueError of one line, none crashes, none panics."""

import math
import random
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

import offline_primal_dual as opd
from offline_primal_dual import conformance

CALLS = 10_000

BAD = [
    None, True, -1, 0, 1, 2, 3, 2**53, 2**63, 2**64, 10**30, -0.0, 0.5, 1e308, 5e-324, math.nan, math.inf, -math.inf, "", "x", "1/0", "1/2", "nan",
    "-1e99", "9" * 5000, b"bytes", [], [[]], [[[]]], [[[1]]], [[[1], [1, 2]]], {}, {"x": 1}, {1: 2}, (), object(), int, len, 3j, Fraction(1, 3),
    Fraction(-7), Decimal("NaN"), Decimal("0.1"), np.nan, np.float32(0.1), np.int8(-1), np.zeros(0), np.zeros((0, 0, 0)), np.ones((2, 2, 2)),
    np.full((2, 2, 2), np.nan), np.array("text"), np.array([1 + 2j]), np.array([None]), np.zeros((2, 2, 2), dtype=bool), np.array(["2020"], dtype="M8[Y]"),
    iter([]), iter([1]), iter([{}]), (i for i in range(3)), "no-such-file.csv", "/", "\0", "\ud800", range(5), np.arange(10), np.zeros(10), -np.ones(10),
    np.full(10, 2**62), np.ones((1, 1, 10**5)), memoryview(b"abc"), "discounted", "average", "1",
]  # fmt: skip


def test_bad_calls(two, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = opd.sample(two, 20, seed=1)
    parts = {"features": two.features, "discount": 0.5, "initial": [1.0, 0.0], "omega": [0.5] * two.dim, "psi": np.ones((2, two.dim)),
             "behavior": np.full((2, 2), 0.5), "name": "mine"}  # fmt: skip
    plan = {"data": rows, "inner": 2, "outer": 10, "setting": "discounted", "c": 1, "alpha": 0.1, "eta": 0.1, "zeta": 0.1, "xi": None,
            "radius_theta": 1.0, "radius_beta": 1.0, "seed": 0}  # fmt: skip
    many = opd.sample(two, 200, seed=1)
    case = conformance.problems()[0]
    zero = np.zeros((case["outer"], case["dim"]))
    # Each with its good arguments; the names at the end stay as they are: a call cannot become long, and what a callback raises is its own.
    calls = [
        (opd.Problem, parts, ()),
        (opd.run, {"problem": two, **plan, "trace": False, "progress": None}, ("outer", "inner", "progress")),
        (opd.run, {"problem": two, **plan}, ("outer", "inner")),
        (lambda **cell: opd.run(two, {**rows, **cell}, inner=2, outer=10), dict(rows), ()),
        (lambda **cell: opd.run(two, iter([{**rows, **cell}]), inner=2, outer=10), dict(rows), ()),
        (opd.certify, {"problem": two, **plan, "budget": 0}, ("outer", "inner")),
        (opd.tune, {"problem": two, "data": many, "search": 2, "splits": 1, "seed": 0, "progress": None, "budget": 1}, ("progress",)),
        (opd.coverage, {"problem": two, "budget": 1}, ()),
        (opd.sample, {"problem": two, "rows": 3, "setting": "discounted", "seed": 0}, ("rows",)),
        (opd.value, {"problem": two, "policy": [[1, 0], [0, 1]], "setting": "discounted", "budget": 1.0}, ()),
        (opd.gap, {"problem": two, "thetas": [[0] * two.dim], "betas": [[0] * two.dim], "policies": [[[1, 0], [0, 1]]], "rhos": None, "c": 1}, ()),
        (opd.tune, {"problem": two, "outer": 10, "samples": None, "epsilon": None, "setting": "discounted", "c": 1, "radius_theta": None}, ()),
        (opd.Problem.from_file, {"file": "mdp.json"}, ()),
        (opd.Problem.instance, {"name": "chain"}, ()),
        (opd.Problem.from_gymnasium, {"env": {0: {0: [(1.0, 0, 0, True)]}}, "discount": 0.5, "features": "one-hot", "behavior": None, "name": None}, ()),
        (lambda **found: conformance.judge([(case["id"], found)]), {"theta": zero, "beta_next": zero, "inner": {}}, ()),
        (conformance.problems, {"seed": 1, "count": 2}, ("count",)),
    ]
    draw = random.Random(2026)
    refused = 0
    for number in range(CALLS):
        function, good, fixed = calls[number % len(calls)]
        names = [name for name in good if name not in fixed]
        spoilt = {name: draw.choice(BAD) for name in draw.sample(names, k=draw.choice([1, 1, 1, min(2, len(names))]))}
        try:
            function(**{**good, **spoilt})
        except ValueError as error:
            refused += 1
            assert str(error) and "\n" not in str(error), (function, spoilt, error)
        except Exception as error:
            raise AssertionError(f"call {number}: {function} {spoilt}: {type(error).__name__}: {error}") from error
    assert refused > CALLS // 2


def test_counts_are_refused_before_anything_is_run(two):
    for count in (0, -1, 2**64, 10**30, 1.5, "3", None, True, np.nan):
        for name in ("inner", "outer"):
            try:
                opd.run(two, **{"inner": 2, "outer": 2, name: count})
            except ValueError as error:
                assert name in str(error)
            else:
                raise AssertionError((name, count))


def test_what_is_no_callback_is_refused(two):
    rows = opd.sample(two, 200, seed=1)
    for progress in (3, "x", [], np.zeros(2)):
        for call in (opd.run, opd.certify):
            with pytest.raises(ValueError, match="progress: expected a function"):
                call(two, rows, inner=2, outer=10, progress=progress)
        with pytest.raises(ValueError, match="progress: expected a function"):
            opd.tune(two, rows, search=2, progress=progress)
