#!/usr/bin/env python3
"""Draws the plots of the logs from the tables in this folder, and checks the tables.

    python3 docs/data/plot.py            # writes docs/pictures/data-*.svg
    python3 docs/data/plot.py --check    # fails if a table is damaged, undocumented, or differs from its plot
"""

import argparse
import csv
import pathlib
import sys
from html import escape

FOLDER = pathlib.Path(__file__).resolve().parent
PICTURES = FOLDER.parent / "pictures"
# Columns that contain text; all others contain numbers or are empty.
TEXT = set(
    "change chinese clock collection command commit date ending engine evaluation fingerprint float_file_commit formats idea kept king_buckets measured mirroring "
    "masters_openings net network nodes_to_choose note opponent opponent_clock opponent_commit outcome pair parameters protocol records schedule fit phase index term "
    "sprt start study suite before".split()
)
ROW, LEFT, RIGHT, TOP = 20, 450, 330, 40


def read(name):
    """Returns the rows of a table as dictionaries."""
    with (FOLDER / f"{name}.tsv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def forest(title, unit, rows):
    """Returns an SVG with one line per row: a label, a point and its interval. Rows are (label, value, low, high)."""
    low, high = min(row[2] for row in rows + [("", 0, 0, 0)]), max(row[3] for row in rows + [("", 0, 0, 0)])
    width, height = LEFT + RIGHT + 90, TOP + ROW * len(rows) + 10

    def x(value):
        return LEFT + (value - low) / (high - low) * RIGHT

    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">',
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
        f'<text x="10" y="20" font-size="14" font-weight="bold">{escape(title)}</text>',
        f'<path d="M{x(0):.1f} {TOP - 6}V{height - 8}" stroke="#999"/>',
    ]
    for index, (label, value, start, end) in enumerate(rows):
        y = TOP + ROW * index + 8
        colour = "#1a7f37" if start > 0 else "#c0392b" if end < 0 else "#555"
        short = label if len(label) <= 62 else label[:61] + "…"
        lines += [
            f'<text x="{LEFT - 10}" y="{y + 4}" text-anchor="end"><title>{escape(label)}</title>{escape(short)}</text>',
            f'<path d="M{x(start):.1f} {y}H{x(end):.1f}" stroke="{colour}" stroke-width="2"/>',
            f'<circle cx="{x(value):.1f}" cy="{y}" r="3.5" fill="{colour}"/>',
            f'<text x="{LEFT + RIGHT + 12}" y="{y + 4}">{value:+g} {unit}</text>',
        ]
    return "\n".join(lines) + "\n</svg>\n"


def elo(rows, label):
    """Returns the rows that have an interval, for `forest`."""
    return [(label(row), *(float(row[column]) for column in ("elo", "elo_low", "elo_high"))) for row in rows if row["elo_low"]]


def effort(row):
    if row["clock"]:
        return f"{row['clock']} s against {row['opponent_clock']} s"
    return f"{row['nodes_per_move']} nodes ({row['note']})"


def plots():
    """Returns the plots by file name."""
    # Games of less than a second per side are too short to compare engines.
    long = [row for row in read("matches") if float((row["clock"] or "1").partition("+")[0]) >= 1]
    pikafish = [row for row in long if row["opponent"] == "Pikafish-HCE"]
    kept = {row["net"] for row in read("networks") if row["kept"] == "yes"}
    nets = [row for row in read("network-matches") if row["net"] in kept]
    games = sorted(read("search-games"), key=lambda row: float(row["elo"] or 0))
    sieve = sorted((row for row in read("search-sieve") if row["gain_percent"]), key=lambda row: float(row["gain_percent"]))
    return {
        "data-matches.svg": forest(
            "Matches against Pikafish-HCE, 95 % intervals",
            "Elo",
            elo(pikafish, lambda row: f"{row['date']}, bench {row['bench']}: {effort(row)}"),
        ),
        "data-scaling.svg": forest(
            "Twice the nodes against once, 95 % intervals",
            "Elo",
            elo(read("scaling"), lambda row: f"{row['engine']}, {row['evaluation']}: {int(row['nodes_per_move']):,} nodes"),
        ),
        "data-networks.svg": forest(
            "Networks against their predecessors, 95 % intervals",
            "Elo",
            elo(nets, lambda row: f"{row['net']} against {row['opponent']}, {row['nodes_per_move']} nodes"),
        ),
        "data-search.svg": forest("Search experiments in games, 95 % intervals", "Elo", elo(games, lambda row: row["idea"])),
        "data-sieve.svg": forest(
            "Search experiments in the sieve, one standard error",
            "%",
            [
                (f"{row['idea']}, {row['nodes_to_choose'].split()[-1]} nodes", gain, gain - error, gain + error)
                for row in sieve
                for gain, error in [(float(row["gain_percent"]), float(row["error_percent"]))]
            ],
        ),
    }


def faults():
    """Returns the errors in the tables."""
    found = []
    explained = (FOLDER / "README.md").read_text(encoding="utf-8")
    for path in sorted(FOLDER.glob("*.tsv")):
        header, *rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()]
        section = explained.partition(f"## {path.name}\n")[2].partition("\n## ")[0]
        found += [f"{path.name}: column {column} is not in README.md" for column in header if f"`{column}`" not in section]
        for number, row in enumerate(rows, 2):
            if len(row) != len(header):
                found.append(f"{path.name}:{number}: {len(row)} cells instead of {len(header)}")
            for column, cell in zip(header, row):
                if column not in TEXT and cell:
                    try:
                        float(cell)
                    except ValueError:
                        found.append(f"{path.name}:{number}: {column} is not a number: {cell}")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; exit status 1 if a table or a plot is wrong")
    check = parser.parse_args().check
    wrong = faults()
    for name, drawn in plots().items():
        path = PICTURES / name
        if not check:
            path.write_text(drawn, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != drawn:
            wrong.append(f"{name} is not what docs/data/plot.py draws now")
    print("\n".join(wrong) or f"{len(list(FOLDER.glob('*.tsv')))} tables are sound")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
