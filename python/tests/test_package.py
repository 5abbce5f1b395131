"""What the package adds to the program: arrays, batches, callbacks, Fractions, and errors that are values."""

import os
import pickle
import random
import signal
import threading
import time
import warnings
from decimal import Decimal
from fractions import Fraction as F

import numpy as np
import pytest

import offline_primal_dual as opd

PARTS = {
    "features": [[[1, 0]], [[0, 1]]],
    "discount": F(1, 2),
    "initial": [1, 0],
    "omega": [1, 0],
    "psi": [[F(1, 3), F(1, 3)], [F(2, 3), F(2, 3)]],
    "behavior": [[1], [1]],
}


def test_numbers_are_read_exactly():
    strings = {**PARTS, "discount": "0.5", "psi": [["1/3", "1/3"], ["2/3", "2/3"]]}
    exact = opd.Problem(**PARTS)
    assert opd.value(exact).result == opd.value(opd.Problem(**strings)).result == F(2, 3)
    # A float means the decimal that it prints as.
    decimals = {**PARTS, "discount": 0.1, "psi": np.array([[0.1, 0.1], [0.9, 0.9]])}
    found = opd.Problem(**{key: np.asarray(part, dtype=float) if key != "discount" else part for key, part in decimals.items()})
    assert found.fractions()["psi"][0][0] == F(1, 10) == found.fractions()["discount"]
    assert opd.Problem(**{**PARTS, "discount": Decimal("0.25")}).fractions()["discount"] == F(1, 4)
    # Thirds are no decimals: a run takes them, exact arithmetic says what is wrong.
    rough = opd.Problem(np.ones((1, 3, 1)), discount=0.5, initial=[1.0], omega=[1.0], psi=[[1.0]], behavior=np.full((1, 3), 1 / 3))
    opd.run(rough, inner=2, outer=2)
    with pytest.raises(ValueError, match=r"behavior\[0\]: found sum 9999999999999999/10000000000000000, expected"):
        opd.certify(rough, inner=2, outer=2)


def test_oracle(two):
    optimal = opd.optimal_policy(two)
    assert opd.value(two, optimal).result == opd.value(two).result
    mu = opd.occupancy(two, optimal)
    assert sum(map(sum, mu)) == 1
    q = opd.value(two, optimal).q
    theta = opd.theta(two, optimal)
    phi = two.fractions()["features"]
    assert all(sum(f * t for f, t in zip(phi[x][a], theta)) == q[x][a] for x in range(2) for a in range(2))
    zero = [[0] * two.dim]
    given = (zero, zero, [[[F(1, 2), F(1, 2)]] * 2])
    both = opd.gap(two, *given)
    assert both["gap"] == both["suboptimality"] == sum(opd.regrets(two, *given).values())
    assert opd.policy_coverage(two)["c_one"] == opd.coverage(two)["c_one"]


def test_policy(two):
    done = opd.run(two, inner=10, outer=50, seed=1)
    for policy in (done.policy, done.last_policy):
        assert np.array_equal(policy(1), policy.table[1])
        assert np.array_equal(policy.of_features(two.features[1]), policy.table[1])
        assert [policy.action(1, u) for u in (0.0, 0.999999)] == [0, 1]
    with pytest.raises(ValueError, match="state: found 2, expected"):
        done.policy(2)


def test_columns_are_borrowed_or_converted(two):
    rows = opd.sample(two, 100, seed=4)
    plan = {"inner": 10, "outer": 10}
    expected = opd.run(two, rows, **plan).theta_sum
    narrow = {key: column.astype(np.int8) if column.dtype.kind == "i" else column for key, column in rows.items()}
    strided = {key: np.repeat(column, 2)[::2] for key, column in rows.items()}
    lists = {key: column.tolist() for key, column in rows.items()}
    for given in (narrow, strided, lists):
        assert np.array_equal(opd.run(two, given, **plan).theta_sum, expected)
    with pytest.raises(ValueError, match=r"rows: found 99 rows, expected 100 = inner × outer with inner 10, outer 10"):
        opd.run(two, {key: column[:99] for key, column in rows.items()}, **plan)
    rows["x"][3] = 2
    with pytest.raises(ValueError, match=r"rows: x\[3\]: found 2, expected an integer from 0 to 1"):
        opd.run(two, rows, **plan)
    with pytest.raises(ValueError, match=r"rows: x\[3\]"):
        opd.run(two, ({key: column[i : i + 1] for key, column in rows.items()} for i in range(100)), **plan)


