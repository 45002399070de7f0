#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Recording and replay, as a person types them. Usage: scenario.py SINEW"""

import csv
import io
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import mcap_by_the_book

PROGRAM = ""
SPACE = f"recording-{os.getpid()}"
OTHER = f"{SPACE}-other"


def run(*words, status=0, space=SPACE):
    """Runs sinew in this test's space; answers what it printed on stdout, or on stderr when it should fail."""
    done = subprocess.run([PROGRAM, *words, "--space", space], capture_output=True, text=True, timeout=120)
    assert done.returncode == status, f"{words}: exit {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done.stdout if status == 0 else done.stderr


def start(*words, space=SPACE):
    return subprocess.Popen([PROGRAM, *words, "--space", space], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def finish(process, how=signal.SIGINT):
    process.send_signal(how)
    out, err = process.communicate(timeout=120)
    assert process.returncode == (0 if how == signal.SIGINT else -how), f"exit {process.returncode}\n{out}\n{err}"
    return out


def book_of(path):
    return mcap_by_the_book.Book(pathlib.Path(path).read_bytes())


class Recording(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="sinew-recording-"))

    def tearDown(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        for space in (SPACE, OTHER):
            shutil.rmtree(f"/dev/shm/sinew-{space}", ignore_errors=True)

    def path(self, name):
        return str(self.folder / name)

    def record(self, name, *words, space=SPACE):
        """A recorder that has begun."""
        recorder = start("record", "-o", self.path(name), *words, space=space)
        self.assertIn("recording", recorder.stderr.readline())
        return recorder

    def test_what_was_put_is_in_the_file_by_the_book(self):
        run("channel", "mk", "arm/ref/me", "--message", "JointReference", "--depth", "1024")
        recorder = self.record("a.mcap", "--compression", "none", "--json")
        for i in range(5):
            run("channel", "put", "arm/ref/me", f"joint_mask={i + 1}", f"position={i}.5", "stamp_ns=7")
        run("channel", "mk", "late", "--depth", "1024")
        run("channel", "put", "late", "--hex", "00ff10")
        report = json.loads(finish(recorder))
        self.assertEqual((report["messages"], report["missed"]), (6, 0))
        book = book_of(self.path("a.mcap"))
        self.assertEqual([m[0] for m in book.messages], ["arm/ref/me"] * 5 + ["late"])
        self.assertEqual(book.messages[5][4], b"\x00\xff\x10")
        self.assertEqual([m[1] for m in book.messages], [1, 2, 3, 4, 5, 1])
        self.assertEqual(book.metadata["sinew:missed"], {"arm/ref/me": "0", "late": "0"})
        self.assertEqual(book.metadata["sinew"]["space"], SPACE)
        schema = book.definitions[(0x03, 1)]
        self.assertEqual(schema[:2], ("JointReference", "sinew"))
        self.assertTrue(schema[2].startswith(b"sinew-schema 1\n"))
        self.assertIn("is whole: 6 messages", run("replay", self.path("a.mcap"), "--check"))
        table = list(csv.DictReader(io.StringIO(run("replay", self.path("a.mcap"), "--csv", "arm/ref/me"))))
        self.assertEqual([row["position[0]"] for row in table], ["0.5", "1.5", "2.5", "3.5", "4.5"])
        self.assertEqual([row["joint_mask"] for row in table], ["1", "2", "3", "4", "5"])
        self.assertEqual(table[0]["smoothing"], "JerkLimited")
        some = run("replay", self.path("a.mcap"), "--csv", "arm/ref/me", "--fields", "joint_mask,position[0]")
        self.assertEqual(some.splitlines()[0], "time_ns,sequence,joint_mask,position[0]")

    def test_every_compression_holds_the_same(self):
        run("channel", "mk", "state", "--message", "JointState", "--depth", "2048")
        writer = start("channel", "put", "state", "joint_count=2", "--rate", "500")
        sizes = {}
        for kind in ("none", "lz4", "zstd"):
            out = run("record", "state", "-o", self.path(kind), "--seconds", "0.4", "--compression", kind, "--json")
            report = json.loads(out)
            info = json.loads(run("replay", self.path(kind), "--json"))
            self.assertEqual(info["messages"], report["messages"])
            self.assertEqual(info["channels"][0]["missed"], report["missed"])
            self.assertIn("is whole", run("replay", self.path(kind), "--check"))
            sizes[kind] = report["size"] / report["messages"]
        finish(writer)
        self.assertGreater(sizes["none"], 1568)
        self.assertLess(sizes["zstd"], sizes["none"] / 2)
        book_of(self.path("none"))

    def test_a_killed_recorder_leaves_a_file_that_can_be_read(self):
        run("channel", "mk", "state", "--message", "JointState", "--depth", "2048")
        recorder = self.record("a.mcap")
        writer = start("channel", "put", "state", "joint_count=2", "--rate", "500")
        while pathlib.Path(self.path("a.mcap")).stat().st_size < 4000:
            time.sleep(0.01)
        finish(recorder, signal.SIGKILL)
        finish(writer)
        info = json.loads(run("replay", self.path("a.mcap"), "--info", "--json"))
        self.assertFalse(info["is_whole"])
        self.assertGreater(info["messages"], 10)
        self.assertIn("is not whole", run("replay", self.path("a.mcap"), "--check", status=1))
        self.assertIn("cut off", run("replay", self.path("a.mcap"), "--info"))
        out = run("replay", self.path("a.mcap"), "--into-space", OTHER, "--speed", "100")
        self.assertIn(f"put {info['messages']} messages", out)

    def test_replay_into_another_space_gives_the_same_bytes_in_the_same_order(self):
        run("channel", "mk", "arm/state", "--message", "JointState", "--depth", "2048", "--mode", "0640")
        run("channel", "mk", "arm/raw", "--depth", "2048")
        recorder = self.record("a.mcap", "--robot", "arm", "--compression", "none")
        writers = [start("channel", "put", "arm/state", "joint_count=3", "--rate", "200", "--count", "100"),
                   start("channel", "put", "arm/raw", "--hex", "0123456789", "--rate", "50", "--count", "25")]
        for writer in writers:
            writer.wait()
            writer.communicate()
        finish(recorder)
        first = book_of(self.path("a.mcap"))
        self.assertEqual(len(first.messages), 125)
        second = self.record("b.mcap", "--compression", "none", space=OTHER)
        self.assertIn("put 125 messages", run("replay", self.path("a.mcap"), "--into-space", OTHER, "--speed", "2"))
        finish(second)
        again = book_of(self.path("b.mcap"))
        self.assertEqual([(m[0], m[4]) for m in again.messages], [(m[0], m[4]) for m in first.messages])
        self.assertEqual(again.metadata["sinew:missed"], {"arm/state": "0", "arm/raw": "0"})
        mine = {d[1]: d[3] for (kind, _), d in first.definitions.items() if kind == 0x04}
        theirs = {d[1]: d[3] for (kind, _), d in again.definitions.items() if kind == 0x04}
        self.assertEqual(mine, theirs)

    def test_replay_refuses_a_channel_that_somebody_writes(self):
        run("channel", "mk", "state", "--message", "JointState")
        run("channel", "put", "state", "joint_count=2")
        run("record", "-o", self.path("a.mcap"), "--seconds", "0.05")
        writer = start("channel", "put", "state", "joint_count=2", "--rate", "100")
        while "alive" not in run("channel", "info", "state", "--json"):
            time.sleep(0.01)
        self.assertIn(f"(pid {writer.pid}) writes 'state'", run("replay", self.path("a.mcap"), status=1))
        self.assertIn("put 1 messages", run("replay", self.path("a.mcap"), "--force"))
        finish(writer)
        self.assertIn("put 1 messages", run("replay", self.path("a.mcap")))

    def test_a_recording_becomes_a_picture(self):
        run("channel", "mk", "arm/state", "--message", "JointState", "--depth", "1024")
        recorder = self.record("a.mcap", "--plot", self.path("a.svg"))
        for i in range(5):
            run("channel", "put", "arm/state", f"stamp_ns={i + 1}000000000", "joint_count=3", f"position={i}.5,0,{-i}")
        finish(recorder)
        picture = pathlib.Path(self.path("a.svg")).read_text(encoding="utf-8")
        for words in ("4.0 s of arm", ">joint 1<", ">joint 3<", ">angle [deg]<"):
            self.assertIn(words, picture)
        self.assertNotIn("joint 4", picture)
        run("replay", self.path("a.mcap"), "--plot", self.path("b.png"))
        self.assertEqual(pathlib.Path(self.path("b.png")).read_bytes()[:4], b"\x89PNG")
        self.assertIn("has 6 joints that move, but the recording has 3",
                      run("replay", self.path("a.mcap"), "--plot", self.path("c.png"), "--robot", "ur5e", status=1))

    def test_json_for_others(self):
        run("channel", "mk", "state", "--message", "JointState")
        run("channel", "put", "state", "joint_count=2", "position=0.5")
        run("record", "-o", self.path("a.mcap"), "--seconds", "0.05", "--encoding", "json", "--compression", "none")
        book = book_of(self.path("a.mcap"))
        message = json.loads(book.messages[0][4])
        self.assertEqual((message["joint_count"], message["position"][0]), (2, 0.5))
        name, encoding, text = book.definitions[(0x03, 1)]
        self.assertEqual((name, encoding, book.definitions[(0x04, 1)][2]), ("JointState", "jsonschema", "json"))
        schema = json.loads(text)
        self.assertEqual(schema["properties"].keys(), message.keys())
        self.assertEqual(schema["properties"]["position"]["items"], {"type": "number"})
        self.assertIn("no channel to replay", run("replay", self.path("a.mcap"), status=1))

    def test_bad_words_and_files_are_refused_with_a_reason(self):
        run("record", "-o", self.path("a.mcap"), "--seconds", "0.02")
        self.assertIn("is there already", run("record", "-o", self.path("a.mcap"), "--seconds", "0.02", status=1))
        run("record", "-o", self.path("a.mcap"), "--seconds", "0.02", "--force")
        self.assertIn("cannot make", run("record", "-o", self.path("no/a.mcap"), status=1))
        self.assertIn("no compression 'zip'", run("record", "-o", self.path("b"), "--compression", "zip", status=2))
        self.assertIn("--encoding is sinew or json", run("record", "-o", self.path("b"), "--encoding", "xml", status=2))
        self.assertIn("--all records every channel", run("record", "state", "--all", status=2))
        (self.folder / "text").write_text("no recording")
        self.assertIn("is no MCAP file", run("replay", self.path("text"), status=1))
        self.assertIn("cannot read", run("replay", self.path("none"), status=1))
        self.assertIn("no channel to replay", run("replay", self.path("a.mcap"), status=1))
        self.assertIn("holds no channel 'x'", run("replay", self.path("a.mcap"), "--csv", "x", status=1))


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main()
