"""The benchmark's peers in Python, each on the data that benches/common makes.

    python3 benches/peer.py numpy ALGORITHM ACTIONS DIM ROWS   Algorithm 1 or 2 of examples/numpy, c = 1
    python3 benches/peer.py flint N                            an exact N x N solve by python-flint

Prints nanoseconds (per sample; per solve), the least of several runs, and a number that shows that the work was the same one.
"""

import math
import pathlib
import sys
import time

MASK = 2**64 - 1


def least(repetitions, work):
    times, result = [], None
    for _ in range(repetitions):
        start = time.perf_counter_ns()
        result = work()
        times.append(time.perf_counter_ns() - start)
    return min(times), result


def problem(actions, dim, rows, states=64):
    """benches/common/problem.rs."""
    seed = 1

    def unit():
        nonlocal seed
        seed = (seed * 6364136223846793005 + 1442695040888963407) & MASK
        return (seed >> 11) / 9007199254740992.0

    root = math.sqrt(dim)
    features = [[[(2 * unit() - 1) / root for _ in range(dim)] for _ in range(actions)] for _ in range(states)]
    columns = {key: [] for key in ("x0", "x", "a", "r", "x_next", "u")}
    for _ in range(rows):
        columns["x0"].append(int(unit() * states))
        columns["x"].append(int(unit() * states))
        columns["a"].append(int(unit() * actions))
        columns["r"].append(unit())
        columns["x_next"].append(int(unit() * states))
        columns["u"].append(unit())
    zero = [0.0] * dim
    rates = {"discount": 0.9, "alpha": 0.01, "eta": 0.01, "zeta": 0.05, "radius_theta": 10.0, "radius_beta": 5.0}
    shape = {"dim": dim, "inner": 100, "outer": rows // 100, "theta_start": zero, "beta_start": zero}
    return {"features": features, **shape, **rates, **columns}


def numpy_port(algorithm, actions, dim, rows):
    sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "examples" / "numpy"))
    import numpy as np
    import opd

    given = problem(actions, dim, rows)
    given["features"] = np.array(given["features"])
    if algorithm == 2:
        given |= {"inner": 99, "xi": 0.05, "rho_start": 0.0}
    run = {1: opd.algorithm_1, 2: opd.algorithm_2}[algorithm]

    def work():
        return sum(float(step["theta"].sum()) for step in run(given) if "theta" in step)

    nanoseconds, check = least(5, work)
    return nanoseconds / rows, check


def flint_solve(n):
    """benches/common/system.rs."""
    from flint import fmpq, fmpq_mat

    state = 2024 + n

    def following(modulus):
        nonlocal state
        state = (state + 0x9E3779B97F4A7C15) & MASK
        z = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        return (z ^ (z >> 31)) % modulus

    def entry():
        numerator = following(2047) - 1023
        return fmpq(numerator, following(1023) + 1)

    rows = [[entry() for _ in range(n + 1)] for _ in range(n)]
    a, b = fmpq_mat([row[:n] for row in rows]), fmpq_mat([row[n:] for row in rows])
    nanoseconds, x = least(20, lambda: a.solve(b))
    return nanoseconds, f"{x[0, 0].p}/{x[0, 0].q}"


def main():
    kind, *numbers = sys.argv[1:]
    print(*{"numpy": numpy_port, "flint": flint_solve}[kind](*map(int, numbers)))


if __name__ == "__main__":
    main()
