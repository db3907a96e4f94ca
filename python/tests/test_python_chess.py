"""Checks that the names in python-chess.md exist in both packages, as stated there."""

import dataclasses
import inspect
import re
from pathlib import Path

import chess
import chess.engine
import chess.gaviota
import chess.pgn
import chess.polyglot
import chess.svg
import chess.syzygy
import chess.variant
import chuhe
import chuhe.engine
import pytest

PAGE = (Path(__file__).parent.parent / "python-chess.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| `([^`]+)` \| (.*?) \| (.*?) ?\|$", PAGE, re.MULTILINE)


def source_of(kind):
    """Returns the source of a class, or an empty string for a native class."""
    try:
        return inspect.getsource(kind)
    except (OSError, TypeError):
        return ""


def find(package, path):
    """Returns `True` if a name exists; instance attributes are looked up in the source of the class."""
    thing = package
    for name in path.split("."):
        if not hasattr(thing, name):
            fields = [field.name for field in dataclasses.fields(thing)] if dataclasses.is_dataclass(thing) else []
            sources = [source_of(base) for base in thing.__mro__[:-1]] if inspect.isclass(thing) else []
            return name in fields or any(re.search(rf"self\.{name}\b|^    {name}: ", source, re.MULTILINE) for source in sources)
        thing = getattr(thing, name)
    return True


def test_the_page_has_hundreds_of_names():
    assert len(ROWS) == PAGE.count("\n| `") and len({name for name, _, _ in ROWS}) == len(ROWS) >= 300
    counts = [sum(cell == "*same*" for _, cell, _ in ROWS), sum(cell.startswith("`") for _, cell, _ in ROWS), sum(cell == "—" for _, cell, _ in ROWS)]
    assert not find(chess, "Board.nothing") and not find(chuhe, "Position.nothing") and not find(chuhe, "engine.Option.nothing")
    assert sum(counts) == len(ROWS) and counts[0] + counts[1] >= 300
    assert [int(number) for number in re.search(r"(\d+) of its names\. (\d+) exist.*\n.*?(\d+) do not exist", PAGE).groups()] == [len(ROWS), counts[0], counts[2]]


@pytest.mark.parametrize(("name", "here", "remark"), ROWS, ids=[name for name, _, _ in ROWS])
def test_a_name_of_the_page(name, here, remark):
    assert find(chess, name)
    if here == "*same*":
        assert find(chuhe, name.replace("Board.", "Position."))
    elif here == "—":
        assert remark
    else:
        assert all(find(chuhe, other) for other in re.findall(r"`([^`]+)`", here))
