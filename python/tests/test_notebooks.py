"""Runs the notebooks from the first cell to the last, and trains a network with the example."""

import subprocess
import sys
from pathlib import Path

import chuhe
import nbformat
import pytest
from nbclient import NotebookClient

ROOT = Path(__file__).parent.parent
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


def test_there_are_three_notebooks_without_outputs():
    assert len(NOTEBOOKS) == 3
    for path in NOTEBOOKS:
        cells = nbformat.read(path, as_version=4).cells
        assert not any(cell.get("outputs") for cell in cells), path


@pytest.mark.parametrize("path", NOTEBOOKS, ids=[path.stem for path in NOTEBOOKS])
def test_notebook(path, tmp_path):
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": tmp_path}}).execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert any("image/svg+xml" in output.get("data", {}) for output in outputs), "a board is shown"


def test_the_example_trains_a_network_that_plays(tmp_path):
    net = tmp_path / "small.net"
    command = [sys.executable, ROOT / "examples" / "train.py", net, "--games", "20", "--nodes", "60", "--epochs", "3"]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    errors = [float(line.split("squared error ")[1].split(",")[0]) for line in done.stdout.splitlines() if "epoch" in line]
    assert len(errors) == 3 and errors[-1] < errors[0]
    network = chuhe.Network.load(net)
    assert network.hidden == 32 and chuhe.Engine(hash_mb=1, network=network).analyse(chuhe.Position(), chuhe.Limit(depth=3)).best
