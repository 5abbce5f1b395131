"""Honest certificates: random models, policies with exact or approximate values, claims computed from them."""

from fractions import Fraction
from math import lcm

from model import Certificate, Tables, Witness, dot_scaled, residuals, scaled, shown

BITS = 56  # of the fixed point that approximate values are computed in


def distribution(random, n, total, dense=False):
    """n multiples of 1/total that sum to 1; none of them 0 if dense."""
    cuts = sorted(random.randint(0, total - n * dense) for _ in range(n - 1))
    parts = [b - a + dense for a, b in zip([0, *cuts], [*cuts, total - n * dense])]
    return [Fraction(p, total) for p in parts]


def tabular(random, states, actions):
    """Features are unit vectors, so that ω is the reward and ψ the transition table."""
    d = states * actions
    total = max(60, 4 * states)
    features = [[[Fraction(i == x * actions + a) for i in range(d)] for a in range(actions)] for x in range(states)]
    rows = [distribution(random, states, total, dense=True) for _ in range(d)]
    psi = [[rows[i][x] for i in range(d)] for x in range(states)]
    return features, [Fraction(random.randint(0, 20), 20) for _ in range(d)], psi


def linear(random, states, actions, d):
    """Features are mixtures of d, and ψ's components are distributions."""
    features = [[distribution(random, d, 16) for _ in range(actions)] for _ in range(states)]
    rows = [distribution(random, states, 4 * states, dense=True) for _ in range(d)]
    psi = [[rows[i][x] for i in range(d)] for x in range(states)]
    return features, [Fraction(random.randint(0, 20), 20) for _ in range(d)], psi


def start(name, random, table, discount):
    states = len(table[0])
    initial = None if discount is None else distribution(random, states, 8 * states)
    nothing = Witness([], [], Fraction(0))
    return Certificate(name, *table, discount, initial, nothing, [], 0, (Fraction(0),), (Fraction(0),))


# ---- exact values ----


