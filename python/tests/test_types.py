"""Checks that the stubs match the package."""

import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent


@pytest.mark.parametrize("command", [["mypy.stubtest", "chuhe._chuhe"], ["mypy", "--strict", "-p", "chuhe"], ["mypy", "--strict", HERE / "typed.py"]])
def test_stubs_fit_the_package(command, tmp_path):
    done = subprocess.run([sys.executable, "-m", *command], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