def test_what_python_raises_comes_back(two):
    def broken():
        yield opd.sample(two, 5)
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        opd.run(two, broken(), inner=10, outer=10)

    def refuses(rows):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        opd.run(two, opd.sample(two, 100), inner=10, outer=10, progress=refuses)


def test_progress_adds_up(two):
    seen = []
    opd.run(two, inner=100, outer=3000, progress=seen.append)
    assert sum(seen) == 300_000 and all(rows > 0 for rows in seen)


@pytest.fixture
def ctrl_c():
    """Presses Ctrl-C while a function is at work, and says how many seconds later the function gave up."""
    # A job in the background starts with Ctrl-C ignored: there Python has no handler of its own.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)

    def during(work, after=0.3):
        threading.Timer(after, os.kill, (os.getpid(), signal.SIGINT)).start()
        start = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            work()
        return time.monotonic() - start - after

    yield during
    signal.signal(signal.SIGINT, before)


def test_ctrl_c_stops_a_run(two, ctrl_c):
    assert ctrl_c(lambda: opd.run(two, inner=1000, outer=10**9, alpha=0.1, eta=0.1, zeta=0.1)) < 30
    assert ctrl_c(lambda: opd.sample(two, 10**9)) < 30


def fractions_of_all_kinds(states, actions, dim):
    """A model whose exact quantities are long: features that are distributions, in fractions of their own denominators."""
    draw = random.Random(7)

    def distribution(n):
        weights = [draw.randrange(1, 1000) for _ in range(n)]
        return [F(weight, sum(weights)) for weight in weights]

    return opd.Problem(
        features=[[distribution(dim) for _ in range(actions)] for _ in range(states)],
        discount=F(9, 10),
        initial=distribution(states),
        omega=[F(draw.randrange(1000), 1000) for _ in range(dim)],
        psi=[list(row) for row in zip(*(distribution(states) for _ in range(dim)))],
        behavior=[[F(1, actions)] * actions] * states,
    )


@pytest.mark.parametrize("name", ["certify", "audit", "coverage", "value"])
def test_ctrl_c_stops_exact_work(ctrl_c, name):
    long = fractions_of_all_kinds(30, 3, 24)
    work = {
        "certify": lambda: opd.certify(long, inner=2, outer=1000, alpha=1, eta=1, zeta=1, budget=1e9),
        "audit": lambda: opd.audit(long, budget=1e9),
        "coverage": lambda: opd.coverage(long, budget=1e9),
        "value": lambda: [opd.value(long, budget=1e9) for _ in range(1000)],
    }
    assert ctrl_c(work[name], after=1.0) < 30


def test_signals_during_exact_work(two):
    """Another signal's handler may compute, and what was interrupted by it goes on to the same fractions."""
    long, seen = fractions_of_all_kinds(12, 2, 9), []
    before = signal.signal(signal.SIGALRM, lambda *_: seen.append(opd.value(two).result))
    expected = opd.value(long).result
    signal.setitimer(signal.ITIMER_REAL, 0.1, 0.1)
    try:
        for _ in range(1000):
            assert opd.value(long).result == expected
            if len(seen) > 2:
                break
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert len(seen) > 2 and set(seen) == {F(94, 245)}


