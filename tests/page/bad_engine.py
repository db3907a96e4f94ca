"""An engine that misbehaves: `mute` sends nothing, `silent` never answers `go`, `lying` plays an illegal
move, `ending` exits at once, `terse` sends only its move, and `lost` does not even send that."""

import sys

character = sys.argv[1]
for line in sys.stdin:
    words = line.split() or [""]
    if character == "mute":
        continue
    if words[0] == "ucci":
        print(f"id name {character}\nucciok", flush=True)
    elif words[0] == "isready":
        print("readyok", flush=True)
    elif words[0] == "quit":
        break
    elif words[0] == "go" and character == "ending":
        sys.exit(3)
    elif words[0] == "go" and character == "lying":
        print("info depth 1 score 5 pv a0i9\nbestmove a0i9", flush=True)
    elif words[0] == "go" and character in ("terse", "lost"):
        print("bestmove h2e2" if character == "terse" else "nobestmove", flush=True)
