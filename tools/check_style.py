#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Checks what clang-format and clang-tidy do not: file sizes, licence lines, names and units of the house style.

Usage: check_style.py ROOT
"""

import pathlib
import re
import sys

FOLDERS = ("src", "bench", "examples", "python", "tests", "tools")
SOURCES = {".h", ".cc", ".c", ".py", ".sh"}
MOST_LINES = 800
VAGUE_WORDS = re.compile(r"(?<!::)\b\w*(?:[Mm]anager|[Hh]elper|[Uu]tils)\w*\b")
FOREIGN_UNITS = re.compile(r"\b\w+_(?:deg|mm|counts)\b")
ROOMS_WITH_FOREIGN_UNITS = ("src/sinew/model", "src/sinew/drivers", "src/sinew/emulators", "src/sinew/language",
                            "src/sinew/bridges", "src/sinew/simulation/world_yaml", "src/sinew/simulation/test/world_yaml",
                            "src/apps", "src/sinew/xach", "python")
UNFINISHED = re.compile(r"\b(?:TODO|FIXME|XXX)\b(?!\(#\d+\))")
# spelled so that this file does not find itself
UNFINISHED_ALLOWED = ("tools/check_style.py",)


def sources(root):
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in SOURCES and "__pycache__" not in path.parts and path.is_file():
                yield path


def complaints_about(root, path):
    name = str(path.relative_to(root))
    lines = path.read_text(encoding="utf-8").splitlines()
    if len(lines) > MOST_LINES:
        yield f"{name}: {len(lines)} lines are more than {MOST_LINES}; split it"
    if not any("SPDX-License-Identifier: BSD-3-Clause" in line for line in lines[:3]):
        yield f"{name}: the first lines must hold 'SPDX-License-Identifier: BSD-3-Clause'"
    if path.suffix == ".h" and "#pragma once" not in lines and not any(line.startswith("#ifndef ") for line in lines):
        yield f"{name}: a header begins with '#pragma once'"
    for number, line in enumerate(lines, 1):
        if name in UNFINISHED_ALLOWED:
            break
        if path.suffix != ".py" and (found := VAGUE_WORDS.search(line)) and not line.lstrip().startswith(("//", "#", "*")):
            yield f"{name}:{number}: '{found[0]}' says nothing; name what it does"
        if (found := FOREIGN_UNITS.search(line)) and not name.startswith(ROOMS_WITH_FOREIGN_UNITS):
            yield f"{name}:{number}: '{found[0]}': inside, everything is SI"
        if found := UNFINISHED.search(line):
            yield f"{name}:{number}: '{found[0]}' needs an issue number, as in {found[0]}(#12)"


def main():
    root = pathlib.Path(sys.argv[1])
    complaints = [c for path in sources(root) for c in complaints_about(root, path)]
    print("\n".join(complaints) if complaints else "style: nothing to complain about")
    sys.exit(1 if complaints else 0)


if __name__ == "__main__":
    main()
