#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What runs while a key is held, whoever dies. Usage: scenario.py SINEW"""

import base64
import http.client
import json
import os
import pathlib
import random
import re
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unittest

SINEW = pathlib.Path(sys.argv.pop(1)).resolve()
SPACE = f"hold-{os.getpid()}"
PATIENCE = 120.0  # [s] on a machine that does other things as well
BEAT = 0.05  # [s]
FAR = 2.0  # [rad] From one end of its way to the other.
SPEED = 0.1  # share; so slow that even a busy machine sees it on its way


def sinew(*words: str) -> subprocess.CompletedProcess:
    return subprocess.run([SINEW, *words, "--space", SPACE], capture_output=True, text=True, check=False)


def told(*words: str) -> str:
    done = sinew(*words)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def web_process() -> dict:
    status = json.loads(sinew("status", "--json").stdout)
    return {process["role"]: process for process in status["robots"][0]["processes"]}["web"]


def wait_until(what: str, is_true, tell=lambda: "") -> None:
    deadline = time.monotonic() + PATIENCE
    while not is_true():
        assert time.monotonic() < deadline, f"never came true: {what} {tell()}"
        time.sleep(0.05)


def is_late(safety: dict) -> bool:
    """What a machine that was too busy to simulate or plan in time makes of a motion; anything else is a fault of ours."""
    return safety["reason"] in ("stale state", "motion broken") or (
        safety["reason"] == "device fault" and "watchdog" in safety["text"])


