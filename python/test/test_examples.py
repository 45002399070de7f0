# SPDX-License-Identifier: BSD-3-Clause
"""Runs the examples, and the one in python/README.md."""

import pathlib
import re
import subprocess
import sys
import unittest

from space_case import SpaceCase

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARIES = pathlib.Path.cwd() / "bin"
BOTH_JOINTS = r"message 1 of process \d+\njoint 1: 0.1 rad.*\njoint 2: -0.2 rad.*\n"


class ExampleTest(SpaceCase):
    """Each example in a space of its own."""

    def run_example(self, *command: object) -> str:
        words = [str(word) for word in command]
        if words[0].endswith(".py"):
            words = [sys.executable, "-B", *words]
        ended = subprocess.run([*words, self.space], capture_output=True, text=True)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        return ended.stdout

    def test_all_languages_put_and_read_the_same_joint_state(self):
        for example in (ROOT / "examples/01_joint_state.py", BINARIES / "02_joint_state",
                        BINARIES / "03_joint_state"):
            with self.subTest(example=example.name):
                self.assertRegex(self.run_example(example), BOTH_JOINTS)

    def test_asyncio_receives_the_last_position(self):
        self.assertTrue(self.run_example(ROOT / "examples/04_asyncio.py").endswith("position 0.2\n"))

    def test_robots_are_where_the_sums_say_in_all_languages(self):
        told = self.run_example(ROOT / "examples/05_robot.py")
        self.assertIn("position [-0.4921, -0.1334, 0.4878]", told)
        self.assertIn("cannot be put there: out of reach", told)
        self.assertTrue(told.endswith("solved   10 of 10\n"), told)
        ended = subprocess.run([BINARIES / "06_robot"], capture_output=True, text=True)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertRegex(ended.stdout, r"ur5e: 6 joints, .*\nposition -0.4921 -0.1334 0.4878\nways 8, joints( -?\d+\.\d{3}){6}\n")

    def test_no_example_is_longer_than_a_screen(self):
        for example in (ROOT / "examples").glob("[0-9]*"):
            self.assertLessEqual(len(example.read_text(encoding="utf-8").splitlines()), 60, example.name)

    def test_the_example_in_the_readme_works(self):
        text = (ROOT / "python/README.md").read_text(encoding="utf-8")
        program = re.search(r"```python\n(.*?)```", text, re.DOTALL)[1]
        program = program.replace('"default"', repr(self.space))
        ended = subprocess.run([sys.executable, "-B", "-c", program], capture_output=True, text=True)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertEqual(ended.stdout, "1 [0.1, -0.2]\n0.0\n")

    def test_a_missing_library_is_said_in_words(self):
        program = ("import pathlib, sinew, sinew.library as l\nl._PACKAGE = pathlib.Path('/nowhere/at/all')\n"
                   "try:\n    sinew.remove('x')\nexcept sinew.ChannelError as e:\n    print(e)")
        ended = subprocess.run([sys.executable, "-B", "-c", program], capture_output=True, text=True,
                               env={"PYTHONPATH": str(ROOT / "python")})
        self.assertIn("run ./sinew once to build it", ended.stdout)


if __name__ == "__main__":
    unittest.main()
