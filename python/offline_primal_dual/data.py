"""Data that people have, as the rows that the theory is about.

A table of columns `x0, x, a, r, x_next` (a dict, pandas, polars, Arrow) goes to :func:`run` as it is. Episodes (Minari, D4RL's dicts of arrays,
Gymnasium's loops) go through :class:`Episodes`, because the theory speaks of something else:

- **Rows are independent and (X, A) ~ μ_B**, the behaviour policy's discounted occupancy: with probability (1 − γ)γᵗ the state and action at time t. The
  steps of an episode are neither. :meth:`Prepared.rows` therefore draws rows: an episode at random, a time t with that probability, and the transition
  found there. Given the data they are independent, and their law is the data's own estimate of μ_B: the theorems hold for that law,
  and say nothing of how far it is from μ_B. Steps late in an episode are hardly drawn if γ is small: that is what the discount means here.
- **X⁰ ~ ν₀** is the first observation of an episode at random.
- **An end** (`terminated`) is an absorbing state of its own with reward 0 before scaling and one feature component of its own; a time after the end of an
  episode that terminated is a row there. **A cut** (`truncated`) is no end: times after it are not drawn, the probabilities of those before it are scaled up.
- **Rewards are in [0, 1]**: they are mapped by r → (r − low)/(high − low), which keeps the order of policies because nothing ever stops.
- **Actions are discrete.** States are the distinct observations; features are a function of them (:mod:`offline_primal_dual.features`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _numbers
from ._numbers import Doubles, _line
from ._problem import Problem
from ._rows import Rows


@dataclass(frozen=True)
class Episode:
    """One walk: n + 1 observations, n actions and rewards, and whether it came to an end."""

    observations: NDArray[Any]
    actions: NDArray[np.int64]
    rewards: Doubles
    terminated: bool

    def __post_init__(self) -> None:
        n = len(self.actions)
        if n == 0 or len(self.rewards) != n or len(self.observations) != n + 1:
            sizes = f"{len(self.observations)} observations, {n} actions, {len(self.rewards)} rewards"
            raise ValueError(f"episode: found {sizes}, expected n + 1, n and n with n >= 1")


@dataclass(frozen=True)
class Prepared:
    """A problem (features and discount) and the data that rows are drawn from."""

    problem: Problem
    #: The distinct observations: state x is `states[x]`; one more state is the end, where an episode has one.
    states: NDArray[Any] = field(repr=False)
    #: Rewards were mapped by r → (r − low)/(high − low).
    low: float
    high: float
    #: Of every step, in order: state, action, mapped reward, next state.
    steps: tuple[NDArray[np.int64], NDArray[np.int64], Doubles, NDArray[np.int64]] = field(repr=False)
    #: Of every episode: its first step, its length, whether it terminated.
    episodes: tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.bool_]] = field(repr=False)
    discount: float
    end: int | None

    def rows(self, count: int, *, seed: int = 0) -> Rows:
        """Draws rows for a discounted run, independent given the data; see the module for their law."""
        n = _numbers.count("count", count)
        draw = np.random.default_rng(_numbers.seed(seed))
        x, a, r, x_next = self.steps
        first, length, terminated = self.episodes
        x0 = x[first[draw.integers(len(first), size=n)]]
        episode = draw.integers(len(first), size=n)
        if self.discount == 0:
            time = np.zeros(n, dtype=np.int64)
        else:
            # The inverse of 1 − γ^(t+1), of what may be drawn.
            reach = np.where(terminated, 1.0, 1.0 - self.discount ** length)[episode]
            time = np.floor(np.log1p(-draw.random(n) * reach) / np.log(self.discount)).astype(np.int64)
            time = np.where(terminated[episode], time, np.minimum(time, length[episode] - 1))
        over = time >= length[episode]
        step = first[episode] + np.where(over, 0, time)
        columns: Rows = {"x0": x0, "x": x[step], "a": a[step], "r": r[step], "x_next": x_next[step]}
        if self.end is not None and over.any():
            columns["x"] = np.where(over, self.end, columns["x"])
            columns["x_next"] = np.where(over, self.end, columns["x_next"])
            columns["a"] = np.where(over, draw.integers(self.problem.actions, size=n), columns["a"])
            columns["r"] = np.where(over, (0.0 - self.low) / (self.high - self.low), columns["r"])
        return columns

    def batches(self, count: int, *, size: int = 65536, seed: int = 0) -> Iterable[Rows]:
        """The same, batch by batch, each from its own seed: as many rows as one likes in constant memory."""
        total, largest = _numbers.count("count", count), _numbers.count("size", size)
        for batch, done in enumerate(range(0, total, largest)):
            own = int(np.random.SeedSequence([_numbers.seed(seed), batch]).generate_state(1, np.uint64)[0])
            yield self.rows(min(largest, total - done), seed=own)


class Episodes:
    """Episodes from wherever they are."""

    def __init__(self, episodes: Iterable[Episode]) -> None:
        self.episodes = list(episodes)
        if not self.episodes or not all(isinstance(episode, Episode) for episode in self.episodes):
            raise ValueError("episodes: expected at least one Episode")

    def __len__(self) -> int:
        return len(self.episodes)

    @classmethod
    def from_arrays(cls, data: Mapping[str, Any]) -> Episodes:
        """D4RL's dict of arrays: `observations, actions, rewards, terminals` and, where they are, `next_observations` and `timeouts`;
        Gymnasium's names `terminated` and `truncated` do as well. What follows the last end or cut is a cut episode."""
        try:
            observations = np.asarray(data["observations"])
            actions, rewards = _actions(data["actions"]), _doubles("rewards", data["rewards"])
            ended = _flags(data, ("terminals", "terminated"), len(actions))
            cut = _flags(data, ("timeouts", "truncated"), len(actions))
        except KeyError as error:
            raise ValueError(f"data: no array {error}, expected observations, actions, rewards and terminals") from None
        after = data.get("next_observations")
        after = None if after is None else np.asarray(after)
        if not len(observations) == len(actions) == len(rewards) or (after is not None and len(after) != len(actions)):
            raise ValueError("data: found arrays of different lengths, expected one cell per step in each")
        stops = np.flatnonzero(ended | cut) + 1
        if len(actions) and (not len(stops) or stops[-1] != len(actions)):
            stops = np.append(stops, len(actions))
        found, start = [], 0
        for stop in stops.tolist():
            last = observations[stop - 1 : stop] if after is None else after[stop - 1 : stop]
            episode = slice(start, stop)
            if after is None and not ended[stop - 1]:
                # Where the last step led is not known: it is left out.
                episode, last = slice(start, stop - 1), observations[stop - 1 : stop]
            if episode.stop > episode.start:
                seen = np.concatenate([observations[episode], last])
                found.append(Episode(seen, actions[episode], rewards[episode], bool(ended[stop - 1])))
            start = stop
        return cls(found)

    @classmethod
    def from_minari(cls, dataset: Any) -> Episodes:
        """A Minari data set, or any iterable of its episodes."""
        steps = dataset.iterate_episodes() if hasattr(dataset, "iterate_episodes") else dataset
        return cls(
            Episode(np.asarray(e.observations), _actions(e.actions), _doubles("rewards", e.rewards), bool(np.asarray(e.terminations)[-1]))
            for e in steps
        )

    @classmethod
    def collect(cls, env: Any, count: int, *, policy: Callable[[Any], int] | None = None, seed: int = 0) -> Episodes:
        """Walks a Gymnasium environment with discrete actions, `count` episodes, at random unless there is a policy."""
        found = []
        env.action_space.seed(_numbers.seed(seed) % 2**31)
        for number in range(_numbers.count("count", count)):
            observation, _ = env.reset(seed=_numbers.seed(seed) % 2**31 if number == 0 else None)
            observations, actions, rewards = [observation], [], []
            terminated = truncated = False
            while not (terminated or truncated):
                action = int(env.action_space.sample() if policy is None else policy(observation))
                observation, reward, terminated, truncated, _ = env.step(action)
                observations.append(observation)
                actions.append(action)
                rewards.append(float(reward))
            found.append(Episode(np.asarray(observations), _actions(actions), _doubles("rewards", rewards), bool(terminated)))
        return cls(found)

    def prepare(
        self,
        *,
        discount: float,
        features: Any,
        actions: int | None = None,
        reward_range: tuple[float, float] | None = None,
        name: str = "data",
    ) -> Prepared:
        """The problem and the rows. `features` is a function of observations [N]… that gives [N][A][d], or a table [S][A][d] for
        observations that are states counted from 0. An end adds the last state and the last component."""
        gamma = _numbers.double("discount", discount)
        if not 0 <= gamma < 1:
            raise ValueError(f"discount: found {gamma}, expected 0 <= discount < 1")
        lengths = np.array([len(episode.actions) for episode in self.episodes], dtype=np.int64)
        terminated = np.array([episode.terminated for episode in self.episodes])
        taken = np.concatenate([episode.actions for episode in self.episodes])
        states, index = _distinct(np.concatenate([episode.observations for episode in self.episodes]), features)
        count = int(taken.max()) + 1 if actions is None else _numbers.count("actions", actions)
        table = _table(features, states, count)
        end = len(table) if terminated.any() else None
        if end is not None:
            table = np.pad(table, ((0, 1), (0, 0), (0, 1)))
            table[-1, :, -1] = 1.0
        rewards = np.concatenate([episode.rewards for episode in self.episodes])
        low, high = _range(rewards, reward_range, end is not None)
        walk = np.cumsum(lengths + 1) - (lengths + 1)
        inside = np.ones(len(index), dtype=bool)
        inside[walk + lengths] = False
        x, after = index[inside], index[np.roll(inside, 1)]
        first = np.cumsum(lengths) - lengths
        if end is not None:
            after = after.copy()
            after[(first + lengths - 1)[terminated]] = end
        problem = Problem(table, discount=gamma, name=name)
        steps = (x, taken, (rewards - low) / (high - low), after)
        return Prepared(problem, states, low, high, steps, (first, lengths, terminated), gamma, end)