class Page:
    """A page with one key: a WebSocket at /api/live, and calls."""

    def __init__(self, takes_control: bool = True):
        self.port = int(re.search(r"http://[0-9.]+:([0-9]+)", web_process()["note"]).group(1))
        self.socket = socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE)
        self.socket.sendall((f"GET /api/live HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nOrigin: http://127.0.0.1:{self.port}\r\n"
                             "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                             f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}\r\n"
                             "Sec-WebSocket-Protocol: sinew.live.v1\r\n\r\n").encode())
        self.press = 0
        self.token = ""
        self.client = ""
        self.live = {}
        self.known = set()
        self.lock = threading.Lock()
        threading.Thread(target=self.listen, daemon=True).start()
        threading.Thread(target=self.beat, daemon=True).start()
        wait_until("the page is greeted", lambda: self.client)
        if not takes_control:
            return
        self.token = self.call("POST", "/api/control/take", {"client": self.client, "force": True})[1]["token"]
        self.call("POST", "/api/reset")
        wait_until("the robot runs", lambda: self.live.get("safety", {}).get("state") == "running")

    def call(self, method: str, path: str, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        headers = {"Content-Type": "application/json", "X-Sinew-Control": self.token}
        connection.request(method, path, json.dumps(body or {}), headers)
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        return answer.status, json.loads(text)

    def say(self, message: dict) -> None:
        text = json.dumps(message).encode()
        size = struct.pack("!BB", 0x81, 0x80 | len(text)) if len(text) < 126 else struct.pack("!BBH", 0x81, 0xFE, len(text))
        with self.lock:
            self.socket.sendall(size + bytes(4) + text)

    def beat(self) -> None:
        while True:
            press = self.press
            held = {"op": "hold", "press": press, "control": self.token, "t": time.monotonic() * 1000.0}
            try:
                self.say(held if press else {"op": "alive"})
            except OSError:
                return
            time.sleep(BEAT)

    def listen(self) -> None:
        came = b""
        try:
            while piece := self.socket.recv(1 << 16):
                came += piece
                while found := re.search(rb'\{"op":"(hello|live|held)".*\}\n', came):
                    text, came = found.group(0), came[found.end():]
                    for line in text.splitlines():
                        if (begin := line.find(b'{"op":')) >= 0:
                            self.hear(line[begin:])
        except OSError:
            pass

    def hear(self, line: bytes) -> None:
        try:
            message = json.loads(line)
        except ValueError:
            return
        if message["op"] == "hello":
            self.client = message["client"]
        elif message["op"] == "live":
            self.live = message
        elif message["op"] == "held":
            self.known.add(message["press"])

    def hold(self) -> int:
        """The key goes down; answers its press."""
        self.press = press = random.randrange(1, 1 << 53)
        wait_until("the press is known", lambda: press in self.known)
        return press

    def let_go(self) -> None:
        press, self.press = self.press, 0
        self.say({"op": "hold", "press": press, "released": True})

    def base(self) -> float:
        state = self.call("GET", "/api/state")[1]
        return {joint["name"]: joint["actual"] for joint in state["joints"]}["base"]


class Hold(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.data = tempfile.TemporaryDirectory()
        told("start", "scorbot-er3", "--sim", "--web", "127.0.0.1:0", "--no-accounts", "--web-data", cls.data.name)

    @classmethod
    def tearDownClass(cls):
        sinew("stop")
        cls.data.cleanup()

    def begin(self, page: Page) -> "tuple[int, float]":
        """Its base is on its way: the request, and where it goes."""
        goal = FAR / 2 if page.base() < 0.0 else -FAR / 2
        begun = page.base()
        request = 0
        answers = []

        def is_on_its_way() -> bool:
            nonlocal request
            # a machine that is too busy loses a press, or its device
            if page.live["safety"]["state"] != "running":
                self.assertTrue(is_late(page.live["safety"]), page.live["safety"])
                page.call("POST", "/api/reset")
                wait_until("the robot runs again", lambda: page.live["safety"]["state"] == "running")
            if not page.press or request == 0 or page.live["motion"]["phase"] in ("paused", "idle"):
                page.hold()
                status, answer = page.call("POST", "/api/move", {"kind": "joints", "joints": {"base": goal}, "speed": SPEED,
                                                                "hold": page.press})
                request = answer["request"] if status == 202 else 0
                answers.append(answer)
            time.sleep(0.2)
            return abs(page.base() - begun) > 0.03

        wait_until("the base moves", is_on_its_way, lambda: f"{page.live['safety']} {page.live['motion']}, last answer {answers[-1]}")
        return request, goal

    def check_stands_short(self, page: Page, goal: float) -> None:
        places = [page.base()]

        def rests() -> bool:
            places.append(page.base())
            time.sleep(0.1)
            return len(places) > 8 and max(places[-8:]) - min(places[-8:]) < 1e-3

        wait_until("the base rests", rests)
        stood = page.base()
        self.assertGreater(abs(stood - goal), 0.2, "it went all the way")
        # as long as the rest of its way would take at least
        end = time.monotonic() + 3.0
        while time.monotonic() < end:
            self.assertAlmostEqual(page.base(), stood, delta=2e-3)
            time.sleep(0.1)

    def test_let_go_it_stands_and_with_a_new_press_it_goes_on(self):
        page = Page()
        request, goal = self.begin(page)
        page.let_go()
        self.check_stands_short(page, goal)
        self.assertEqual(page.live["motion"]["phase"], "paused")
        self.assertEqual(page.live["motion"]["request"], request)
        stood = page.base()
        press = page.hold()
        time.sleep(0.5)
        self.assertAlmostEqual(page.base(), stood, delta=2e-3, msg="a press by itself moves nothing")
        self.assertEqual(page.call("POST", "/api/resume", {"request": request, "hold": press})[0], 202)

        def goes_on() -> bool:
            if abs(page.base() - stood) > 0.03:
                return True
            time.sleep(0.3)
            if page.live["motion"]["phase"] == "paused":
                page.call("POST", "/api/resume", {"request": request, "hold": page.hold()})
            return False

        wait_until("it goes on", goes_on)
        page.let_go()
        # the two go by connections of their own
        again = {"kind": "joints", "joints": {"base": goal}, "hold": press}
        wait_until("the press is over", lambda: page.call("POST", "/api/move", again)[0] == 409)

    def test_killed_the_web_process_leaves_a_robot_that_stands(self):
        page = Page()
        request, goal = self.begin(page)
        before = web_process()["pid"]
        os.kill(before, signal.SIGKILL)
        wait_until("web is brought back", lambda: web_process()["note"].startswith("http://") and web_process()["pid"] not in (0, before))
        page.press = 0
        # who controlled is gone, and keeps nobody out
        watcher = Page(takes_control=False)
        wait_until("nobody controls", lambda: watcher.live.get("motion") and watcher.live["motion"]["owner"] is None)
        another = Page()
        self.check_stands_short(another, goal)
        self.assertEqual(another.live["motion"]["request"], request, "it may go on")

    def test_halted_the_web_process_leaves_a_robot_that_stands(self):
        page = Page()
        _, goal = self.begin(page)
        web = web_process()["pid"]
        os.kill(web, signal.SIGSTOP)
        # the key stays down, and its beats are queued
        time.sleep(3.0)
        os.kill(web, signal.SIGCONT)
        page.let_go()
        self.check_stands_short(page, goal)


if __name__ == "__main__":
    unittest.main(verbosity=2)
