"""Problems: features and discount, and as much of the model as is known."""

from __future__ import annotations

import json
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from . import _core, _gymnasium
from ._numbers import Doubles, array, double, fractions, path, text, texts


class Problem:
    """A linear MDP, or as much of it as is known (Definition 2.1 of the paper).

    `features` [S][A][d] are φ(x, a); `discount` is γ. With `initial` [S] (ν₀), `omega` [d] (rewards are ⟨φ, ω⟩) and `psi` [S][d]
    (transitions are ⟨φ, ψ(x')⟩) it is a whole model, and with `behavior` [S][A] (π_B) one that data can be drawn from. A run on your own
    rows needs only features and discount.

    Numbers are floats, ints, Fractions, Decimals or strings. They are read exactly; a float means the decimal that it prints as, so 0.1
    is 1/10. What does not sum to 1 exactly, as three times 0.333, is refused where exactness matters: write Fraction(1, 3) or "1/3".

    >>> two = Problem(
    ...     features=[[[1, 0]], [[0, 1]]], discount="1/2", initial=[1, 0],
    ...     omega=[1, 0], psi=[["1/2", "1/2"], ["1/2", "1/2"]], behavior=[[1], [1]],
    ... )
    >>> two
    Problem('problem', states=2, actions=1, dim=2)
    >>> import offline_primal_dual as opd
    >>> opd.value(two).result
    Fraction(3, 4)
    """

    __slots__ = ("_held",)
    _held: _core.Problem

    def __init__(
        self,
        features: Any,
        *,
        discount: Any = None,
        initial: Any = None,
        omega: Any = None,
        psi: Any = None,
        behavior: Any = None,
        name: str = "problem",
    ) -> None:
        if not isinstance(name, str):
            raise ValueError("name: expected a string")
        given = {"initial": (initial, 1), "omega": (omega, 1), "psi": (psi, 2), "behavior": (behavior, 2)}
        phi = array("features", features, 3)
        rest = {key: None if value is None else array(key, value, n) for key, (value, n) in given.items()}
        states, actions, dim = (int(n) for n in phi.shape)
        for key, shape in {"initial": (states,), "omega": (dim,), "psi": (states, dim), "behavior": (states, actions)}.items():
            found = rest[key]
            if found is not None and found.shape != shape:
                raise ValueError(f"{key}: found shape {found.shape}, expected {shape}, from features of shape {phi.shape}")
        sizes = (states, actions, dim)
        exact_discount = discount is not None and not isinstance(discount, (float, np.floating))
        if exact_discount or any(part is not None and part.dtype == object for part in (phi, *rest.values())):
            written = {key: None if part is None else texts(key, part) for key, part in rest.items()}
            gamma = None if discount is None else ([text("discount", discount)], np.zeros(1, dtype=np.int64))
            parts = (gamma, written["initial"], written["omega"], written["psi"], written["behavior"])
            self._held = _core.Problem.of_texts(name, sizes, texts("features", phi), parts)
        else:
            flat = {key: None if part is None else part.ravel() for key, part in rest.items()}
            gamma_double = None if discount is None else double("discount", discount)
            doubles = (gamma_double, flat["initial"], flat["omega"], flat["psi"], flat["behavior"])
            self._held = _core.Problem.of_doubles(name, sizes, phi.ravel(), doubles)

    @classmethod
    def _of(cls, core: _core.Problem) -> Problem:
        problem = cls.__new__(cls)
        problem._held = core
        return problem

    @classmethod
    def from_file(cls, file: str | PathLike[str]) -> Problem:
        """Reads a problem file, as `opd --mdp` does."""
        return cls._of(_core.Problem.of_file(path("file", file)))

    @classmethod
    def instance(cls, name: str) -> Problem:
        """An embedded instance, by name.

        >>> Problem.instance("chain").dim
        10
        """
        if not isinstance(name, str):
            raise ValueError("instance: expected a name")
        return cls._of(_core.Problem.of_instance(name))

    @staticmethod
    def instances() -> dict[str, str]:
        """The embedded instances, each with a line about it."""
        return dict(_core.Problem.instances())

    @classmethod
    def from_gymnasium(cls, env: Any, discount: Any, *, features: Any = "aggregated", behavior: Any = None, name: str | None = None) -> Problem:
        """A toy-text environment, or its table `P`, as a linear MDP; see :mod:`offline_primal_dual._gymnasium` for what becomes of it.

        `features` are "aggregated" (one component per distinct (transition, reward): the smallest that are always exact), "one-hot" (one
        per state and action), or an array [S][A][d] that the model is linear in. `behavior` is uniform unless given, and at an added end
        unless that has a row too.
        """
        return cls(**_gymnasium.parts(env, discount, features, behavior, name))

    @property
    def name(self) -> str:
        """What complaints call it."""
        return self._held.name

    @property
    def states(self) -> int:
        """|X|."""
        return self._held.shape[0]

    @property
    def actions(self) -> int:
        """|A|."""
        return self._held.shape[1]

    @property
    def dim(self) -> int:
        """d."""
        return self._held.shape[2]

    @property
    def features(self) -> Doubles:
        """φ as an array [S][A][d] of doubles (a copy)."""
        return self._held.features.reshape(self._held.shape)

    @property
    def has_model(self) -> bool:
        """Whether the whole model is known."""
        return self._held.has_model

    def validate(self) -> None:
        """Refuses what is no model: a reward outside [0, 1], a row that is no distribution, features without full rank."""
        self._held.validate()

    def to_json(self) -> str:
        """The problem file that reads back as this problem."""
        return self._held.to_json()

    def save(self, file: str | PathLike[str]) -> None:
        """Writes the problem file."""
        Path(path("file", file)).write_text(self.to_json(), encoding="utf-8")

    def fractions(self) -> dict[str, Any]:
        """Every part that is known, exactly.

        >>> Problem.instance("two-state").fractions()["discount"]
        Fraction(9, 10)
        """
        parts = json.loads(self.to_json())
        return {key: value if key == "name" else fractions(value) for key, value in parts.items()}

    def __repr__(self) -> str:
        return f"Problem({self.name!r}, states={self.states}, actions={self.actions}, dim={self.dim})"

    def __reduce__(self) -> tuple[Any, ...]:
        return (_from_parts, (self.fractions(),))


def _from_parts(parts: dict[str, Any]) -> Problem:
    return Problem(**parts)


def core(problem: object) -> _core.Problem:
    """The compiled half of a problem."""
    if isinstance(problem, Problem):
        return problem._held
    raise ValueError(f"problem: found {type(problem).__name__}, expected a Problem")