def columns(table: Any, names: Mapping[str, str] | None = None) -> Rows:
    """The columns of a table (pandas, polars, Arrow, a dict), under the names that :func:`run` knows: `names` maps those to the table's.

    >>> columns({"s": [0], "act": [1]}, {"x": "s", "a": "act"})
    {'x': array([0]), 'a': array([1])}
    """
    wanted = names or {name: name for name in ("x0", "x", "a", "r", "x_next", "u") if name in _named(table)}
    try:
        found = {name: table[own] for name, own in wanted.items()}
    except (KeyError, TypeError) as error:
        raise ValueError(f"names: no column {_line(error)}, expected one of {', '.join(_named(table))}") from None
    return {name: np.asarray(cells.to_numpy() if hasattr(cells, "to_numpy") else cells) for name, cells in found.items()}


def _named(table: Any) -> list[str]:
    names: Any = table if isinstance(table, Mapping) else getattr(table, "column_names", None) or getattr(table, "columns", ())
    return [str(name) for name in names]


def _actions(value: Any) -> NDArray[np.int64]:
    found = np.asarray(value)
    if found.ndim == 2 and found.shape[1] == 1:
        found = found[:, 0]
    if found.ndim != 1 or (found.size and found.dtype.kind not in "iu") or (found.size and found.min() < 0):
        raise ValueError(f"actions: found {found.dtype} in {found.ndim} dimensions, expected integers >= 0: actions are discrete")
    return found.astype(np.int64)


