#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Something is taken from a robot that moves. Usage: scenario.py BIN LIB"""

import json
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from braking_judge import NOTICED, DeviceLog, Verdict, kill, limits_of, stands, wait_until  # noqa: E402
from running_robot import ABORTED, DONE, MOVE_JOINTS, ROOT, StartedRobot, programs  # noqa: E402

BIN, _ = programs()
LIFT = 1  # the joint that is moved
AWAY, BACK = -2.5, -1.2  # [rad] two postures of it, far apart
HAND = 0.1  # [s] from a hand's Ctrl-C to what the program that it ends has asked for

PROGRAM = """
MOVEJ 0 -143 90 -90 -90 0 (mm,deg,s)
MOVEJ 0 -69 90 -90 -90 0 (mm,deg,s)
"""


class SomethingIsTakenAway(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.robot = StartedRobot(BIN, "ur5e")
        cls.addClassCleanup(cls.robot.close)
        cls.limits = limits_of(json.loads(cls.robot.run_sinew("model", "ur5e", "--json")))

    def sinew(self, *words: str) -> str:
        return subprocess.run([BIN / "sinew", *words, "--space", self.robot.space],
                              capture_output=True, text=True, check=False, cwd=ROOT).stdout

    def pids(self) -> "dict[str, int]":
        status = json.loads(self.sinew("status", "--json"))
        return {process["role"]: int(process["pid"]) for process in status["robots"][0]["processes"]}

    def lift_to(self, angle: float, **fields: object) -> int:
        return self.robot.ask(verb=MOVE_JOINTS, joint_mask=1 << LIFT, joints=[0.0] * LIFT + [angle], **fields)

    def be_at(self, angle: float) -> None:
        def is_there() -> bool:
            if json.loads(self.sinew("read", "--once", "--json"))["state"] != "running":
                self.sinew("console", "-c", "reset")
                return False
            self.robot.open_channels()
            return self.robot.answer_to(self.lift_to(angle)).status == DONE
        wait_until(f"the joint is at {angle}", is_there)

    def now(self) -> "tuple[int, list]":
        """The device's time, and how fast each joint is sent."""
        speeds = list(self.robot.channel("processed").newest().velocity)
        return self.robot.channel("device/state").newest().message.stamp_ns, speeds

    def wait_for_speed(self) -> None:
        processed = self.robot.channel("processed")
        wait_until("it moves fast", lambda: abs(processed.newest().velocity[LIFT]) > 0.6 * self.limits[LIFT]["velocity"])

    def wait_for_rest(self) -> None:
        def rests() -> bool:
            states = self.robot.channel("device/state")
            before = list(states.newest().position)
            time.sleep(0.3)
            return max(abs(a - b) for a, b in zip(before, states.newest().position)) < 1e-4
        wait_until("the joints rest", rests)

    def judge(self, states: list, since_ns: int, speeds: list, reaction: float) -> None:
        verdict = Verdict(states, since_ns, speeds, self.limits, reaction)
        print(f"{self._testMethodName}: {verdict.way:.3f} rad of {verdict.bound:.3f}", file=sys.stderr)
        self.assertGreater(verdict.states, 50)
        self.assertLessEqual(verdict.way, verdict.bound)

    def test_a_motion_service_that_dies_in_a_planned_move(self):
        self.be_at(BACK)
        log = DeviceLog(self.robot)
        before = self.pids()
        told = self.robot.channel("safety", start="now")
        asked = self.lift_to(AWAY)
        self.wait_for_speed()
        kill(before["motion"])
        since_ns, speeds = self.now()
        reasons = set()
        def has_told() -> bool:
            while told.wait(0.0):
                message = told.next().message
                reasons.add((message.reason, message.motion_end, message.who))
            return ("WriterDead", "Orphaned", "motion") in reasons
        wait_until("the controller says why it braked", has_told)
        wait_until("the motion service is back", lambda: self.pids()["motion"] not in (0, before["motion"]))
        self.wait_for_rest()
        self.judge(log.close(), since_ns, speeds, NOTICED)
        self.assertEqual(self.robot.answer_to(asked).status, ABORTED)
        # there is nothing to be reset
        self.assertEqual(self.robot.answer_to(self.lift_to(BACK)).status, DONE)

    def test_a_key_that_is_held_on_while_the_motion_service_is_brought_back(self):
        self.be_at(BACK)
        before = self.pids()
        is_over, velocity = threading.Event(), [0.0] * 64
        velocity[LIFT] = -0.8

        def hold() -> None:
            jog, state = self.robot.channel("jog"), self.robot.channel("state")
            while not is_over.is_set():
                jog.put(stamp_ns=state.newest().stamp_ns, lease_ns=150_000_000, frame="Joints", joint_mask=1 << LIFT,
                        joint_velocity=velocity, speed=1.0, who="hand")
                time.sleep(0.02)
            jog.close()

        hand = threading.Thread(target=hold, daemon=True)
        hand.start()
        processed = self.robot.channel("processed")
        wait_until("it moves", lambda: abs(processed.newest().velocity[LIFT]) > 0.5)
        log = DeviceLog(self.robot)
        kill(before["motion"])
        since_ns, speeds = self.now()
        wait_until("the motion service is back", lambda: self.pids()["motion"] not in (0, before["motion"]))
        jogging = self.robot.channel("jogging")
        wait_until("the old press is refused", lambda: jogging.newest().reason == "OldPress")
        time.sleep(1.0)  # who were to go on would have time for it
        self.judge(log.close(), since_ns, speeds, NOTICED)
        # let go, and press it again
        is_over.set()
        hand.join()
        self.wait_for_rest()
        time.sleep(0.5)
        is_over.clear()
        hand = threading.Thread(target=hold, daemon=True)
        hand.start()
        wait_until("a new press moves it", lambda: abs(processed.newest().velocity[LIFT]) > 0.3)
        is_over.set()
        hand.join()
        self.wait_for_rest()

    def test_ctrl_c_of_a_program(self):
        self.be_at(BACK)
        with tempfile.NamedTemporaryFile("w", suffix=".prog") as program:
            program.write(PROGRAM)
            program.flush()
            log = DeviceLog(self.robot)
            run = subprocess.Popen([BIN / "sinew", "run", program.name, "--no-check", "--space", self.robot.space],
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=ROOT)
            self.wait_for_speed()
            since_ns, speeds = self.now()
            run.send_signal(signal.SIGINT)
            words = run.communicate()[0]
            self.wait_for_rest()
        self.judge(log.close(), since_ns, speeds, HAND)
        self.assertNotEqual(run.returncode, 0)
        self.assertRegex(words, "halted by run|stopped by request")
        self.assertEqual(self.robot.safety.newest().state, "Running", "there is nothing to be reset")
        self.assertEqual(self.robot.answer_to(self.lift_to(BACK)).status, DONE)

    def test_a_joint_that_is_held_up_is_told_with_what_it_touches(self):
        self.be_at(BACK)
        self.sinew("console", "-c", "override 60")
        reference = self.robot.sinew.Channel.create("ur5e/ref/scenario", self.robot.space, schema="JointReference",
                                                    exist_ok=True)
        self.addCleanup(reference.close)
        safety = self.robot.channel("safety")
        wait_until("the guard is off", lambda: safety.newest().is_overridden == 1)
        reference.put(stamp_ns=self.robot.state.newest().stamp_ns, joint_mask=1 << LIFT, position=[0.0, 0.9])
        wait_until("the arm is at fault", lambda: safety.newest().state == "Faulted")
        told = safety.newest()
        self.assertEqual((told.reason, told.link_b), ("TrackingError", "floor"))
        words = json.loads(self.sinew("read", "--once", "--json"))["text"]
        self.assertIn(f"{told.link_a} touches floor", words)
        self.assertIn("free it, then 'reset'", words)
        # whoever asks for a move is told the same
        reply = self.robot.answer_to(self.lift_to(BACK))
        self.assertIn(f"{told.link_a} touches floor", reply.reason)
        reference.put(stamp_ns=self.robot.state.newest().stamp_ns, joint_mask=1 << LIFT, position=[0.0, BACK])

        def is_free() -> bool:
            if safety.newest().state != "Running":
                self.sinew("console", "-c", "reset")
                time.sleep(0.3)
                reference.put(stamp_ns=self.robot.state.newest().stamp_ns, joint_mask=1 << LIFT, position=[0.0, BACK])
            return abs(self.robot.state.newest().position[LIFT] - BACK) < 0.01
        wait_until("the arm is back", is_free)
        self.sinew("console", "-c", "override off")

    def test_channels_that_are_removed(self):
        self.be_at(BACK)
        before = self.pids()
        log = DeviceLog(self.robot)
        safety = self.robot.channel("safety")
        self.lift_to(AWAY)
        self.wait_for_speed()
        since_ns, speeds = self.now()
        shutil.rmtree(f"/dev/shm/sinew-{self.robot.space}")
        wait_until("the controller says why it braked", lambda: safety.newest().reason == "ChannelsGone")
        self.assertEqual(safety.newest().state, "Faulted")
        def are_new() -> bool:
            now = self.pids()
            return all(now[role] not in (0, pid) for role, pid in before.items())
        wait_until("all processes are new", are_new)
        self.judge(log.close(), since_ns, speeds, NOTICED)
        self.robot.open_channels()
        begin = list(self.robot.channel("device/state").newest().position)
        time.sleep(1.0)
        end = list(self.robot.channel("device/state").newest().position)
        self.assertTrue(stands([(0, begin), (1, end)], self.limits), "it moves unasked")
        self.be_at(BACK)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
