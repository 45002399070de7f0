#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Planned motions are carried out as they were planned, or end smoothly. Usage: scenario.py BIN LIB [DEVICE]"""

import os
import pathlib
import random
import signal
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from running_robot import ROOT, RobotCase, main  # noqa: E402

JOINT = 4  # the left elbow
LIMITS = (1.57, 1.39627, 13.9627)  # of it, as in robots/mds: velocity, acceleration, jerk
SEGMENT_SIZE = 3120  # [bytes]
SECOND = 10**9
PERIOD = 10**6

# a sender that goes on for as long as it lives: swings in pieces of 0.1 s, each sent a second ahead
SWINGER = """
import math, sys, time, sinew
robot, joint, space = sys.argv[1], int(sys.argv[2]), sys.argv[3]
now = sinew.Channel(robot + "/processed", space).newest().message
segments = sinew.Channel(robot + "/segments", space)
here, begin, w, size = now.position[joint], now.stamp_ns + 1_000_000_000, 2.0, 0.15

def state(t):  # a swing that grows from rest, and its derivatives by differences
    f = lambda t: size * (1 - math.cos(w * t)) * t * t / (1 + t * t)
    h = 1e-3
    return f(t), (f(t + h) - f(t - h)) / (2 * h), (f(t + h) - 2 * f(t) + f(t - h)) / h**2

def quintic(a, b, t):
    (p0, v0, a0), (p1, v1, a1) = a, b
    d, v0, v1, a0, a1 = p1 - p0, v0 * t, v1 * t, a0 * t * t, a1 * t * t
    return (p0, v0 / t, a0 / 2 / t**2, (10 * d - 6 * v0 - 4 * v1 - 1.5 * a0 + 0.5 * a1) / t**3,
            (-15 * d + 8 * v0 + 7 * v1 + 1.5 * a0 - a1) / t**4, (6 * d - 3 * (v0 + v1) + 0.5 * (a1 - a0)) / t**5)

for k in range(10000):
    a, b = ((0.0, 0.0, 0.0) if k == 0 else state(0.1 * k)), state(0.1 * (k + 1))
    c = list(quintic(a, b, 0.1))
    c[0] += here
    segments.put(start_ns=begin + k * 100_000_000, duration_ns=100_000_000, joint_mask=1 << joint, motion=77,
                 **{f"c{i}": [0.0] * joint + [value] for i, value in enumerate(c)})
    while time.monotonic_ns() < begin + (k - 10) * 100_000_000:
        time.sleep(0.01)
"""


def quintic(start, end, t):
    """The six coefficients from (position, velocity, acceleration) to another such in t seconds."""
    (p0, v0, a0), (p1, v1, a1) = start, end
    d, v0, v1, a0, a1 = p1 - p0, v0 * t, v1 * t, a0 * t * t, a1 * t * t
    return (p0, v0 / t, a0 / 2 / t**2,
            (10 * d - 6 * v0 - 4 * v1 - 1.5 * a0 + 0.5 * a1) / t**3,
            (-15 * d + 8 * v0 + 7 * v1 + 1.5 * a0 - a1) / t**4,
            (6 * d - 3 * (v0 + v1) + 0.5 * (a1 - a0)) / t**5)


def value(coefficients, t):
    result = 0.0
    for c in reversed(coefficients):
        result = result * t + c
    return result


