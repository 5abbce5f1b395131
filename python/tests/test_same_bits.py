"""The package and the program `opd` are the same code: same seed, same bits, same fractions, same complaints."""

import contextlib
import json

import numpy as np
import pytest

import offline_primal_dual as opd

SETTINGS = [("two-state", "discounted", 1), ("chain", "discounted", "1/2"), ("two-state", "average", 1)]


@pytest.mark.parametrize("instance, setting, c", SETTINGS)
def test_run(program, tmp_path, instance, setting, c):
    problem = opd.Problem.instance(instance)
    trace = tmp_path / "trace.jsonl"
    flags = ["--instance", instance, "--setting", setting, "--c", c, "--inner", 7, "--outer", 30, "--seed", 5]
    theirs = json.loads(program("run", *flags, "--trace", trace, "--trace-policy", "--trace-inner", "--json"))
    ours = opd.run(problem, setting=setting, c=c, inner=7, outer=30, seed=5, trace="inner")
    for key, value in theirs.items():
        if key in ("theta", "beta", "theta_sum"):
            assert getattr(ours, key).tolist() == value
        elif key not in ("elapsed_seconds", "rows_per_second", "samples_per_second"):  # the clock's
            assert ours.report[key] == value, key
    lines = [json.loads(line) for line in trace.read_text().splitlines()]
    outer = [line for line in lines if "k" not in line]
    for name in ("theta", "beta", "theta_sum"):
        assert getattr(ours.trace, name).tolist() == [line[name] for line in outer]
    assert [policy.table.tolist() for policy in ours.policies()] == [line["policy"] for line in outer]
    assert ours.policy.table.tolist() == outer[ours.report["output_index"] - 1]["policy"]
    inner = [line for line in lines if "k" in line]
    assert ours.trace.inner_gradient.reshape(len(inner), -1).tolist() == [line["gradient"] for line in inner]
    assert ours.trace.inner_theta.reshape(len(inner), -1).tolist() == [line["theta"] for line in inner]


@pytest.mark.parametrize("setting", ["discounted", "average"])
def test_sample_and_files(program, tmp_path, two, setting):
    file, mdp = tmp_path / "data.npz", tmp_path / "mdp.json"
    program("sample", "--instance", "two-state", "--setting", setting, "--rows", 600, "--seed", 3, "--out", file)
    rows = opd.sample(two, 600, setting=setting, seed=3)
    with np.load(file) as theirs:
        assert set(theirs) == set(rows)
        assert all(np.array_equal(theirs[key], rows[key]) for key in rows)
    two.save(mdp)
    inner = 10 if setting == "discounted" else 9
    plan = {"setting": setting, "inner": inner, "outer": 60}
    flags = ["--mdp", mdp, "--data", file, "--setting", setting, "--inner", inner, "--outer", 60, "--json"]
    theirs = json.loads(program("run", *flags))
    batches = ({key: column[i : i + 7] for key, column in rows.items()} for i in range(0, 600, 7))
    for ours in (
        opd.run(two, rows, **plan),
        opd.run(opd.Problem.from_file(mdp), str(file), **plan),
        opd.run(opd.Problem(**two.fractions()), batches, **plan),
    ):
        assert ours.theta_sum.tolist() == theirs["theta_sum"] and ours.beta.tolist() == theirs["beta"]


@pytest.mark.parametrize("setting", ["discounted", "average"])
def test_certify(program, tmp_path, two, setting):
    text = tmp_path / "two.cert"
    flags = ["--instance", "two-state", "--setting", setting, "--inner", 4, "--outer", 3, "--seed", 2]
    theirs = json.loads(program("certify", *flags, "--certificate", text, "--json"))
    ours = opd.certify(two, setting=setting, inner=4, outer=3, seed=2)
    assert ours.equal and ours.gap == ours.suboptimality
    for key in ("gap", "suboptimality", "regret_theta", "regret_beta", "regret_pi", "regret_rho"):
        found = getattr(ours, key)
        assert (None if found is None else str(found)) == theirs.get(key)
    assert ours.text == text.read_text()


def test_enclosed(program, two):
    flags = ["--instance", "two-state", "--inner", 4, "--outer", 3, "--seed", 2, "--budget", 0]
    theirs = json.loads(program("certify", *flags, "--json"))
    ours = opd.certify(two, inner=4, outer=3, seed=2, budget=0)
    assert {"at_least": str(ours.at_least), "at_most": str(ours.at_most)} == theirs["suboptimality"]
    assert [str(low) for low, _ in ours.each] == [ends["at_least"] for ends in theirs["suboptimality_of_each"]]
    assert ours.why == theirs["not_exact"]


def test_search(program, tmp_path, two):
    file = tmp_path / "rows.npz"
    program("sample", "--instance", "two-state", "--rows", 500, "--seed", 3, "--out", file)
    theirs = json.loads(program("tune", "--instance", "two-state", "--data", file, "--search", 8, "--seed", 5, "--json"))
    for data in (opd.sample(two, 500, seed=3), str(file)):
        with pytest.warns(UserWarning) if theirs["warnings"] else contextlib.nullcontext():
            ours = opd.tune(two, data, search=8, seed=5)
        page = ours.pop("html")
        assert "<svg" in page and "opd run" not in page, "what is in memory has no call"
        assert ours == {key: value for key, value in theirs.items() if key not in ("data", "command", "evaluate")}


def test_model_commands(program, two):
    assert len(opd.audit(two)) == len(json.loads(program("audit", "--instance", "two-state", "--json")))
    theirs = json.loads(program("coverage", "--instance", "two-state", "--json"))
    assert str(opd.coverage(two)["c_one"]) == theirs["c_one"]
    assert opd.tune(two, outer=100) == json.loads(program("tune", "--instance", "two-state", "--outer", 100, "--json"))


def test_complaints(program, two):
    said = program("run", "--instance", "two-state", "--xi", "0.5", "--inner", 2, "--outer", 2, fails=True)
    with pytest.raises(ValueError) as refused:
        opd.run(two, xi=0.5, inner=2, outer=2)
    assert said == f"opd: {refused.value}\n"
