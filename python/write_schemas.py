#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes the schema text of each message to a file of its own, for sinew.schema_of()."""

import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tools"))
sys.dont_write_bytecode = True

import generate_messages  # noqa: E402  (found by the path above)


def main() -> None:
    """Takes the folder to write to as its one argument."""
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    definitions = generate_messages.Definitions()
    for header in sorted((ROOT / "src/sinew/messages").glob("*.h")):
        definitions.read(header)
    for name, struct in definitions.structs.items():
        (folder / f"{name}.txt").write_text(definitions.schema_text(struct), encoding="utf-8")


if __name__ == "__main__":
    main()
