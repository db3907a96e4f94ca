"""Runs the recipes of the README, and the examples of the Chinese one, unmodified."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
README, CHINESE = ((ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "README.zh-CN.md"))
RECIPES = re.findall(r"### (\d+\. .*?)\n.*?```python\n(.*?)```", README, re.DOTALL)
EXAMPLES = re.findall(r"## (\S+)\n.*?```python\n(.*?)```", CHINESE, re.DOTALL)


def test_there_are_thirty_recipes():
    assert [title.split(".")[0] for title, _ in RECIPES] == [str(number) for number in range(1, 31)]
    assert len(EXAMPLES) == 6


@pytest.mark.parametrize(("title", "code"), RECIPES + EXAMPLES, ids=[title for title, _ in RECIPES + EXAMPLES])
def test_recipe(title, code):
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, encoding="utf-8", cwd=ROOT)
    assert done.returncode == 0, done.stderr
