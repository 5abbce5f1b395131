"""What the door costs: `run` on 10⁶ rows in arrays against `opd run` on the same arrays in NPZ, by turns; the minima of nine of each.

    python3 python/overhead.py target/release/opd [d]       # the package built with --release
"""

import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import offline_primal_dual as opd

ROWS, STATES, ACTIONS, TURNS = 1_000_000, 50, 4, 9
PLAN = {"inner": 100, "outer": ROWS // 100, "alpha": 0.01, "eta": 0.01, "zeta": 0.01, "radius_theta": 10.0, "radius_beta": 10.0}


def program(flags):
    """Seconds of processor and of the clock, and Σθ."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    out = subprocess.run(flags, capture_output=True, check=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return (used, time.perf_counter() - start), json.loads(out)["theta_sum"]


def package(problem, rows):
    used, start = time.process_time(), time.perf_counter()
    done = opd.run(problem, rows, **PLAN)
    return (time.process_time() - used, time.perf_counter() - start), done.theta_sum.tolist()


def main(binary, dim=16):
    draw = np.random.default_rng(0)
    features = draw.normal(size=(STATES, ACTIONS, dim)) / np.sqrt(dim)
    problem = opd.Problem(features, discount=0.9)
    rows = {key: draw.integers(n, size=ROWS) for key, n in (("x0", STATES), ("x", STATES), ("a", ACTIONS), ("x_next", STATES))}
    rows["r"] = draw.random(ROWS)
    with tempfile.TemporaryDirectory() as name:
        mdp, data = Path(name, "mdp.json"), Path(name, "data.npz")
        mdp.write_text(json.dumps({"discount": 0.9, "features": features.tolist()}))
        np.savez(data, **rows)
        flags = [binary, "run", "--mdp", mdp, "--data", data, "--json"]
        for key, value in PLAN.items():
            flags += [f"--{key.replace('_', '-')}", str(value)]
        times = ([], [])
        for _ in range(TURNS):
            (theirs, expected), (ours, found) = program(flags), package(problem, rows)
            assert found == expected
            times[0].append(theirs)
            times[1].append(ours)
    theirs, ours = ([min(column) for column in zip(*turns)] for turns in times)
    print(f"d = {dim}: opd run on NPZ {theirs[0]:.3f} s of processor, {theirs[1]:.3f} s; run from Python {ours[0]:.3f} s, {ours[1]:.3f} s")
    return ours[0] / theirs[0]


if __name__ == "__main__":
    ratio = main(sys.argv[1], *map(int, sys.argv[2:3]))
    sys.exit(0 if ratio <= 1.05 else f"the package takes {ratio:.3f} of the program's processor time, expected at most 1.05")
