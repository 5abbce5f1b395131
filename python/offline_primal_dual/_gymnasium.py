"""Gymnasium's toy-text tables as linear MDPs.

A table `P[s][a]` lists `(probability, next state, reward, terminated)`. The theory has no ends and wants rewards in [0, 1], so

- an end becomes an absorbing state: a transition that terminates leads to it, and every action there leads back to it with reward 0. Where
  a table's own terminal states are such (FrozenLake) they are kept; else (Taxi) one state is added, the last;
- rewards are mapped by r -> (r - low)/(high - low), low and high being the least and the greatest of the table and of the 0 after an end.
  That keeps the order of all policies in an endless discounted problem;
- probabilities like 0.3333333333333333 are the fractions that they stand for (denominator at most 1000), and have to sum to 1 exactly.
"""

from __future__ import annotations

from fractions import Fraction
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._numbers import text

_DENOMINATOR = 1000


def table(env: Any) -> dict[int, dict[int, list[tuple[Any, ...]]]]:
    """The table of an environment, or the table itself."""
    found = env if isinstance(env, dict) else getattr(getattr(env, "unwrapped", env), "P", None)
    if not isinstance(found, dict) or not found or not all(isinstance(row, dict) and row for row in found.values()):
        raise ValueError("env: found no table P, expected a toy-text environment or P[state][action]")
    states, actions = sorted(found), sorted(found[min(found)])
    if states != list(range(len(states))) or actions != list(range(len(actions))):
        raise ValueError("env: P: expected states and actions counted from 0")
    if any(sorted(row) != actions for row in found.values()):
        raise ValueError("env: P: expected the same actions in every state")
    return found


def rational(name: str, value: Any) -> Fraction:
    """The simple fraction that a float stands for."""
    try:
        exact = Fraction(text(name, value))
    except (ValueError, ZeroDivisionError, OverflowError):
        raise ValueError(f"{name}: found {value!r}, expected a number") from None
    simple = exact.limit_denominator(_DENOMINATOR)
    return simple if abs(simple - exact) < Fraction(1, 10**12) else exact


def model(env: Any) -> tuple[list[list[dict[int, Fraction]]], list[list[Fraction]], int]:
    """Transitions and rewards [S][A] with absorbing ends and rewards in [0, 1], and how many states the table itself has."""
    found = table(env)
    states, actions = len(found), len(found[0])
    absorbing = {
        s for s in found if all(len(found[s][a]) and all(t[1] == s and t[2] == 0 for t in found[s][a]) for a in found[s])
    }
    ends = any(t[3] and t[1] not in absorbing for row in found.values() for cell in row.values() for t in cell)
    total = states + 1 if ends else states
    moves: list[list[dict[int, Fraction]]] = []
    rewards: list[list[Fraction]] = []
    for s in range(states):
        moves.append([])
        rewards.append([])
        for a in range(actions):
            row: dict[int, Fraction] = {}
            reward = Fraction(0)
            for cell in found[s][a]:
                if len(cell) != 4 or not isinstance(cell[1], Integral) or not 0 <= int(cell[1]) < states:
                    raise ValueError(f"env: P[{s}][{a}]: found {cell!r}, expected (probability, state, reward, terminated)")
                p = rational(f"env: P[{s}][{a}]", cell[0])
                goal = states if cell[3] and cell[1] not in absorbing else int(cell[1])
                row[goal] = row.get(goal, Fraction(0)) + p
                reward += p * rational(f"env: P[{s}][{a}]", cell[2])
            if sum(row.values()) != 1:
                raise ValueError(f"env: P[{s}][{a}]: probabilities sum to {sum(row.values())}, expected 1")
            moves[s].append({x: p for x, p in row.items() if p})
            rewards[s].append(reward)
    if ends:
        moves.append([{states: Fraction(1)} for _ in range(actions)])
        rewards.append([Fraction(0)] * actions)
    known = [r for row in rewards for r in row] + ([Fraction(0)] if ends or absorbing else [])
    low, high = min(known), max(known)
    if low < 0 or high > 1:
        rewards = [[(r - low) / (high - low) for r in row] for row in rewards]
    assert len(moves) == total
    return moves, rewards, states


def gymnasium_model(env: Any) -> tuple[list[list[dict[int, Fraction]]], list[list[Fraction]], list[Fraction], NDArray[np.float64]]:
    """A toy-text table as the theory has it, exactly: transitions [S][A] as {state: probability}, rewards [S][A], initial distribution [S], and
    aggregated features [S][A][d]. For tables that are too large for a :class:`Problem` with its dense model.

    >>> gymnasium_model({0: {0: [(1.0, 0, 0.5, False)]}})[:3]
    ([[{0: Fraction(1, 1)}]], [[Fraction(1, 2)]], [Fraction(1, 1)])
    """
    moves, rewards, own = model(env)
    of = _classes(moves, rewards, "aggregated")
    return moves, rewards, _start(env, own, len(moves)), np.eye(1 + max(map(max, of)))[np.array(of)]


