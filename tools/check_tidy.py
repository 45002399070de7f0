#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs clang-tidy on rooms and apps as they were built, by the unity files, so that each header is read once.

Tests, benches, examples and the kernels are left out: reading all of that would take longer than all tests. What was
found clean is remembered by the contents of all that it was made of, and not read again, in this clone or another.

Usage: check_tidy.py CLANG_TIDY BUILD_FOLDER
"""

import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LEFT_OUT = re.compile(r"_(test|bench)\.dir/|/test/|kernels_[a-z0-9]+\.cc$|/bench/|/examples/")
OPTIONS = ("--quiet", "--extra-arg=-Wno-unknown-warning-option", "--extra-arg=-Wno-sign-conversion")


def memory_folder():
    cache = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
    return pathlib.Path(cache) / "sinew" / "tidy"


def read_made_of(build):
    """Per object file, what the compiler read for it."""
    listing = subprocess.run(["ninja", "-C", build, "-t", "deps"], capture_output=True, text=True, check=True).stdout
    made_of = {}
    for block in listing.split("\n\n"):
        head, *files = block.strip().split("\n")
        if "(VALID)" in head:
            made_of[head.split(":")[0]] = sorted(file.strip() for file in files)
    return made_of


class Fingerprints:
    """Of files: the contents of ours, and the age of the system's."""

    def __init__(self, build):
        self.build = build
        self.known = {}

    def of(self, name):
        if name not in self.known:
            path = (self.build / name).resolve()
            if path.is_relative_to(ROOT):
                contents = path.read_bytes().replace(str(ROOT).encode(), b"")
                self.known[name] = f"{path.relative_to(ROOT)} {hashlib.sha256(contents).hexdigest()}"
            else:
                status = path.stat()
                self.known[name] = f"{path} {status.st_size} {status.st_mtime_ns}"
        return self.known[name]


def key_of(entry, files, fingerprints, common):
    digest = hashlib.sha256(common)
    digest.update(entry["command"].replace(str(ROOT), "").encode())
    for name in files:
        digest.update(fingerprints.of(name).encode() + b"\n")
    return digest.hexdigest()


def main():
    clang_tidy, build = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
    version = subprocess.run([clang_tidy, "--version"], capture_output=True, check=True).stdout
    common = version + (ROOT / ".clang-tidy").read_bytes() + " ".join(OPTIONS).encode()
    entries = {entry["file"]: entry for entry in json.loads((build / "compile_commands.json").read_text())
               if entry["file"].endswith((".cc", ".cxx")) and not LEFT_OUT.search(entry["file"])}
    made_of = read_made_of(build)
    fingerprints = Fingerprints(build)
    memory = memory_folder()
    memory.mkdir(parents=True, exist_ok=True)

    def check(entry):
        """Whether it is clean, and what clang-tidy said."""
        files = made_of.get(re.search(r" -o (\S+)", entry["command"])[1])
        key = memory / key_of(entry, files, fingerprints, common) if files else None
        if key and key.exists():
            return True, ""
        done = subprocess.run([clang_tidy, "-p", build, *OPTIONS, entry["file"]], cwd=ROOT, capture_output=True, text=True)
        if key and done.returncode == 0:
            key.touch()
        return done.returncode == 0, done.stdout + done.stderr

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(check, (entries[file] for file in sorted(entries))))
    for is_clean, said in results:
        if not is_clean:
            print(said)
    print(f"{len(results)} files, {sum(not is_clean for is_clean, _ in results)} with complaints")
    return 0 if all(is_clean for is_clean, _ in results) else 1


if __name__ == "__main__":
    sys.exit(main())