def _doubles(name: str, value: Any) -> Doubles:
    try:
        found = np.asarray(value, dtype=np.float64)
    except (ValueError, TypeError) as error:
        raise ValueError(f"{name}: {_line(error)}, expected numbers") from None
    if found.ndim != 1 or not np.isfinite(found).all():
        raise ValueError(f"{name}: expected finite numbers in 1 dimension")
    return found


def _flags(data: Mapping[str, Any], names: tuple[str, str], length: int) -> NDArray[np.bool_]:
    name = next((name for name in names if name in data), None)
    if name is None and names[0] == "terminals":
        raise KeyError(names[0])
    found = np.zeros(length, dtype=bool) if name is None else np.asarray(data[name]).astype(bool).ravel()
    if len(found) != length:
        raise ValueError(f"{name}: found {len(found)} cells, expected {length}, one per action")
    return found


def _distinct(observations: NDArray[Any], features: Any) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """The states, and the state of every observation."""
    if observations.dtype == object:
        raise ValueError("observations: expected arrays of numbers; flatten dicts and tuples first")
    if not callable(features):
        flat = observations.ravel()
        table = len(features)
        if flat.dtype.kind not in "iu" or len(flat) != len(observations) or (flat.size and not 0 <= flat.min() <= flat.max() < table):
            raise ValueError(f"observations: expected integers from 0 to {table - 1}, the rows of the table of features")
        return np.arange(table), flat.astype(np.int64)
    states, index = np.unique(observations, axis=0, return_inverse=True)
    return states, index.ravel().astype(np.int64)


def _table(features: Any, states: NDArray[Any], actions: int) -> Doubles:
    found = np.asarray(features(states) if callable(features) else features, dtype=np.float64)
    if found.ndim != 3 or found.shape[0] != len(states) or found.shape[1] < actions:
        raise ValueError(f"features: found shape {found.shape}, expected [{len(states)}][{actions}][d]")
    return found


def _range(rewards: Doubles, given: tuple[float, float] | None, ends: bool) -> tuple[float, float]:
    least, most = float(rewards.min()), float(rewards.max())
    if ends:
        least, most = min(least, 0.0), max(most, 0.0)
    if given is not None:
        low, high = (_numbers.double("reward_range", end) for end in given)
        if not low <= least <= most <= high or not low < high:
            raise ValueError(f"reward_range: found [{low}, {high}], expected it to hold [{least}, {most}]")
        return low, high
    if 0 <= least and most <= 1:
        return 0.0, 1.0
    return (least, most) if least < most else (least, least + 1.0)
