#!/usr/bin/env python3
"""Packs the tablebases that the program contains: outcomes for one side to move. The outcomes for the other
side follow from these by one move.

    python3 studies/endings_inside.py --tables endings --out src/engine/embedded/endings.lzma NAME…

Each ending consists of its name (12 bytes), the side to move (2 bytes, 0 Red, 1 Black), the longest distance
to a capture or mate in plies (2), the number of bytes that follow (4), and an LZMA stream. In the stream,
each position is a bit in the order of the tables. Positions that differ only in the innermost digit begin
with a new byte, so that similar rows consist of similar bytes, which makes the file three times smaller. The
side is the one with the smaller stream. Endings reached by captures must also be packed.
"""

import argparse
import lzma
import pathlib
import struct
import zlib

DOMAINS = {"A": 5, "E": 7, "P": 55}
FILTER = {"id": lzma.FILTER_LZMA1, "preset": 9 | lzma.PRESET_EXTREME, "lc": 0, "lp": 0, "pb": 0}
HEADER = struct.Struct("<12sHHI")


def read(path):
    """Returns both sides' bits of a table of wins as text, and the longest distance to a capture or mate."""
    file = path.read_bytes()
    bits, size = struct.unpack_from("<H", file, 14)[0], struct.unpack_from("<Q", file, 40)[0]
    longest = max(struct.unpack_from("<HQHQ", file, 130)[::2])
    block, blocks, list_at = struct.unpack_from("<IIQ", file, 150)
    if bits != 1:
        raise SystemExit(f"{path}: either side can lose")
    values, start = bytearray(), 256
    for number in range(blocks):
        end = struct.unpack_from("<Q", file, list_at + 12 * number)[0]
        packed, start = file[start:end], end
        values += packed * block if len(packed) == 1 else zlib.decompress(packed, -15)
    as_text = [format(byte, "08b")[::-1] for byte in range(256)]
    text = "".join(as_text[byte] for byte in values)
    return text[:size], text[size : 2 * size], longest


def pack(bits, row):
    """Returns an LZMA stream of rows, each padded to whole bytes."""
    length = (row + 7) // 8
    rows = (bits[start : start + row] for start in range(0, len(bits), row))
    plain = b"".join(int((text + text[-1] * (8 * length - row))[::-1], 2).to_bytes(length, "little") for text in rows)
    dictionary = max(4096, 1 << (len(plain) - 1).bit_length())
    return lzma.compress(plain, lzma.FORMAT_ALONE, filters=[FILTER | {"dict_size": dictionary}])


def innermost(name):
    """Returns the number of squares, or of pairs of squares, of the innermost attackers."""
    red = name.split("-")[0]
    kind = next(kind for kind in "RHCP" if kind in red)
    squares = DOMAINS.get(kind, 90)
    return squares if red.count(kind) == 1 else squares * (squares - 1) // 2


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="+")
    parser.add_argument("--tables", required=True, type=pathlib.Path)
    parser.add_argument("--out", required=True, type=pathlib.Path)
    arguments = parser.parse_intermixed_args()
    packed = bytearray()
    for name in arguments.names:
        *sides, longest = read(arguments.tables / f"{name}.wins")
        side, stream = min(enumerate(pack(bits, innermost(name)) for bits in sides), key=lambda both: len(both[1]))
        packed += HEADER.pack(name.encode(), side, longest, len(stream)) + stream
        print(name, "Black" if side else "Red", longest, len(stream), flush=True)
    arguments.out.write_bytes(packed)
    print(len(packed), "bytes")


if __name__ == "__main__":
    main()
