# SPDX-License-Identifier: BSD-3-Clause
"""Sums with robots, with numpy and without."""

import math
import pathlib
import random
import subprocess
import sys
import threading
import time
import unittest
from unittest import mock

import sinew
from sinew import tables

ROOT = pathlib.Path(__file__).resolve().parents[2]
HOME = [0.0, -1.57, 1.57, 0.1, 0.2, 0.3]


def postures(robot, count, seed):
    """Rows of joints within limits."""
    seeded = random.Random(seed)
    return [[seeded.uniform(max(lower, -3), min(upper, 3)) for lower, upper in robot.limits] for _ in range(count)]


def flat(values):
    return [float(number) for row in values for number in row]


class SumsCase:
    """What holds with numpy and without."""

    def test_says_what_it_is(self):
        robot = sinew.Robot("ur5e")
        self.assertEqual((robot.name, robot.tip, robot.method), ("ur5e", "wrist_3_link", "closed form: parallel axes"))
        self.assertEqual(robot.joints[:2], ["shoulder_pan_joint", "shoulder_lift_joint"])
        self.assertEqual((len(robot.limits), len(robot.limits[0])), (6, 2))
        self.assertEqual(robot.remarks, [])
        self.assertEqual(repr(robot), "<Robot ur5e: 6 joints to wrist_3_link, closed form: parallel axes>")

    def test_digits_that_papers_print(self):
        home = sinew.Robot("mds", "left").fk([-0.45, 1.2, -0.25, -1.25, 0.0, -0.28])
        for got, printed in zip(home.position, [0.41113, 0.58077, -0.07098]):
            self.assertAlmostEqual(got, printed, places=5)

    def test_rows_are_what_single_sums_are(self):
        robot = sinew.Robot("panda")
        rows = postures(robot, 20, 1)
        poses, slopes = robot.fk(rows), robot.jacobian(rows)
        for i, q in enumerate(rows):
            one = robot.fk(q)
            self.assertEqual(list(one.position), list(poses.position[i]))
            self.assertEqual(list(one.quaternion), list(poses.quaternion[i]))
            self.assertEqual(flat(one.matrix), flat(poses.matrix[i]))
            self.assertEqual(flat(robot.jacobian(q)), flat(slopes[i]))
            self.assertEqual((len(slopes[i]), len(slopes[i][0])), (6, 7))

    def test_the_jacobian_is_the_slope(self):
        robot = sinew.Robot("ur5e")
        slope, step = robot.jacobian(HOME), 1e-6
        for joint in range(6):
            moved = [q + (step if i == joint else 0.0) for i, q in enumerate(HOME)]
            for k in range(3):
                change = (robot.fk(moved).position[k] - robot.fk(HOME).position[k]) / step
                self.assertAlmostEqual(slope[k][joint], change, places=5)

    def test_what_ik_answers_fk_confirms(self):
        for words in (("ur5e",), ("panda",), ("scorbot-er3",), ("mds", "right"), ("kr60",)):
            robot = sinew.Robot(*words)
            with self.subTest(robot=words):
                for q in postures(robot, 20, 2):
                    there = robot.fk(q)
                    for found in robot.ik(there, all=True):
                        self.assertLess(math.dist(robot.fk(found).position, there.position), 1e-6)
                        for value, (lower, upper) in zip(found, robot.limits):
                            self.assertTrue(lower <= value <= upper)
                    for value, wanted in zip(robot.ik(there, seed=q), q):
                        self.assertAlmostEqual(value, wanted, places=4)

    def test_a_target_may_be_said_in_four_ways(self):
        robot = sinew.Robot("ur5e")
        there = robot.fk(HOME)
        answers = [robot.ik(target, seed=HOME) for target in (
            there, (there.position, there.quaternion), [*there.position, *there.quaternion], there.matrix)]
        for answer in answers:
            for value, wanted in zip(answer, HOME):
                self.assertAlmostEqual(value, wanted, places=6)

    def test_all_solutions_come_nearest_first(self):
        robot = sinew.Robot("ur5e")
        solutions = robot.ik(robot.fk(HOME), seed=HOME, all=True)
        self.assertEqual(len(solutions), 8)
        distances = [math.dist(solution, HOME) for solution in solutions]
        self.assertEqual(distances, sorted(distances))

    def test_a_batch_says_for_each_what_became_of_it(self):
        robot = sinew.Robot("ur5e")
        there = [[*p, *o] for p, o in zip(*(lambda poses: (poses.position, poses.quaternion))(robot.fk(postures(robot, 10, 3))))]
        there[4][0] = 9.0
        answer = robot.ik_batch(there, seeds=HOME)
        self.assertEqual(len(answer), 10)
        self.assertEqual([bool(one) for one in answer.solved], [i != 4 for i in range(10)])
        self.assertEqual(answer.reasons()[3:5], ["solved", "out of reach"])
        self.assertGreater(answer.position_error[4], 7.0)
        reached = robot.fk(answer.q)
        self.assertLess(math.dist(reached.position[0], there[0][:3]), 1e-6)
        self.assertEqual(len(robot.ik_batch([])), 0)

    def test_components_may_be_free(self):
        robot = sinew.Robot("mds", "left")
        found = robot.ik([0.3, 0.2, 0.0, 1, 0, 0, 0], dof="p_x p_y p_z")
        self.assertLess(math.dist(robot.fk(found).position, [0.3, 0.2, 0.0]), 1e-6)
        with self.assertRaisesRegex(sinew.RobotInvalid, "dof names some of p_x p_y p_z t_x t_y t_z, not 'p_q'"):
            robot.ik([0.3, 0.2, 0.0, 1, 0, 0, 0], dof="p_q")

    def test_what_cannot_be_reached_says_why(self):
        with self.assertRaisesRegex(sinew.Unreachable, "'wrist_3_link' cannot be put there: out of reach") as caught:
            sinew.Robot("ur5e").ik([9, 0, 0, 1, 0, 0, 0])
        self.assertEqual(caught.exception.reason, "out of reach")
        self.assertGreater(caught.exception.position_error, 7.0)
        self.assertEqual(len(caught.exception.nearest), 6)
        self.assertIsNone(caught.exception.joint)

    def test_what_cannot_be_is_refused_in_words(self):
        robot = sinew.Robot("ur5e")
        for call, words in (
                (lambda: robot.fk([0.0] * 5), "fk of ur5e takes 6 numbers, or rows of so many, not 5"),
                (lambda: robot.fk([[0.0] * 6, [0.0] * 5]), "fk of ur5e takes numbers"),
                (lambda: robot.fk(["a"] * 6), "fk of ur5e takes numbers"),
                (lambda: robot.fk(0.0), "fk of ur5e takes"),
                (lambda: robot.fk([math.nan] + [0.0] * 5), "joint 'shoulder_pan_joint': nan is no finite number"),
                (lambda: robot.jacobian([math.inf] * 6), "inf is no finite number"),
                (lambda: robot.ik([0.3, 0, 0.3, 0, 0, 0, 0]), "the quaternion has no unit length"),
                (lambda: robot.ik([[1, 2, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]), "matrix 0 is no pose"),
                (lambda: robot.ik([[0.3, 0, 0.3, 1, 0, 0, 0]] * 2), "ik takes one pose, not 2: ik_batch takes many"),
                (lambda: robot.ik([0.3, 0, 0.3, 1, 0, 0, 0], seed=[0.0]), "seed takes 6 numbers"),
                (lambda: robot.ik_batch([[0.3, 0, 0.3, 1, 0, 0, 0]] * 3, seeds=[HOME] * 2), "2 seeds do not go with 3"),
                (lambda: robot.ik([0.3, 0, 0.3, 1, 0, 0, 0], tolerance=-1), "a tolerance of -1 is not between"),
                (lambda: sinew.Robot("mds"), "has the arms left, right: choose one"),
                (lambda: sinew.Pose([[0, 0, 0]] * 2, [1, 0, 0, 0]), "2 positions do not go with 1 quaternions")):
            with self.subTest(words=words), self.assertRaisesRegex(sinew.RobotInvalid, words):
                call()
        with self.assertRaisesRegex(sinew.RobotNotFound, "did you mean 'ur5e'?"):
            sinew.Robot("ur5")

    def test_a_urdf_needs_no_folder(self):
        robot = sinew.Robot(ROOT / "robots/ur5e/robot.urdf", base="base_link", tip="forearm_link")
        self.assertEqual(len(robot.joints), 3)


class WithNumpy(SumsCase, unittest.TestCase):
    def setUp(self):
        if tables.numpy is None:
            self.skipTest("numpy is not installed")

    def test_arrays_in_and_out(self):
        numpy = tables.numpy
        robot = sinew.Robot("panda")
        q = numpy.array(postures(robot, 30, 5)).reshape(5, 6, 7)[:, ::2].reshape(15, 7)
        poses = robot.fk(q)
        self.assertEqual((poses.position.shape, poses.quaternion.shape, poses.matrix.shape), ((15, 3), (15, 4), (15, 4, 4)))
        self.assertEqual(robot.jacobian(q).shape, (15, 6, 7))
        answer = robot.ik_batch(poses.matrix, seeds=q.astype(numpy.float32))
        self.assertTrue(answer.solved.all())
        self.assertLess(numpy.abs(robot.fk(answer.q).position - poses.position).max(), 1e-6)
        # a view that is no row after row in memory
        numpy.testing.assert_array_equal(robot.fk(numpy.asfortranarray(q)).position, poses.position)

    def test_a_batch_lets_other_threads_run(self):
        robot = sinew.Robot("panda")
        targets = robot.fk(tables.numpy.tile(postures(robot, 1000, 6), (50, 1)))
        span = []

        def solve():
            span.append(time.monotonic_ns())
            robot.ik_batch(targets)
            span.append(time.monotonic_ns())

        # no thread is interrupted on its own: what runs meanwhile runs because the call lets it
        interval = sys.getswitchinterval()
        self.addCleanup(sys.setswitchinterval, interval)
        sys.setswitchinterval(1000.0)
        ticks = []
        solver = threading.Thread(target=solve)
        solver.start()
        while len(span) < 2:
            ticks.append(time.monotonic_ns())
            time.sleep(0.0002)
        solver.join()
        self.assertGreater(sum(span[0] < tick < span[1] for tick in ticks), 5)


class WithoutNumpy(SumsCase, unittest.TestCase):
    def setUp(self):
        patch = mock.patch.object(tables, "numpy", None)
        patch.start()
        self.addCleanup(patch.stop)

    def test_lists_come_out(self):
        pose = sinew.Robot("ur5e").fk(HOME)
        self.assertIsInstance(pose.position, list)
        self.assertIsInstance(pose.matrix[0], list)


class Import(unittest.TestCase):
    def test_channels_alone_do_not_load_numpy(self):
        program = "import sys, sinew; print('numpy' in sys.modules, sinew.Robot.__name__)"
        ended = subprocess.run([sys.executable, "-B", "-c", program], capture_output=True, text=True)
        self.assertEqual(ended.stdout, "False Robot\n", ended.stderr)


if __name__ == "__main__":
    unittest.main()
