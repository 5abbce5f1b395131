"""The compiled half: what `python/src` exports. Use the functions of the package instead."""

from collections.abc import Callable, Iterator
from os import PathLike
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ._numbers import Doubles

Texts: TypeAlias = tuple[list[str], NDArray[np.int64]]
Columns: TypeAlias = dict[str, object]
Source: TypeAlias = Columns | Iterator[Columns] | str | PathLike[str] | None

class Problem:
    @staticmethod
    def of_doubles(
        name: str,
        sizes: tuple[int, int, int],
        features: Doubles,
        rest: tuple[float | None, Doubles | None, Doubles | None, Doubles | None, Doubles | None],
    ) -> Problem: ...
    @staticmethod
    def of_texts(
        name: str,
        sizes: tuple[int, int, int],
        features: Texts,
        rest: tuple[Texts | None, Texts | None, Texts | None, Texts | None, Texts | None],
    ) -> Problem: ...
    @staticmethod
    def of_file(file: str | PathLike[str]) -> Problem: ...
    @staticmethod
    def of_instance(name: str) -> Problem: ...
    @staticmethod
    def instances() -> list[tuple[str, str]]: ...
    @property
    def name(self) -> str: ...
    @property
    def shape(self) -> tuple[int, int, int]: ...
    @property
    def features(self) -> Doubles: ...
    @property
    def has_model(self) -> bool: ...
    def validate(self) -> None: ...
    def to_json(self) -> str: ...
    def coverage(self, budget: float) -> str: ...
    def audit(self, html: bool, budget: float) -> tuple[str, str | None]: ...
    def tune(
        self,
        names: tuple[str, str],
        goal: tuple[int | None, int | None, float | None],
        radii: tuple[float | None, float | None],
        budget: float,
    ) -> str: ...

def run(
    problem: Problem,
    plan: dict[str, object],
    source: Source,
    wanted: tuple[bool, bool, bool],
    progress: Callable[[int], object] | None,
) -> dict[str, object]: ...
def certify(
    problem: Problem,
    plan: dict[str, object],
    source: Source,
    html: bool,
    progress: Callable[[int], object] | None,
) -> tuple[str, str | None, str | None, list[str], list[str]]: ...
def search(
    problem: Problem,
    counts: tuple[int, int, int],
    radii: tuple[float | None, float | None],
    budget: float,
    source: Source,
    progress: Callable[[int], object] | None,
) -> tuple[str, str]: ...
def sample(problem: Problem, setting_name: str, rows: int, seed: int) -> dict[str, object]: ...
def policy(actions: int, alpha: float, features: Doubles, theta_sum: Doubles) -> Doubles: ...
def oracle(request: str, budget: float) -> str: ...
def vectors(fresh: tuple[int, int] | None = None) -> list[str]: ...
def judge(results: str, precision: str, factor: float, own_draws: bool) -> tuple[bool, str, str]: ...
