#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The channel tools, as a person types them. Usage: scenario.py SINEW"""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time
import unittest

PROGRAM = ""
SPACE = f"tools-{os.getpid()}"
FOLDER = pathlib.Path(f"/dev/shm/sinew-{SPACE}")


def run(*words, status=0):
    """Runs sinew in this test's space; answers what it printed on stdout, or on stderr when it should fail."""
    done = subprocess.run([PROGRAM, *words, "--space", SPACE], capture_output=True, text=True, timeout=120)
    assert done.returncode == status, f"{words}: exit {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done.stdout if status == 0 else done.stderr


def start(*words):
    return subprocess.Popen([PROGRAM, *words, "--space", SPACE], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def wait_for(condition):
    """Looks until the condition holds; the guard against hanging is CTest's."""
    while not condition():
        time.sleep(0.01)


class ChannelTools(unittest.TestCase):
    def tearDown(self):
        shutil.rmtree(FOLDER, ignore_errors=True)

    def test_what_is_put_is_what_is_echoed(self):
        run("channel", "mk", "arm/ref/me", "--message", "JointReference")
        run("channel", "put", "arm/ref/me", "joint_mask=0x5", "position=0.5,-0.25", "position[2]=1e-3", "smoothing=Direct")
        echoed = json.loads(run("channel", "echo", "arm/ref/me", "--once", "--json"))
        self.assertEqual(echoed["frame"]["sequence"], 1)
        self.assertEqual(echoed["message"]["joint_mask"], 5)
        self.assertEqual(echoed["message"]["smoothing"], "Direct")
        self.assertEqual(echoed["message"]["position"][:4], [0.5, -0.25, 0.001, 0])
        self.assertGreater(echoed["message"]["stamp_ns"], 0)
        text = run("channel", "echo", "arm/ref/me", "--once", "--fields", "position,joint_mask")
        self.assertIn("[0.5, -0.25, 0.001] and 61 zeros [rad, m]", text)

    def test_put_changes_the_newest_message_or_takes_json_or_bytes(self):
        run("channel", "mk", "arm/ref/me", "--message", "JointReference")
        run("channel", "put", "arm/ref/me", "--json", '{"joint_mask": 3, "position": [1, 2]}')
        run("channel", "put", "arm/ref/me", "position[1]=7", "--change")
        fields = json.loads(run("channel", "echo", "arm/ref/me", "--once", "--json", "--fields", "joint_mask,position[0],position[1]"))
        self.assertEqual(fields["message"], {"joint_mask": 3, "position[0]": 1, "position[1]": 7})
        run("channel", "mk", "raw", "--capacity", "8")
        run("channel", "put", "raw", "--hex", "00ff10")
        self.assertEqual(json.loads(run("channel", "echo", "raw", "--once", "--json"))["hex"], "00ff10")

    def test_nothing_is_put_when_a_value_is_refused(self):
        run("channel", "mk", "arm/ref/me", "--message", "JointReference")
        self.assertIn("did you mean 'position'?", run("channel", "put", "arm/ref/me", "joint_mask=1", "positon=1", status=2))
        self.assertIn("'nan' is no finite number", run("channel", "put", "arm/ref/me", "position=nan", status=2))
        self.assertIn("0 to 63", run("channel", "put", "arm/ref/me", "position[64]=1", status=2))
        self.assertIn("none of JerkLimited", run("channel", "put", "arm/ref/me", "smoothing=Soft", status=2))
        info = json.loads(run("channel", "info", "arm/ref/me", "--json"))
        self.assertEqual(info["newest_sequence"], 0)

    def test_rates_and_users_are_listed_while_a_writer_runs(self):
        run("channel", "mk", "arm/state", "--message", "JointState")
        writer = start("channel", "put", "arm/state", "joint_count=2", "--rate", "200")
        reader = start("channel", "echo", "arm/state", "--json", "--fields", "joint_count")
        self.assertIn('"joint_count": 2', reader.stdout.readline())
        wait_for(lambda: json.loads(run("channel", "info", "arm/state", "--json"))["rate"] is not None)
        info = json.loads(run("channel", "info", "arm/state", "--json"))
        self.assertEqual([(w["pid"], w["life"]) for w in info["writers"]], [(writer.pid, "alive")])
        self.assertEqual([r["pid"] for r in info["readers"]], [reader.pid])
        self.assertGreater(json.loads(run("channel", "hz", "arm/state", "--seconds", "0.5", "--json"))["rate"], 1)
        latency = json.loads(run("channel", "latency", "arm/state", "--seconds", "0.5", "--json"))
        self.assertEqual(sum(b["count"] for b in latency["histogram"]), latency["messages"])
        self.assertIn(f"(pid {writer.pid}) writes", run("channel", "rm", "arm/state", status=1))
        os.kill(writer.pid, signal.SIGKILL)
        writer.wait()
        wait_for(lambda: json.loads(run("channel", "info", "arm/state", "--json"))["writers"][0]["life"] == "dead")
        self.assertEqual(run("channel", "rm", "--unused"), "")
        reader.send_signal(signal.SIGINT)
        self.assertEqual(reader.wait(), 0)
        self.assertEqual(run("channel", "rm", "--unused"), "removed arm/state\n")
        for process in (writer, reader):
            process.communicate()

    def test_looking_leaves_no_trace(self):
        run("channel", "mk", "arm/state", "--message", "JointState")
        run("channel", "put", "arm/state", "joint_count=1")
        path = FOLDER / "arm/state"
        before = path.read_bytes()
        path.chmod(0o444)
        run("channel", "echo", "arm/state", "--once")
        run("channel", "info", "arm/state")
        run("channel", "ls")
        run("channel", "hz", "arm/state", "--seconds", "0.1", status=1)
        self.assertEqual(path.read_bytes(), before)

    def test_strange_files_are_named_and_never_opened_as_channels(self):
        run("channel", "mk", "good")
        (FOLDER / "text").write_text("no channel at all")
        (FOLDER / "link").symlink_to("/etc/passwd")
        whole = (FOLDER / "good").read_bytes()
        (FOLDER / "short").write_bytes(whole[:-1])
        listing = json.loads(run("channel", "ls", "--json"))
        self.assertEqual([c["name"] for c in listing["channels"]], ["good"])
        self.assertEqual([s["name"] for s in listing["strange"]], ["link", "short", "text"])
        self.assertIn("where its header promises", run("channel", "echo", "short", "--once", status=1))
        self.assertIn("too short", run("channel", "echo", "text", "--once", status=1))
        self.assertIn("is no channel but a link", run("channel", "echo", "link", "--once", status=1))

    def test_bad_words_are_refused_with_a_reason(self):
        self.assertIn("is no name for a channel", run("channel", "mk", "../etc/passwd", status=2))
        self.assertIn("there is no message 'JointStat' (did you mean 'JointState'?)", run("channel", "mk", "a", "--message", "JointStat", status=2))
        self.assertIn("--mode takes an octal number up to 777", run("channel", "mk", "a", "--mode", "999", status=2))
        self.assertIn("there is no channel 'a'", run("channel", "echo", "a", status=1))
        self.assertIn("did you mean 'echo'?", run("channel", "ecko", status=2))
        run("channel", "mk", "a")
        self.assertIn("is there already", run("channel", "mk", "a", status=1))
        run("channel", "mk", "a", "--or-keep")

    def test_an_empty_space_is_no_error(self):
        self.assertEqual(json.loads(run("channel", "ls", "--json"))["channels"], [])

    def test_the_demo_leaves_nothing_behind(self):
        self.assertIn("0 torn", run("channel", "demo", "--seconds", "2"))
        self.assertEqual([p for p in FOLDER.rglob("*") if p.is_file()], [])


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main()
