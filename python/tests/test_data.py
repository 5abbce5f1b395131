"""The doors for the data people have, and what the theory needs of them."""

from types import SimpleNamespace

import numpy as np
import pytest

import offline_primal_dual as opd
from offline_primal_dual import data, features

PLAN = {"inner": 10, "outer": 20}


@pytest.fixture(scope="module")
def rows():
    return opd.sample(opd.Problem.instance("two-state"), 200, seed=2)


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_tables(two, rows, library):
    module = pytest.importorskip(library)
    table = module.table(rows) if library == "pyarrow" else module.DataFrame(rows)
    expected = opd.run(two, rows, **PLAN).theta_sum
    assert np.array_equal(opd.run(two, table, **PLAN).theta_sum, expected)
    renamed = {f"their_{name}": column for name, column in rows.items()}
    table = module.table(renamed) if library == "pyarrow" else module.DataFrame(renamed)
    found = data.columns(table, {name: f"their_{name}" for name in rows})
    assert np.array_equal(opd.run(two, found, **PLAN).theta_sum, expected)


def walks():
    """Three episodes on a line of states 0 … 3: one ends at 3, one is cut, one ends after one step."""
    return {
        "observations": np.array([[0], [1], [2], [0], [1], [2]]),
        "next_observations": np.array([[1], [2], [3], [1], [0], [3]]),
        "actions": np.array([1, 1, 1, 1, 0, 1]),
        "rewards": np.array([-1.0, -1.0, 10.0, -1.0, -1.0, 10.0]),
        "terminals": np.array([0, 0, 1, 0, 0, 1]),
        "timeouts": np.array([0, 0, 0, 0, 1, 0]),
    }


def prepared(discount=0.5, **changes):
    return data.Episodes.from_arrays(walks() | changes).prepare(discount=discount, features=features.one_hot(4, 2))


def test_ends_cuts_and_rewards():
    found = prepared()
    x, a, r, x_next = found.steps
    assert (found.end, found.low, found.high, found.problem.states, found.problem.dim) == (4, -1.0, 10.0, 5, 9)
    assert x.tolist() == [0, 1, 2, 0, 1, 2] and a.tolist() == [1, 1, 1, 1, 0, 1]
    # Ends lead to the absorbing state; the cut does not.
    assert x_next.tolist() == [1, 2, 4, 1, 0, 4]
    assert np.allclose(r, [0, 0, 1, 0, 0, 1])
    rows = found.rows(60_000, seed=1)
    at_end = rows["x"] == 4
    # Reward 0 at the end, which is 1/11 after scaling, and no way out.
    assert set(rows["r"][at_end]) == {1 / 11} and set(rows["x_next"][at_end]) == {4}
    assert set(rows["a"][at_end]) == {0, 1} and set(rows["x0"]) == {0, 2}
    # The law: (1 − γ)γ^t with tails 1/8 and 1/2 at the end; the cut episode's two steps share 2/3 and 1/3.
    law = {0: (1 / 2 + 2 / 3) / 3, 1: (1 / 4 + 1 / 3) / 3, 2: (1 / 8 + 1 / 2) / 3, 4: (1 / 8 + 1 / 2) / 3}
    for state, probability in law.items():
        assert abs(np.mean(rows["x"] == state) - probability) < 5 * np.sqrt(probability / 60_000)
    opd.run(found.problem, rows, inner=10, outer=6000, radius_theta=10, radius_beta=10)
    batches = list(found.batches(1000, size=300, seed=1))
    assert [len(batch["x"]) for batch in batches] == [300, 300, 300, 100]
    assert not np.array_equal(batches[0]["x"], batches[1]["x"])


def test_discount_zero_and_one():
    assert set(prepared(discount=0).rows(1000)["x"]) == {0, 2}
    with pytest.raises(ValueError, match="discount: found 1.0"):
        prepared(discount=1)


def test_without_next_observations():
    """Where a cut episode's last step led is not known: it is left out."""
    found = data.Episodes.from_arrays({key: value for key, value in walks().items() if key != "next_observations"})
    assert [len(episode.actions) for episode in found.episodes] == [3, 1, 1]


def test_wrong_episodes():
    for changes, message in (
        ({"actions": np.array([0.5] * 6)}, "actions are discrete"),
        ({"rewards": np.array([np.nan] * 6)}, "rewards: expected finite numbers"),
        ({"rewards": np.zeros(5)}, "different lengths"),
        ({"observations": np.array([[9]] * 6)}, "observations: expected integers from 0 to 3"),
        ({"terminals": np.zeros(3)}, "terminals: found 3 cells, expected 6"),
    ):
        with pytest.raises(ValueError, match=message):
            prepared(**changes)
    with pytest.raises(ValueError, match="no array 'terminals'"):
        data.Episodes.from_arrays({key: value for key, value in walks().items() if key != "terminals"})


