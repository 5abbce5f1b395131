"""Gymnasium's FrozenLake and Taxi, from the environment to a policy with a certificate.

FrozenLake's table becomes a model: rows drawn from it, a run, a page of figures, and the last policy's suboptimality as an exact fraction.
Taxi (501 states with its end) is too large for exact values. There the rows come from episodes, the run sees features and rows alone, and the
suboptimality lies between two fractions: values in doubles, with what they miss of Bellman's equation computed exactly.

    python3 examples/python/toy_text.py [ROWS]      # writes FrozenLake-v1.html here
"""

import sys
from fractions import Fraction

import gymnasium
import numpy as np

import offline_primal_dual as opd

GAMMA = Fraction(9, 10)


def logging_policy(env):
    """The policy behind the data: half of the time the best action (by value iteration on the table), half of the time any."""
    table = env.unwrapped.P
    q = np.zeros((len(table), len(table[0])))
    for _ in range(200):
        v = q.max(axis=1)
        q = np.array([[sum(p * (r + 0.9 * (not end) * v[y]) for p, y, r, end in cells) for cells in row.values()] for row in table.values()])
    actions = q.shape[1]
    return [[Fraction(1, 2 * actions) + Fraction(int(a == best), 2) for a in range(actions)] for best in q.argmax(axis=1)]


def normalised(table):
    """A policy's doubles as the fractions that they are, divided by their exact sum."""
    return [[Fraction(p) / sum(map(Fraction, row)) for p in row] for row in table.tolist()]


def frozen_lake(rows):
    env = gymnasium.make("FrozenLake-v1", is_slippery=False)
    problem = opd.Problem.from_gymnasium(env, GAMMA, behavior=logging_policy(env))
    data = opd.sample(problem, rows, seed=1)
    page = opd.report(problem, data, inner=100, outer=rows // 100, alpha=0.01, eta=0.01, zeta=1.0, radius_theta=3.0, radius_beta=50.0)
    page.save("FrozenLake-v1.html")
    optimum = opd.value(problem).result
    behind, reached = (opd.value(problem, policy).result for policy in (logging_policy(env), normalised(page.run.last_policy.table)))
    print(f"FrozenLake: optimum {float(optimum):.6f}, policy behind the data {float(behind):.6f}, last policy {float(reached):.6f}")
    print(f"  suboptimality, exactly: a fraction of {len(str(optimum - reached))} characters, about {float(optimum - reached):.3e}")
    return optimum - reached


def taxi(rows):
    env = gymnasium.make("Taxi-v4" if "Taxi-v4" in gymnasium.registry else "Taxi-v3")
    moves, rewards, start, features = opd.gymnasium_model(env)
    draw, behind = np.random.default_rng(1), np.array(logging_policy(env), dtype=float)
    episodes = opd.data.Episodes.collect(env, 3000, policy=lambda x: draw.choice(6, p=behind[x]), seed=1)
    data = episodes.prepare(discount=0.9, features=features[:-1], reward_range=(-10, 20))
    run = opd.run(data.problem, data.rows(rows, seed=2), inner=100, outer=rows // 100, alpha=0.1, eta=0.1, zeta=10.0, radius_theta=20.0, radius_beta=300.0)
    policy = normalised(run.last_policy.table)
    low, high = suboptimality(moves, rewards, start, policy)
    print(f"Taxi: suboptimality of the last policy at least {float(low):.6f}, at most {float(high):.6f}")
    return low, high


def suboptimality(moves, rewards, start, policy):
    """Between which fractions the suboptimality of a policy lies: v* and v^π in doubles, what they miss of Bellman's equations exactly."""
    states, actions = len(moves), len(moves[0])
    p, r = np.zeros((states, actions, states)), np.array(rewards, dtype=float)
    for x, row in enumerate(moves):
        for a, cell in enumerate(row):
            p[x, a, list(cell)] = [float(q) for q in cell.values()]
    pi = np.array(policy, dtype=float)
    best = np.zeros(states)
    for _ in range(400):
        best = (r + 0.9 * p @ best).max(axis=1)
    own = np.linalg.solve(np.eye(states) - 0.9 * np.einsum("xa,xay->xy", pi, p), (pi * r).sum(axis=1))
    results = []
    for v, mine in ((best, None), (own, policy)):
        v = [Fraction(value) for value in v.tolist()]
        q = [[rewards[x][a] + GAMMA * sum(w * v[y] for y, w in moves[x][a].items()) for a in range(actions)] for x in range(states)]
        to = [max(q[x]) if mine is None else sum(w * value for w, value in zip(mine[x], q[x])) for x in range(states)]
        slack = max(abs(to[x] - v[x]) for x in range(states))
        results.append(((1 - GAMMA) * sum(w * value for w, value in zip(start, v)), slack))
    (optimum, miss), (reached, mine) = results
    return optimum - reached - miss - mine, optimum - reached + miss + mine


if __name__ == "__main__":
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    frozen_lake(count)
    taxi(count)
