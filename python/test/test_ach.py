# SPDX-License-Identifier: BSD-3-Clause
"""Tests of the modules ach and mds_ach."""

import ctypes
import os
import select
import signal
import subprocess
import sys
import threading
import time
import unittest

import ach
import mds_ach as mds
from space_case import SpaceCase


class AchTest(SpaceCase):
    """Ach's meanings, through Python."""

    def setUp(self) -> None:
        super().setUp()
        ach.create("chan", 8, 64)
        self.channel = ach.Channel("chan")
        self.number = ctypes.c_int32()

    def put(self, *numbers: int) -> None:
        for number in numbers:
            self.channel.put(ctypes.c_int32(number))

    def get(self, **options) -> tuple[int, int]:
        status, size = self.channel.get(self.number, **options)
        self.assertIn(size, (0, 4))
        return status, self.number.value

    def test_gives_the_oldest_first_and_the_last_on_demand(self):
        self.assertEqual(self.get()[0], ach.ACH_STALE_FRAMES)
        self.put(1, 2, 3, 4)
        self.assertEqual(self.get(), (ach.ACH_OK, 1))
        self.assertEqual(self.get(last=True), (ach.ACH_MISSED_FRAME, 4))
        self.assertEqual(self.get(last=True)[0], ach.ACH_STALE_FRAMES)
        self.assertEqual(self.get(options=ach.ACH_O_COPY), (ach.ACH_OK, 4))

    def test_waits_for_another_thread(self):
        other = ach.Channel("chan")
        threading.Timer(0.15, lambda: other.put(ctypes.c_int32(7))).start()
        self.assertEqual(self.get(wait=True, last=True), (ach.ACH_OK, 7))

    def test_times_out_and_is_cancelled(self):
        self.assertEqual(self.get(wait=True, timeout=0.01)[0], ach.ACH_TIMEOUT)
        threading.Timer(0.05, self.channel.cancel).start()
        self.assertEqual(self.get(wait=True)[0], ach.ACH_CANCELED)

    def test_says_how_large_a_buffer_must_be(self):
        self.channel.put(b"0123456789")
        self.assertEqual(self.channel.get(self.number), [ach.ACH_OVERFLOW, 10])
        buffer = bytearray(10)
        self.assertEqual(self.channel.get(buffer), [ach.ACH_OK, 10])
        self.assertEqual(buffer, b"0123456789")

    def test_flushes(self):
        self.put(1, 2)
        self.channel.flush()
        self.assertEqual(self.get()[0], ach.ACH_STALE_FRAMES)

    def test_gives_a_descriptor_for_select(self):
        self.channel.fileno()
        self.put(3)
        self.assertEqual(select.select([self.channel], [], [])[0], [self.channel])
        self.assertEqual(self.get(), (ach.ACH_OK, 3))

    def test_refuses_in_words(self):
        cases = [(lambda: ach.Channel("nobody-made-this"), ach.ACH_ENOENT, "nobody-made-this"),
                 (lambda: ach.create("chan"), ach.ACH_EEXIST, "chan"),
                 (lambda: ach.create("a/b"), ach.ACH_INVALID_NAME, "at most 64 letters"),
                 (lambda: self.channel.put(b""), ach.ACH_EINVAL, "at least one byte"),
                 (lambda: self.channel.put(bytes(513)), ach.ACH_OVERFLOW, "ACH_OVERFLOW"),
                 (lambda: ach.Channel().put(b"x"), ach.ACH_EINVAL, "not open")]
        for call, status, words in cases:
            with self.subTest(words=words), self.assertRaisesRegex(ach.AchException, words) as caught:
                call()
            self.assertEqual(caught.exception.status, status)
        with self.assertRaises(TypeError):
            self.channel.put(5)
        with self.assertRaises(TypeError):
            self.channel.get(b"not writable")
        self.assertEqual(self.channel.result_string(ach.ACH_STALE_FRAMES), "ACH_STALE_FRAMES")

    def test_truncates_and_unlinks(self):
        ach.create("chan", 4, 32, truncate=True)
        with self.assertRaises(ach.AchException) as caught:
            self.put(1)
        self.assertEqual(caught.exception.status, ach.ACH_CLOSED)
        ach.unlink("chan")
        with self.assertRaises(ach.AchException):
            ach.Channel("chan")

    def test_puts_from_a_forked_child(self):
        self.put(1)
        child = os.fork()
        if child == 0:
            self.put(2)
            os._exit(0)
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        self.put(3)
        self.assertEqual([self.get()[1] for _ in range(3)], [1, 2, 3])

    def test_ctrl_c_ends_a_wait(self):
        program = ("import ach\nc = ach.Channel('chan')\n"
                   "try:\n    print('ready', flush=True)\n    c.get(bytearray(4), wait=True)\n"
                   "except KeyboardInterrupt:\n    print('stopped')")
        with subprocess.Popen([sys.executable, "-B", "-c", program], stdout=subprocess.PIPE, text=True) as waiting:
            self.assertEqual(waiting.stdout.readline(), "ready\n")
            time.sleep(0.05)
            waiting.send_signal(signal.SIGINT)
            self.assertEqual(waiting.stdout.read(), "stopped\n")


class MdsTest(unittest.TestCase):
    """Layouts and names of MDS-Ach."""

    def test_has_the_layout_of_the_c_structs(self):
        self.assertEqual(ctypes.sizeof(mds.MDS_JOINT_STATE), 130)
        for name, offset in {"ref_r": 0, "ref": 8, "ref_c": 16, "pos": 24, "cur": 32, "vel": 40, "offset": 48,
                             "direction": 56, "enabled": 64, "address": 66, "active": 68, "homed": 69, "name": 70,
                             "nameshort": 100}.items():
            self.assertEqual(getattr(mds.MDS_JOINT_STATE, name).offset, offset, name)
        self.assertEqual((mds.MDS_STATE.power.offset, mds.MDS_STATE.refWait.offset), (13000, 13032))
        self.assertEqual(ctypes.sizeof(mds.MDS_JNT_PARAM), 290)
        self.assertEqual(mds.MDS_IK.move.offset, 100)

    def test_finds_addresses_by_short_name_and_by_muscle(self):
        state = mds.MDS_STATE()
        self.assertEqual(mds.getAddress("LEP", state), 0x4C)
        self.assertEqual(mds.getAddress("TorsoPan", state), 0x5C)
        self.assertEqual(mds.getAddress("XYZ", state), -1)
        state.joint[9].nameshort = mds.str2ubytes("XYZ")
        state.joint[9].address = 9
        self.assertEqual(mds.getAddress("XYZ", state), 9)
        self.assertEqual(mds.getAddress("LEP", state), -1)


if __name__ == "__main__":
    unittest.main()
