"""Algorithms 1 and 2 in PyTorch, an independent port of docs/algorithms.md. Checked by

    pytest --opd-target torch_port:run
    pytest --opd-target torch_port:run_bf16 --opd-precision bf16
"""

import torch


def project(y, radius):
    norm = torch.linalg.norm(y)
    return y if norm <= radius else y * (radius / norm)


def run(problem, dtype=torch.float64):
    p = {key: torch.from_numpy(value) if hasattr(value, "dtype") else value for key, value in problem.items()}
    p = {key: torch.as_tensor(value, dtype=dtype) if isinstance(value, float) or getattr(value, "dtype", None) == torch.float64 else value for key, value in p.items()}
    if p["weight"] is None:
        p["weight"] = torch.eye(p["dim"], dtype=dtype)
    with torch.no_grad():
        steps = list(discounted(p) if p["setting"] == "discounted" else average(p))
    return {key: torch.stack([step[key] for step in steps]).double().numpy() for key in steps[0]}


def run_bf16(problem):
    return run(problem, torch.bfloat16)


def policy(p, theta_sum, x):
    return torch.softmax(p["alpha"] * (p["features"][x] @ theta_sum), dim=0)


def discounted(p):
    """K rows per outer iteration, the last of them for beta."""
    phi, gamma = p["features"], p["discount"]
    theta, beta, theta_sum = p["theta_start"], p["beta_start"], torch.zeros_like(p["theta_start"])
    for t in range(p["outer"]):
        rows = range(t * p["inner"], (t + 1) * p["inner"])
        weighted, iterates = p["weight"] @ beta, [theta]
        for i in rows[:-1]:
            x0, x, x_next = p["x0"][i], p["x"][i], p["x_next"][i]
            here = phi[x, p["a"][i]]
            w = here @ weighted
            start, following = policy(p, theta_sum, x0) @ phi[x0], policy(p, theta_sum, x_next) @ phi[x_next]
            gradient = (1 - gamma) * start + gamma * w * following - w * here
            theta = project(theta - p["eta"] * gradient, p["radius_theta"])
            iterates.append(theta)
        theta = torch.stack(iterates).mean(0)
        i = rows[-1]
        here, x_next = phi[p["x"][i], p["a"][i]], p["x_next"][i]
        value_next = policy(p, theta_sum, x_next) @ (phi[x_next] @ theta)
        td_error = p["r"][i] + gamma * value_next - here @ theta
        beta = project(beta + p["zeta"] * td_error * (p["weight"] @ here), p["radius_beta"])
        theta_sum = theta_sum + theta
        yield {"theta": theta, "td_error": td_error, "beta_next": beta}


def average(p):
    """K + 1 rows per outer iteration, the last of them for beta."""
    phi, size = p["features"], p["inner"] + 1
    theta, beta, theta_sum, rho = p["theta_start"], p["beta_start"], torch.zeros_like(p["theta_start"]), p["rho_start"]
    for t in range(p["outer"]):
        rows = range(t * size, (t + 1) * size)
        weighted, thetas, rhos = p["weight"] @ beta, [], []
        for i in rows[:-1]:
            thetas.append(theta)
            rhos.append(rho)
            x_next = p["x_next"][i]
            here = phi[p["x"][i], p["a"][i]]
            w = here @ weighted
            a_next = torch.searchsorted(torch.cumsum(policy(p, theta_sum, x_next), 0), p["u"][i], right=True)
            theta = project(theta - p["eta"] * (w * phi[x_next, a_next] - w * here), p["radius_theta"])
            rho = torch.clamp(rho - p["xi"] * (1 - w), 0.0, 1.0)
        theta, rho = torch.stack(thetas).mean(0), torch.stack(rhos).mean()
        i = rows[-1]
        here, x_next = phi[p["x"][i], p["a"][i]], p["x_next"][i]
        value_next = policy(p, theta_sum, x_next) @ (phi[x_next] @ theta)
        td_error = p["r"][i] + value_next - here @ theta - rho
        beta = project(beta + p["zeta"] * td_error * (p["weight"] @ here), p["radius_beta"])
        theta_sum = theta_sum + theta
        yield {"theta": theta, "rho": rho, "td_error": td_error, "beta_next": beta}
