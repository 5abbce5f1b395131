"""A random problem of 1,000 states in 20 groups, 4 actions: what an action does depends on the group only, so d = 80. A problem file of `opd`.

    python examples/aggregation.py --out groups.npz
    opd coverage --mdp groups.npz

From a group and an action a few groups are reached, and one of their states uniformly; a fifth of the pairs pay. The behaviour is uniform.
"""

import argparse
import random
from fractions import Fraction

from gymnasium_table import write_npz

STATES, GROUPS, ACTIONS, REACHED = 1000, 20, 4, 3


def problem(seed):
    draw = random.Random(seed)
    size = STATES // GROUPS  # state x is in group x // size
    pairs = GROUPS * ACTIONS
    psi = [{} for _ in range(STATES)]
    for pair in range(pairs):
        weights = [draw.randint(1, 9) for _ in range(REACHED)]
        for group, weight in zip(draw.sample(range(GROUPS), REACHED), weights):
            for x in range(group * size, (group + 1) * size):
                psi[x][pair] = Fraction(weight, sum(weights) * size)
    return {
        "name": f"groups-{seed}",
        "discount": Fraction(19, 20),
        "initial": [Fraction(1, STATES)] * STATES,
        "features": [[x // size * ACTIONS + a for a in range(ACTIONS)] for x in range(STATES)],
        "omega": [Fraction(draw.randint(1, 100), 100) if draw.random() < 0.2 else Fraction(0) for _ in range(pairs)],
        "psi": psi,
        "behavior": [[Fraction(1, ACTIONS)] * ACTIONS] * STATES,
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", required=True)
    args = parser.parse_args()
    write_npz(problem(args.seed), args.out)
    print(f"{args.out}: {STATES} states, {GROUPS} groups, {ACTIONS} actions, d = {GROUPS * ACTIONS}")


if __name__ == "__main__":
    main()
