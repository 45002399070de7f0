#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Limits and workspace set up on site, over real processes. Usage: scenario.py SINEW"""

import http.client
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

SINEW = pathlib.Path(sys.argv.pop(1)).resolve()
SPACE = f"site-{os.getpid()}"
ROBOT = "scorbot-er3"
PATIENCE = 120.0  # [s] on a machine that does other things as well
READY = {"base": 0.0, "shoulder": 1.0471, "elbow": -1.5707, "pitch": -1.0471, "roll": 0.0}
# above all of READY and of home; the wrist of RAISED would be beyond it, its tool not
LID = {"name": "lid", "kind": "plane", "position": [0, 0, 0.73], "normal": [0, 0, -1]}
RAISED = {"shoulder": 1.5, "elbow": -0.1, "pitch": -2.0}


def sinew(*words: str) -> subprocess.CompletedProcess:
    return subprocess.run([SINEW, *words, "--space", SPACE], capture_output=True, text=True, check=False)


class Site(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.data = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.data.name) / "scorbot"
        cls.file = cls.folder / "site.yaml"
        cls.start()

    @classmethod
    def tearDownClass(cls):
        sinew("kill")
        cls.data.cleanup()

    @classmethod
    def start(cls):
        done = sinew("start", ROBOT, "--sim", "--web", "127.0.0.1:0", "--web-data", str(cls.folder), "--no-accounts")
        assert done.returncode == 0, done.stdout + done.stderr
        cls.port = int(re.search(r"http://[0-9.]+:([0-9]+)", done.stderr + done.stdout).group(1))
        cls.take_control()

    @classmethod
    def take_control(cls):
        cls.control = cls.ask("POST", "/api/control/take", {})[1]["token"]

    @classmethod
    def ask(cls, method: str, path: str, body=None, control: str = ""):
        connection = http.client.HTTPConnection("127.0.0.1", cls.port, timeout=PATIENCE)
        headers = {"Content-Type": "application/json"} if body is not None else {}
        if control:
            headers["X-Sinew-Control"] = control
        try:
            connection.request(method, path, None if body is None else json.dumps(body), headers)
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read())
        finally:
            connection.close()

    def setup(self) -> dict:
        status, answer = self.ask("GET", "/api/setup")
        self.assertEqual(status, 200, answer)
        return answer

    def limits(self, joint: str) -> dict:
        return {one["name"]: one for one in self.setup()["limits"]}[joint]

    def put(self, limits: dict, bounds: list, **more: str):
        return self.ask("PUT", "/api/setup", {"limits": limits, "bounds": bounds, **more}, self.control)

    def keep(self, limits: dict, bounds: list) -> None:
        status, answer = self.put(limits, bounds)
        self.assertEqual(status, 200, answer)

    def restart(self) -> None:
        status, answer = self.ask("POST", "/api/setup/restart", {}, self.control)
        self.assertEqual(status, 200, answer)
        self.assertTrue(self.setup()["is_in_force"])
        # it was ended in order, so nobody needs to reset it
        deadline = time.monotonic() + PATIENCE
        while self.safety()["state"] != "running":
            self.assertLess(time.monotonic(), deadline, self.safety())
            time.sleep(0.1)

    def safety(self) -> dict:
        return self.ask("GET", "/api/state")[1]["safety"]

    def reset(self) -> None:
        deadline = time.monotonic() + PATIENCE
        while self.safety()["state"] != "running":
            self.assertLess(time.monotonic(), deadline, self.safety())
            self.ask("POST", "/api/reset", {}, self.control)
            time.sleep(0.2)

    def move(self, joints: dict):
        wish = {"kind": "joints", "joints": joints, "wait": True}
        return self.ask("POST", "/api/move", wish, self.control)

    def reach(self, joints: dict) -> None:
        deadline = time.monotonic() + PATIENCE
        while True:
            self.reset()
            status, answer = self.move(joints)
            if status == 200:
                return
            # a machine too busy to simulate in time stops the robot, and that is right
            self.assertLess(time.monotonic(), deadline, answer)

    def positions(self) -> dict:
        return {one["name"]: one["actual"] for one in self.ask("GET", "/api/state")[1]["joints"]}

    def process(self, role: str) -> dict:
        status = json.loads(sinew("status", "--json").stdout)
        return {one["role"]: one for one in status["robots"][0]["processes"]}[role]

    def test_1_a_new_robot_is_as_it_was_made(self):
        setup = self.setup()
        self.assertTrue(setup["is_in_force"])
        self.assertEqual([one["site"] for one in setup["limits"]], [{}] * 6)
        self.assertEqual(setup["bounds"], [])
        self.assertFalse(self.file.exists())

    def test_2_nothing_is_kept_without_control_or_with_a_mistake_in_it(self):
        wish = {"limits": {}, "bounds": []}
        self.assertEqual(self.ask("PUT", "/api/setup", wish)[0], 409)
        self.assertEqual(self.ask("POST", "/api/setup/restart", {})[0], 409)
        status, answer = self.put({"base": {"upper": 99}, "elbow": {"velocity": -1}}, [{"name": "box", "kind": "keep_out", "position": [1, 0, 0]}])
        self.assertEqual(status, 400, answer)
        self.assertEqual([(one["about"], one["name"]) for one in answer["findings"]], [("limits", "base"), ("limits", "elbow"), ("bounds", "box")])
        self.assertFalse(self.file.exists())
        status, answer = self.put({}, [], version="of another time")
        self.assertEqual(status, 409, answer)
        audit = self.ask("GET", "/api/audit")[1]["events"]
        self.assertTrue(any(one["what"] == "setup: save" and one["outcome"].startswith("refused") for one in audit), audit)

    def test_3_a_bound_in_which_the_robot_stands_is_refused_with_the_link(self):
        self.reach(READY)
        status, answer = self.put({}, [LID | {"position": [0, 0, 0.5]}])
        self.assertEqual(status, 422, answer)
        self.assertEqual(answer["findings"][0]["name"], "lid")
        self.assertRegex(answer["findings"][0]["message"], "link (upper_arm|forearm) is beyond it now")
        status, answer = self.put({"base": {"lower": 0.5}}, [])
        self.assertEqual(status, 400, "its home is outside")
        self.reach({"base": 0.6})
        status, answer = self.put({"base": {"upper": 0.4}}, [])
        self.assertEqual((status, answer["findings"][0]["name"]), (422, "base"), answer)
        self.assertFalse(self.file.exists())

    def test_4_limits_hold_after_a_restart(self):
        self.reach(READY)
        self.keep({"base": {"upper": 0.5, "velocity": 0.2}}, [LID])
        self.assertFalse(self.setup()["is_in_force"])
        self.assertEqual(self.limits("base")["site"], {"upper": 0.5, "velocity": 0.2})
        self.assertGreater(self.limits("base")["in_force"]["upper"], 0.5)
        self.reach({"base": 0.55})  # not yet
        status, answer = self.ask("POST", "/api/setup/restart", {}, self.control)
        self.assertEqual((status, answer["findings"][0]["name"]), (422, "base"), "it stands outside of them")
        self.reach(READY)
        self.restart()
        self.assertEqual(self.limits("base")["in_force"]["upper"], 0.5)
        robot = self.ask("GET", "/api/robot")[1]
        self.assertEqual(robot["joints"][0]["upper"], 0.5)
        self.assertEqual(robot["workspace"][0]["name"], "lid")
        self.reach({"base": 0.45})
        status, answer = self.move({"base": 0.6})
        self.assertIn(status, (409, 422), answer)
        self.assertIn("joint 'base' cannot go to 34.4 deg: its limits are -155.0 deg to 28.6 deg", answer["reason"])
        self.assertLess(self.positions()["base"], 0.5)

    def test_5_a_link_is_stopped_before_the_plane_that_the_tool_is_far_from(self):
        self.reach(READY)
        status, answer = self.move(RAISED)
        self.assertIn(status, (409, 422), answer)
        self.assertRegex(answer["reason"], "(forearm|wrist|hand).*workspace lid")
        # past the motion service, straight to the controller: the guard
        self.ask("POST", "/api/control/leave", {}, self.control)
        self.addCleanup(self.take_control)
        held = sinew("console", "-c", "goto " + " ".join(f"{name} {value}" for name, value in RAISED.items()))
        deadline = time.monotonic() + PATIENCE
        while self.safety()["reason"] != "workspace":
            self.assertLess(time.monotonic(), deadline, (held.stdout + held.stderr, self.safety(), self.positions()))
            time.sleep(0.1)
        self.assertRegex(self.safety()["text"], "(forearm|wrist)")
        self.assertIn("lid", self.safety()["text"])

    def test_6_a_controller_that_is_killed_comes_back_with_them(self):
        pid = self.process("controller")["pid"]
        os.kill(pid, signal.SIGKILL)
        deadline = time.monotonic() + PATIENCE
        while self.process("controller")["pid"] in (pid, 0) or self.process("controller")["state"] != "running":
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.2)
        while not self.setup()["is_in_force"]:
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.2)
        self.assertEqual(self.limits("base")["in_force"]["upper"], 0.5)

    def test_7_a_damaged_file_is_never_left_out(self):
        good = self.file.read_text()
        self.file.write_text(good.replace("upper: 0.5", "upper: 50"))
        self.assertIn("beyond the", self.setup()["problem"])
        status, answer = self.ask("POST", "/api/setup/restart", {}, self.control)
        self.assertEqual(status, 422, answer)
        self.assertEqual(self.process("controller")["state"], "running")
        self.assertEqual(sinew("stop").returncode, 0)
        for options in ((), ("--no-web",)):
            refused = sinew("start", ROBOT, "--sim", "--web-data", str(self.folder), *options)
            self.assertNotEqual(refused.returncode, 0)
            self.assertRegex(refused.stderr, r"site\.yaml:\d+: 'upper' of joint 'base' is 2864.8 deg, beyond")
        self.file.write_text(good)
        self.start()
        self.assertTrue(self.setup()["is_in_force"])
        self.assertEqual(self.limits("base")["in_force"]["upper"], 0.5)

    def test_8_all_as_made_again(self):
        self.keep({}, [])
        self.restart()
        self.assertEqual(self.limits("base")["in_force"], self.limits("base")["made"])
        self.assertIn("upper: 0.5", (self.folder / "site.yaml.before").read_text())


if __name__ == "__main__":
    unittest.main()
