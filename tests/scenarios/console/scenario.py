#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The console, as a person types. Usage: scenario.py SINEW"""

import fcntl
import os
import pathlib
import pty
import re
import select
import signal
import subprocess
import sys
import tempfile
import termios
import time
import unittest

import live_robot

PROGRAM = ""


class Terminal:
    """The console on a terminal of its own."""

    def __init__(self, space, state_folder):
        self.main, other = pty.openpty()
        environment = dict(os.environ, XDG_STATE_HOME=state_folder, TERM="xterm")
        self.process = subprocess.Popen([PROGRAM, "console", "--space", space], stdin=other, stdout=other, stderr=other,
                                        env=environment, preexec_fn=self.take_terminal)
        os.close(other)
        self.seen = ""

    @staticmethod
    def take_terminal():
        """As a shell does it: a session of its own, whose terminal this is, so that Ctrl-C interrupts."""
        os.setsid()
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)

    def type(self, text):
        os.write(self.main, text.encode())

    def wait_for(self, text, timeout=60):
        """What was shown up to `text`, which is taken away."""
        deadline = time.monotonic() + timeout
        while text not in self.seen:
            assert time.monotonic() < deadline, f"{text!r} did not come; seen: {self.seen!r}"
            if select.select([self.main], [], [], 0.1)[0]:
                self.seen += os.read(self.main, 4096).decode(errors="replace")
        before, self.seen = self.seen.split(text, 1)
        return before


