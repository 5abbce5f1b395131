"""Features φ(x, a): a table, or a function of a batch of observations.

A feature function takes observations [N]… and gives φ [N][A][d]. :func:`per_action` makes one of any transformer of scikit-learn's kind
(a `transform` method): give every action its own block of the components.

    from sklearn.kernel_approximation import RBFSampler          # random Fourier features
    from sklearn.preprocessing import KBinsDiscretizer           # a tiling; several, FeatureUnion
    from sklearn.preprocessing import OneHotEncoder              # discrete observations

    phi = per_action(RBFSampler(gamma=1.0, n_components=50, random_state=0).fit(observations), actions=4)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from . import _numbers
from ._numbers import Doubles

Features: TypeAlias = Callable[[NDArray[Any]], Doubles]


def one_hot(states: int, actions: int) -> Doubles:
    """The table [S][A][S·A] in which every MDP is linear.

    >>> one_hot(2, 2)[1, 0].tolist()
    [0.0, 0.0, 1.0, 0.0]
    """
    s, a = _numbers.count("states", states), _numbers.count("actions", actions)
    if (s * a) ** 2 > 2**31:
        raise ValueError(f"states, actions: {s * a} components of {s * a} rows, expected a table of at most 2^31 numbers")
    return np.eye(s * a).reshape(s, a, s * a)


def per_action(transformer: Any, actions: int) -> Features:
    """φ(x, a) = (0, …, f(x), …, 0) with f(x) in the block of a; f is the transformer's, or any function of a batch.

    >>> phi = per_action(lambda observations: observations, actions=2)
    >>> phi(np.array([[3.0]])).tolist()
    [[[3.0, 0.0], [0.0, 3.0]]]
    """
    count = _numbers.count("actions", actions)
    transform = getattr(transformer, "transform", transformer)
    if not callable(transform):
        raise ValueError("transformer: expected a function of observations, or an object with `transform`")

    def phi(observations: NDArray[Any]) -> Doubles:
        observations = np.asarray(observations)
        flat = observations.reshape(len(observations), -1)
        found = transform(flat)
        blocks = np.asarray(found.toarray() if hasattr(found, "toarray") else found, dtype=np.float64)
        if blocks.ndim != 2 or len(blocks) != len(flat):
            raise ValueError(f"transformer: found shape {blocks.shape} for {len(flat)} observations, expected [{len(flat)}][k]")
        width = blocks.shape[1]
        table = np.zeros((len(flat), count, count * width))
        for a in range(count):
            table[:, a, a * width : (a + 1) * width] = blocks
        return table

    return phi
