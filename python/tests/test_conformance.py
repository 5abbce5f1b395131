"""The kit lets right implementations through and finds wrong ones, by function and by pytest."""

import importlib.util
import json
import re
import subprocess
import sys

import numpy as np
import pytest

from offline_primal_dual import conformance

PORT = """
import importlib.util, pathlib
spec = importlib.util.spec_from_file_location("numpy_port", {file!r})
port = importlib.util.module_from_spec(spec)
spec.loader.exec_module(port)

def run(problem):
    problem = {{key: value for key, value in problem.items() if value is not None}}
    steps = [step for step in (port.algorithm_1 if problem["setting"] == "discounted" else port.algorithm_2)(problem)]
    outer = [step for step in steps if "k" not in step]
    return {{key: [step[key] for step in outer] for key in outer[0] if key != "t"}}

def broken(problem):
    if problem["setting"] == "discounted":
        problem = problem | {{"discount": problem["discount"] / 2}}
    return run(problem)
"""


@pytest.fixture(scope="session")
def port(tmp_path_factory, root):
    """The NumPy port of examples/, and a broken one, as a module in a directory."""
    directory = tmp_path_factory.mktemp("port")
    (directory / "port.py").write_text(PORT.format(file=str(root / "examples/numpy/opd.py")))
    return directory


def load(file):
    spec = importlib.util.spec_from_file_location(file.stem, file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_check(port):
    module = load(port / "port.py")
    verdict = conformance.check(module.run)
    assert verdict and verdict.report["cases"] == len(conformance.problems()) + 40, verdict
    verdict = conformance.check(module.broken, fresh=0)
    assert not verdict and all(place["case"].startswith("discounted/") for place in verdict.report["divergences"])
    assert conformance.check(module.broken, skip=["discounted"])


def pytest_run(directory, *arguments):
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-rA", "-q", "--opd-fresh", "2", *arguments]
    done = subprocess.run(command, cwd=directory, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def counts(text):
    return {word: int(n) for n, word in re.findall(r"(\d+) (passed|failed|skipped|deselected|xfailed|xpassed)", text.splitlines()[-1])}


def test_plugin(port):
    total = len(conformance.problems()) + 2
    code, said = pytest_run(port, "--opd-target", "port:run")
    assert code == 0 and counts(said) == {"passed": total}, said
    assert "PASSED opd::discounted/plain" in said
    code, said = pytest_run(port, "--opd-target", "port:broken", "--opd-skip", "average")
    assert code == 1 and "FAILED opd::discounted/plain" in said and "first divergence" in said
    assert counts(said)["skipped"] >= 20
    code, said = pytest_run(port, "--opd-target", "port:broken", "--opd-xfail", "discounted")
    assert code == 0 and counts(said)["xfailed"] > 10, said
    code, said = pytest_run(port, "--opd-target", "port:run", "-m", "opd_half and opd_average")
    assert code == 0 and 0 < counts(said)["passed"] < total // 2, said
    for wrong, message in (("port", "expected MODULE:FUNCTION"), ("nothing:run", "No module named 'nothing'"), ("port:x", "has no attribute 'x'")):
        code, said = pytest_run(port, "--opd-target", wrong)
        assert code == 4 and message in said, said


def test_results_that_are_no_results():
    case = conformance.problems()[0]
    shape = (case["outer"], case["dim"])
    zero = np.zeros(shape)
    for found, message in (
        ([], "expected a dict of arrays"),
        ({"theta": zero, "beta_next": 3.0}, "beta_next: found one number"),
        ({"theta": zero, "beta_next": zero, "gama": zero}, "gama"),
        ({"theta": zero, "beta_next": zero, "inner": 3}, "inner: found int"),
        ({"theta": ["x"], "beta_next": zero}, "theta: "),
    ):
        with pytest.raises(ValueError, match=message):
            conformance.judge([(case["id"], found)])
    # A number that is none, or not there, is a divergence, not a refusal.
    assert not conformance.judge([(case["id"], {"theta": zero})])
    assert not conformance.judge([(case["id"], {"theta": np.full(shape, np.nan), "beta_next": zero})])


@pytest.mark.parametrize("name", ["jax", "torch"])
def test_ports(root, name):
    pytest.importorskip(name)
    module = load(root / "examples/python" / f"{name}_port.py")
    some = [problem for problem in conformance.problems() if "large" not in conformance.tags(problem)]
    verdict = conformance.judge([(problem["id"], module.run(problem)) for problem in some + conformance.problems(seed=7, count=4)])
    assert verdict, verdict


PRECISIONS = ["f32", "tf32", "bf16"]


@pytest.mark.parametrize("precision", PRECISIONS)
def test_low_precisions(root, precision):
    """A port in each precision passes in it, is too rough for the one before, and with a mistake fails in its own."""
    module = load(root / "examples/python/low_precision.py")
    run = getattr(module, precision)
    cases = conformance.problems() + conformance.problems(seed=11, count=20)

    def verdict(run, precision):
        return conformance.judge([(problem["id"], run(problem)) for problem in cases], precision=precision)

    assert verdict(run, precision), verdict(run, precision)
    assert not verdict(run, (["f64"] + PRECISIONS)[PRECISIONS.index(precision)])

    def wrong(problem):
        """The step of beta goes the other way."""
        return run(problem | {"zeta": -problem["zeta"]})

    assert not verdict(wrong, precision)


def test_torch_in_bfloat16(root):
    torch = pytest.importorskip("torch")
    module = load(root / "examples/python/torch_port.py")
    some = [problem for problem in conformance.problems() if "large" not in conformance.tags(problem)]
    results = [(problem["id"], module.run(problem, torch.bfloat16)) for problem in some]
    assert conformance.judge(results, precision="bf16")
    assert not conformance.judge(results, precision="f32")


def test_the_report_is_the_programs(program, tmp_path, port):
    module = load(port / "port.py")
    problem = conformance.problems()[0]
    found = module.broken(problem)
    line = json.loads(conformance._written(problem["id"], found))
    done = subprocess.run(
        [*program.path, "vectors", "check", "--partial", "--json"], input=json.dumps(line), capture_output=True, text=True
    )
    assert json.loads(done.stdout) == conformance.judge([(problem["id"], found)]).report