def _start(env: Any, own: int, states: int) -> list[Fraction]:
    """ν₀: the environment's, else uniform on its own states."""
    initial = getattr(getattr(env, "unwrapped", env), "initial_state_distrib", None)
    rough = [Fraction(1)] * own if initial is None else [rational("env: initial_state_distrib", p) for p in initial]
    return [p / sum(rough) for p in rough] + [Fraction(0)] * (states - len(rough))


def _classes(moves: list[list[dict[int, Fraction]]], rewards: list[list[Fraction]], features: str) -> list[list[int]]:
    """The component of every state and action."""
    known: dict[Any, int] = {}

    def component(s: int, a: int) -> int:
        key = (s, a) if features == "one-hot" else (tuple(sorted(moves[s][a].items())), rewards[s][a])
        return known.setdefault(key, len(known))

    return [[component(s, a) for a in range(len(moves[s]))] for s in range(len(moves))]


def parts(env: Any, discount: Any, features: Any, behavior: Any, name: str | None) -> dict[str, Any]:
    """What :class:`Problem` is made from."""
    moves, rewards, own = model(env)
    states, actions = len(moves), len(moves[0])
    uniform = [[Fraction(1, actions)] * actions for _ in range(states)]
    if behavior is not None and own < states and hasattr(behavior, "__len__") and len(behavior) == own:
        behavior = [*behavior, uniform[-1]]
    spec = getattr(getattr(env, "unwrapped", env), "spec", None)
    known: dict[str, Any] = {
        "name": name or getattr(spec, "id", None) or "environment",
        "discount": discount,
        "initial": _start(env, own, states),
        "behavior": uniform if behavior is None else behavior,
    }
    if not isinstance(features, str):
        return known | {"features": features} | solved(features, moves, rewards)
    if features not in ("aggregated", "one-hot"):
        raise ValueError(f"features: found {features!r}, expected 'aggregated', 'one-hot' or an array")
    of = _classes(moves, rewards, features)
    dim = 1 + max(map(max, of))
    omega, psi = [Fraction(0)] * dim, [[Fraction(0)] * dim for _ in range(states)]
    for s in range(states):
        for a in range(actions):
            omega[of[s][a]] = rewards[s][a]
            for x, p in moves[s][a].items():
                psi[x][of[s][a]] = p
    return known | {"features": np.eye(dim)[np.array(of)], "omega": omega, "psi": psi}


def solved(features: Any, moves: list[list[dict[int, Fraction]]], rewards: list[list[Fraction]]) -> dict[str, Any]:
    """ω and ψ for given features: the exact solution of Φω = r and Φψ = P, or a complaint that there is none."""
    states, actions = len(moves), len(moves[0])
    try:
        rows = [[[Fraction(text("features", f)) for f in features[s][a]] for a in range(actions)] for s in range(states)]
    except (IndexError, KeyError, TypeError, ZeroDivisionError):
        raise ValueError(f"features: expected an array [{states}][{actions}][d]; an added end is the last state") from None
    dim = len(rows[0][0])
    if any(len(row) != dim for state in rows for row in state) or len(features) != states:
        raise ValueError(f"features: expected an array [{states}][{actions}][d]; an added end is the last state")
    right = [[rewards[s][a], *(moves[s][a].get(x, Fraction(0)) for x in range(states))] for s in range(states) for a in range(actions)]
    system = [phi + b for phi, b in zip((row for state in rows for row in state), right)]
    rank = 0
    for column in range(dim):
        pivot = next((i for i in range(rank, len(system)) if system[i][column]), None)
        if pivot is None:
            raise ValueError(f"features: column {column} depends on those before it, expected full column rank")
        system[rank], system[pivot] = system[pivot], system[rank]
        top = [value / system[rank][column] for value in system[rank]]
        system[rank] = top
        for i, row in enumerate(system):
            if i != rank and row[column]:
                system[i] = [value - row[column] * t for value, t in zip(row, top)]
        rank += 1
    if any(value for row in system[rank:] for value in row):
        raise ValueError("features: the rewards and transitions of this environment are not linear in them")
    return {"omega": [row[dim] for row in system[:dim]], "psi": [[row[dim + 1 + x] for row in system[:dim]] for x in range(states)]}
