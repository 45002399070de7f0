#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Walks over all benchmarks: what their help says, what they exit with, and which files they name.

usage: all_benches.py SINEW
"""
import os
import re
import subprocess
import sys

MISSING = "/no-such-folder/file"
# values that need no default: what they name is chosen, or not used at all
WITHOUT_DEFAULT = {"FILE", "NAME", "LINK", "KIND"}

failures = []


def run(*words):
    done = subprocess.run(words, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    return done.returncode, done.stdout, done.stderr


def expect(is_so, what):
    if not is_so:
        failures.append(what)


def options_of(text):
    """Name, value name and help of each option."""
    joined = re.sub(r"\n {20,}", " ", text)
    return re.findall(r"^  (?:-\w, )?(--[\w-]+)(?: ([A-Z]\w*))? +(.*)$", joined, re.M)


def check_usage(words):
    name = " ".join(words[1:]) or words[0]
    status, _, complaint = run(*words, "--no-such-option")
    expect(status == 2 and "--no-such-option" in complaint, f"{name} --no-such-option: {status}, {complaint}")
    status, _, complaint = run(*words, "too-many-words")
    expect(status == 2 and "too-many-words" in complaint, f"{name} too-many-words: {status}, {complaint}")


def check_files(words, name, options):
    """A file that cannot be read or written ends it with its path."""
    source = ["--robot", "ur5e"] if "--robot" in options and "--urdf" in options else []
    for option, value in options.items():
        if value != "FILE":
            continue
        given = [] if option == "--urdf" else list(source)
        if name == "bench plan" and option != "--problems":
            given += ["--generate", "table", "--count", "1"]
        if name == "bench ik" and option == "--csv":
            given += ["--count", "100", "--no-kdl"]
        if name == "bench ik" and option == "--urdf":
            given += ["--tip", "tool0"]
        status, _, complaint = run(*words, *given, option, MISSING)
        expect(status in (1, 2) and MISSING in complaint, f"{name} {option} {MISSING}: {status}, {complaint}")


def check_help(words, name):
    status, text, complaint = run(*words, "--help")
    expect(status == 0 and not complaint, f"{name} --help: {status}, {complaint}")
    options = {}
    for option, value, words_of_help in options_of(text):
        options[option] = value
        is_told = not value or value in WITHOUT_DEFAULT or "(default: " in words_of_help
        expect(is_told, f"{name} --help: no default for {option} {value}")
    return options


def main():
    sinew = sys.argv[1]
    status, listing, _ = run(sinew, "bench", "--help")
    names = re.findall(r"^  bench (\S+)", listing, re.M)
    expect(status == 0 and len(names) >= 10, f"bench --help: {status}, {names}")
    for name in names:
        words = [sinew, "bench", name]
        options = check_help(words, f"bench {name}")
        check_usage(words)
        check_files(words, f"bench {name}", options)
        program = f"{sinew}-bench-{name}"
        if not os.path.exists(program):
            continue
        status, text, _ = run(program, "--help")
        expect(status == 0 and "--json" in text, f"{program} --help: {status}")
        check_usage([program])
    for failure in failures:
        print(failure)
    print(f"{len(names)} benchmarks, {len(failures)} failures")
    return 1 if failures else 0


sys.exit(main())