class PlannedMotions(RobotCase):
    def setUp(self):
        super().setUp()
        self.processed = self.robot.channel("processed", start="now")
        self.segments = self.robot.channel("segments")

    def put(self, start_ns, seconds, coefficients, motion, is_last=0):
        columns = {f"c{k}": [0.0] * JOINT + [c] for k, c in enumerate(coefficients)}
        self.segments.put(start_ns=start_ns, duration_ns=round(seconds * SECOND), joint_mask=1 << JOINT,
                          motion=motion, is_last=is_last, **columns)

    def record_until(self, is_over, seconds=60.0):
        """All commands until `is_over` says so: stamp, position of the elbow, number of the cycle."""
        commands, deadline, over_ns = [], time.monotonic() + seconds, None
        while time.monotonic() < deadline:
            command = self.processed.next(timeout=10).message
            commands.append((command.stamp_ns, command.position[JOINT], command.cycle))
            # this reader may be behind what it judges by: then it reads on until it is not
            if over_ns is not None and command.stamp_ns >= over_ns:
                return commands
            if over_ns is None and len(commands) % 20 == 0:
                safety = self.robot.safety.newest().message
                over_ns = safety.stamp_ns if is_over(safety, command) else None
        raise AssertionError(f"it did not come true: {self.robot.safety.newest().message}")

    def assert_smooth(self, commands):
        """No limit is passed, by the differences from cycle to cycle: what a device sees."""
        for i in range(3, len(commands)):
            if commands[i][2] - commands[i - 3][2] != 3:
                continue  # this reader has missed some
            p = [position for _, position, _ in commands[i - 3:i + 1]]
            for limit in LIMITS:
                p = [1e3 * (b - a) for a, b in zip(p, p[1:])]
                # where two pieces join, three hundredths of the jerk may be added; and positions are rounded
                self.assertLessEqual(max(map(abs, p)), 1.03 * limit + 1e-3)

    def test_the_example_moves_a_joint_there_and_back(self):
        before = self.processed.next(timeout=10).message.position[JOINT]
        env = {**os.environ, "PYTHONPATH": str(ROOT / "python")}
        done = subprocess.Popen([sys.executable, "-B", ROOT / "examples/11_segments.py", "mds", str(JOINT + 1),
                                 self.robot.space], stdout=subprocess.PIPE, text=True, env=env)
        commands = self.record_until(lambda safety, _: safety.ended_motion == 1)
        self.assertEqual(done.communicate(timeout=30)[0], "motion 1: Done\n")
        positions = [position for _, position, _ in commands]
        self.assertAlmostEqual(max(positions), before + 0.1, delta=0.005)
        self.assertAlmostEqual(positions[-1], before, delta=1e-9)
        self.assert_smooth(commands)

    def test_a_motion_comes_out_as_it_was_planned_amid_a_flood_of_nonsense(self):
        for motion in (10, 20, 30):
            here, begin_ns, plan = self.send_amid_a_flood(motion)
            commands = self.record_until(lambda safety, _: safety.ended_motion == motion)
            if self.robot.safety.newest().message.motion_end != "Stopped":
                break
            self.reset()  # the machine stood still for longer than the device's watchdog allows
        self.assertEqual(self.robot.safety.newest().message.motion_end, "Done")
        # when the system skips cycles the motion runs late by whole periods: it goes by the cycles that there were
        moved = [command for command in commands if abs(command[1] - here) > 1e-6]
        first_ns, first, first_cycle = moved[0]
        times = [first_ns - begin_ns - k * PERIOD for k in range((first_ns - begin_ns) // PERIOD + 1)]
        begun_ns = min(times, key=lambda time_ns: abs(value(plan, time_ns / SECOND) - first))
        for _, position, cycle in moved:
            t = min(2.0, (begun_ns + (cycle - first_cycle) * PERIOD) / SECOND)
            self.assertAlmostEqual(position, value(plan, t), delta=1e-9)
        self.assertAlmostEqual(commands[-1][1], here + 0.3, delta=1e-12)
        health = self.robot.channel("health")
        self.assertGreater(health.next(timeout=10).message.refusals, 100)

    def send_amid_a_flood(self, motion):
        """One motion that is sound, and thousands of pieces that are not; where, when and what it is."""
        self.processed.skip()
        now = self.processed.next(timeout=10).message
        here, begin_ns = now.position[JOINT], now.stamp_ns + SECOND // 2
        plan = quintic((here, 0.0, 0.0), (here + 0.3, 0.0, 0.0), 2.0)
        self.put(begin_ns, 2.0, plan, motion=motion, is_last=1)
        junk = random.Random(3)
        for k in range(3000):
            self.segments.put(junk.randbytes(SEGMENT_SIZE))  # anything, NaN among it
            self.put(begin_ns + k, 2.0, [junk.uniform(-3, 3) for _ in range(6)], motion=motion - 4 + k % 9)
        return here, begin_ns, plan

    def reset(self):
        command = self.robot.channel("command")
        deadline = time.monotonic() + 30.0
        while self.robot.safety.newest().message.state != "Running" and time.monotonic() < deadline:
            command.put(stamp_ns=time.monotonic_ns(), verb="Reset", who="scenario")
            time.sleep(0.5)

    def test_a_sender_killed_in_the_middle_of_a_motion_leaves_a_smooth_stop(self):
        env = {**os.environ, "PYTHONPATH": str(ROOT / "python")}
        sender = subprocess.Popen([sys.executable, "-B", "-c", SWINGER, "mds", str(JOINT), self.robot.space], env=env)
        self.addCleanup(sender.kill)
        self.record_until(lambda safety, _: safety.motion == 77)
        time.sleep(1.0)
        sender.send_signal(signal.SIGKILL)
        sender.wait()
        commands = self.record_until(lambda safety, _: safety.reason == "WriterDead")
        commands += self.record_until(lambda _, command: command.velocity[JOINT] == 0.0)
        self.assert_smooth(commands)
        safety = self.robot.safety.newest().message
        self.assertEqual((safety.state, safety.ended_motion, safety.motion_end), ("Running", 77, "Orphaned"))
        # and it does as it is told again
        reply = self.robot.carry_out(verb="MoveJoints", joint_mask=1 << JOINT,
                                     joints=[0.0] * JOINT + [commands[-1][1] - 0.05])
        self.assertEqual(reply.status, "Done", reply)


if __name__ == "__main__":
    main()
