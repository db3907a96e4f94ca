#!/usr/bin/env python3
"""Draws the program's icon from the strokes of src/engine/picture/strokes.json: src/app/chuhe.ico.

    python3 studies/icon.py        requires cairosvg from PyPI

The icon is a wooden disc with 楚, as on the river of the board; the two smallest sizes have a crown instead,
which is legible at this size.
"""

import json
import pathlib
import struct

import cairosvg

ROOT = pathlib.Path(__file__).resolve().parent.parent
STROKES = {name[0]: path for name, path in json.loads((ROOT / "src/engine/picture/strokes.json").read_text(encoding="utf-8"))}
SIZES = [16, 24, 32, 48, 64, 256]


def drawing(size):
    """Returns the icon as SVG on a grid of 100 × 100."""
    small = size < 32
    path, scale, width = (STROKES["K"], 0.62, 11) if small else (STROKES["楚"], 0.58, 8.4)
    place = 50 - 50 * scale
    return f"""<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 100 100' width='{size}' height='{size}'>
<defs><radialGradient id='wood' cx='.4' cy='.3' r='.8'><stop offset='0' stop-color='#fdf0d0'/><stop offset='1' stop-color='#e3b876'/></radialGradient></defs>
<circle cx='50' cy='50' r='48' fill='url(#wood)' stroke='#6b4423' stroke-width='3'/>
<circle cx='50' cy='50' r='41.5' fill='none' stroke='#b3261e' stroke-width='{4 if small else 2.6}'/>
<path transform='translate({place} {place}) scale({scale})' d='{path}' fill='none' stroke='#b3261e' stroke-width='{width}'
 stroke-linecap='round' stroke-linejoin='round'/></svg>"""


def main():
    images = [cairosvg.svg2png(drawing(size).encode(), output_width=size, output_height=size) for size in SIZES]
    at = 6 + 16 * len(SIZES)
    header = struct.pack("<HHH", 0, 1, len(SIZES))
    for size, image in zip(SIZES, images):
        header += struct.pack("<BBBBHHII", size % 256, size % 256, 0, 0, 1, 32, len(image), at)
        at += len(image)
    (ROOT / "src/app/chuhe.ico").write_bytes(header + b"".join(images))


if __name__ == "__main__":
    main()
