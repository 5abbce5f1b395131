"""Gymnasium's FrozenLake, from its table to a policy with an exact certificate and a page of figures; with --taxi also Taxi, in doubles.

    python3 examples/python/toy_text.py [--taxi]      # writes FrozenLake-v1.html (and Taxi-v4.html) here
"""

import sys
from fractions import Fraction

import gymnasium
import numpy as np

import offline_primal_dual as opd

GAMMA = 0.9


def logging_policy(env):
    """The policy behind the data: half of the time the best action (by value iteration on the table), half of the time any."""
    table = env.unwrapped.P
    q = np.zeros((len(table), len(table[0])))
    for _ in range(200):
        v = q.max(axis=1)
        q = np.array([[sum(p * (r + GAMMA * (not end) * v[y]) for p, y, r, end in cells) for cells in row.values()] for row in table.values()])
    best = q.argmax(axis=1)
    actions = q.shape[1]
    return [[Fraction(1, 2 * actions) + Fraction(int(a == best[x]), 2) for a in range(actions)] for x in range(len(table))]


def learn(env, rows, **plan):
    """Twenty lines: the model, the data, the run, the page."""
    behavior = logging_policy(env)
    states = opd.Problem.from_gymnasium(env, "9/10").states
    behavior += [[Fraction(1, len(behavior[0]))] * len(behavior[0])] * (states - len(behavior))  # an added end
    problem = opd.Problem.from_gymnasium(env, "9/10", behavior=behavior)
    data = opd.sample(problem, rows, seed=1)
    page = opd.report(problem, data, inner=100, outer=rows // 100, **plan)
    page.save(f"{problem.name}.html")
    values = page.run.report["values"]
    print(f"{problem}: optimal return {values['optimal']:.6f}, of the last policy {values['last']:.6f}; {problem.name}.html")
    return problem, page.run


def certify(problem, run):
    """The last policy's suboptimality as a fraction: its doubles are taken as they are, divided by their exact sum."""
    policy = [[Fraction(p) / sum(map(Fraction, row)) for p in row] for row in run.last_policy.table.tolist()]
    loss = opd.value(problem).result - opd.value(problem, policy).result
    print(f"suboptimality, exactly: a fraction of {len(str(loss))} characters, about {float(loss):.3e}")
    return loss


if __name__ == "__main__":
    count = int(next((word for word in sys.argv[1:] if word.isdigit()), 1_000_000))
    lake = gymnasium.make("FrozenLake-v1", is_slippery=False)
    certify(*learn(lake, count, alpha=0.01, eta=0.01, zeta=1.0, radius_theta=3.0, radius_beta=50.0))
    if "--taxi" in sys.argv:
        name = "Taxi-v4" if "Taxi-v4" in gymnasium.registry else "Taxi-v3"
        # Too many states for exact values: what the run was worth is in doubles.
        learn(gymnasium.make(name), count, alpha=0.01, eta=0.01, zeta=1.0, radius_theta=20.0, radius_beta=500.0)
