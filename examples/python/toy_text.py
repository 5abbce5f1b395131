"""Gymnasium's FrozenLake and Taxi, from the environment to a certified policy and a page of figures.

    python3 examples/python/toy_text.py [OUTER]      # writes FrozenLake-v1.html and Taxi.html here

What is certified is the algorithm's output: π_J with J drawn uniformly from 1 … T. FrozenLake's suboptimality comes as an exact fraction as long as
that is about a minute's work, Taxi's (501 states with its end) as two fractions that it lies between.
"""

import sys
from fractions import Fraction

import gymnasium
import numpy as np

import offline_primal_dual as opd


def behavior(env):
    """The policy behind the data: half of the time the best action (by value iteration on the table), half of the time any."""
    table = env.unwrapped.P
    q = np.zeros((len(table), len(table[0])))
    for _ in range(200):
        v = q.max(axis=1)
        q = np.array([[sum(p * (r + 0.9 * (not end) * v[y]) for p, y, r, end in cells) for cells in row.values()] for row in table.values()])
    return [[Fraction(1, 2 * len(row)) + Fraction(int(a == row.argmax()), 2) for a in range(len(row))] for row in q]


def certified(env, name, outer, **plan):
    problem = opd.Problem.from_gymnasium(env, "9/10", behavior=behavior(env))
    page = opd.report(problem, outer=outer, seed=1, **plan)  # on rows drawn from the model; your own would be the second argument
    page.save(f"{name}.html")
    proof = opd.certify(problem, outer=outer, seed=1, **plan)  # of the same run
    values = page.run.report["values"]
    print(f"{name}: optimum {values['optimal']:.6f}, behind the data {values['behavior']:.6f}, last policy {values['last']:.6f}")
    print(f"  suboptimality of the output, {proof.method}: at least {float(proof.at_least):.9f}, at most {float(proof.at_most):.9f}")
    return proof


if __name__ == "__main__":
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    lake, taxi = gymnasium.make("FrozenLake-v1", is_slippery=False), gymnasium.make("Taxi-v4" if "Taxi-v4" in gymnasium.registry else "Taxi-v3")
    certified(lake, "FrozenLake-v1", count, inner=1000, alpha=0.1, eta=0.01, zeta=1.0, radius_theta=3.0, radius_beta=50.0)
    certified(taxi, "Taxi", count, inner=1000, alpha=0.1, eta=0.1, zeta=10.0, radius_theta=20.0, radius_beta=300.0)
