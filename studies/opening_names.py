"""Compares Chuhe's names of openings with those of a collection whose games have ECCO tags.

    python3 studies/opening_names.py CHUHE FOLDER

`chuhe convert` reads the folder twice: unchanged, and with --name-openings. Games that begin at the initial
position and have a code are counted. The most frequent pairs of different codes follow, first those that are
one opening with two codes.
"""

import collections
import re
import subprocess
import sys

# ECCO's own lists differ for these codes: the tags of the collection never contain the second code, or
# exchange the two.
RENAMED = {("C45", "C46"), ("C23", "C25"), ("B55", "B56"), ("C85", "C86"), ("C86", "C85")}


def codes(chuhe, folder, *more):
    """Returns the code of each game, in order; None for a game with another start or without a code."""
    command = [chuhe, "convert", folder, "--to", "pgn", *more]
    games = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    for game in re.split(r"\n(?=\[Game )", games):
        code = re.search(r'^\[ECCO "([A-E]\d\d)"', game, re.M)
        yield code and "[FEN " not in game and code.group(1)


def main(chuhe, folder):
    theirs = list(codes(chuhe, folder))
    ours = list(codes(chuhe, folder, "--name-openings"))
    assert len(ours) == len(theirs)
    pairs = collections.Counter((one, two) for one, two in zip(theirs, ours) if one)
    games = sum(pairs.values())
    counts = collections.Counter()
    for (one, two), count in pairs.items():
        if one == two:
            counts["the same code"] += count
        elif (one, two) in RENAMED:
            counts["one opening, two lists of codes"] += count
        elif two and one[0] == two[0]:
            counts["another branch of the same letter"] += count
        else:
            counts["another letter: named by its position, tagged by its order of moves"] += count
    print(f"{games} games with a code")
    for name, count in counts.most_common():
        print(f"{count:7} {100 * count / games:5.1f} %  {name}")
    print("most often: " + ", ".join(f"{one} {two} {count}" for (one, two), count in pairs.most_common(400) if one != two)[:600])
    return 0 if counts["the same code"] >= 0.9 * games else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
