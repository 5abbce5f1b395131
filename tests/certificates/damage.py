"""Damages: each takes an honest certificate and spoils one thing, in the object (`WRONG`) or in its text (`BROKEN`)."""

from dataclasses import replace
from fractions import Fraction

from honest import evaluate, optimal, start, tabular
from model import Tables, judge, residuals, shown, text

WRONG, BROKEN = [], []


def wrong(f):
    WRONG.append(f)


def broken(f):
    BROKEN.append(f)


class DoesNotApply(Exception):
    """This damage has nothing to spoil in this certificate."""


def need(condition):
    if not condition:
        raise DoesNotApply


def damaged(certificates, random, wrong_ones=160, broken_ones=40):
    """(name, text, whether it is the syntax that was broken)."""
    small = [c for c in certificates if len(c.features) <= 12]
    large = [c for c in certificates if 12 < len(c.features) and len(c.played) <= 100]
    for made in range(1, wrong_ones + 1):
        f = WRONG[made % len(WRONG)]
        c, spoilt = None, None
        while spoilt is None:
            c = random.choice(large if made % 8 == 0 and not f.__name__.startswith("forged") else small)
            spoilt = spoil(f, c, random)
        yield f"{made:03}-{f.__name__}-{c.name}", text(spoilt), False
    for made in range(wrong_ones + 1, wrong_ones + broken_ones + 1):
        f, c = BROKEN[made % len(BROKEN)], random.choice(small)
        spoilt = f(text(c), random)
        assert spoilt != text(c)
        yield f"{made:03}-{f.__name__}-{c.name}", spoilt, True


def spoil(f, c, random):
    """The certificate after damage f, if f applies and what results does not hold."""
    spoilt = clone(c)
    try:
        f(spoilt, random)
    except DoesNotApply:
        return None
    # Claims that follow from the damaged witnesses let nothing but the damage show ...
    claims = spoilt.optimum, spoilt.suboptimality
    if claims == (c.optimum, c.suboptimality):
        claim(spoilt)
        if judge(spoilt) is not None:
            return spoilt
    # ... unless it is the claims that the damage makes false.
    spoilt.optimum, spoilt.suboptimality = claims
    return spoilt if judge(spoilt) is not None else None


def claim(c):
    c.optimum, c.suboptimality = (pair[:1] if pair[0] == pair[1] else pair for pair in shown(c))


def clone(c):
    def table(rows):
        return [list(row) for row in rows]

    def witness(w):
        return replace(w, policy=table(w.policy), value=list(w.value))

    return replace(
        c,
        features=[table(actions) for actions in c.features],
        omega=list(c.omega),
        psi=table(c.psi),
        initial=c.initial and list(c.initial),
        best=witness(c.best),
        played=[witness(w) for w in c.played],
    )


def two(random, n):
    need(n > 1)
    return random.sample(range(n), 2)


# ---- the model: no model, or another one ----


@wrong
def reward_above_one(c, random):
    c.omega[random.randrange(len(c.omega))] += 40


@wrong
def reward_below_zero(c, random):
    c.omega[random.randrange(len(c.omega))] -= 40


@wrong
def reward_changed(c, random):
    i = random.randrange(len(c.omega))
    c.omega[i] = (c.omega[i] + Fraction(1, 2)) / 2 + Fraction(1, 1000)


@wrong
def transition_mass(c, random):
    row = random.choice(c.psi)
    row[random.randrange(len(row))] += Fraction(1, 10**9)


@wrong
def transition_negative(c, random):
    x, y = two(random, len(c.psi))
    i = random.randrange(len(c.omega))
    c.psi[x][i] -= 40
    c.psi[y][i] += 40


@wrong
def transition_moved(c, random):
    x, y = two(random, len(c.psi))
    i = random.randrange(len(c.omega))
    moved = c.psi[x][i] / 2
    c.psi[x][i] -= moved
    c.psi[y][i] += moved


@wrong
def feature_doubled(c, random):
    row = random.choice(random.choice(c.features))
    row[:] = [2 * z for z in row]


