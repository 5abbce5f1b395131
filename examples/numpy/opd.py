#!/usr/bin/env python3
"""Algorithms 1 and 2 of "Offline Primal-Dual RL for Linear MDPs" in NumPy.

An independent port of docs/algorithms.md, the boxes with their errata, that the conformance kit checks:

    opd vectors gen | python3 opd.py | opd vectors check

Reads one problem per line (JSON), writes one line of results per problem.
"""

import json
import sys

import numpy as np


def softmax(z):
    e = np.exp(z - z.max())
    return e / e.sum()


def project(y, radius):
    norm = np.linalg.norm(y)
    return y if norm <= radius else y * (radius / norm)


def algorithm_1(problem):
    """Discounted: K samples per outer iteration, the last of them for beta."""
    phi = np.array(problem["features"])  # [state][action][component]
    weight = np.array(problem.get("weight", np.eye(problem["dim"])))  # the power c - 1 of the covariance
    gamma, K = problem["discount"], problem["inner"]
    theta, beta = np.array(problem["theta_start"]), np.array(problem["beta_start"])
    theta_sum = np.zeros(problem["dim"])
    x0, x, a, r, x_next = (problem[key] for key in ("x0", "x", "a", "r", "x_next"))

    def policy(state):
        return softmax(problem["alpha"] * (phi[state] @ theta_sum))

    for t in range(1, problem["outer"] + 1):
        rows = range((t - 1) * K, t * K)
        iterates = [theta]
        for k, row in enumerate(rows[:-1], start=1):
            here = phi[x[row], a[row]]
            w = here @ (weight @ beta)
            start, following = policy(x0[row]), policy(x_next[row])
            mean_feature = (1 - gamma) * (start @ phi[x0[row]]) + gamma * w * (following @ phi[x_next[row]])
            gradient = mean_feature - w * here
            theta = project(theta - problem["eta"] * gradient, problem["radius_theta"])
            iterates.append(theta)
            yield {"t": t, "k": k, "w": w, "gradient": gradient, "theta_next": theta}
        theta = np.mean(iterates, axis=0)
        row = rows[-1]
        here = phi[x[row], a[row]]
        value_next = policy(x_next[row]) @ (phi[x_next[row]] @ theta)
        td_error = r[row] + gamma * value_next - here @ theta
        beta = project(beta + problem["zeta"] * td_error * (weight @ here), problem["radius_beta"])
        theta_sum = theta_sum + theta
        yield {"t": t, "theta": theta, "value_next": value_next, "td_error": td_error, "beta_next": beta}


def algorithm_2(problem):
    """Average reward: K + 1 samples per outer iteration, the last of them for beta."""
    phi = np.array(problem["features"])
    weight = np.array(problem.get("weight", np.eye(problem["dim"])))
    K = problem["inner"]
    theta, beta = np.array(problem["theta_start"]), np.array(problem["beta_start"])
    rho, theta_sum = problem["rho_start"], np.zeros(problem["dim"])
    x, a, r, x_next, u = (problem[key] for key in ("x", "a", "r", "x_next", "u"))

    def policy(state):
        return softmax(problem["alpha"] * (phi[state] @ theta_sum))

    for t in range(1, problem["outer"] + 1):
        rows = range((t - 1) * (K + 1), t * (K + 1))
        thetas, rhos = [], []
        for k, row in enumerate(rows[:-1], start=1):
            thetas.append(theta)
            rhos.append(rho)
            here = phi[x[row], a[row]]
            w = here @ (weight @ beta)
            # The first action whose cumulative probability exceeds u.
            a_next = int(np.searchsorted(np.cumsum(policy(x_next[row])), u[row], side="right"))
            gradient = w * phi[x_next[row], a_next] - w * here
            rho = min(max(rho - problem["xi"] * (1 - w), 0.0), 1.0)
            theta = project(theta - problem["eta"] * gradient, problem["radius_theta"])
            yield {"t": t, "k": k, "w": w, "a_next": a_next, "gradient": gradient, "rho_next": rho, "theta_next": theta}
        theta, rho = np.mean(thetas, axis=0), float(np.mean(rhos))
        row = rows[-1]
        here = phi[x[row], a[row]]
        value_next = policy(x_next[row]) @ (phi[x_next[row]] @ theta)
        td_error = r[row] + value_next - here @ theta - rho
        beta = project(beta + problem["zeta"] * td_error * (weight @ here), problem["radius_beta"])
        theta_sum = theta_sum + theta
        yield {"t": t, "theta": theta, "rho": rho, "value_next": value_next, "td_error": td_error, "beta_next": beta}


def main():
    algorithms = {"discounted": algorithm_1, "average": algorithm_2}
    for line in sys.stdin:
        problem = json.loads(line)
        steps = list(algorithms[problem["setting"]](problem))
        print(json.dumps({"id": problem["id"], "steps": steps}, default=lambda array: array.tolist()))


if __name__ == "__main__":
    main()
