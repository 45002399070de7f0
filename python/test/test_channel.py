# SPDX-License-Identifier: BSD-3-Clause
"""Tests of sinew.channel, on real channels."""

import asyncio
import copy
import multiprocessing
import os
import pickle
import select
import signal
import subprocess
import sys
import threading
import time
import unittest

import sinew
from space_case import MIXED_SCHEMA, SpaceCase


class ChannelTest(SpaceCase):
    """One channel, one process."""

    def setUp(self) -> None:
        super().setUp()
        self.channel = sinew.Channel.create("a/mixed", self.space, schema=MIXED_SCHEMA, depth=8, start="oldest")
        self.addCleanup(self.channel.close)

    def test_reads_what_was_put_and_what_goes_with_it(self):
        before_ns = time.monotonic_ns()
        self.assertEqual(self.channel.put(small=5, label="x", origin={"x": 2.0}), 1)
        frame = self.channel.next()
        self.assertEqual((frame.sequence, frame.missed, frame.sender_pid, frame.writer), (1, 0, os.getpid(), 0))
        self.assertGreaterEqual(frame.stamp_ns, before_ns)
        self.assertEqual((frame.small, frame["label"], frame.origin.x, len(frame.data)), (5, "x", 2.0, 96))
        self.assertEqual(dict(frame), dict(frame.message))

    def test_gives_newest_fresh_next_and_numbered_messages(self):
        self.assertIsNone(self.channel.newest())
        self.assertIsNone(self.channel.fresh())
        for i in range(1, 6):
            self.channel.put(small=i)
        self.assertEqual(self.channel.next().small, 1)
        fresh = self.channel.fresh()
        self.assertEqual((fresh.small, fresh.missed), (5, 3))
        self.assertIsNone(self.channel.fresh())
        self.assertEqual(self.channel.newest().small, 5)
        self.assertEqual(self.channel.sequence(2).small, 2)
        self.assertIsNone(self.channel.sequence(6))
        self.assertEqual(self.channel.at(self.channel.sequence(3).stamp_ns).small, 3)

    def test_says_when_a_message_is_gone(self):
        for i in range(20):
            self.channel.put(small=i)
        with self.assertRaises(LookupError) as caught:
            self.channel.sequence(1)
        self.assertEqual(caught.exception.status, 6)
        frame = self.channel.next()
        self.assertEqual((frame.sequence, frame.missed), (13, 12))

    def test_lets_a_late_joiner_choose_where_to_start(self):
        for i in range(1, 4):
            self.channel.put(small=i)
        for start, expected in (("oldest", 1), ("newest", 3)):
            with sinew.Channel("a/mixed", self.space, start=start) as late:
                self.assertEqual(late.next().small, expected)
        with sinew.Channel("a/mixed", self.space, start="now") as late:
            self.assertFalse(late.wait(0.01))
            self.channel.put(small=4)
            self.assertEqual(late.next().small, 4)
        with self.assertRaisesRegex(sinew.ChannelError, "newest, oldest, now"):
            sinew.Channel("a/mixed", self.space, start="yesterday")

    def test_waits_for_another_thread(self):
        threading.Timer(0.05, lambda: self.channel.put(small=9)).start()
        self.assertEqual(self.channel.next(timeout=60).small, 9)

    def test_times_out(self):
        with self.assertRaises(TimeoutError) as caught:
            self.channel.next(timeout=0.05)
        self.assertIsInstance(caught.exception, sinew.ChannelError)
        self.assertEqual(caught.exception.status, 2)
        self.assertFalse(self.channel.wait(0))

    def test_takes_messages_as_bytes_mappings_and_frames(self):
        self.channel.put({"small": 1, "colour": "Green"}, label="both")
        first = self.channel.next()
        self.channel.put(first.data)
        self.channel.put(first)
        self.assertEqual(self.channel.next().data, first.data)
        self.assertEqual(self.channel.next().data, first.data)
        with self.assertRaisesRegex(sinew.MessageError, "a Mixed has 96 bytes, not 3"):
            self.channel.put(b"abc")
        with self.assertRaises(TypeError):
            self.channel.put(5)

    def test_refuses_a_misspelt_field_and_puts_nothing(self):
        with self.assertRaisesRegex(sinew.MessageError, "did you mean 'label'"):
            self.channel.put(lable="x")
        self.assertEqual(self.channel.newest_sequence, 0)

    def test_checks_the_schema_it_is_given(self):
        sinew.Channel("a/mixed", self.space, schema=MIXED_SCHEMA).close()
        sinew.Channel("a/mixed", self.space, schema="Mixed").close()
        with self.assertRaises(sinew.ChannelMismatch):
            sinew.Channel("a/mixed", self.space, schema=MIXED_SCHEMA.replace("version 3", "version 4"))
        for other in ("Point", "JointState"):
            with self.assertRaises(sinew.ChannelMismatch):
                sinew.Channel("a/mixed", self.space, schema=other)

    def test_knows_our_own_messages_by_name(self):
        with sinew.Channel.create("b/state", self.space, schema="JointState") as state:
            state.put(joint_count=2, position=[0.1, -0.2])
            self.assertEqual(state.next().position[:3], [0.1, -0.2, 0.0])
        with self.assertRaisesRegex(sinew.ChannelError, "there is no message 'Jointstate'; there are .*JointState"):
            sinew.Channel.create("b/other", self.space, schema="Jointstate")

    def test_carries_bytes_without_a_schema(self):
        with sinew.Channel.create("raw", self.space, capacity=100) as raw:
            raw.put(b"hello")
            raw.put(bytearray(b"world"))
            self.assertEqual([raw.sequence(1).data, raw.sequence(2).data], [b"hello", b"world"])
            with self.assertRaisesRegex(sinew.ChannelError, "bytes without meaning"):
                raw.newest()["x"]
            with self.assertRaises(sinew.ChannelError) as caught:
                raw.put(b"x" * 101)
            self.assertEqual(caught.exception.status, 5)

    def test_says_what_is_not_there_or_there_already(self):
        with self.assertRaises(FileNotFoundError):
            sinew.Channel("nobody/made/this", self.space)
        with self.assertRaises(FileExistsError):
            sinew.Channel.create("a/mixed", self.space, schema=MIXED_SCHEMA)
        sinew.Channel.create("a/mixed", self.space, schema=MIXED_SCHEMA, exist_ok=True).close()
        with self.assertRaises(sinew.ChannelError):
            sinew.Channel("../escape", self.space)
        self.channel.close()
        with self.assertRaisesRegex(sinew.ChannelError, "is closed"):
            self.channel.newest()

    def test_ends_the_iteration_when_the_channel_is_removed(self):
        for i in range(3):
            self.channel.put(small=i)
        sinew.remove("a/mixed", self.space)
        self.assertEqual([frame.small for frame in self.channel], [0, 1, 2])
        with self.assertRaises(sinew.ChannelRemoved):
            self.channel.put(small=1)

    def test_does_not_put_to_a_channel_that_took_the_name_over(self):
        sinew.remove("a/mixed", self.space)
        with sinew.Channel.create("a/mixed", self.space, schema=MIXED_SCHEMA) as successor:
            with self.assertRaises(sinew.ChannelRemoved):
                self.channel.put(small=1)
            self.assertIsNone(successor.newest())

    def test_works_with_select_and_asyncio(self):
        self.assertEqual(self.channel.fileno(), self.channel.fileno())
        self.channel.put(small=1)
        self.assertEqual(select.select([self.channel], [], [])[0], [self.channel])
        self.assertEqual(self.channel.next().small, 1)

        async def receive() -> int:
            loop = asyncio.get_running_loop()
            news = loop.create_future()
            loop.add_reader(self.channel, lambda: news.done() or news.set_result(None))
            loop.call_later(0.02, lambda: self.channel.put(small=2))
            await news
            loop.remove_reader(self.channel)
            return self.channel.next().small

        self.assertEqual(asyncio.run(receive()), 2)


