"""The examples run."""

import re
import subprocess
import sys

import pytest


def test_toy_text(root, tmp_path):
    pytest.importorskip("gymnasium")
    command = [sys.executable, root / "examples/python/toy_text.py", "20000"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "suboptimality, exactly" in done.stdout
    low, high = map(float, re.search(r"at least ([0-9.]+), at most ([0-9.]+)", done.stdout).groups())
    assert 0 < low <= high < 0.2
    assert "<svg" in (tmp_path / "FrozenLake-v1.html").read_text()