class Console(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.robot = live_robot.LiveRobot(PROGRAM)

    @classmethod
    def tearDownClass(cls):
        cls.robot.end()

    def setUp(self):
        if self.robot.read()["state"] != "running":
            self.robot.console("reset")
        self.robot.console("goto home", "--wait")

    def test_the_printed_forms_are_those_of_the_paper(self):
        self.assertEqual(self.robot.console("get WST"), "TorsoPan  State =  0.00000  rad\nTorsoPan  Ref   =  0.00000  rad\n")
        self.assertEqual(self.robot.console("get fk left"),
                         "6DOF FK - for  left  arm\n"
                         "pos:\tx =  0.41113 \ty =  0.58077 \tz =  -0.07098\n"
                         "rot:\tx =  1.39899 \ty =  -0.38662 \tz =  -1.40029\n")

    def test_goto_waits_for_the_end_of_the_motion(self):
        self.assertRegex(self.robot.console("goto RSP -0.123", "--wait"), r"^\.+done\n$")
        self.assertEqual(self.robot.joint("RSP")["actual"], -0.123)
        self.robot.console("goto REP -60deg NKY 10 deg", "--wait")
        self.assertAlmostEqual(self.robot.joint("REP")["actual"], -1.0471976, 6)
        self.assertAlmostEqual(self.robot.joint("NKY")["actual"], 0.1745329, 6)
        self.robot.console("goto filter NKY 0", "--wait")
        self.assertLess(abs(self.robot.joint("NKY")["actual"]), 0.011)

    def test_without_wait_the_robot_finishes_alone(self):
        self.assertEqual(self.robot.console("goto RSP -0.3"), "")
        deadline = time.monotonic() + 60
        while self.robot.joint("RSP")["actual"] != -0.3:
            self.assertLess(time.monotonic(), deadline)

    def test_cartesian_goals(self):
        self.robot.console("ik left 3 0.3 0.25 0.05", "--wait")
        numbers = [float(n) for n in re.findall(r"-?\d+\.\d+", self.robot.console("get fk left").split("rot")[0])]
        for have, want in zip(numbers, (0.3, 0.25, 0.05)):
            self.assertAlmostEqual(have, want, 3)
        self.assertIn("unreachable", self.robot.console("ik left 3 3 0 0", "--wait", status=1))
        self.assertIn("has no arm 'middle'; there are: left, right", self.robot.console("ik middle 3 0 0 0", status=2))
        self.assertIn("3 DOF take 3 numbers, not 2", self.robot.console("ik left 3 0.3 0.2", status=2))

    def test_what_needs_a_motion_service_says_so(self):
        for line in ("line by left 0 0 0.01", "jog left z 0.01"):
            self.assertIn("no motion service runs for 'mds'", self.robot.console(line, "--wait", status=1))

    def test_hands_that_would_meet_are_held_apart_and_named(self):
        # towards each other before the breast, one after the other
        self.robot.console("ik left 3 0.3 0.05 0.0", "--wait")
        text = self.robot.console("ik right 3 0.3 0.05 0.0", "--wait", status=1)
        self.assertRegex(text, r"(left|right)_\w+ (would|might) (come|touch).*(left|right)_\w+.* they must stay ")
        self.assertEqual(self.robot.read()["state"], "running")
        self.robot.console("goto home", "--wait")

    def test_a_stop_ends_the_motion_and_a_reset_lets_it_run(self):
        self.robot.console("goto RSP 0.9", "--wait")
        mover = subprocess.Popen([PROGRAM, "console", "-c", "goto RSP -1.9", "--wait", "--space", self.robot.space],
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        while self.robot.joint("RSP")["state"] != "moving":
            time.sleep(0.01)
        self.robot.console("stop")
        _, errors = mover.communicate(timeout=60)
        self.assertEqual(mover.returncode, 1)
        self.assertIn("stopped: console asked for it; 'reset' lets it run", errors)
        self.assertIn("the robot does not run: stopped", self.robot.console("goto RSP 0", status=1))
        self.robot.console("reset")
        self.assertRegex(self.robot.console("goto RSP 0", "--wait"), "done")

    def test_refusals_say_why(self):
        console = self.robot.console
        self.assertIn("has no joint 'LSQ' (did you mean 'LS", console("goto LSQ 0", status=2))
        self.assertIn("joint 'RightElbowFlex' cannot go to 90.0 deg: its limits are -146.3 deg to 3.1 deg; see",
                      console("goto REP 90deg", status=1))
        self.assertIn("is not in use", console("goto JAJ 0", status=1))
        self.assertIn("where to?", console("goto REP", status=2))
        self.assertIn("there is no command 'gote' (did you mean 'goto'?)", console("gote", status=2))
        self.assertIn("'nan' is no finite number", console("goto REP nan", status=2))
        self.assertIn("override takes over 0 to 600 s", console("override 1e9", status=2))
        self.assertIn("no motion service runs", console("world add {name: t, box: [1, 1, 1], at: [9, 0, 0]}", status=1))
        self.assertIn("the world is empty", console("world list"))
        self.assertIn("does not run in the space", self.robot.run("console", "--robot", "mdx", "-c", "status", status=1))
        nobody = subprocess.run([PROGRAM, "console", "-c", "status", "--space", self.robot.space + "-none"],
                                capture_output=True, text=True, timeout=60)
        self.assertEqual(nobody.returncode, 1)
        self.assertIn("start it with 'sinew start ROBOT --sim'", nobody.stderr)

    def test_the_end_of_a_motion_is_told_by_what_the_controller_says_of_its_own_goal(self):
        self.robot.console("ik left 3 0.3 0.05 0.0", "--wait")
        self.robot.console("ik right 3 0.3 0.05 0.0", "--wait", status=1)
        # the same goal again, held just before: with the guard off it is reached, and that is what is said
        self.robot.console("override 60")
        self.assertIn("done", self.robot.console("ik right 3 0.3 0.05 0.0", "--wait"))
        self.robot.console("override off")
        while self.robot.read()["is_overridden"]:
            time.sleep(0.01)
        # inside each other they are held, and it is said what leads out of that
        text = self.robot.console("goto home", "--wait", status=1)
        self.assertIn("held: ", text)
        self.assertIn("move away from there, a joint or a line at a time; where every way out is held, 'override SECONDS'", text)
        self.robot.console("override 60")
        self.assertIn("done", self.robot.console("goto home", "--wait"))
        self.robot.console("override off")

    def test_an_override_is_said_and_can_be_ended(self):
        self.robot.console("override 60")
        deadline = time.monotonic() + 60
        while "the guard is overridden by console" not in self.robot.read()["text"]:
            self.assertLess(time.monotonic(), deadline)
        self.robot.console("override off")
        while self.robot.read()["is_overridden"]:
            self.assertLess(time.monotonic(), deadline)

    def test_lines_from_a_file_end_at_the_first_refusal(self):
        done = self.robot.run("console", input="get WST\nget NKY\nexit\nget WST\n")
        self.assertEqual(done.count("State"), 2)
        self.assertIn("line 2: ", self.robot.run("console", input="get WST\ngoto REP 9\nget WST\n", status=1))

    def test_a_person_at_a_terminal(self):
        with tempfile.TemporaryDirectory() as folder:
            terminal = Terminal(self.robot.space, folder)
            terminal.wait_for(">> mds-ach-console$ ")
            terminal.type("get Tor\t\n")
            self.assertIn("soPan", terminal.wait_for("State =  0.00000  rad"), "what Tab has added")
            terminal.type("goto WST 0.05\n")
            terminal.wait_for("done")
            terminal.wait_for(">> mds-ach-console$ ")
            # Ctrl-C throws the line away, not the console
            terminal.type("goto WST 0.3\x03")
            terminal.type("get WST\n")
            terminal.wait_for("0.05000")
            terminal.type("exit\n")
            self.assertEqual(terminal.process.wait(timeout=60), 0)
            history = (pathlib.Path(folder) / "sinew/console_history").read_text()
            self.assertIn("goto", history)
            os.close(terminal.main)


class StoppedWhileItWaits(unittest.TestCase):
    """A console that waits for a motion hears a stop at once, however it comes."""

    GOAL = -1.9

    @classmethod
    def setUpClass(cls):
        cls.robot = live_robot.LiveRobot(PROGRAM, space=f"stopping-{os.getpid()}")

    @classmethod
    def tearDownClass(cls):
        cls.robot.end()

    def setUp(self):
        if self.robot.read()["state"] != "running":
            self.robot.console("reset")
        self.robot.console("goto RSP 0.9", "--wait")

    def start(self, *words):
        return subprocess.Popen([PROGRAM, "console", *words, "--space", self.robot.space], stdin=subprocess.PIPE,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def wait_until_it_moves(self):
        while self.robot.joint("RSP")["state"] != "moving":
            time.sleep(0.01)

    def check_stopped(self):
        told = self.robot.read()
        self.assertEqual(told["state"], "stopped", told["text"])
        self.assertGreater(self.robot.joint("RSP")["actual"], self.GOAL + 0.1, "it was read when all was over")

    def test_on_a_terminal_by_word_key_and_interruption(self):
        with tempfile.TemporaryDirectory() as folder:
            terminal = Terminal(self.robot.space, folder)
            for stop in ("stop\n", " ", "\x03"):
                terminal.wait_for(">> mds-ach-console$ ")
                terminal.type(f"goto RSP {self.GOAL}\n")
                self.wait_until_it_moves()
                terminal.type("get RSP\n")  # typed ahead: not before its turn, and then not any more
                terminal.type(stop)
                before = terminal.wait_for("stopped, as asked; 'reset' lets it run")
                self.assertNotIn("State =", before)
                self.check_stopped()
                terminal.wait_for(">> mds-ach-console$ ")
                terminal.type("reset\n")
                terminal.wait_for(">> mds-ach-console$ ")
                terminal.type("goto RSP 0.9\n")
                terminal.wait_for("done")
            terminal.wait_for(">> mds-ach-console$ ")
            terminal.type("goto RSP 0.8\nget NKY\nget W")
            terminal.wait_for("done")
            terminal.wait_for("HeadPan  State")
            terminal.type("ST\n")
            self.assertIn("TorsoPan", terminal.wait_for("State"), "what was begun goes on at the prompt")
            terminal.type("exit\n")
            self.assertEqual(terminal.process.wait(timeout=60), 0)
            os.close(terminal.main)

    def test_from_a_pipe_a_stop_does_not_wait_for_its_turn(self):
        console = self.start()
        console.stdin.write(f"goto RSP {self.GOAL}\nget RSP\n")
        console.stdin.flush()
        self.wait_until_it_moves()
        _, errors = console.communicate("stop\n", timeout=60)
        self.assertEqual(console.returncode, 1)
        self.assertIn("line 1: stopped, as asked; 'reset' lets it run", errors)
        self.check_stopped()

    def test_a_single_command_is_stopped_by_its_pipe_and_by_an_interruption(self):
        for stop in (lambda c: c.communicate("stop\n", timeout=60), lambda c: c.send_signal(signal.SIGINT)):
            self.setUp()
            console = self.start("-c", f"goto RSP {self.GOAL}", "--wait")
            self.wait_until_it_moves()
            stop(console)
            self.assertEqual(console.wait(timeout=60), 1)
            self.check_stopped()

    def test_a_single_command_takes_nothing_else_from_its_pipe(self):
        script = f'while read -r line; do "{PROGRAM}" console -c "$line" --wait --space {self.robot.space} || exit 1; done'
        done = subprocess.run(["bash", "-c", script], input="goto RSP 0.8\nget RSP\nget RSP\n", capture_output=True, text=True,
                              timeout=120, check=False)
        self.assertEqual((done.returncode, done.stdout.count("State")), (0, 2), done.stdout + done.stderr)


class OthersMotions(unittest.TestCase):
    """Who ends the motion of somebody else is asked first; who has control is obeyed."""

    @classmethod
    def setUpClass(cls):
        cls.robot = live_robot.LiveRobot(PROGRAM, space=f"others-{os.getpid()}")
        joints = [joint["alias"] for joint in cls.robot.read()["joints"]]
        cls.rsp = joints.index("RSP")
        cls.robot.run("channel", "mk", "mds/ref/painter", "--message", "JointReference")

    @classmethod
    def tearDownClass(cls):
        cls.robot.end()

    def setUp(self):
        self.robot.console("goto RSP 0.9", "--wait", "--force")

    def put(self, position):
        self.robot.run("channel", "put", "mds/ref/painter", f"joint_mask={1 << self.rsp}", f"position[{self.rsp}]={position}")
        while self.robot.joint("RSP")["state"] != "moving":
            time.sleep(0.01)

    def test_it_is_refused_where_nobody_can_be_asked_and_done_by_force(self):
        self.put(-1.9)
        for line in ("goto RSP 0", "zeroall", "home"):
            words = self.robot.console(line, "--wait", status=1)
            self.assertIn("this ends the motion of 'painter'; wait until it has ended, or say --force", words)
        self.assertEqual(self.robot.joint("RSP")["wanted"], -1.9)
        self.assertIn("done", self.robot.console("goto LSP -0.4", "--wait"), "another arm is not concerned")
        self.assertIn("ends the motion of 'painter'", self.robot.console("goto RSP 0", "--wait", "--force"))

    def test_a_person_is_asked(self):
        with tempfile.TemporaryDirectory() as folder:
            terminal = Terminal(self.robot.space, folder)
            for answer, words in (("n", "nothing was asked of the robot"), ("y", "done")):
                terminal.wait_for(">> mds-ach-console$ ")
                self.put(-1.9 if answer == "n" else 0.9)
                terminal.type("goto RSP -0.5\n")
                terminal.wait_for("this ends the motion of 'painter'; go on? [y/N] ")
                terminal.type(answer + "\n")
                terminal.wait_for(words)
            terminal.type("exit\n")
            terminal.process.wait(timeout=60)
            os.close(terminal.main)

    def test_whose_motion_was_ended_is_told_by_whom(self):
        mover = subprocess.Popen([PROGRAM, "console", "-c", "goto RSP -1.9", "--wait", "--space", self.robot.space],
                                 stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL, text=True)
        while self.robot.joint("RSP")["state"] != "moving":
            time.sleep(0.01)
        self.put(0.9)
        _, errors = mover.communicate(timeout=60)
        self.assertEqual(mover.returncode, 1)
        self.assertIn("not reached: 'painter' has commanded the joints since", errors)


class Steering(unittest.TestCase):
    """Lines and steps of the tool, with a motion service."""

    @classmethod
    def setUpClass(cls):
        cls.robot = live_robot.LiveRobot(PROGRAM, "scorbot-er3", f"steering-{os.getpid()}", with_motion=True)
        cls.robot.console("goto ready", "--wait")

    @classmethod
    def tearDownClass(cls):
        cls.robot.end()

    def pose(self):
        return [float(n) for n in re.findall(r"-?\d+\.\d+", self.robot.console("get fk arm"))]

    def test_a_line_is_straight_and_keeps_how_the_tool_is_turned(self):
        before = self.pose()
        self.assertRegex(self.robot.console("line by 0 0 -40mm at 50%", "--wait"), r"^\.+done\n$")
        after = self.pose()
        for have, want in zip(after, [before[0], before[1], before[2] - 0.04, *before[3:]]):
            self.assertAlmostEqual(have, want, delta=1e-3)
        self.robot.console(f"line {before[0]} {before[1]} {before[2]}", "--wait")
        self.assertIn("unreachable", self.robot.console("line 3 0 0", "--wait", status=1))
        self.assertIn("did you mean 'level'?", self.robot.console("line levl", status=2))

    def test_a_step_is_made_and_one_that_leads_nowhere_is_refused(self):
        before = self.robot.joint("elbow")["actual"]
        self.assertRegex(self.robot.console("jog elbow 5deg", "--wait"), r"^\.*done\n$")
        self.assertAlmostEqual(self.robot.joint("elbow")["actual"], before + 0.0872665, delta=1e-6)
        self.robot.console("jog elbow -5deg", "--wait")
        height = self.pose()[2]
        self.robot.console("jog tool x 10mm", "--wait")  # the hand points down
        self.assertAlmostEqual(self.pose()[2], height - 0.01, delta=1e-4)
        # twice: also a refusal like the one before is told
        for _ in range(2):
            self.assertIn("too wide: at most", self.robot.console("jog elbow 300deg", "--wait", status=1))
        self.assertIn("is no length", self.robot.console("jog z 5deg", status=2))


    def test_who_has_control_is_obeyed(self):
        self.robot.run("channel", "put", "scorbot-er3/request", "verb=TakeControl", "who=painter")
        deadline = time.monotonic() + 60
        while "'painter' has control" not in self.robot.console("motion"):
            self.assertLess(time.monotonic(), deadline)
        before = self.robot.joint("base")["actual"]
        for line in ("goto base 0.3", "zeroall", "home", "line by 0 0 -10mm", "jog base 1deg"):
            self.assertIn("'painter' has control of the robot, and you are 'console'",
                          self.robot.console(line, "--wait", "--force", status=1))
        self.assertEqual(self.robot.joint("base")["actual"], before)
        self.robot.console("take")
        self.assertIn("done", self.robot.console("goto base 0.05", "--wait"))
        self.robot.console("leave")


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main()
