"""Short versions of the long-running tests: random calls, and games that must not leak memory."""

import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent


@pytest.mark.parametrize("command", [["fuzz.py", "--calls", "30000", "--seed", "5"], ["leaks.py", "--minutes", "0.1"]], ids=["fuzz", "leaks"])
def test_endurance(command):
    done = subprocess.run([sys.executable, HERE / command[0], *command[1:]], capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0, done.stdout + done.stderr
