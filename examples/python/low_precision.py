"""Algorithms 1 and 2 in single precision, TensorFloat-32 and bfloat16, rounded explicitly in NumPy: an independent port of docs/algorithms.md. Checked by

    pytest --opd-target low_precision:f32 --opd-precision f32
    pytest --opd-target low_precision:tf32 --opd-precision tf32
    pytest --opd-target low_precision:bf16 --opd-precision bf16
"""

import numpy as np


def rounded(x, bits):
    """The nearest single-precision numbers with so many significant bits, ties to even."""
    words = np.ascontiguousarray(x, dtype=np.float32).view(np.uint32)
    if bits == 24:
        return words.view(np.float32)
    cut = np.uint32(24 - bits)
    last = (words >> cut) & np.uint32(1)
    return ((words + last + np.uint32((1 << int(cut) - 1) - 1)) >> cut << cut).view(np.float32)


class Arithmetic:
    """Numbers are stored with `stored` bits; factors of inner products have `factors`; sums are in single precision."""

    def __init__(self, stored, factors):
        self.stored, self.factors = stored, factors

    def __call__(self, x):
        return rounded(x, self.stored).reshape(np.shape(x))

    def dot(self, a, b):
        return self(rounded(a, self.factors).reshape(np.shape(a)) @ rounded(b, self.factors).reshape(np.shape(b)))

    def project(self, y, radius):
        norm = self(np.sqrt(np.sum(y * y, dtype=np.float32)))
        return y if norm <= radius else self(y * self(radius / norm))

    def policy(self, p, theta_sum, x):
        logits = self(p["alpha"] * self.dot(p["features"][x], theta_sum))
        weights = self(np.exp(self(logits - logits.max())))
        return self(weights / self(weights.sum(dtype=np.float32)))

    def run(self, problem):
        p = {key: self(value) if isinstance(value, float) or getattr(value, "dtype", None) == np.float64 else value for key, value in problem.items()}
        p["u"] = problem.get("u")  # a draw is compared, not computed with
        p["weight"] = np.eye(p["dim"], dtype=np.float32) if p["weight"] is None else p["weight"]
        steps = list(discounted(self, p) if p["setting"] == "discounted" else average(self, p))
        outer = {key: np.array([step[key] for step in steps]) for key in steps[0] if key != "inner"}
        inner = steps[0]["inner"]
        names = inner[0] if inner else ()
        return outer | {"inner": {key: np.array([[row[key] for row in step["inner"]] for step in steps]) for key in names}}


def discounted(f, p):
    """K rows per outer iteration, the last of them for beta."""
    phi, gamma, rest = p["features"], p["discount"], f(1 - p["discount"])
    theta, beta, theta_sum = p["theta_start"], p["beta_start"], np.zeros(p["dim"], dtype=np.float32)
    for t in range(p["outer"]):
        rows = range(t * p["inner"], (t + 1) * p["inner"])
        weighted, iterates, inner = f.dot(p["weight"], beta), [theta], []
        for i in rows[:-1]:
            here, x0, x_next = phi[p["x"][i], p["a"][i]], p["x0"][i], p["x_next"][i]
            w = f.dot(here, weighted)
            start, following = f.dot(f.policy(p, theta_sum, x0), phi[x0]), f.dot(f.policy(p, theta_sum, x_next), phi[x_next])
            gradient = f(f(rest * start) + f(f(gamma * w) * following) - f(w * here))
            theta = f.project(f(theta - f(p["eta"] * gradient)), p["radius_theta"])
            iterates.append(theta)
            inner.append({"w": w, "gradient": gradient, "theta_next": theta})
        theta, i = f(np.mean(iterates, axis=0, dtype=np.float32)), rows[-1]
        here, x_next = phi[p["x"][i], p["a"][i]], p["x_next"][i]
        value_next = f.dot(f.policy(p, theta_sum, x_next), f.dot(phi[x_next], theta))
        td_error = f(p["r"][i] + f(gamma * value_next) - f.dot(here, theta))
        beta = f.project(f(beta + f(f(p["zeta"] * td_error) * f.dot(p["weight"], here))), p["radius_beta"])
        theta_sum = f(theta_sum + theta)
        yield {"theta": theta, "value_next": value_next, "td_error": td_error, "beta_next": beta, "inner": inner}


def average(f, p):
    """K + 1 rows per outer iteration, the last of them for beta."""
    phi, size = p["features"], p["inner"] + 1
    theta, beta, theta_sum, rho = p["theta_start"], p["beta_start"], np.zeros(p["dim"], dtype=np.float32), p["rho_start"]
    for t in range(p["outer"]):
        rows = range(t * size, (t + 1) * size)
        weighted, thetas, rhos, inner = f.dot(p["weight"], beta), [], [], []
        for i in rows[:-1]:
            thetas.append(theta)
            rhos.append(rho)
            here, x_next = phi[p["x"][i], p["a"][i]], p["x_next"][i]
            w = f.dot(here, weighted)
            cumulative = np.cumsum(f.policy(p, theta_sum, x_next), dtype=np.float32)
            a_next = min(int(np.searchsorted(cumulative, p["u"][i], side="right")), len(cumulative) - 1)
            gradient = f(f(w * phi[x_next, a_next]) - f(w * here))
            theta = f.project(f(theta - f(p["eta"] * gradient)), p["radius_theta"])
            rho = np.clip(f(rho - f(p["xi"] * f(1 - w))), np.float32(0), np.float32(1))
            inner.append({"w": w, "a_next": a_next, "gradient": gradient, "rho_next": rho, "theta_next": theta})
        theta, rho, i = f(np.mean(thetas, axis=0, dtype=np.float32)), f(np.mean(rhos, dtype=np.float32)), rows[-1]
        here, x_next = phi[p["x"][i], p["a"][i]], p["x_next"][i]
        value_next = f.dot(f.policy(p, theta_sum, x_next), f.dot(phi[x_next], theta))
        td_error = f(p["r"][i] + value_next - f.dot(here, theta) - rho)
        beta = f.project(f(beta + f(f(p["zeta"] * td_error) * f.dot(p["weight"], here))), p["radius_beta"])
        theta_sum = f(theta_sum + theta)
        yield {"theta": theta, "rho": rho, "value_next": value_next, "td_error": td_error, "beta_next": beta, "inner": inner}


f32, tf32, bf16 = Arithmetic(24, 24).run, Arithmetic(24, 11).run, Arithmetic(8, 8).run
