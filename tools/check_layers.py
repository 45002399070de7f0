#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Checks that rooms include only what layers.txt allows, and that every room is described.

Usage: check_layers.py ROOT
"""

import pathlib
import re
import sys


def read_layers(path):
    """The rooms of layers.txt and those that each may include."""
    layers = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        line = line.split("#")[0].strip()
        if not line:
            continue
        match = re.fullmatch(r"(\w+):((?: \w+)*)", line)
        if not match:
            sys.exit(f"{path}:{number}: a line reads 'room: rooms it may include', not '{line}'")
        layers[match[1]] = set(match[2].split())
    return layers


def circles(layers):
    """Rooms that may include each other in a circle."""
    found = []
    for room in layers:
        reached, frontier = set(), {room}
        while frontier:
            frontier = set().union(*(layers.get(r, set()) for r in frontier)) - reached
            reached |= frontier
        if room in reached:
            found.append(f"layers.txt: room '{room}' may reach itself")
    return found


def wrong_includes(root, layers):
    complaints = []
    for path in sorted((root / "src/sinew").rglob("*")):
        if path.suffix not in (".h", ".cc", ".c"):
            continue
        room = path.relative_to(root / "src/sinew").parts[0]
        allowed = layers.get(room, set()) | {room}
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            match = re.match(r'\s*#\s*include\s+["<](sinew|apps)/(\w+)', line)
            if match and (match[1] == "apps" or match[2] not in allowed):
                complaints.append(f"{path.relative_to(root)}:{number}: room '{room}' may not include "
                                  f"'{match[1]}/{match[2]}'; layers.txt allows: {' '.join(sorted(allowed))}")
    return complaints


def undescribed(root, layers):
    complaints = []
    rooms = {p.name for p in (root / "src/sinew").iterdir() if p.is_dir()}
    architecture = (root / "ARCHITECTURE.md").read_text(encoding="utf-8")
    for room in sorted(rooms | set(layers)):
        if room not in layers:
            complaints.append(f"layers.txt has no line for room '{room}'")
        if room not in rooms:
            complaints.append(f"layers.txt names room '{room}', which is not in src/sinew")
        if f"`{room}`" not in architecture:
            complaints.append(f"ARCHITECTURE.md does not name room '{room}'")
        if room in rooms and not (root / "src/sinew" / room / "README.md").exists():
            complaints.append(f"room '{room}' has no README.md")
    return complaints


def main():
    root = pathlib.Path(sys.argv[1])
    layers = read_layers(root / "layers.txt")
    complaints = circles(layers) + wrong_includes(root, layers) + undescribed(root, layers)
    print("\n".join(complaints) if complaints else f"{len(layers)} rooms keep to layers.txt")
    sys.exit(1 if complaints else 0)


if __name__ == "__main__":
    main()