def test_continuous_observations():
    """Random Fourier features and a tiling from scikit-learn, on CartPole-like data."""
    pytest.importorskip("sklearn")
    from sklearn.kernel_approximation import RBFSampler
    from sklearn.preprocessing import KBinsDiscretizer

    draw = np.random.default_rng(0)
    episodes = [
        data.Episode(draw.normal(size=(6, 2)), draw.integers(2, size=5), draw.random(5), terminated=bool(i % 2)) for i in range(20)
    ]
    seen = np.concatenate([episode.observations for episode in episodes])
    for transformer in (
        RBFSampler(n_components=8, random_state=0).fit(seen),
        KBinsDiscretizer(4, encode="onehot-dense", strategy="uniform").fit(seen),
    ):
        phi = features.per_action(transformer, actions=2)
        found = data.Episodes(episodes).prepare(discount=0.9, features=phi)
        assert found.problem.states == 121 and found.problem.dim == 17
        done = opd.run(found.problem, found.batches(2000, size=512), inner=10, outer=200, radius_theta=10, radius_beta=10)
        # The policy at an observation that was never seen.
        probabilities = done.last_policy.of_features(np.pad(phi(np.zeros((1, 2)))[0], ((0, 0), (0, 1))))
        assert np.isclose(probabilities.sum(), 1)


def test_minari_episodes():
    """What Minari gives: an object with iterate_episodes, whose episodes have these fields."""
    episode = SimpleNamespace(
        observations=np.array([0, 1, 2]), actions=np.array([1, 1]), rewards=np.array([0.0, 1.0]),
        terminations=np.array([False, True]), truncations=np.array([False, False]),
    )  # fmt: skip
    found = data.Episodes.from_minari(SimpleNamespace(iterate_episodes=lambda: iter([episode])))
    assert found.prepare(discount=0.5, features=features.one_hot(3, 2)).steps[3].tolist() == [1, 3]


def test_minari(tmp_path, monkeypatch):
    """A data set that Minari itself has made."""
    minari, gymnasium = pytest.importorskip("minari"), pytest.importorskip("gymnasium")
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path))
    try:
        env = minari.DataCollector(gymnasium.make("FrozenLake-v1"))
    except ImportError as error:  # it wants packages of its own to write files
        pytest.skip(f"minari: {error}")
    for seed in range(5):
        env.reset(seed=seed)
        done = False
        while not done:
            _, _, terminated, truncated, _ = env.step(env.action_space.sample())
            done = terminated or truncated
    try:
        dataset = env.create_dataset(dataset_id="opd/test-v0")
    except ImportError as error:
        pytest.skip(f"minari: {error}")
    found = data.Episodes.from_minari(dataset)
    assert len(found) == 5 and found.prepare(discount=0.9, features=features.one_hot(16, 4)).problem.states == 17


def test_gymnasium():
    gymnasium = pytest.importorskip("gymnasium")
    env = gymnasium.make("FrozenLake-v1", is_slippery=True)
    for kind, dim in (("one-hot", 64), ("aggregated", None)):
        lake = opd.Problem.from_gymnasium(env, "9/10", features=kind)
        lake.validate()
        assert (lake.states, lake.actions) == (16, 4) and (dim or lake.dim) == lake.dim <= 64
    given = opd.Problem.from_gymnasium(env, "9/10", features=features.one_hot(16, 4))
    assert opd.value(given).result == opd.value(lake).result
    # The value of Gymnasium's own table, by value iteration on it.
    v = np.zeros(16)
    for _ in range(500):
        v = np.array([max(sum(p * (r + 0.9 * (not end) * v[y]) for p, y, r, end in cells) for cells in row.values()) for row in env.unwrapped.P.values()])
    assert np.isclose(float(opd.value(lake).result), 0.1 * v[0])
    with pytest.raises(ValueError, match="not linear in them"):
        opd.Problem.from_gymnasium(env, "9/10", features=np.ones((16, 4, 1)))
    with pytest.raises(ValueError, match="no table P"):
        opd.Problem.from_gymnasium(object(), "9/10")
    # Taxi: rewards from -10 to 20, and ends that need a state of their own.
    taxi = opd.Problem.from_gymnasium(gymnasium.make("Taxi-v4" if "Taxi-v4" in gymnasium.registry else "Taxi-v3"), "9/10")
    assert taxi.states == 501
    walked = data.Episodes.collect(env, 3, seed=1).prepare(discount=0.9, features=features.one_hot(16, 4))
    opd.run(walked.problem, walked.rows(100), inner=10, outer=10, radius_theta=10, radius_beta=10)
