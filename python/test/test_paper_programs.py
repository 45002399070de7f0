# SPDX-License-Identifier: BSD-3-Clause
"""Runs programs written from the MDS-Ach paper's appendices F and G, and looks at what arrives."""

import pathlib
import subprocess
import sys
import unittest

import ach
import mds_ach as mds
from space_case import SpaceCase

PROGRAMS = pathlib.Path(__file__).parent / "programs"
BINARIES = pathlib.Path.cwd() / "bin"


class PaperProgramTest(SpaceCase):
    """Each program is a process of its own; the test plays the daemon."""

    def setUp(self) -> None:
        super().setUp()
        for name in ("mds-ref", "mds-ref-filter", "mds-state", "mds-param", "mds-cmd", "mds-ik"):
            ach.create(name, 10, 3000)

    def run_program(self, *command: object) -> subprocess.CompletedProcess:
        words = [str(word) for word in command]
        if words[0].endswith(".py"):
            words = [sys.executable, "-B", *words]
        ended = subprocess.run(words, capture_output=True, text=True)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        return ended

    def put_reference(self, name: str) -> None:
        ref = mds.MDS_REF()
        for address in range(mds.MDS_JOINT_COUNT):
            ref.joint[address].ref = address / 100
        ach.Channel(name).put(ref)

    def newest_reference(self, name: str) -> mds.MDS_REF:
        ref = mds.MDS_REF()
        status, size = ach.Channel(name).get(ref, last=True)
        self.assertIn(status, (ach.ACH_OK, ach.ACH_MISSED_FRAME))
        self.assertEqual(size, 1000)
        return ref

    def check_reference(self, name: str, changed: dict[int, float]) -> None:
        ref = self.newest_reference(name)
        for address in range(mds.MDS_JOINT_COUNT):
            self.assertEqual(ref.joint[address].ref, changed.get(address, address / 100), f"joint {address:#x}")

    def test_one_joint_in_python_finds_its_address_in_the_state(self):
        state = mds.MDS_STATE()
        state.joint[7].name = mds.str2ubytes("LeftShoulderExt")
        state.joint[7].address = 7
        ach.Channel("mds-state").put(state)
        self.put_reference("mds-ref")
        ended = self.run_program(PROGRAMS / "one_joint.py")
        self.assertEqual(ended.stdout, "Address = 7\n")
        self.check_reference("mds-ref", {7: -0.123})

    def test_one_joint_in_python_knows_the_robot_as_built(self):
        self.put_reference("mds-ref")
        ended = self.run_program(PROGRAMS / "one_joint.py")
        self.assertEqual(ended.stdout, "Address = 95\n")
        self.check_reference("mds-ref", {0x5F: -0.123})

    def test_two_joints_in_c_keep_the_others_where_they_were(self):
        self.put_reference("mds-ref-filter")
        ended = self.run_program(BINARIES / "xach_two_joints")
        self.assertEqual(ended.stderr, "")
        self.check_reference("mds-ref-filter", {0x4C: -0.2, 0x5B: 0.1})

    def test_two_joints_in_c_say_so_when_there_is_no_reference_yet(self):
        ended = self.run_program(BINARIES / "xach_two_joints")
        self.assertEqual(ended.stderr, "Ref r = ACH_STALE_FRAMES\n")
        ref = self.newest_reference("mds-ref-filter")
        self.assertEqual((ref.joint[0x4C].ref, ref.joint[0x5B].ref, ref.joint[0x5F].ref), (-0.2, 0.1, 0.0))

    def test_hand_goals_in_c_and_python_are_the_same_bytes(self):
        frames = []
        with_status = []
        for program in (BINARIES / "xach_hand_goal", PROGRAMS / "hand_goal.py"):
            self.run_program(program)
        channel = ach.Channel("mds-ik")
        for _ in range(2):
            goal = mds.MDS_IK()
            with_status.append(channel.get(goal))
            frames.append(goal)
        self.assertEqual(with_status, [[ach.ACH_OK, 102]] * 2)
        self.assertEqual(bytes(frames[0]), bytes(frames[1]))
        self.assertEqual((frames[0].move, frames[0].arm[mds.LEFT].ik_method), (mds.LEFT, 3))
        self.assertEqual((frames[0].arm[mds.LEFT].t_x, frames[0].arm[mds.LEFT].t_y), (0.3, 0.2))
        self.assertEqual(bytes(frames[0].arm[mds.RIGHT]), bytes(50))

    def test_a_program_without_its_channel_fails_at_its_own_check(self):
        ach.unlink("mds-ik")
        ended = subprocess.run([BINARIES / "xach_hand_goal"], capture_output=True, text=True)
        self.assertNotEqual(ended.returncode, 0)
        self.assertIn("ACH_OK == r", ended.stderr)


if __name__ == "__main__":
    unittest.main()
