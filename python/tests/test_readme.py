"""The recipes of the README run as they stand."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")
RECIPES = re.findall(r"### (\d+\. .*?)\n.*?```python\n(.*?)```", README, re.DOTALL)


def test_there_are_ten_recipes():
    assert [title.split(".")[0] for title, _ in RECIPES] == [str(number) for number in range(1, 11)]


@pytest.mark.parametrize(("title", "code"), RECIPES, ids=[title for title, _ in RECIPES])
def test_recipe(title, code):
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
