# SPDX-License-Identifier: BSD-3-Clause
"""Runs a student's solution for `sinew lab grade`: questions come in, answers go out, one JSON object a line.

Usage: lab_harness.py SOLUTION FUNCTION…    (questions on descriptor 4, answers on descriptor 3)

Built into the program sinew-lab, which starts it under limits. What the solution prints goes to stderr.
"""

import importlib.util
import json
import math
import os
import random
import sys
import traceback

MOST_ITEMS = 20000
MOST_TEXT = 200


def plain(value, depth=0):
    """What JSON can say of an answer: None, a number, a text, or lists of such; numbers that are not finite as a word."""
    if hasattr(value, "tolist"):  # numpy's arrays and numbers
        value = value.tolist()
    if value is None:
        return None
    if isinstance(value, str):
        return {"text": value[:MOST_TEXT]}
    if isinstance(value, (bool, int, float)):
        number = float(value)
        return number if math.isfinite(number) else {"number": str(number)}
    if isinstance(value, (list, tuple)) and depth < 4:
        if len(value) > MOST_ITEMS:
            raise ValueError(f"the answer has {len(value)} items; at most {MOST_ITEMS} are taken")
        return [plain(item, depth + 1) for item in value]
    raise TypeError(f"the answer is of type {type(value).__name__}; numbers and lists of numbers are taken")


def complaint(error, path):
    """What went wrong, and in which line of the solution."""
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == path]
    if isinstance(error, SyntaxError) and error.filename == path:
        lines = [error.lineno]
    where = f" (line {lines[-1]})" if lines else ""
    hint = ""
    if isinstance(error, (PermissionError, BlockingIOError)):
        hint = "; a solution may start no processes, open no sockets, write no files and read none but its own"
    if isinstance(error, RuntimeError) and "new thread" in str(error):
        hint = "; a solution may have 64 threads"
    text = str(error)[:MOST_TEXT]
    return f"{type(error).__name__}{': ' if text else ''}{text}{where}{hint}"


def load(path):
    sys.path.insert(0, os.path.dirname(path))
    random.seed(0)
    spec = importlib.util.spec_from_file_location("solution", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules["solution"] = module
    spec.loader.exec_module(module)
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(0)
    return module


def main():
    path, functions = sys.argv[1], sys.argv[2:]
    os.dup2(2, 1)
    questions, answers = os.fdopen(4, "rb"), os.fdopen(3, "wb")

    def say(words):
        answers.write(json.dumps(words).encode() + b"\n")
        answers.flush()

    try:
        module = load(path)
        missing = [name for name in functions if not callable(getattr(module, name, None))]
        say({"error": f"there is no function {missing[0]}()"} if missing else {"value": None})
    except BaseException as error:  # also SystemExit: the solution speaks through its answers only
        say({"error": complaint(error, path)})
        return
    for line in questions:
        question = json.loads(line)
        try:
            say({"value": plain(getattr(module, question["call"])(*question["with"]))})
        except BaseException as error:
            say({"error": f"{question['call']}() raised {complaint(error, path)}"})
            return


main()
