"""The examples run."""

import re
import subprocess
import sys

import pytest


def test_toy_text(root, tmp_path):
    pytest.importorskip("gymnasium")
    command = [sys.executable, root / "examples/python/toy_text.py", "5"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    lake, taxi = re.findall(r"output, (\w+): at least ([0-9.]+), at most ([0-9.]+)", done.stdout)
    assert (lake[0], taxi[0]) == ("exact", "enclosure") and lake[1] == lake[2]
    assert 0 < float(taxi[1]) <= float(taxi[2]) < float(taxi[1]) + 1e-6
    for name in ("FrozenLake-v1", "Taxi"):
        assert "<svg" in (tmp_path / f"{name}.html").read_text()