def test_other_threads_go_on(two):
    """A thread that only counts gets somewhere during a run, which it would not with the lock held."""
    stop, count = threading.Event(), [0]

    def counting():
        while not stop.is_set():
            count[0] += 1
            time.sleep(0.001)

    thread = threading.Thread(target=counting)
    thread.start()
    before = count[0]
    opd.run(two, inner=1000, outer=1000, alpha=0.1, eta=0.1, zeta=0.1)
    during = count[0] - before
    stop.set()
    thread.join()
    assert during > 2


def test_pages(two):
    page = opd.report(two, inner=5, outer=20, seed=1)
    assert "<svg" in page.html and page._repr_html_().startswith("<iframe")
    assert "<svg" in opd.audit(two, html=True).html
    assert "<svg" in opd.certify(two, inner=4, outer=3, html=True).html


def test_a_problem_is_pickled(two):
    again = pickle.loads(pickle.dumps(two))
    assert again.to_json() == two.to_json()


def test_contradictions(two):
    rows = opd.sample(two, 2000, seed=1)
    plan = {"inner": 10, "outer": 200}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        done = opd.run(two, rows, **plan)
        opd.certify(two, rows, budget=0, **plan)
    assert done.contradictions == [] and done.report["bound"] > 0
    wrong = rows | {"r": np.where(rows["x"] == 0, rows["r"], 1 - rows["r"])}
    for source in (wrong, iter([wrong])):
        with pytest.warns(UserWarning, match="the data contradict the model: .* rewards differ") as caught:
            done = opd.run(two, source, **plan)
        assert caught[0].filename == __file__
        assert "rewards differ from the model's" in done.contradictions[0] and "contradict" in done.report["no_bound"]
    with pytest.warns(UserWarning, match="contradict") as caught:
        found = opd.certify(two, wrong, budget=0, **plan)
    assert caught[0].filename == __file__ and found.contradictions == done.contradictions
    # Rows that a run does not need are noted.
    assert opd.run(two, rows, inner=10, outer=199).notes == ["rows: 10 rows after those that were used"]


def test_enclosures(two):
    plan = {"inner": 5, "outer": 4, "seed": 3}
    for setting in ("discounted", "average"):
        exact, enclosed = (opd.certify(two, setting=setting, budget=budget, **plan) for budget in (1, 0))
        assert isinstance(exact, opd.Certificate) and isinstance(enclosed, opd.Enclosure)
        assert enclosed.at_least <= exact.suboptimality == exact.at_most <= enclosed.at_most
        assert enclosed.at_most - enclosed.at_least < F(1, 10**9) and len(enclosed.each) == 4
        assert (enclosed.dagger is None) == (setting == "average")
    low, high = enclosed.optimum
    assert low <= opd.value(two, setting="average").result <= high
    low, high = opd.coverage(two, budget=0)["c_one"]
    assert low <= opd.coverage(two)["c_one"] <= high
    with pytest.raises(ValueError, match="html: needs an exact certificate; .*--budget"):
        opd.certify(two, html=True, budget=0, **plan)
    with pytest.raises(ValueError, match="--budget .* admits it"):
        opd.audit(two, budget=0)


def test_tune(two):
    by_rows = opd.tune(two, samples=10**6)
    assert by_rows["rows"] <= 10**6 and opd.tune(two, epsilon=0.5)["bound"] <= 0.5
    with pytest.raises(ValueError, match="expected one of them"):
        opd.tune(two)
    rows, runs = opd.sample(two, 500, seed=1), []
    for refused in ({"search": 4, "outer": 3}, {"search": 4, "setting": "average"}, {}):
        with pytest.raises(ValueError, match="expected `data` with `search` alone"):
            opd.tune(two, rows, **refused)
    with pytest.raises(ValueError, match="data: not given"):
        opd.tune(two, search=4)

    def stops(count):
        runs.append(count)
        raise LookupError

    with pytest.raises(LookupError):
        opd.tune(two, rows, search=1000, progress=stops)
    assert len(runs) == 1
