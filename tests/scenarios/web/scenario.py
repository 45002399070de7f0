#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A robot on the web. Usage: scenario.py SINEW"""

import concurrent.futures
import http.client
import json
import math
import os
import pathlib
import signal
import socket
import subprocess
import sys
import threading
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
SINEW = pathlib.Path(sys.argv.pop(1)).resolve()
SPACE = f"web-{os.getpid()}"
EXAMPLE = "/0.336/0.0/0.2/0.0/1.57079633/0.065/0"
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:120.0) Gecko/20100101 Firefox/120.0"
PATIENCE = 120.0  # [s] on a machine that does other things as well


def sinew(*words: str, space: str = SPACE) -> subprocess.CompletedProcess:
    return subprocess.run([SINEW, *words, "--space", space], capture_output=True, text=True, check=False)


def told(*words: str, **options: str) -> str:
    done = sinew(*words, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def processes(space: str = SPACE) -> "dict[str, dict]":
    status = json.loads(sinew("status", "--json", space=space).stdout)
    return {process["role"]: process for process in status["robots"][0]["processes"]}


def wait_until(what: str, is_true) -> None:
    deadline = time.monotonic() + PATIENCE
    while not is_true():
        assert time.monotonic() < deadline, f"never came true: {what}"
        time.sleep(0.1)


def port(space: str = SPACE) -> int:
    """Of the robot's web process, as status tells it."""
    return int(processes(space)["web"]["note"].rsplit(":", 1)[1])


class Web(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        told("start", "scorbot-er3", "--sim", "--world", str(HERE / "tower"), "--web", "127.0.0.1:0")
        cls.port = port()
        told("sim", "speed", "4")

    @classmethod
    def tearDownClass(cls):
        sinew("stop")

    def get(self, path: str, method: str = "GET", at: int = 0, **headers: str):
        """Status and body, which is JSON."""
        connection = http.client.HTTPConnection("127.0.0.1", at or self.port, timeout=PATIENCE)
        try:
            connection.request(method, path, headers={name.replace("_", "-"): text for name, text in headers.items()})
            answer = connection.getresponse()
            body = answer.read().decode()
            self.assertEqual(answer.headers["X-Content-Type-Options"], "nosniff")
            self.assertIsNone(answer.headers["Access-Control-Allow-Origin"])
            return answer.status, json.loads(body) if body else {}
        finally:
            connection.close()

    def joints(self) -> "list[float]":
        return [joint["actual"] for joint in self.get("/api/state")[1]["joints"]]

    def check_refused(self, wanted_status: int, words: str, path: str = EXAMPLE, **options: object) -> None:
        before = self.joints()
        status, answer = self.get(path, **options)
        self.assertEqual(status, wanted_status, answer)
        if answer:
            self.assertIs(answer["reached"], False)
            self.assertIn(words, answer["reason"])
        for was, now in zip(before, self.joints()):
            self.assertAlmostEqual(was, now, delta=1e-3, msg="it moved")

    def test_the_example_of_the_thesis_is_reached_at_the_first_request(self):
        status, answer = self.get(EXAMPLE)
        self.assertEqual(status, 200, answer)
        self.assertIs(answer["reached"], True)
        self.assertEqual(answer["target"]["handWidth"], 0.065)
        self.assertLess(answer["position_error"], 0.002)
        base, *_, gripper = self.joints()
        self.assertAlmostEqual(base, 0.0, delta=5e-3)
        self.assertAlmostEqual(2 * gripper, 0.065, delta=2e-3)

    def test_the_state_tells_joints_safety_and_who_controls(self):
        status, state = self.get("/api/state")
        self.assertEqual(status, 200)
        self.assertEqual(state["robot"], "scorbot-er3")
        self.assertEqual([joint["name"] for joint in state["joints"]],
                         ["base", "shoulder", "elbow", "pitch", "roll", "gripper"])
        self.assertEqual(state["safety"]["state"], "running")
        self.assertIsNone(state["controlled_by"])
        self.assertIn("phase", state["motion"])

    def test_what_cannot_be_is_refused_with_the_reason(self):
        self.check_refused(400, "x 'nan' is no finite number", "/nan/0/0.2/0/1.57/0/0")
        self.check_refused(400, "has 3 parts, not 7", "/0.3/0/0.2")
        self.check_refused(400, "handWidth -1 is not within 0 to 1 m", "/0.3/0/0.2/0/1.57/-1/0")
        self.check_refused(409, "opens to 75.0 mm", "/0.3/0/0.2/0/1.57/0.2/0")
        self.check_refused(422, "", "/0.9/0/0.2/0/1.57/0.06/0")
        self.check_refused(409, "it cannot be done in 0.001 s", "/0.2/0.25/0.25/0/1.57/0.06/0.001")
        self.check_refused(405, "", method="HEAD")
        self.check_refused(405, "by GET only", method="POST")
        for path in ("/../../etc/passwd", "/api/state/", "/%2e%2e/x", "/api"):
            self.assertEqual(self.get(path)[0], 404, path)

    def test_another_web_page_moves_nothing(self):
        self.check_refused(403, "another page", Origin="http://evil.example")
        self.check_refused(403, "another page", Origin="null")
        self.check_refused(403, "another page", Sec_Fetch_Site="cross-site")
        self.check_refused(403, "another page", Referer="http://evil.example/")
        self.check_refused(403, "fetches ahead", Sec_Fetch_Site="none", Sec_Purpose="prefetch;prerender")
        self.check_refused(403, "does not say which page asks", User_Agent=FIREFOX)
        status, answer = self.get(EXAMPLE, Host=f"evil.example:{self.port}")
        self.assertEqual((status, "Host 'evil.example" in answer["error"]), (403, True))
        self.assertEqual(self.get("/api/state", Host="evil.example")[0], 403)

    def test_a_person_at_the_address_bar_moves_it(self):
        answers = []

        def is_let_in() -> bool:
            answers.append(self.get("/0.3/0.05/0.25/0/1.57/0.05/0", User_Agent=FIREFOX, Sec_Fetch_Site="none",
                                    Host=f"localhost:{self.port}"))
            return answers[-1][0] != 429

        # the crowd of another test may have just been slowed down
        wait_until("it is let in", is_let_in)
        status, answer = answers[-1]
        self.assertEqual((status, answer["reached"]), (200, True), answer)

    def test_who_has_control_is_named_to_who_has_not(self):
        told("console", "-c", "take")
        try:
            self.check_refused(409, "console")
            self.assertEqual(self.get("/api/state")[1]["controlled_by"], "console")
        finally:
            told("console", "-c", "leave")

    def test_a_stop_is_told_to_who_waits(self):
        self.get("/0.336/0.0/0.25/0/1.57/0.05/0")
        answers = []
        waiter = threading.Thread(target=lambda: answers.append(self.get("/0.0/0.336/0.25/0/1.57/0.05/30")))
        waiter.start()
        wait_until("it moves", lambda: self.get("/api/state")[1]["motion"]["phase"] == "moving")
        told("console", "-c", "stop")
        waiter.join()
        told("console", "-c", "reset")
        status, answer = answers[0]
        self.assertEqual((status, answer["reached"], answer["status"]), (409, False, "aborted"), answer)

    def test_a_crowd_is_slowed_down_and_served(self):
        self.get(EXAMPLE)
        with concurrent.futures.ThreadPoolExecutor(40) as crowd:
            statuses = [status for status, _ in crowd.map(lambda _: self.get(EXAMPLE), range(40))]
        self.assertLessEqual(set(statuses), {200, 409, 429, 503})
        self.assertTrue({429, 503} & set(statuses), statuses)
        wait_until("it is served again", lambda: self.get(EXAMPLE)[0] == 200)

    def test_nonsense_on_the_wire_hurts_nobody(self):
        for bytes_sent in (b"\x16\x03\x01\x02\x00\x01", b"GET " + b"/" * 100_000, b"\0" * 1000, b"GET / HTTP/1.1\r\n"):
            with socket.create_connection(("127.0.0.1", self.port)) as link:
                try:
                    link.sendall(bytes_sent)
                except OSError:
                    pass
        self.assertEqual(self.get("/api/state")[0], 200)

    def test_killed_it_comes_back_and_nobody_else_notices(self):
        before = processes()
        os.kill(before["web"]["pid"], signal.SIGKILL)
        wait_until("web is brought back", lambda: processes()["web"]["note"].startswith("http://")
                   and processes()["web"]["pid"] not in (0, before["web"]["pid"]))
        after = processes()
        for role in ("simulator", "controller", "motion"):
            self.assertEqual(after[role]["pid"], before[role]["pid"])
        type(self).port = port()
        self.assertEqual(self.get("/api/state")[0], 200)

    def test_a_taken_port_keeps_nobody_from_starting_and_is_used_when_free(self):
        space = SPACE + "-taken"
        with socket.create_server(("127.0.0.1", 0)) as taken:
            number = taken.getsockname()[1]
            try:
                told("start", "scorbot-er3", "--sim", "--web", f"127.0.0.1:{number}", space=space)
                note = processes(space)["web"]["note"]
                self.assertIn(f"cannot listen at http://127.0.0.1:{number}", note)
                self.assertIn(note, told("status", space=space))
                taken.close()
                wait_until("the port is used", lambda: processes(space)["web"]["note"] == f"http://127.0.0.1:{number}")
                self.assertEqual(self.get("/api/state", at=number)[0], 200)
            finally:
                sinew("stop", space=space)

    def test_a_real_device_or_the_network_wants_a_word_first(self):
        for listen, words, driver in (("127.0.0.1:0", "a real device", []),
                                      ("0.0.0.0:0", "open to the network", ["--driver", "simulator"])):
            ready, given = os.pipe()
            web = subprocess.Popen([SINEW.parent / "sinew-web", "--robot", "scorbot-er3", "--name", "scorbot-er3",
                                    "--space", SPACE, "--listen", listen, "--ready-fd", str(given), *driver],
                                   pass_fds=[given], stderr=subprocess.DEVNULL)
            os.close(given)
            try:
                with os.fdopen(ready) as lines:
                    self.assertEqual(lines.readline(), "ready\n")
                    number = int(lines.readline().rsplit(":", 1)[1])
                self.check_refused(403, words, at=number)
                self.check_refused(403, "--url-api", at=number)
            finally:
                web.terminate()
                web.wait()

    def test_another_user_of_the_machine_moves_nothing(self):
        if os.geteuid() != 0:
            return  # only root can be somebody else
        ask = f"import urllib.request as u; u.urlopen('http://127.0.0.1:{self.port}{EXAMPLE}')"
        done = subprocess.run(["/usr/bin/python3", "-c", ask], user=65534, capture_output=True, text=True, check=False)
        self.assertIn("HTTP Error 403", done.stderr)
        look = ask.replace(EXAMPLE, "/api/state")
        self.assertEqual(subprocess.run(["/usr/bin/python3", "-c", look], user=65534, check=False).returncode, 0)

    def test_curl_alone_solves_the_tower(self):
        told("sim", "speed", "8")
        script = HERE.parents[2] / "examples/13_towers_by_url.sh"
        done = subprocess.run([script, f"http://127.0.0.1:{self.port}", "2"], capture_output=True, text=True, check=False)
        told("sim", "speed", "4")
        self.assertEqual((done.returncode, done.stdout.count("disc ")), (0, 3), done.stdout + done.stderr)
        world = json.loads(told("channel", "echo", "scorbot-er3/world_truth", "--once", "--json"))["message"]
        places = {thing["name"]: thing["position"] for thing in world["objects"]}
        for name, z in (("large", 0.0295), ("small", 0.0445)):
            self.assertLess(math.dist(places[name], (0.35, 0.095, z)), 0.002, places)
        self.assertEqual(subprocess.run([script, "", "nonsense"], stderr=subprocess.DEVNULL, check=False).returncode, 2)
        nobody = subprocess.run([script, "http://127.0.0.1:1", "1"], capture_output=True, text=True, check=False)
        self.assertEqual(nobody.returncode, 1)
        self.assertIn("not reached", nobody.stderr)

    def test_start_refuses_what_is_no_place_to_listen(self):
        for words in (("--web", "8080"), ("--web", "robot.example:80"), ("--no-web", "--web", "127.0.0.1:1")):
            self.assertEqual(sinew("start", "scorbot-er3", *words, space=SPACE + "-none").returncode, 2, words)


if __name__ == "__main__":
    unittest.main(verbosity=2)