class ProcessTest(SpaceCase):
    """Several processes, forked or killed."""

    def setUp(self) -> None:
        super().setUp()
        self.channel = sinew.Channel.create("a/mixed", self.space, schema=MIXED_SCHEMA, depth=64, start="oldest")
        self.addCleanup(self.channel.close)

    def test_a_forked_child_reads_and_puts_with_what_it_inherited(self):
        self.channel.put(small=1)
        self.channel.put(small=2)
        self.assertEqual(self.channel.next().small, 1)

        def child() -> None:
            is_right = self.channel.next().small == 2
            self.channel.put(small=3)
            os._exit(0 if is_right else 1)

        process = multiprocessing.get_context("fork").Process(target=child)
        process.start()
        process.join()
        self.assertEqual(process.exitcode, 0)
        self.assertEqual([self.channel.next().small, self.channel.next().small], [2, 3])
        self.assertEqual(self.channel.put(small=4), 4)

    def test_a_frame_passes_through_a_pickle_and_a_copy(self):
        self.channel.put(small=5, colour="Green", origin={"x": 1.0})
        frame = self.channel.next()
        for twin in (pickle.loads(pickle.dumps(frame)), copy.copy(frame), copy.deepcopy(frame)):
            self.assertEqual((twin.sequence, twin.small, twin.colour.number, twin.origin.x), (1, 5, 1, 1.0))
            self.assertEqual(twin.data, frame.data)
        self.assertEqual(pickle.loads(pickle.dumps(frame.colour)).number, 1)

    def test_readers_account_for_every_message_of_many_writers(self):
        count, writers = 300, 3

        def write(which: int) -> None:
            for i in range(count):
                self.channel.put(small=which, counts=[i % 1000] * 4)
            os._exit(0)

        context = multiprocessing.get_context("fork")
        processes = [context.Process(target=write, args=(which,)) for which in range(writers)]
        for process in processes:
            process.start()
        accounted = 0
        while accounted < count * writers:
            frame = self.channel.next(timeout=120)
            self.assertEqual(len(set(frame.counts)), 1, "a torn message")
            accounted += 1 + frame.missed
            self.assertEqual(frame.sequence, accounted)
        for process in processes:
            process.join()
            self.assertEqual(process.exitcode, 0)

    def test_a_forked_child_leaves_its_parents_descriptor_alone(self):
        self.channel.put(small=1)
        self.assertEqual(self.channel.next().small, 1)
        self.channel.fileno()
        self.channel.put(small=2)
        child = os.fork()
        if child == 0:
            is_right = self.channel.next().small == 2 and self.channel.fresh() is None
            self.channel.close()
            os._exit(0 if is_right else 1)
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        self.assertEqual(select.select([self.channel], [], [])[0], [self.channel])
        self.assertEqual(self.channel.next().small, 2)

    def test_ctrl_c_ends_a_wait(self):
        program = (f"import sinew\nc = sinew.Channel('a/mixed', {self.space!r}, start='now')\n"
                   "try:\n    print('ready', flush=True)\n    c.next()\n"
                   "except KeyboardInterrupt:\n    print('stopped')")
        with subprocess.Popen([sys.executable, "-B", "-c", program], stdout=subprocess.PIPE, text=True) as waiting:
            self.assertEqual(waiting.stdout.readline(), "ready\n")
            time.sleep(0.05)
            waiting.send_signal(signal.SIGINT)
            self.assertEqual(waiting.stdout.read(), "stopped\n")


if __name__ == "__main__":
    unittest.main()
