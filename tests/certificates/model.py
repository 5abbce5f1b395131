"""A certificate as an object: its text, and by plain fractions whether it holds."""

from dataclasses import dataclass
from fractions import Fraction
from math import lcm


@dataclass
class Witness:
    policy: list  # [x][a]
    value: list  # [x]
    slack: Fraction
    gain: Fraction = Fraction(0)
    times: int = 1


@dataclass
class Certificate:
    name: str
    features: list  # [x][a][i]
    omega: list  # [i]
    psi: list  # [x][i]
    discount: Fraction | None  # None: the average-reward setting
    initial: list | None
    best: Witness
    played: list
    iterations: int
    optimum: tuple  # of one number, exact, or of two, an enclosure
    suboptimality: tuple


def text(c):
    lines = ["opd-certificate 1", f"name {c.name}", f"setting {'average' if c.discount is None else 'discounted'}"]

    def claim(key, numbers):
        lines.append(f"{key} {'exact' if len(numbers) == 1 else 'enclosure'} {row(numbers)}")

    def witness(w):
        lines.append("policy")
        lines.extend(map(row, w.policy))
        if c.discount is None:
            lines.append(f"gain {w.gain}")
        lines.append(f"value {row(w.value)}")
        lines.append(f"slack {w.slack}")

    claim("optimum", c.optimum)
    claim("suboptimality", c.suboptimality)
    lines.append(f"iterations {c.iterations}")
    lines += [f"states {len(c.features)}", f"actions {len(c.features[0])}", f"dimension {len(c.omega)}"]
    if c.discount is not None:
        lines += [f"discount {c.discount}", f"initial {row(c.initial)}"]
    lines.append("features")
    lines.extend(row(phi) for actions in c.features for phi in actions)
    lines.append(f"omega {row(c.omega)}")
    lines.append("psi")
    lines.extend(map(row, c.psi))
    lines.append("best")
    witness(c.best)
    lines.append(f"policies {len(c.played)}")
    for w in c.played:
        lines.append(f"times {w.times}")
        witness(w)
    lines.append("end")
    return "\n".join(lines) + "\n"


def row(numbers):
    return " ".join(map(str, numbers))


def scaled(u):
    """A vector as integers over one denominator: fractions would take a gcd per product."""
    d = lcm(*(x.denominator for x in u))
    return d, [x.numerator * (d // x.denominator) for x in u]


def dot_scaled(u, v):
    return Fraction(sum(x * y for x, y in zip(u[1], v[1], strict=True) if x), u[0] * v[0])


def dot(u, v):
    return dot_scaled(scaled(u), scaled(v))


def is_distribution(row):
    return all(p >= 0 for p in row) and sum(row) == 1


class Tables:
    """A model's Φ and the rows of its Ψ, scaled once for many values."""

    def __init__(self, c):
        self.discount = 1 if c.discount is None else c.discount
        self.omega = c.omega
        self.features = [[scaled(phi) for phi in actions] for actions in c.features]
        self.rows = [scaled(row) for row in zip(*c.psi)]

    def action_values(self, v):
        """Φ(ω + γΨv), with γ = 1 in the average-reward setting."""
        v = scaled(v)
        theta = scaled([w + self.discount * dot_scaled(row, v) for w, row in zip(self.omega, self.rows)])
        return [[dot_scaled(phi, theta) for phi in actions] for actions in self.features]


def residuals(tables, w):
    """Per state, what the policy makes of v, less v and the gain; and by how much the best action beats v and the gain."""
    q = tables.action_values(w.value)
    made = [dot(p, qs) - v - w.gain for p, qs, v in zip(w.policy, q, w.value, strict=True)]
    return made, [max(qs) - v - w.gain for qs, v in zip(q, w.value, strict=True)]


def promised(c, w):
    return w.gain if c.discount is None else (1 - c.discount) * dot(c.initial, w.value)


def shown(c):
    """The intervals that the witnesses show for the optimum and for the suboptimality."""
    centre = promised(c, c.best)
    low, high = centre - c.best.slack, centre + c.best.slack
    mean = sum(w.times * promised(c, w) for w in c.played) / c.iterations
    error = sum(w.times * w.slack for w in c.played) / c.iterations
    return (low, high), (max(Fraction(0), low - mean - error), high - mean + error)


def judge(c):
    """None, or why the certificate does not hold."""
    if c.discount is not None and not (0 <= c.discount < 1 and is_distribution(c.initial)):
        return "discount or initial"
    tables, omega, psi = Tables(c), scaled(c.omega), [scaled(p) for p in c.psi]
    for actions in tables.features:
        for phi in actions:
            if not 0 <= dot_scaled(phi, omega) <= 1:
                return "reward"
            if not is_distribution([dot_scaled(phi, p) for p in psi]):
                return "transition"
    for w in [c.best, *c.played]:
        if not all(map(is_distribution, w.policy)):
            return "policy"
        made, best = residuals(tables, w)
        if w is c.best:
            if min(made) < -w.slack or max(best) > w.slack:
                return "best"
        elif max(map(abs, made)) > w.slack:
            return "residual"
    if sum(w.times for w in c.played) != c.iterations:
        return "iterations"
    for claim, (low, high) in zip((c.optimum, c.suboptimality), shown(c)):
        if claim[0] > low or claim[-1] < high:
            return "claim"
    return None
