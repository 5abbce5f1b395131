"""A Gymnasium `P` table as a problem file of `opd`, one-hot features, every probability a fraction.

    python examples/gymnasium_table.py FrozenLake-v1 --discount 0.99 --out lake.npz
    opd coverage --mdp lake.npz

`P[x][a]` is a list of (probability, next state, reward, done), as `env.unwrapped.P` has it; Gymnasium itself is needed only for the command line.
Rewards are mapped to [0, 1] by (r - low) / (high - low), where the range is widened to hold 0. A transition with done leads to one more state, the last, which
is never left and pays what 0 was mapped to: an episode's return is then its sum of rewards. With --restart that state is left for an initial one: the next
episode begins. The behaviour is uniform unless given; --optimal 1/2 takes the optimal action half of the time and a uniform one otherwise.
"""

import argparse
import json
import struct
import zipfile
from fractions import Fraction


def fraction(x):
    """The number that was meant: 1/3 for 0.3333333333333333, else the shortest decimal."""
    near = Fraction(x).limit_denominator(1000)
    return near if abs(near - Fraction(x)) < Fraction(1, 10**12) else Fraction(repr(float(x)))


def problem(P, initial, discount, name="table", behavior=None, restart=False):
    """The problem as a dictionary: numbers are fractions, `features` holds for every pair the component that is 1."""
    states, actions = len(P), len(P[0])
    rewards = [fraction(r) for x in P for a in P[x] for (_, _, r, _) in P[x][a]]
    low, high = min([0, *rewards]), max([0, *rewards])
    width = (high - low) or 1
    end = states  # the absorbing state
    total = (states + 1) * actions
    omega = [Fraction(0)] * total
    psi = [{} for _ in range(states + 1)]  # psi[x'] maps a component to a number
    for x in range(states):
        for a in range(actions):
            pair = x * actions + a
            for p, x_next, r, done in P[x][a]:
                p = fraction(p)
                omega[pair] += p * (fraction(r) - low) / width
                row = psi[end if done else x_next]
                row[pair] = row.get(pair, 0) + p
    for a in range(actions):
        pair = end * actions + a
        omega[pair] = -low / width
        for x_next, p in enumerate([*initial, 0]) if restart else [(end, 1)]:
            if p:
                psi[x_next][pair] = fraction(p)
    uniform = [[Fraction(1, actions)] * actions] * states
    behavior = [[fraction(p) for p in row] for row in behavior] if behavior is not None else uniform
    return {
        "name": name,
        "discount": fraction(discount),
        "initial": [fraction(p) for p in initial] + [Fraction(0)],
        "features": [[x * actions + a for a in range(actions)] for x in range(states + 1)],
        "omega": omega,
        "psi": psi,
        "behavior": behavior + [[Fraction(1, actions)] * actions],
    }, (low, high)


def towards_optimal(problem, share):
    """The behaviour policy that takes the optimal action with probability `share`, else a uniform one; values by iteration in floats."""
    states, actions = len(problem["features"]), len(problem["features"][0])
    discount, omega = float(problem["discount"]), [float(r) for r in problem["omega"]]
    moves = [[] for _ in omega]
    for x_next, row in enumerate(problem["psi"]):
        for pair, p in row.items():
            moves[pair].append((x_next, float(p)))
    value = [0.0] * states
    for _ in range(int(40 / (1 - discount))):
        q = [omega[pair] + discount * sum(p * value[y] for y, p in moves[pair]) for pair in range(len(omega))]
        value = [max(q[x * actions : (x + 1) * actions]) for x in range(states)]
    rest = (1 - Fraction(share)) / actions
    best = [max(range(actions), key=lambda a: (round(q[x * actions + a], 9), -a)) for x in range(states)]
    return [[rest + (share if a == best[x] else 0) for a in range(actions)] for x in range(states)]


def to_json(problem):
    """For a few hundred pairs at most: the file is dense."""
    d = len(problem["omega"])
    text = {key: problem[key] for key in ("name", "discount", "initial", "omega", "behavior")}
    text["features"] = [[[int(j == pair) for j in range(d)] for pair in row] for row in problem["features"]]
    text["psi"] = [[row.get(j, 0) for j in range(d)] for row in problem["psi"]]
    return json.dumps(text, default=str)


def npy(elements, shape, text=False):
    """One NumPy array, of integers or of text."""
    if text:
        words = [str(element) for element in elements]
        size = max(map(len, words), default=1)
        descr, data = f"<U{size}", b"".join(word.ljust(size, "\0").encode("utf-32-le") for word in words)
    else:
        descr, data = "<i8", struct.pack(f"<{len(elements)}q", *elements)
    header = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {tuple(shape)!r}, }}\n".encode()
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + data


def write_npz(problem, file):
    """`psi` is sparse, by rows."""
    states, actions, d = len(problem["features"]), len(problem["features"][0]), len(problem["omega"])
    rows = [sorted(row.items()) for row in problem["psi"]]
    starts = [0]
    for row in rows:
        starts.append(starts[-1] + len(row))
    flat = lambda table: [element for row in table for element in row]
    arrays = {
        "name": npy([problem["name"]], [], text=True),
        "discount": npy([problem["discount"]], [], text=True),
        "initial": npy(problem["initial"], [states], text=True),
        "features": npy(flat(problem["features"]), [states, actions]),
        "omega": npy(problem["omega"], [d], text=True),
        "psi_data": npy([p for row in rows for _, p in row], [starts[-1]], text=True),
        "psi_indices": npy([j for row in rows for j, _ in row], [starts[-1]]),
        "psi_indptr": npy(starts, [states + 1]),
        "psi_shape": npy([states, d], [2]),
        "behavior": npy(flat(problem["behavior"]), [states, actions], text=True),
    }
    with zipfile.ZipFile(file, "w") as archive:
        for key, array in arrays.items():
            archive.writestr(f"{key}.npy", array)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("environment")
    parser.add_argument("--discount", type=str, default="0.99")
    parser.add_argument("--out", required=True, help="NPZ by its extension, else JSON")
    parser.add_argument("--restart", action="store_true", help="the end of an episode leads to the beginning of the next")
    parser.add_argument("--optimal", type=Fraction, default=Fraction(0), help="how often the behaviour takes the optimal action")
    args = parser.parse_args()
    import gymnasium

    env = gymnasium.make(args.environment).unwrapped
    initial = env.initial_state_distrib
    table, (low, high) = problem(env.P, initial, float(args.discount), args.environment, restart=args.restart)
    table["behavior"] = towards_optimal(table, args.optimal)
    if args.out.endswith(".npz"):
        write_npz(table, args.out)
    else:
        with open(args.out, "w") as file:
            file.write(to_json(table))
    print(f"{args.out}: {len(table['features'])} states with the absorbing one, rewards {low} … {high} mapped to 0 … 1")


if __name__ == "__main__":
    main()
