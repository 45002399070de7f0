#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The programs of the MDS-Ach paper move a robot, by its old channels. Usage: scenario.py BIN LIB [DEVICE]"""

import math
import os
import pathlib
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from running_robot import ROOT, RobotCase, StartedRobot, main  # noqa: E402

CORNERS = [(0.4, 0.45, 0.25), (0.4, -0.05, 0.25), (0.4, -0.05, -0.25), (0.4, 0.45, -0.25)]
HOME = {"LSP": -0.45, "LSR": 1.2, "LEP": -1.25, "RSP": -0.445, "REP": -1.25}


class PaperPrograms(RobotCase):
    def setUp(self):
        # what 'sinew start mds' brings with it is all that the paper's programs need
        self.robot = StartedRobot(self.BIN)
        self.addCleanup(self.robot.close)
        os.environ["SINEW_SPACE"] = self.robot.space
        os.environ["PYTHONPATH"] = str(ROOT / "python")
        import ach
        import mds_ach
        self.ach, self.mds = ach, mds_ach
        # the view tells of the robot a few times a second
        self.wait_for(lambda: self.old_state() is not None and self.newest("mds-ref-filter") is not None)

    def newest(self, name):
        frame = self.mds.MDS_REF()
        status, _ = self.ach.Channel(name).get(frame, last=True)
        return None if status == self.ach.ACH_STALE_FRAMES else frame

    def old_state(self):
        state = self.mds.MDS_STATE()
        status, size = self.ach.Channel("mds-state").get(state, last=True)
        if status == self.ach.ACH_STALE_FRAMES:
            return None
        self.assertEqual(size, 13033)
        return state

    def joint(self, name):
        state = self.old_state()
        return state.joint[self.mds.getAddress(name, state)]

    def wait_for(self, is_true):
        deadline = time.monotonic() + 60.0
        while not is_true():
            self.assertLess(time.monotonic(), deadline, "it did not happen")
            time.sleep(0.05)

    def run_example(self, name, *words):
        program = ROOT / "examples" / name
        command = [sys.executable, "-B", program] if name.endswith(".py") else [self.BIN / name]
        done = subprocess.run([*command, *words], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def wait_for_joints(self, **wanted):
        self.wait_for(lambda: all(abs(self.joint(name).pos - at) < 1e-3 for name, at in wanted.items()))

    def wait_for_hand(self, position):
        self.wait_for(lambda: math.dist(self.robot.hand("left")["position"], position) < 1e-3)

    def test_the_state_has_names_addresses_and_the_home_pose(self):
        left = self.joint("LSP")
        self.assertEqual((left.address, left.enabled, left.active), (0x5F, 1, 1))
        self.assertEqual(self.mds.ubytes2str(left.name), "LeftShoulderExt")
        for name, position in HOME.items():
            self.assertAlmostEqual(self.joint(name).pos, position, places=3)
        parameters = self.mds.MDS_JOINT_PARAM()
        status, size = self.ach.Channel("mds-param").get(parameters, last=True)
        self.assertEqual((status, size), (self.ach.ACH_OK, 29000))
        self.assertEqual(parameters.joint[0x5F].encoderresolution, 2048)
        self.assertEqual(parameters.joint[0x5F].direction, -1)

    def test_one_joint_in_python_and_two_in_c_leave_the_others(self):
        self.assertEqual(self.run_example("05_one_joint.py"), "Address =  95\n")
        self.wait_for_joints(LSP=-0.123)
        self.assertEqual(self.run_example("06_two_joints"), "ACH_OK\n")
        self.wait_for_joints(LEP=-0.2, RSP=0.1, LSP=-0.123, LSR=1.2, REP=-1.25)

    def test_the_hand_goes_where_it_is_asked_to_in_python_and_cpp(self):
        self.run_example("08_hand_goal.py")
        self.wait_for_hand((0.3, 0.2, 0.0))
        self.run_example("05_one_joint.py")
        self.wait_for_joints(LSP=-0.123)
        self.assertEqual(self.run_example("07_hand_goal"), "ACH_OK\n")
        self.wait_for_hand((0.3, 0.2, 0.0))

    def test_the_box_in_python(self):
        printed = self.run_example("09_box.py").splitlines()
        self.assertEqual(printed, [" ".join(map(str, corner)) for corner in CORNERS])
        self.assertLess(math.dist(self.robot.hand("left")["position"], CORNERS[-1]), 1e-3)

    def test_the_ik_api_prints_the_papers_digits(self):
        printed = self.run_example("10_ik_api.py")
        self.assertIn("ret:\tx =  0.29986\ty =  0.20049\tz =  0.00014", printed)
        self.wait_for_joints(LSP=-0.52020, LSR=0.90192, LEP=-2.21719)

    def test_modes_of_a_joint_are_carried_out_each_in_its_way(self):
        address = self.mds.getAddress("LEP", self.old_state())
        direct = self.ach.Channel("mds-ref")
        processed = self.robot.channel("processed")
        joint = 4  # the left elbow among ours
        before = processed.newest().message.position[joint]

        def put(mode, ref):
            frame = self.newest("mds-ref")
            frame.joint[address].mode, frame.joint[address].ref = mode, ref
            direct.put(frame)

        # compliant: the reference is the encoder, so a wish moves nothing
        put(self.mds.MDS_REF_MODE_COMPLIANT, before + 0.4)
        following = self.robot.channel("ref/mds-ref-following")
        self.wait_for(lambda: following.newest() is not None)
        told = following.newest().message
        self.assertEqual((told.joint_mask, told.smoothing), (1 << joint, "Compliant"))
        self.assertGreater(told.lease_ns, 0)
        time.sleep(0.5)
        self.assertAlmostEqual(processed.newest().message.position[joint], before, delta=0.02)
        # another program may have it all the same, and then it is no longer compliant
        for wanted, line in ((before + 0.1, f"goto LEP {before + 0.1}"), (None, "ik left 3 0.35 0.45 0.0")):
            moved = self.robot.run_sinew("console", "-c", line, "--wait", "--space", self.robot.space)
            self.assertIn("done", moved)
            if wanted is not None:
                self.wait_for(lambda at=wanted: abs(self.joint("LEP").pos - at) < 1e-2)
                self.wait_for(lambda: self.newest("mds-ref").joint[address].mode != self.mds.MDS_REF_MODE_COMPLIANT)
                put(self.mds.MDS_REF_MODE_COMPLIANT, before)
        self.robot.run_sinew("console", "-c", "goto home", "--wait", "--space", self.robot.space)
        # the filter from the encoder leads to the wish, and gives way on its path
        put(self.mds.MDS_REF_MODE_ENC_FILTER, before + 0.2)
        self.wait_for(lambda: abs(processed.newest().message.position[joint] - before - 0.2) < 0.02)
        self.assertEqual(self.robot.channel("ref/mds-ref-compliant").newest().message.smoothing, "Compliant")
        # and directly
        put(self.mds.MDS_REF_MODE_REF, before)
        self.wait_for_joints(LEP=before)
        put(9, before + 0.4)  # there is no such mode
        time.sleep(0.5)
        self.assertAlmostEqual(self.joint("LEP").pos, before, delta=1e-3)

    def test_nonsense_moves_nothing(self):
        goals = self.ach.Channel("mds-ik")
        for move, method, x in ((7, 3, 0.3), (1, 9, 0.3), (1, 3, math.nan), (1, 3, 99.0)):
            goal = self.mds.MDS_IK(move=move)
            for arm in goal.arm:
                arm.ik_method, arm.t_x = method, x
            goals.put(goal)
        goals.put(b"short")
        references = self.newest("mds-ref")
        for address in range(100):
            references.joint[address].ref = math.nan
        self.ach.Channel("mds-ref").put(references)
        time.sleep(1.0)
        for name, position in HOME.items():
            self.assertAlmostEqual(self.joint(name).pos, position, places=3)


if __name__ == "__main__":
    main()
