#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The reader, the demo and the doctor, as a person types them. Usage: scenario.py SINEW"""

import fcntl
import json
import os
import pathlib
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "console"))
import live_robot  # noqa: E402

PROGRAM = ""
CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class Terminal:
    """A program on a terminal of 80 columns and 24 rows."""

    def __init__(self, *words):
        self.main, self.other = pty.openpty()
        fcntl.ioctl(self.other, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.before = termios.tcgetattr(self.other)
        self.process = subprocess.Popen([PROGRAM, *words], stdin=self.other, stdout=self.other, stderr=self.other)
        self.seen = ""

    def wait_for(self, text, timeout=60):
        deadline = time.monotonic() + timeout
        while text not in self.seen:
            assert time.monotonic() < deadline, f"{text!r} did not come; seen: {self.seen!r}"
            if select.select([self.main], [], [], 0.1)[0]:
                self.seen += os.read(self.main, 65536).decode(errors="replace")

    def ends(self):
        """Its exit status; what it still says is read."""
        deadline = time.monotonic() + 60
        while self.process.poll() is None and time.monotonic() < deadline:
            if select.select([self.main], [], [], 0.05)[0]:
                self.seen += os.read(self.main, 65536).decode(errors="replace")
        while select.select([self.main], [], [], 0.1)[0]:
            self.seen += os.read(self.main, 65536).decode(errors="replace")
        return self.process.returncode

    def is_given_back(self):
        return termios.tcgetattr(self.other) == self.before and self.seen.rstrip().endswith("\x1b[?25h\x1b[?1049l")


class Read(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.robot = live_robot.LiveRobot(PROGRAM, space=f"read-{os.getpid()}")

    @classmethod
    def tearDownClass(cls):
        cls.robot.end()

    def test_json_for_programs(self):
        seen = self.robot.read()
        self.assertEqual((seen["robot"], seen["state"], len(seen["joints"])), ("mds", "running", 43))
        self.assertEqual(sum(j["enabled"] for j in seen["joints"]), 17)
        elbow = self.robot.joint("REP")
        self.assertEqual((elbow["name"], elbow["address"], elbow["actual"], elbow["unit"]), ("RightElbowFlex", "0x48", -1.25, "rad"))
        self.assertEqual((elbow["wanted"], elbow["state"]), (-1.25, "at rest"))
        lines = self.robot.run("read", "--json", "--seconds", "0.5").splitlines()
        self.assertGreater(len(lines), 1)
        self.assertGreater(json.loads(lines[-1])["cycle"], json.loads(lines[0])["cycle"])

    def test_text_where_there_is_no_terminal(self):
        text = self.robot.run("read", "--once")
        self.assertEqual(len([line for line in text.splitlines() if "0x" in line]), 17)
        self.assertIn("RightElbowFlex", text)
        self.assertNotIn("\x1b", text)
        self.assertEqual(len([line for line in self.robot.run("read", "--once", "--all").splitlines() if "0x" in line]), 43)

    def test_eighty_columns_are_enough_and_q_gives_the_terminal_back(self):
        terminal = Terminal("read", "--space", self.robot.space)
        terminal.wait_for("LeftShoulderExt")
        os.write(terminal.main, b"a\x1b[B\x1b[6~q")
        self.assertEqual(terminal.ends(), 0)
        self.assertTrue(terminal.is_given_back(), terminal.seen[-200:])
        # where the cursor is sent, a line begins
        for line in CONTROL.sub("", re.sub(r"\x1b\[[0-9;]*H", "\r\n", terminal.seen)).split("\r\n"):
            self.assertLess(len(line.rstrip("\r")), 80, line)

    def test_signals_give_the_terminal_back_too(self):
        for how in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            terminal = Terminal("read", "--space", self.robot.space)
            terminal.wait_for("running")
            terminal.process.send_signal(how)
            self.assertEqual(terminal.ends(), 0)
            self.assertTrue(terminal.is_given_back(), terminal.seen[-200:])

    def test_a_controller_that_ends_is_told(self):
        other = live_robot.LiveRobot(PROGRAM, robot="scorbot-er3", space=f"read-other-{os.getpid()}")
        terminal = Terminal("read", "--space", other.space)
        terminal.wait_for("running")
        other.process.kill()
        other.process.wait()
        self.assertEqual(terminal.ends(), 1)
        self.assertIn("the controller of 'scorbot-er3' has ended", terminal.seen)
        other.end()


class DemoAndDoctor(unittest.TestCase):
    def test_the_demo_moves_a_robot_and_leaves_nothing_behind(self):
        before = set(os.listdir("/dev/shm"))
        done = subprocess.run([PROGRAM, "demo", "--wave", "--seconds", "3"], capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("moving", done.stdout)
        self.assertRegex(done.stdout, r"mds made \d+ gestures")
        mine = [name for name in set(os.listdir("/dev/shm")) - before if name.startswith("sinew-demo-")]
        self.assertEqual([name for name in mine if not pathlib.Path(f"/proc/{name.rsplit('-', 1)[1]}").exists()], [])

    def test_the_demo_waves_once_and_ends_by_itself(self):
        with tempfile.TemporaryDirectory() as folder:
            space = f"demo-once-{os.getpid()}"
            done = subprocess.run([PROGRAM, "demo", "--wave", "--headless", "--once", "--space", space],
                                  capture_output=True, text=True, timeout=400, cwd=folder, env={**os.environ, "XDG_STATE_HOME": folder})
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertRegex(done.stdout, r"mds made [5-9] gestures")
            self.assertFalse(pathlib.Path(f"/dev/shm/sinew-{space}").exists())
            # it moved in physics, and nothing of it was at fault
            self.assertEqual(os.listdir(folder), [])

    def test_the_demo_moves_the_tower_once_and_leaves_nothing_behind(self):
        space = f"demo-hanoi-{os.getpid()}"
        done = subprocess.run([PROGRAM, "demo", "--headless", "--once", "--space", space], capture_output=True,
                              text=True, timeout=500)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("3 discs stand on peg 3.", done.stdout)
        self.assertRegex(done.stdout, r"\n +\| +\| +====== *\n")
        self.assertFalse(pathlib.Path(f"/dev/shm/sinew-{space}").exists())

    def test_the_demo_does_not_pretend_to_emulate(self):
        done = subprocess.run([PROGRAM, "demo", "--emulate"], capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 1)
        self.assertIn("comes with a later version", done.stderr)

    def test_the_demo_ends_in_order_when_asked(self):
        demo = subprocess.Popen([PROGRAM, "demo", "--seconds", "60"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.assertIn("in another terminal", demo.stderr.readline())
        demo.send_signal(signal.SIGINT)
        demo.communicate(timeout=60)
        self.assertEqual(demo.returncode, 0)
        self.assertFalse(pathlib.Path(f"/dev/shm/sinew-demo-{demo.pid}").exists())

    def test_the_doctor_measures_and_names_remedies(self):
        done = subprocess.run([PROGRAM, "doctor", "--seconds", "0.5", "--json"], capture_output=True, text=True, timeout=60)
        found = json.loads(done.stdout)
        self.assertEqual(done.returncode, 0 if found["is_fit"] else 1)
        wake = found["wake_up"]
        self.assertLessEqual(wake["p50_ns"], wake["p99_ns"])
        self.assertLessEqual(wake["p99_ns"], wake["p99_9_ns"])
        self.assertGreater(wake["count"], 0)
        names = [finding["name"] for finding in found["findings"]]
        for name in ("real-time priority", "locked memory", "kernel", "clock source", "cores", "/dev/shm"):
            self.assertIn(name, names)
        self.assertEqual(found["is_fit"], all(finding["is_fit"] for finding in found["findings"]))
        for finding in found["findings"]:
            self.assertTrue(finding["is_fit"] or finding["remedy"], finding)


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main()
