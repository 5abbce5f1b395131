"""Honest certificates: random models, policies with exact or approximate values, claims computed from them."""

from fractions import Fraction

from model import Certificate, Witness, promised, residuals, shown

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
        scale = 1
        for x in [*line, b]:
            scale = scale * x.denominator // __import__("math").gcd(scale, x.denominator)
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
    d = len(c.omega)
    return [
        [sum((p * phi[i] for p, phi in zip(ps, actions) if p and phi[i]), Fraction(0)) for i in range(d)]
        for ps, actions in zip(policy, c.features, strict=True)
    ]


def evaluate(c, policy):
    """The policy's exact value: by θ = ω + γΨΠΦθ where the features are fewer than the states, else by v itself."""
    mixed, states, d = combined(c, policy), len(c.psi), len(c.omega)
    if c.discount is None:
        kernel = product(mixed, c.psi)
        reward = [sum((m * w for m, w in zip(line, c.omega)), Fraction(0)) for line in mixed]
        # unknowns: the gain in the place of v(0) = 0
        matrix = [
            [Fraction(1) if y == 0 else Fraction(x == y) - kernel[x][y] for y in range(states)] for x in range(states)
        ]
        gain, *value = solve(matrix, reward)
        return Witness(policy, [Fraction(0), *value], Fraction(0), gain)
    if d < states:
        step = [[sum((c.psi[x][i] * mixed[x][j] for x in range(states)), Fraction(0)) for j in range(d)] for i in range(d)]
        theta = solve([[Fraction(i == j) - c.discount * step[i][j] for j in range(d)] for i in range(d)], c.omega)
        return Witness(policy, [sum((m * t for m, t in zip(line, theta)), Fraction(0)) for line in mixed], Fraction(0))
    kernel = product(mixed, c.psi)
    reward = [sum((m * w for m, w in zip(line, c.omega)), Fraction(0)) for line in mixed]
    matrix = [[Fraction(x == y) - c.discount * kernel[x][y] for y in range(states)] for x in range(states)]
    return Witness(policy, solve(matrix, reward), Fraction(0))


def product(mixed, psi):
    return [[sum((m * p for m, p in zip(line, ps) if m and p), Fraction(0)) for ps in psi] for line in mixed]


def greedy(c, value):
    from model import action_values

    chosen = [qs.index(max(qs)) for qs in action_values(c, value)]
    return [[Fraction(a == b) for b in range(len(c.features[0]))] for a in chosen]


def optimal(c):
    """Policy iteration."""
    witness = evaluate(c, [[Fraction(a == 0) for a in range(len(c.features[0]))] for _ in c.features])
    while True:
        made, best = residuals(c, witness)
        if max(best) <= 0:
            return witness
        improved = greedy(c, witness.value)
        keep = [b <= 0 for b in best]
        witness = evaluate(c, [old if k else new for k, old, new in zip(keep, witness.policy, improved)])


# ---- approximate values: fixed point, then the slack from the true residual ----


def fixed(numbers):
    return [(x.numerator << BITS) // x.denominator for x in numbers]


def approximate(c, policy, sweeps, rough=0):
    """θ ← ω + γΨΠΦθ in integers over 2^BITS; the value is rounded to 2^-rough."""
    mixed = [fixed(line) for line in combined(c, policy)]
    columns = [fixed(line) for line in zip(*c.psi)]
    discount = 1 << BITS if c.discount is None else fixed([c.discount])[0]
    d, states = len(c.omega), len(c.psi)
    omega, theta, shift = fixed(c.omega), [0] * d, 0
    short = d < states
    step = [[sum(map(int.__mul__, col, m)) >> BITS for m in zip(*mixed)] for col in columns] if short else None
    for _ in range(sweeps):
        if short:
            theta = [w + ((sum(map(int.__mul__, s, theta)) >> BITS) * discount >> BITS) for w, s in zip(omega, step)]
        else:
            v = [sum(map(int.__mul__, m, theta)) >> BITS for m in mixed]
            theta = [w + ((sum(map(int.__mul__, col, v)) >> BITS) * discount >> BITS) for w, col in zip(omega, columns)]
        if c.discount is None:  # features sum to 1, so a shift of θ is one of v
            shift = theta[0]
            theta = [t - shift for t in theta]
    cut = BITS - rough if rough else 0
    v = [(sum(map(int.__mul__, m, theta)) >> BITS) >> cut for m in mixed]
    scale = 1 << (BITS - cut)
    gain = Fraction(shift >> cut, scale) if c.discount is None else Fraction(0)
    return settle(c, Witness(policy, [Fraction(x, scale) for x in v], Fraction(0), gain))


def settle(c, witness, best=False):
    """The slack that the residuals need, rounded up to 2^-BITS."""
    made, beats = residuals(c, witness)
    need = max(-min(made), max(beats)) if best else max(map(abs, made))
    witness.slack = Fraction(-((-need.numerator << BITS) // need.denominator), 1 << BITS)
    return witness


def approximately_optimal(c, sweeps, rough=0):
    policy = [[Fraction(a == 0) for a in range(len(c.features[0]))] for _ in c.features]
    for _ in range(12):
        witness = approximate(c, policy, sweeps, rough)
        improved = greedy(c, witness.value)
        if improved == policy:
            break
        policy = improved
    return settle(c, witness, best=True)


# ---- the twenty ----


def policies(random, c, number):
    """From uniform towards random preferences, as a run's policies go; dyadic."""
    actions = len(c.features[0])
    return [[distribution(random, actions, 1 << 12) for _ in c.features] for _ in range(number)]


def certify(c, random, number, iterations, best, value, at_most=False):
    """The certificate c of `number` policies, played `iterations` times together."""
    c.best = best
    cuts = [0, *sorted(random.sample(range(1, iterations), number - 1)), iterations]
    for policy, a, b in zip(policies(random, c, number), cuts, cuts[1:]):
        witness = value(c, policy)
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
        return certify(c, random, number, iterations, optimal(c), evaluate)

    def enclosed(name, table, discount, number, iterations, sweeps, rough=0, at_most=False):
        c = start(name, random, table, discount)
        best = approximately_optimal(c, sweeps, rough)
        return certify(c, random, number, iterations, best, lambda c, p: approximate(c, p, sweeps, rough), at_most)

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
    yield enclosed("linear-6-short", linear(random, 6, 2, 3), nine, 4, 12, 25)
    yield enclosed("tabular-50-near", tabular(random, 50, 4), half, 6, 1000, 60)
    yield enclosed("linear-50-distinct", linear(random, 50, 4, 6), nine, 1000, 1000, 250, rough=36)
    yield exact("average-2", tabular(random, 2, 2), None, 2, 3)
    yield exact("average-5", tabular(random, 5, 3), None, 4, 25)
    yield exact("average-linear-8", linear(random, 8, 2, 3), None, 5, 40)
    yield enclosed("average-6-near", tabular(random, 6, 2), None, 4, 20, 80)
    yield enclosed("average-linear-9-rough", linear(random, 9, 3, 4), None, 5, 30, 60, rough=12, at_most=True)
    yield enclosed("average-50", linear(random, 50, 3, 5), None, 40, 1000, 60)
