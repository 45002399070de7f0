#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Forward and inverse kinematics, as a person types them. Usage: scenario.py SINEW"""

import json
import math
import random
import subprocess
import sys
import unittest

PROGRAM = ""
ARMS = [("ur5e", None), ("panda", None), ("kr60", None), ("yarc-industrial", None), ("scorbot-er3", None),
        ("mds", "left"), ("mds", "right"), ("betabots", None), ("yarc-mobile", None)]


def run(*words, status=0):
    """Runs sinew; answers its stdout, or its stderr when it should fail."""
    done = subprocess.run([PROGRAM, *words], capture_output=True, text=True, timeout=120)
    assert done.returncode == status, f"{words}: exit {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done.stdout if status == 0 else done.stderr


def chosen(robot, arm):
    return ["--robot", robot, *(["--arm", arm] if arm else [])]


def fk(robot, arm, q):
    return json.loads(run("fk", *chosen(robot, arm), "--json", "--", *(repr(x) for x in q)))


def random_posture(robot, arm, seeded):
    """A posture of the arm within its limits."""
    model = json.loads(run("model", robot, "--json"))
    joints = {joint["name"]: joint for joint in model["joints"]}
    chain = next(c for c in model["chains"] if arm in (None, c["name"]))
    posture = []
    for name in chain["joints"]:
        limits = joints[name].get("limits", {})
        lower, upper = limits.get("lower"), limits.get("upper")
        posture.append(seeded.uniform(-3.0 if lower is None else lower, 3.0 if upper is None else upper))
    return posture


class Kinematics(unittest.TestCase):
    def test_digits_that_papers_print(self):
        home = fk("mds", "left", [-0.45, 1.2, -0.25, -1.25, 0.0, -0.28])
        for got, printed in zip(home["position"] + home["rpy"], [0.41113, 0.58077, -0.07098, 1.39899, -0.38662, -1.40029]):
            self.assertAlmostEqual(got, printed, places=5)
        zero = fk("yarc-industrial", None, [0.0] * 6)
        for got, printed in zip(zero["position"], [0.0, 1.0744, 1.7640]):
            self.assertAlmostEqual(got, printed, places=9)

    def test_what_ik_answers_fk_confirms(self):
        seeded = random.Random(3)
        for robot, arm in ARMS:
            for _ in range(5):
                with self.subTest(robot=robot, arm=arm):
                    there = fk(robot, arm, random_posture(robot, arm, seeded))
                    w = there["quaternion"]
                    pose = [*there["position"], w["w"], w["x"], w["y"], w["z"]]
                    answer = json.loads(run("ik", *chosen(robot, arm), "--pose", *(repr(x) for x in pose), "--json", "--all"))
                    self.assertTrue(answer["ok"], answer)
                    for solution in answer["solutions"]:
                        back = fk(robot, arm, solution)
                        self.assertLess(math.dist(back["position"], there["position"]), 2e-6)

    def test_a_stretched_arm_is_singular(self):
        q = [0.4, 0.6, -0.3, 0.0, 0.5, 0.3]
        there = fk("mds", "left", q)
        shoulder = [0.0, 0.24551, 0.0]
        wrist = fk("mds", "left", q[:5] + [0.0])  # the tool in line with the arm
        outwards = [a - b for a, b in zip(wrist["position"], shoulder)]
        position = [p + 3e-4 * o / math.hypot(*outwards) for p, o in zip(there["position"], outwards)]
        pose = [*map(repr, position), *(repr(there["quaternion"][k]) for k in "wxyz")]
        self.assertIn("cannot be put there: singular: ", run("ik", *chosen("mds", "left"), "--pose", *pose, status=1))
        refused = subprocess.run([PROGRAM, "ik", *chosen("mds", "left"), "--pose", *pose, "--json"], capture_output=True, text=True)
        answer = json.loads(refused.stdout)
        self.assertEqual((answer["ok"], answer["solutions"], refused.returncode), (False, [], 1))
        self.assertTrue(answer["reason"].startswith("singular: "), answer)
        self.assertLess(answer["residual"]["position"], 3.1e-4)

    def test_nought_has_no_sign(self):
        for robot, arm in ARMS:
            zeros = ["-0.0"] * len(random_posture(robot, arm, random.Random(1)))
            self.assertNotRegex(run("fk", *chosen(robot, arm), "--", *zeros), r"-0\.0+\b")
            self.assertNotRegex(run("fk", *chosen(robot, arm), "--json", "--", *zeros), r"-0(\.0)?[,\]}]")

    def test_what_cannot_be_is_refused_with_a_reason(self):
        self.assertIn("out of reach", run("ik", "--robot", "ur5e", "--xyz", "9", "0", "0", status=1))
        self.assertIn("takes 6 numbers, not 2: shoulder_pan_joint [rad]", run("fk", "--robot", "ur5e", "--", "0", "0", status=2))
        self.assertIn("'nan' is no finite number", run("fk", "--robot", "ur5e", "--", *["nan"] * 6, status=2))
        self.assertIn("has the arms left, right: choose one with --arm", run("fk", "--robot", "mds", "--", "0", status=2))
        self.assertIn("the quaternion of --pose has length 2", run("ik", "--robot", "ur5e", "--pose", *"0.3 0 0.3 2 0 0 0".split(), status=2))
        self.assertIn("there is no robot 'ur5'", run("fk", "--robot", "ur5", "--", "0", status=1))
        self.assertIn("say which robot", run("fk", "--", "0", status=2))


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main()