def solve(matrix, right):
    """Bareiss: elimination in integers, every division exact."""
    rows = []
    for line, b in zip(matrix, right, strict=True):
        scale = lcm(*(x.denominator for x in [*line, b]))
        rows.append([int(x * scale) for x in [*line, b]])
    n, previous = len(rows), 1
    for k in range(n):
        pivot = next(i for i in range(k, n) if rows[i][k])
        rows[k], rows[pivot] = rows[pivot], rows[k]
        for i in range(n):
            if i != k:
                f, p, head = rows[i][k], rows[k][k], rows[k]
                rows[i] = [(p * x - f * y) // previous for x, y in zip(rows[i], head)]
        previous = rows[k][k]
    return [Fraction(r[n], r[i]) for i, r in enumerate(rows)]


def combined(c, policy):
    """Π Φ as states × d."""
    return [
        [dot_scaled(p, scaled(column)) for column in zip(*actions)]
        for p, actions in zip(map(scaled, policy), c.features, strict=True)
    ]


def evaluate(c, policy):
    """The policy's exact value: by θ = ω + γΨΠΦθ where the features are fewer than the states, else by v itself."""
    mixed, omega, states, d = [scaled(line) for line in combined(c, policy)], scaled(c.omega), len(c.psi), len(c.omega)
    if c.discount is not None and d < states:
        rows, columns = [scaled(row) for row in zip(*c.psi)], [scaled(col) for col in zip(*combined(c, policy))]
        step = [[Fraction(i == j) - c.discount * dot_scaled(rows[i], columns[j]) for j in range(d)] for i in range(d)]
        theta = scaled(solve(step, c.omega))
        return Witness(policy, [dot_scaled(line, theta) for line in mixed], Fraction(0))
    psi = [scaled(p) for p in c.psi]
    discount = 1 if c.discount is None else c.discount
    matrix = [[Fraction(x == y) - discount * dot_scaled(mixed[x], psi[y]) for y in range(states)] for x in range(states)]
    reward = [dot_scaled(line, omega) for line in mixed]
    if c.discount is not None:
        return Witness(policy, solve(matrix, reward), Fraction(0))
    # v(0) = 0, and the gain in its place among the unknowns
    gain, *value = solve([[Fraction(1), *line[1:]] for line in matrix], reward)
    return Witness(policy, [Fraction(0), *value], Fraction(0), gain)


def greedy(tables, value):
    chosen = [qs.index(max(qs)) for qs in tables.action_values(value)]
    return [[Fraction(a == b) for b in range(len(tables.features[0]))] for a in chosen]


def optimal(c):
    """Policy iteration; None if it does not end, which is for models that are none."""
    tables = Tables(c)
    witness = evaluate(c, [[Fraction(a == 0) for a in range(len(c.features[0]))] for _ in c.features])
    for _ in range(50):
        _, best = residuals(tables, witness)
        if max(best) <= 0:
            return witness
        improved = greedy(tables, witness.value)
        witness = evaluate(c, [old if b <= 0 else new for b, old, new in zip(best, witness.policy, improved)])
    return None


# ---- approximate values: fixed point, then the slack from the true residual ----


def fixed(numbers):
    return [(x.numerator << BITS) // x.denominator for x in numbers]


class Approximation:
    """θ ← ω + γΨΠΦθ in integers over 2^BITS, so many sweeps; the value is then rounded to 2^-rough."""

    def __init__(self, c, sweeps, rough):
        self.tables, self.sweeps, self.cut = Tables(c), sweeps, BITS - (rough or BITS)
        self.average, self.discount = c.discount is None, fixed([self.tables.discount])[0]
        self.omega, self.rows = fixed(c.omega), [fixed(row) for row in zip(*c.psi)]
        self.features = [[fixed(column) for column in zip(*actions)] for actions in c.features]

    def __call__(self, policy):
        mixed = [[product(p, column) for column in columns] for p, columns in zip(map(fixed, policy), self.features)]
        theta, shift = [0] * len(self.omega), 0
        small = len(self.omega) < len(mixed)
        step = [[product(row, column) for column in zip(*mixed)] for row in self.rows] if small else None
        for _ in range(self.sweeps):
            v = theta if small else [product(line, theta) for line in mixed]
            theta = [w + (self.discount * product(row, v) >> BITS) for w, row in zip(self.omega, step or self.rows)]
            if self.average:  # features sum to 1, so a shift of θ is one of v
                shift = theta[0]
                theta = [t - shift for t in theta]
        unit = 1 << (BITS - self.cut)
        value = [Fraction(product(line, theta) >> self.cut, unit) for line in mixed]
        return settle(self.tables, Witness(policy, value, Fraction(0), Fraction(shift >> self.cut, unit)))

    def optimal(self):
        policy = [[Fraction(a == 0) for a in range(len(self.tables.features[0]))] for _ in self.features]
        for _ in range(12):
            witness = self(policy)
            improved = greedy(self.tables, witness.value)
            if improved == policy:
                break
            policy = improved
        return settle(self.tables, witness, best=True)


def product(u, v):
    return sum(map(int.__mul__, u, v)) >> BITS


def settle(tables, witness, best=False):
    """The slack that the residuals need, rounded up to 2^-BITS."""
    made, beats = residuals(tables, witness)
    need = max(-min(made), max(beats)) if best else max(map(abs, made))
    witness.slack = Fraction(-((-need.numerator << BITS) // need.denominator), 1 << BITS)
    return witness


# ---- the twenty ----


def policies(random, c, number):
    """Random, and dyadic as a run's are."""
    actions = len(c.features[0])
    return [[distribution(random, actions, 1 << 12) for _ in c.features] for _ in range(number)]


def certify(c, random, number, iterations, best, value, at_most=False):
    """The certificate c of `number` policies, played `iterations` times together."""
    c.best = best
    cuts = [0, *sorted(random.sample(range(1, iterations), number - 1)), iterations]
    for policy, a, b in zip(policies(random, c, number), cuts, cuts[1:]):
        witness = value(policy)
        witness.times = b - a
        c.played.append(witness)
    c.iterations = iterations
    c.optimum, c.suboptimality = (claim[:1] if claim[0] == claim[1] else claim for claim in shown(c))
    if at_most:
        c.suboptimality = (Fraction(0), c.suboptimality[-1])
    return c


def honest(random):
    half, nine = Fraction(1, 2), Fraction(9, 10)

    def exact(name, table, discount, number, iterations):
        c = start(name, random, table, discount)
        return certify(c, random, number, iterations, optimal(c), lambda policy: evaluate(c, policy))

    def enclosed(name, table, discount, number, iterations, sweeps, rough=0, at_most=False):
        c = start(name, random, table, discount)
        near = Approximation(c, sweeps, rough)
        return certify(c, random, number, iterations, near.optimal(), near, at_most)

    yield exact("one-state", tabular(random, 1, 1), Fraction(0), 1, 1)
    yield exact("tiny", tabular(random, 2, 2), half, 2, 3)
    yield exact("tabular-3", tabular(random, 3, 2), nine, 3, 10)
    yield exact("tabular-6", tabular(random, 6, 3), Fraction(99, 100), 5, 50)
    yield exact("linear-5", linear(random, 5, 3, 3), nine, 4, 20)
    yield exact("linear-12", linear(random, 12, 2, 4), Fraction(3, 4), 8, 100)
    yield exact("tabular-50", tabular(random, 50, 2), nine, 3, 1000)
    yield exact("linear-50", linear(random, 50, 4, 4), nine, 30, 1000)
    yield enclosed("tabular-4-near", tabular(random, 4, 2), half, 3, 30, 60)
    yield enclosed("tabular-8-rough", tabular(random, 8, 3), nine, 6, 60, 150, rough=10)
    yield enclosed("linear-10-at-most", linear(random, 10, 3, 4), nine, 6, 40, 200, at_most=True)
    yield enclosed("linear-6-short", linear(random, 6, 2, 3), nine, 4, 12, 15)
    yield enclosed("tabular-50-near", tabular(random, 50, 4), half, 6, 1000, 60)
    yield enclosed("linear-50-distinct", linear(random, 50, 4, 6), nine, 1000, 1000, 250, rough=36)
    yield exact("average-2", tabular(random, 2, 2), None, 2, 3)
    yield exact("average-5", tabular(random, 5, 3), None, 4, 25)
    yield exact("average-linear-8", linear(random, 8, 2, 3), None, 5, 40)
    yield enclosed("average-6-near", tabular(random, 6, 2), None, 4, 20, 80)
    yield enclosed("average-linear-9-rough", linear(random, 9, 3, 4), None, 5, 30, 60, rough=12, at_most=True)
    yield enclosed("average-50", linear(random, 50, 3, 5), None, 40, 1000, 60)
