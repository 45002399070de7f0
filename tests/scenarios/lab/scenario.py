#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The laboratory, as a teacher types it. Usage: scenario.py SINEW"""

import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree

PROGRAM = ""
ROOT = pathlib.Path(__file__).resolve().parents[3]
RIGHT = ROOT / "tests/labs/03/reference.py"


class Laboratory(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="sinew lab "))

    def tearDown(self):
        shutil.rmtree(self.folder, ignore_errors=True)

    def sinew(self, *words, status=0):
        """What is printed on stdout, or on stderr when it should be refused."""
        done = subprocess.run([PROGRAM, *words], capture_output=True, text=True, timeout=300, cwd=self.folder)
        self.assertEqual(done.returncode, status, f"{words}\n{done.stdout}\n{done.stderr}")
        return done.stdout if status == 0 or done.stdout else done.stderr

    def write(self, text):
        path = self.folder / "my solution.py"
        path.write_text(text, encoding="utf-8")
        return str(path)

    def test_a_right_solution_passes_and_leaves_report_and_picture(self):
        out = self.sinew("lab", "grade", "labs/03", str(RIGHT))
        self.assertIn("PASSED, 100 of 100 points", out)
        xml.etree.ElementTree.parse(self.folder / "lab-results/03_inverse_kinematics.svg")
        report = json.loads((self.folder / "lab-results/03_inverse_kinematics.json").read_text(encoding="utf-8"))
        self.assertEqual(list(report)[:4], ["passed", "score", "measures", "reason"])
        self.assertEqual((report["passed"], report["score"], report["measures"]["targets"]), (True, 100.0, 70.0))

    def test_a_wrong_solution_exits_with_one_and_says_why(self):
        path = self.write(RIGHT.read_text(encoding="utf-8").replace("return q", "return [q[0], -q[1], q[2], q[3], q[4]]"))
        report = json.loads(self.sinew("lab", "grade", "3", path, "--json", "--picture", "png", status=1))
        self.assertFalse(report["passed"])
        self.assertIn("the sign of 'shoulder' is wrong", report["reason"])
        self.assertEqual((self.folder / report["picture"]).read_bytes()[:4], b"\x89PNG")

    def test_the_same_seed_prints_the_same_and_another_asks_other_things(self):
        grade = lambda seed: self.sinew("lab", "grade", "03", str(RIGHT), "--json", "--seed", seed)
        self.assertEqual(grade("7"), grade("7"))
        self.assertNotEqual(json.loads(grade("7"))["measures"], json.loads(grade("8"))["measures"])

    def test_what_cannot_be_is_refused(self):
        self.assertIn("there is no lab '33'", self.sinew("lab", "grade", "33", str(RIGHT), status=1))
        self.assertIn("there is no file nothing.py", self.sinew("lab", "grade", "03", "nothing.py", status=1))
        self.assertIn("ends in .py", self.sinew("lab", "grade", "03", str(ROOT / "README.md"), status=2))
        self.assertIn("--picture is svg or png", self.sinew("lab", "grade", "03", str(RIGHT), "--picture", "gif", status=2))
        self.sinew("lab", "grade", "03", str(RIGHT), "--seed", "-1", status=2)
        (self.folder / "file").write_text("", encoding="utf-8")
        self.assertIn("cannot make", self.sinew("lab", "grade", "03", str(RIGHT), "--out", "file/x", status=1))
        self.assertIn("nothing to draw", self.sinew("lab", "plot", self.empty_recording(), status=1))

    def empty_recording(self):
        space = f"lab-{os.getpid()}"
        self.sinew("record", "-o", "empty.mcap", "--seconds", "0.05", "--space", space)
        shutil.rmtree(f"/dev/shm/sinew-{space}", ignore_errors=True)
        return "empty.mcap"

    def test_files_that_are_no_programs_get_a_word(self):
        for text in ("\0\0\0", "def ik(x, y, z, pitch, roll):\n\treturn 1\n        return 2", "# \u00e4 " + "x" * 100000):
            report = json.loads(self.sinew("lab", "grade", "03", self.write(text), "--json", status=1))
            self.assertEqual((report["passed"], report["score"]), (False, 0.0))
            self.assertIn("my solution.py", report["reason"])

    def test_a_solution_dies_with_its_grader(self):
        path = self.write("def ik(*t):\n  while True: pass")
        grader = subprocess.Popen([PROGRAM, "lab", "grade", "03", path], cwd=self.folder, stdout=subprocess.DEVNULL)
        while not (solution := self.python_child_of(grader.pid)):
            time.sleep(0.01)
        grader.send_signal(signal.SIGKILL)
        grader.wait()
        stat = solution / "stat"
        while stat.exists() and ") Z" not in stat.read_text(encoding="utf-8"):
            time.sleep(0.01)

    @staticmethod
    def python_child_of(parent):
        """The folder in /proc of the process in which the solution runs, once it is there."""
        for process in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                fields = (process / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()
                if int(fields[1]) == parent and b"python3" in (process / "cmdline").read_bytes():
                    return process
            except OSError:  # gone meanwhile
                continue
        return None

    def test_every_lab_of_the_list_has_its_folder_and_every_folder_is_in_the_list(self):
        names = {lab["name"] for lab in json.loads(self.sinew("lab", "list", "--json"))}
        self.assertEqual(names, {path.name for path in (ROOT / "labs").iterdir() if path.is_dir()})
        for name in names:
            self.assertTrue((ROOT / "labs" / name / "README.md").is_file())

    def test_readmes_fit_on_a_screen(self):
        for path in (ROOT / "labs").rglob("README.md"):
            lines = path.read_text(encoding="utf-8").splitlines()
            self.assertLess(len(lines), 50, path)
            self.assertLess(max(map(len, lines)), 160, path)

    def test_a_workspace_is_drawn_as_the_name_says(self):
        self.sinew("lab", "plot", "workspace", "-o", "reach.svg")
        tree = xml.etree.ElementTree.parse(self.folder / "reach.svg")
        self.assertGreater(len(tree.getroot()), 500)
        self.sinew("lab", "plot", "workspace", "--robot", "mds", "--arm", "left", "-o", "reach.png")
        self.assertIn("it has: left, right", self.sinew("lab", "plot", "workspace", "--robot", "mds", "--arm", "tail", status=1))
        self.assertIn("neither in .svg nor in .png", self.sinew("lab", "plot", "workspace", "-o", "reach.gif", status=2))

    def test_the_commands_of_the_texts_are_commands(self):
        for path in (ROOT / "labs").rglob("README.md"):
            for line in re.findall(r"^\./sinew (.*)$", path.read_text(encoding="utf-8"), re.MULTILINE):
                words = line.split()
                if "my_" not in line:
                    self.sinew(*words)


if __name__ == "__main__":
    PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