@wrong
def features_swapped(c, random):
    actions = random.choice(c.features)
    a, b = two(random, len(actions))
    actions[a], actions[b] = actions[b], actions[a]


@wrong
def discount_one(c, random):
    need(c.discount is not None)
    c.discount = Fraction(1)


@wrong
def discount_negative(c, random):
    need(c.discount is not None)
    c.discount = -c.discount - Fraction(1, 10)


@wrong
def discount_changed(c, random):
    need(c.discount)
    c.discount -= c.discount / 100


@wrong
def initial_mass(c, random):
    need(c.discount is not None)
    c.initial[random.randrange(len(c.initial))] += Fraction(1, 10**12)


@wrong
def initial_negative(c, random):
    need(c.discount is not None)
    x, y = two(random, len(c.initial))
    c.initial[x] -= 2
    c.initial[y] += 2


@wrong
def initial_moved(c, random):
    need(c.discount is not None)
    x, y = two(random, len(c.initial))
    c.initial[y] += c.initial[x]
    c.initial[x] = Fraction(0)


# ---- the policies: none, or others ----


@wrong
def policy_mass(c, random):
    row = random.choice(random.choice(c.played).policy)
    row[random.randrange(len(row))] += Fraction(1, 10**15)


@wrong
def policy_negative(c, random):
    row = random.choice(random.choice(c.played).policy)
    a, b = two(random, len(row))
    row[a], row[b] = Fraction(-1, 10**6), row[b] + row[a] + Fraction(1, 10**6)


@wrong
def policy_moved(c, random):
    row = random.choice(random.choice(c.played).policy)
    a, b = two(random, len(row))
    row[a], row[b] = row[a] / 2, row[b] + row[a] / 2


@wrong
def policy_of_best(c, random):
    """A policy passed off for a better one."""
    random.choice(c.played).policy = c.best.policy


@wrong
def best_policy_mass(c, random):
    row = random.choice(c.best.policy)
    row[random.randrange(len(row))] += Fraction(1, 10**15)


@wrong
def best_policy_worse(c, random):
    row = random.choice(c.best.policy)
    need(len(row) > 1)
    row.append(row.pop(0))


# ---- the witnesses ----


@wrong
def value_raised(c, random):
    w = random.choice(c.played)
    w.value[random.randrange(len(w.value))] += 3 * w.slack + Fraction(1, 10**6)


@wrong
def values_all_raised(c, random):
    """A value that promises more: it meets Bellman's equation nowhere when discounted; a bias may be shifted."""
    need(c.discount is not None)
    w = random.choice(c.played)
    w.value[:] = [v + (3 * w.slack + Fraction(1, 10**6)) / (1 - c.discount) for v in w.value]


@wrong
def best_value_raised(c, random):
    c.best.value[random.randrange(len(c.best.value))] += 3 * c.best.slack + Fraction(1, 10**6)


@wrong
def best_value_lowered(c, random):
    c.best.value[random.randrange(len(c.best.value))] -= 3 * c.best.slack + Fraction(1, 10**6)


@wrong
def best_values_all_lowered(c, random):
    """The optimum made small, and with it every loss."""
    need(c.discount is not None)
    c.best.value[:] = [v - (3 * c.best.slack + Fraction(1, 10**6)) / (1 - c.discount) for v in c.best.value]


@wrong
def gain_raised(c, random):
    need(c.discount is None)
    w = random.choice(c.played)
    w.gain += 3 * w.slack + Fraction(1, 10**9)


@wrong
def gain_lowered(c, random):
    need(c.discount is None)
    w = random.choice(c.played)
    w.gain -= 3 * w.slack + Fraction(1, 10**9)


@wrong
def best_gain_raised(c, random):
    need(c.discount is None)
    c.best.gain += 3 * c.best.slack + Fraction(1, 10**9)


@wrong
def best_gain_lowered(c, random):
    need(c.discount is None)
    c.best.gain -= 3 * c.best.slack + Fraction(1, 10**9)


@wrong
def slack_halved(c, random):
    w = random.choice(c.played)
    need(w.slack > 0)
    w.slack /= 2


