"""What the tests share."""

import os
import subprocess
from pathlib import Path

import pytest

import offline_primal_dual as opd

# The tests may have been copied away from the checkout.
ROOT = Path(os.environ.get("OPD_ROOT") or Path(__file__).parents[2])


@pytest.fixture(scope="session")
def program():
    """Runs the program `opd`, wherever it was built, and gives its standard output."""
    places = [os.environ.get("OPD"), ROOT / "target/release/opd", ROOT / "target/debug/opd"]
    found = next((Path(place) for place in places if place and Path(place).exists()), None)
    if found is None:
        pytest.skip("no program opd: cargo build, or name it in OPD")

    def call(*arguments, fails=False):
        done = subprocess.run([found, *map(str, arguments)], capture_output=True, text=True)
        assert (done.returncode != 0) == fails, done.stderr
        return done.stderr if fails else done.stdout

    call.path = [str(found)]
    return call


@pytest.fixture(scope="session")
def root():
    """The checkout."""
    return ROOT


@pytest.fixture(scope="session")
def two():
    return opd.Problem.instance("two-state")


@pytest.fixture(scope="session")
def chain():
    return opd.Problem.instance("chain")
