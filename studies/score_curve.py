#!/usr/bin/env python3
"""Fits the curve from scores to expected points to the results of real games.

    python3 studies/score_curve.py CHUHE FOLDER [--games 30000] [--nodes 2000] [--svg FILE]

From each game in FOLDER that begins at the initial position, has a result and at least 30 plies, one position
after the tenth ply is selected at random and searched. The scale S of 1 / (1 + exp(-score / S)) minimises the
squared distance to the results, from Red's view; duplicate games are counted once. --svg plots results by
groups of scores, the fitted curve and that of the program (300).
"""

import argparse
import json
import math
import random
import subprocess
import tempfile
from pathlib import Path

POINTS = {"1-0": 1.0, "1/2-1/2": 0.5, "0-1": 0.0}
CURRENT = 300
WIDTH, HEIGHT, MARGIN, MOST = 560, 340, 48, 1000


def positions(chuhe, folder, wanted):
    """Returns lines for `analyze --file`, each with Red's points."""
    with tempfile.TemporaryDirectory() as place:
        lines, pgn = Path(place, "lines"), Path(place, "games.pgn")
        for path, form in ((lines, "position"), (pgn, "pgn")):
            subprocess.run([chuhe, "convert", folder, "--to", form, "--out", path], stderr=subprocess.DEVNULL)
        lines = lines.read_text().splitlines()
        results = [line.split('"')[1] for line in pgn.read_text().splitlines() if line.startswith('[Result "')]
    games = {line: POINTS[result] for line, result in zip(lines, results, strict=True) if result in POINTS}
    draw = random.Random(5)
    games = [(line.split()[3:], points) for line, points in games.items() if line.startswith("position startpos moves")]
    games = [game for game in games if len(game[0]) >= 30]
    draw.shuffle(games)
    return [("startpos moves " + " ".join(moves[: draw.randrange(10, len(moves))]), points) for moves, points in games[:wanted]]


def red_score(answer):
    """Returns centipawns from Red's view; 3000 or -3000 for a mate or a win by rule."""
    score = answer["lines"][0]["score"]
    value = score["cp"] if "cp" in score else math.copysign(3000, score.get("mate", score.get("rule")))
    return value if answer["fen"].split()[1] == "w" else -value


def expected(score, scale):
    return 1 / (1 + math.exp(-score / scale))


def fit(samples):
    distance = lambda scale: sum((expected(score, scale) - points) ** 2 for score, points in samples)
    return min(range(100, 1200, 5), key=distance)


def groups(samples):
    """Returns the mean score, the mean points and the count, in groups of 100 centipawns."""
    bins = {}
    for score, points in samples:
        bins.setdefault(round(max(-MOST, min(MOST, score)) / 100), []).append((score, points))
    for _, group in sorted(bins.items()):
        yield sum(score for score, _ in group) / len(group), sum(points for _, points in group) / len(group), len(group)


def svg(samples, scale):
    x = lambda score: MARGIN + (WIDTH - 2 * MARGIN) * (score + MOST) / (2 * MOST)
    y = lambda points: HEIGHT - MARGIN - (HEIGHT - 2 * MARGIN) * points
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">', f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>']
    for points in (0, 0.25, 0.5, 0.75, 1):
        out.append(f'<path d="M{MARGIN} {y(points):.0f}H{WIDTH - MARGIN}" stroke="#ddd"/><text x="{MARGIN - 8}" y="{y(points) + 4:.0f}" text-anchor="end">{points}</text>')
    for score in range(-MOST, MOST + 1, 500):
        out.append(f'<text x="{x(score):.0f}" y="{HEIGHT - MARGIN + 18}" text-anchor="middle">{score:+}</text>')
    for at, colour, dash in ((CURRENT, "#888", "5 4"), (scale, "#c33", "")):
        curve = " ".join(f"{x(score):.1f},{y(expected(score, at)):.1f}" for score in range(-MOST, MOST + 1, 20))
        out.append(f'<polyline points="{curve}" fill="none" stroke="{colour}" stroke-width="2" stroke-dasharray="{dash}"/>')
    for score, points, count in groups(samples):
        out.append(f'<circle cx="{x(max(-MOST, min(MOST, score))):.1f}" cy="{y(points):.1f}" r="{2 + min(4, math.log10(count)):.1f}" fill="#246"/>')
    out.append(f'<text x="{WIDTH / 2}" y="{HEIGHT - 8}" text-anchor="middle">score in centipawns, Red\'s view</text>')
    out.append(f'<text x="{MARGIN + 12}" y="{MARGIN + 4}" fill="#c33">fitted to the results: {scale}</text><text x="{MARGIN + 12}" y="{MARGIN + 20}" fill="#666">the program: {CURRENT}</text></svg>')
    return "\n".join(out) + "\n"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("chuhe")
    parser.add_argument("folder")
    parser.add_argument("--games", type=int, default=30000)
    parser.add_argument("--nodes", type=int, default=2000)
    parser.add_argument("--svg", type=Path)
    given = parser.parse_args()
    drawn = positions(given.chuhe, given.folder, given.games)
    command = [given.chuhe, "analyze", "--file", "-", "--nodes", str(given.nodes), "--json"]
    text = "".join(line + "\n" for line, _ in drawn)
    answers = subprocess.run(command, input=text, stdout=subprocess.PIPE, text=True).stdout.splitlines()
    answers = [json.loads(answer) for answer in answers]
    samples = [(red_score(answer), points) for answer, (_, points) in zip(answers, drawn, strict=True) if answer.get("lines")]
    scale = fit(samples)
    error = lambda at: math.sqrt(sum((expected(score, at) - points) ** 2 for score, points in samples) / len(samples))
    print(f"{len(samples)} positions: scale {scale}, error {error(scale):.4f}; with {CURRENT}: {error(CURRENT):.4f}")
    for score, points, count in groups(samples):
        print(f"{score:+8.0f} {count:6} positions: {points:.3f} of the points, fitted {expected(score, scale):.3f}, with {CURRENT} {expected(score, CURRENT):.3f}")
    if given.svg:
        given.svg.write_text(svg(samples, scale))


if __name__ == "__main__":
    main()
