#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Checks and formats the programs in programs/ and those in the tutorials, by the robot that each names.

A program says `# robot: NAME` in its first lines. In a tutorial a ```prog block is a program; one that is followed by a
```text block must be told to be wrong in exactly those words. Each is called first.prog.

Usage: check_programs.py ROOT SINEW
"""

import pathlib
import re
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"```prog\n(.*?)```\n(?:\s*```text\n(.*?)```)?", re.DOTALL)


def robot_of(text):
    found = re.search(r"^# robot: (\S+)$", text, re.MULTILINE)
    return ["--robot", found[1]] if found else []


def run(program, words, folder):
    return subprocess.run([program, *words], capture_output=True, text=True, timeout=300, cwd=folder)


def complaints_about_file(program, root, path):
    text = path.read_text(encoding="utf-8")
    done = run(program, ["check", str(path), *robot_of(text)], root)
    if done.returncode != 0:
        yield f"{path}: {done.stdout}{done.stderr}"
    if robot_of(text) == [] and "parts" not in path.parts:
        yield f"{path} does not say '# robot: NAME'"


def complaints_about_lesson(program, root, lesson):
    with tempfile.TemporaryDirectory() as folder:
        for number, (text, said) in enumerate(BLOCK.findall(lesson.read_text(encoding="utf-8")), 1):
            path = pathlib.Path(folder) / "first.prog"
            path.write_text(text, encoding="utf-8")
            place = f"{lesson.relative_to(root)}, program {number}"
            robot = robot_of(text) or ["--robot", "ur5e"]
            done = run(program, ["check", path.name, *robot[:1], str(root / "robots" / robot[1])], folder)
            if said and done.stdout != said:
                yield f"{place}: it says\n{done.stdout}and not\n{said}"
            if not said and (done.returncode != 0 or done.stdout):
                yield f"{place}: {done.stdout}{done.stderr}"
            if not said and run(program, ["format", path.name, "--check"], folder).returncode != 0:
                yield f"{place}: it is not formatted"


def main():
    root, program = pathlib.Path(sys.argv[1]).resolve(), str(pathlib.Path(sys.argv[2]).resolve())
    complaints, count = [], 0
    for path in sorted((root / "programs").rglob("*.prog")):
        count += 1
        complaints += complaints_about_file(program, root, path)
    for lesson in sorted((root / "docs/tutorials").glob("*.md")):
        count += len(BLOCK.findall(lesson.read_text(encoding="utf-8")))
        complaints += complaints_about_lesson(program, root, lesson)
    print("\n".join(complaints) if complaints else f"{count} programs are right")
    sys.exit(1 if complaints or count == 0 else 0)


if __name__ == "__main__":
    main()