@wrong
def slack_negative(c, random):
    random.choice(c.played).slack = Fraction(-1, 10**6)


@wrong
def best_slack_halved(c, random):
    need(c.best.slack > 0)
    c.best.slack /= 2


@wrong
def best_slack_negative(c, random):
    c.best.slack = Fraction(-1, 10**6)


# ---- the counts ----


@wrong
def times_raised(c, random):
    random.choice(c.played).times += 1


@wrong
def times_swapped(c, random):
    i, j = two(random, len(c.played))
    c.played[i].times, c.played[j].times = c.played[j].times, c.played[i].times


@wrong
def iterations_raised(c, random):
    c.iterations += 1


@wrong
def policy_dropped(c, random):
    need(len(c.played) > 1)
    c.played.pop(random.randrange(len(c.played)))


@wrong
def policy_doubled(c, random):
    c.played.append(random.choice(c.played))


# ---- the claims ----


def moved(claim, sign):
    need(len(claim) == 1)
    return (claim[0] + sign * Fraction(1, 10**12),)


def narrowed(claim, end):
    """An enclosure that misses a hundredth of what is shown, at one end."""
    need(len(claim) == 2 and claim[0] > 0)
    ends, part = list(claim), (claim[1] - claim[0]) / 100
    ends[end] += part if end == 0 else -part
    return tuple(ends)


@wrong
def suboptimality_lowered(c, random):
    c.suboptimality = moved(c.suboptimality, -1)


@wrong
def suboptimality_raised(c, random):
    c.suboptimality = moved(c.suboptimality, 1)


@wrong
def suboptimality_narrowed_below(c, random):
    c.suboptimality = narrowed(c.suboptimality, 0)


@wrong
def suboptimality_narrowed_above(c, random):
    c.suboptimality = narrowed(c.suboptimality, 1)


@wrong
def suboptimality_none(c, random):
    c.suboptimality = (Fraction(0),)


@wrong
def suboptimality_exact(c, random):
    """An enclosure passed off for a number."""
    need(len(c.suboptimality) == 2)
    c.suboptimality = (sum(c.suboptimality) / 2,)


@wrong
def suboptimality_reversed(c, random):
    need(len(c.suboptimality) == 2)
    c.suboptimality = c.suboptimality[::-1]


@wrong
def optimum_raised(c, random):
    c.optimum = moved(c.optimum, 1)


@wrong
def optimum_lowered(c, random):
    c.optimum = moved(c.optimum, -1)


@wrong
def optimum_narrowed_below(c, random):
    c.optimum = narrowed(c.optimum, 0)


@wrong
def optimum_narrowed_above(c, random):
    c.optimum = narrowed(c.optimum, 1)


@wrong
def optimum_exact(c, random):
    need(len(c.optimum) == 2)
    c.optimum = (sum(c.optimum) / 2,)


# ---- forgeries: one thing is not what it must be, and all the rest is computed from it ----


def forge(c, table, discount, random, policies=()):
    """Everything of c made anew from a model that may be none; `policies` of it, or its best one."""
    fresh = start(c.name, random, table, discount)
    fresh.best = optimal(fresh)
    need(fresh.best is not None)
    fresh.played = [evaluate(fresh, policy) for policy in policies or [fresh.best.policy]]
    fresh.iterations = len(fresh.played)
    claim(fresh)
    vars(c).update(vars(fresh))


@wrong
def forged_reward_above(c, random):
    features, omega, psi = tabular(random, 4, 2)
    forge(c, (features, [w + Fraction(1, 4) for w in omega[:-1]] + [Fraction(2)], psi), Fraction(1, 2), random)


@wrong
def forged_reward_below(c, random):
    features, omega, psi = tabular(random, 4, 2)
    forge(c, (features, [*omega[:-1], Fraction(-1, 10)], psi), Fraction(1, 2), random)


@wrong
def forged_transition_mass(c, random):
    features, omega, psi = tabular(random, 4, 2)
    forge(c, (features, omega, [[p / 2 for p in row] for row in psi]), Fraction(1, 2), random)


