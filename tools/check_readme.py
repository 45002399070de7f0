#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs the commands in the ```sh blocks of the README and the tutorials, in a space of their own; follows all links.

Usage: check_readme.py ROOT SINEW
"""

import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile


def commands(text):
    """The lines of all sh blocks that run ./sinew, in order."""
    for block in re.findall(r"```sh\n(.*?)```", text, re.DOTALL):
        for line in block.splitlines():
            if line.startswith("./sinew "):
                yield line


def broken_links(root, page):
    text = page.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#]+)\)", text):
        if not target.startswith("http") and not (page.parent / target).exists():
            yield f"{page.relative_to(root)} links to {target}, which is not there"


def make_clone(root, folder):
    """A folder that looks like a clone to commands, whatever they write into it."""
    for entry in root.iterdir():
        if not entry.name.startswith(".") and entry.name != "build":
            (pathlib.Path(folder) / entry.name).symlink_to(entry)


def main():
    root, program = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    space = f"readme-{os.getpid()}"
    pages = [p for p in root.rglob("*.md") if "build" not in p.relative_to(root).parts and "node_modules" not in p.parts]
    complaints = [c for page in sorted(pages) for c in broken_links(root, page)]
    ran = 0
    clone = tempfile.TemporaryDirectory()
    make_clone(root, clone.name)
    lessons = [root / "README.md", *sorted((root / "docs/tutorials").glob("*.md"))]
    for line in (line for lesson in lessons for line in commands(lesson.read_text(encoding="utf-8"))):
        words = shlex.split(line)[1:]
        # what follows "--" is no option
        end = words.index("--") if "--" in words else len(words)
        command = [program, *words[:end], "--space", space, *words[end:]]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300, cwd=clone.name)
        print(f"$ {line}\n{done.stdout}{done.stderr}")
        ran += 1
        if done.returncode != 0:
            complaints.append(f"'{line}' exits with {done.returncode}")
    if ran == 0:
        complaints.append("there are no commands to run")
    folder = pathlib.Path(f"/dev/shm/sinew-{space}")
    if folder.exists():
        for path in sorted(folder.rglob("*"), reverse=True):
            path.unlink() if path.is_file() else path.rmdir()
        folder.rmdir()
    print("\n".join(complaints))
    sys.exit(1 if complaints else 0)


if __name__ == "__main__":
    main()
