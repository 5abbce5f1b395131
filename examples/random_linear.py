"""A random linear MDP of any size as a problem file of `opd`: features on the simplex, every number a short decimal, so that all sums are exactly 1.

    python examples/random_linear.py --states 100000 --actions 4 --dim 20 --out big.npz
"""

import argparse

import numpy


def problem(states, actions, dim, seed):
    rng = numpy.random.default_rng(seed)
    # Counts out of a thousand, and of ten million: as decimals they sum to 1.
    shares = rng.dirichlet(numpy.full(dim, 0.3), states * actions)
    features = rng.multinomial(1000, shares).reshape(states, actions, dim) / 1000
    psi = rng.multinomial(10**7, rng.dirichlet(numpy.full(states, 0.3), dim)).T / 10**7
    return {
        "name": numpy.array(["random"]),
        "discount": numpy.array(["19/20"]),
        "initial": numpy.bincount([0], minlength=states),
        "features": features,
        "omega": numpy.round(rng.random(dim), 3),
        "psi": numpy.ascontiguousarray(psi),
        "behavior": numpy.full((states, actions), f"1/{actions}"),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--states", type=int, default=100_000)
    parser.add_argument("--actions", type=int, default=4)
    parser.add_argument("--dim", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", required=True)
    args = parser.parse_args()
    numpy.savez(args.out, **problem(args.states, args.actions, args.dim, args.seed))


if __name__ == "__main__":
    main()