@wrong
def forged_transition_negative(c, random):
    features, omega, psi = tabular(random, 3, 1)
    psi[0][0] -= 1
    psi[1][0] += 1
    forge(c, (features, omega, psi), Fraction(1, 4), random)


@wrong
def forged_discount_negative(c, random):
    forge(c, tabular(random, 3, 1), Fraction(-1, 2), random)


@wrong
def forged_discount_above(c, random):
    forge(c, tabular(random, 3, 1), Fraction(5, 4), random)


@wrong
def forged_discount_one(c, random):
    features, omega, psi = tabular(random, 3, 1)
    forge(c, (features, [Fraction(0) for _ in omega], psi), Fraction(1, 2), random)
    c.discount = Fraction(1)


@wrong
def forged_policy_negative(c, random):
    forge(c, tabular(random, 3, 2), Fraction(1, 2), random, [[[Fraction(11, 10), Fraction(-1, 10)]] * 3])


@wrong
def forged_policy_mass(c, random):
    forge(c, tabular(random, 3, 2), Fraction(1, 2), random, [[[Fraction(3, 5), Fraction(1, 2)]] * 3])


@wrong
def forged_best_policy_mass(c, random):
    forge(c, tabular(random, 3, 1), Fraction(1, 2), random)
    c.best = evaluate(c, [[Fraction(11, 10)]] * 3)
    need(max(residuals(Tables(c), c.best)[1]) <= 0)
    claim(c)


@wrong
def forged_best(c, random):
    """A policy and its true value, but it is not best."""
    c.best = replace(random.choice(c.played), times=1)


# ---- the syntax ----


def exchange(content, random, start, new):
    """The first number of a line that starts with the word `start`, exchanged."""
    lines = content.split("\n")
    at = next(i for i, line in enumerate(lines) if line.split()[:1] == [start])
    parts = lines[at].split(" ")
    parts[1] = new(parts[1])
    lines[at] = " ".join(parts)
    return "\n".join(lines)


@broken
def cut_short(content, random):
    words = content.split()
    return " ".join(words[: random.randrange(1, len(words))])


@broken
def empty(content, random):
    return ""


@broken
def other_version(content, random):
    return content.replace("opd-certificate 1", "opd-certificate 2")


@broken
def no_name(content, random):
    lines = content.split("\n")
    return "\n".join(["opd-certificate 1", "name", *lines[2:]])


@broken
def other_setting(content, random):
    return content.replace("setting average", "setting episodic").replace("setting discounted", "setting episodic")


@broken
def settings_exchanged(content, random):
    if "setting average" in content:
        return content.replace("setting average", "setting discounted")
    return content.replace("setting discounted", "setting average")


@broken
def other_claim(content, random):
    return content.replace("optimum exact", "optimum about", 1).replace("optimum enclosure", "optimum about", 1)


@broken
def decimal(content, random):
    return exchange(content, random, "omega", lambda _: "0.5")


@broken
def exponent(content, random):
    return exchange(content, random, "omega", lambda _: "5e-1")


@broken
def no_number(content, random):
    return exchange(content, random, "value", lambda _: "nan")


@broken
def zero_denominator(content, random):
    return exchange(content, random, "value", lambda _: "1/0")


@broken
def negative_denominator(content, random):
    return exchange(content, random, "value", lambda _: "1/-2")


@broken
def two_denominators(content, random):
    return exchange(content, random, "omega", lambda old: old + "/2/3")


@broken
def plus_sign(content, random):
    return exchange(content, random, "omega", lambda _: "+1")


@broken
def hexadecimal(content, random):
    return exchange(content, random, "omega", lambda _: "0x1")


@broken
def one_number_more(content, random):
    return exchange(content, random, "omega", lambda old: old + " 0")


@broken
def one_number_less(content, random):
    return exchange(content, random, "value", lambda _: "")


@broken
def one_state_more(content, random):
    return exchange(content, random, "states", lambda old: str(int(old) + 1))


@broken
def times_none(content, random):
    return exchange(content, random, "times", lambda _: "0")


@broken
def one_word_more(content, random):
    return content + "end\n"
