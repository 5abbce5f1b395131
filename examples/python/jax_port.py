"""Algorithms 1 and 2 in JAX (`lax.scan`), an independent port of docs/algorithms.md. Checked by

    pytest --opd-target jax_port:run
"""

import jax
import jax.numpy as jnp
from jax import lax

jax.config.update("jax_enable_x64", True)


def project(y, radius):
    norm = jnp.linalg.norm(y)
    return jnp.where(norm <= radius, y, y * (radius / norm))


def run(problem):
    rows = problem["inner"] + (problem["setting"] == "average")
    columns = {key: jnp.asarray(problem[key]).reshape(problem["outer"], rows) for key in ("x0", "x", "a", "r", "x_next", "u") if key in problem}
    phi, weight = jnp.asarray(problem["features"]), problem["weight"]
    weight = jnp.eye(problem["dim"]) if weight is None else jnp.asarray(weight)
    numbers = {key: value for key, value in problem.items() if isinstance(value, float)}
    algorithm = discounted if problem["setting"] == "discounted" else average
    start = (jnp.asarray(problem["theta_start"]), jnp.asarray(problem["beta_start"]), jnp.zeros(problem["dim"]), problem.get("rho_start", 0.0))
    step = jax.jit(lambda start, columns: lax.scan(lambda state, rows: algorithm(phi, weight, numbers, state, rows), start, columns))
    return step(start, columns)[1]


def discounted(phi, weight, p, state, rows):
    """One outer iteration: K rows, the last of them for beta."""
    theta, beta, theta_sum, rho = state
    gamma, weighted = p["discount"], weight @ beta

    def mean_feature(x):
        return jax.nn.softmax(p["alpha"] * (phi[x] @ theta_sum)) @ phi[x]

    def inner(theta, row):
        here = phi[row["x"], row["a"]]
        w = here @ weighted
        gradient = (1 - gamma) * mean_feature(row["x0"]) + gamma * w * mean_feature(row["x_next"]) - w * here
        theta = project(theta - p["eta"] * gradient, p["radius_theta"])
        return theta, {"w": w, "gradient": gradient, "theta_next": theta}

    _, steps = lax.scan(inner, theta, {key: column[:-1] for key, column in rows.items()})
    theta = (theta + steps["theta_next"].sum(0)) / len(rows["x"])
    row = {key: column[-1] for key, column in rows.items()}
    here = phi[row["x"], row["a"]]
    value_next = mean_feature(row["x_next"]) @ theta
    td_error = row["r"] + gamma * value_next - here @ theta
    beta = project(beta + p["zeta"] * td_error * (weight @ here), p["radius_beta"])
    return (theta, beta, theta_sum + theta, rho), {"theta": theta, "td_error": td_error, "beta_next": beta, "inner": steps}


def average(phi, weight, p, state, rows):
    """One outer iteration: K + 1 rows, the last of them for beta."""
    theta, beta, theta_sum, rho = state
    weighted = weight @ beta

    def policy(x):
        return jax.nn.softmax(p["alpha"] * (phi[x] @ theta_sum))

    def inner(carry, row):
        theta, rho = carry
        here = phi[row["x"], row["a"]]
        w = here @ weighted
        a_next = jnp.searchsorted(jnp.cumsum(policy(row["x_next"])), row["u"], side="right")
        gradient = w * phi[row["x_next"], a_next] - w * here
        after = project(theta - p["eta"] * gradient, p["radius_theta"]), jnp.clip(rho - p["xi"] * (1 - w), 0.0, 1.0)
        said = {"w": w, "a_next": a_next, "gradient": gradient, "rho_next": after[1], "theta_next": after[0]}
        return after, (theta, rho, said)

    _, (thetas, rhos, steps) = lax.scan(inner, (theta, rho), {key: column[:-1] for key, column in rows.items()})
    theta, rho = thetas.mean(0), rhos.mean()
    row = {key: column[-1] for key, column in rows.items()}
    here = phi[row["x"], row["a"]]
    value_next = policy(row["x_next"]) @ (phi[row["x_next"]] @ theta)
    td_error = row["r"] + value_next - here @ theta - rho
    beta = project(beta + p["zeta"] * td_error * (weight @ here), p["radius_beta"])
    return (theta, beta, theta_sum + theta, rho), {"theta": theta, "rho": rho, "td_error": td_error, "beta_next": beta, "inner": steps}
