#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A robot on the web. Usage: scenario.py SINEW"""

import hashlib
import http.client
import json
import math
import os
import pathlib
import re
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import urllib.request

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
    return int(re.search(r"https?://[0-9.]+:([0-9]+)", processes(space)["web"]["note"]).group(1))


class Web(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.data = tempfile.TemporaryDirectory()
        told("start", "scorbot-er3", "--sim", "--world", str(HERE / "tower"), "--web", "127.0.0.1:0",
             "--web-data", cls.data.name)
        cls.port = port()
        told("sim", "speed", "4")

    @classmethod
    def tearDownClass(cls):
        sinew("stop")
        cls.data.cleanup()

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
        # all have asked before the first waits for an answer: a slow machine sends no slower
        crowd = [http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE) for _ in range(40)]
        try:
            for connection in crowd:
                connection.connect()
            for connection in crowd:
                connection.request("GET", EXAMPLE)
            statuses = [connection.getresponse().status for connection in crowd]
        finally:
            for connection in crowd:
                connection.close()
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
                told("start", "scorbot-er3", "--sim", "--web", f"127.0.0.1:{number}",
                     "--web-data", self.data.name, space=space)
                note = processes(space)["web"]["note"]
                self.assertIn(f"cannot listen at http://127.0.0.1:{number}", note)
                self.assertIn(note, told("status", space=space))
                taken.close()
                wait_until("the port is used", lambda: f"http://127.0.0.1:{number};" in processes(space)["web"]["note"] + ";")
                self.assertEqual(self.get("/api/state", at=number)[0], 200)
            finally:
                sinew("stop", space=space)

    def test_a_real_device_or_the_network_wants_a_word_first(self):
        for listen, words, driver in (("127.0.0.1:0", "a real device", []),
                                      ("0.0.0.0:0", "open to the network", ["--driver", "simulator"])):
            ready, given = os.pipe()
            web = subprocess.Popen([SINEW.parent / "sinew-web", "--robot", "scorbot-er3", "--name", "scorbot-er3",
                                    "--space", SPACE, "--listen", listen, "--ready-fd", str(given),
                                    "--data", self.data.name, *driver],
                                   pass_fds=[given], stderr=subprocess.DEVNULL)
            os.close(given)
            try:
                with os.fdopen(ready) as lines:
                    self.assertEqual(lines.readline(), "ready\n")
                    number = int(re.search(r"http://[0-9.]+:([0-9]+)", lines.readline()).group(1))
                self.check_refused(403, words, at=number)
                self.check_refused(403, "--url-api", at=number)
            finally:
                web.terminate()
                web.wait()

    def test_another_user_of_the_machine_moves_nothing(self):
        if os.geteuid() != 0:
            print("not tried: who is refused as another user, because only root can be somebody else", file=sys.stderr)
            return
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

    def post(self, path: str, body: dict, method: str = "POST", **headers: str):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            connection.request(method, path, json.dumps(body),
                               {"Content-Type": "application/json"} | {name.replace("_", "-"): text for name, text in headers.items()})
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read() or b"{}")
        finally:
            connection.close()

    def expert(self) -> "dict[str, str]":
        """The header of an expert's session, who is made by the code for the first account if need be."""
        note = processes()["web"]["note"]
        code = re.search(r"first account: (\S+)", note)
        who = {"name": "ada", "password": "a long word or two"}
        status, answer = self.post("/api/first", {"code": code.group(1), **who}) if code else self.post("/api/login", who)
        self.assertEqual(status, 200, answer)
        return {"Authorization": f"Bearer {answer['token']}"}

    def test_what_moves_needs_a_session_and_then_control_and_then_the_role(self):
        wish = {"kind": "joints", "joints": {"base": 0.1}, "wait": True}
        self.assertEqual(self.post("/api/move", wish)[0], 401)
        self.assertEqual(self.post("/api/move", wish, Authorization="Bearer nonsense")[0], 401)
        ada = self.expert()
        self.assertEqual(self.post("/api/move", wish, **ada)[0], 409)
        status, control = self.post("/api/control/take", {}, **ada)
        self.assertEqual(status, 200, control)
        status, answer = self.post("/api/move", wish, X_Sinew_Control=control["token"], **ada)
        self.assertEqual((status, answer["reached"]), (200, True), answer)
        self.assertAlmostEqual(self.joints()[0], 0.1, delta=2e-3)
        self.assertEqual(self.get("/api/state")[1]["controlled_by"], "ada")
        # a second one is told who has control, and may take it over
        for name, role in (("bob", "operator"), ("eve", "viewer")):
            self.post("/api/users", {"name": name, "role": role, "password": "another long word"}, **ada)
        bob, eve = ({"Authorization": "Bearer " + self.post("/api/login", {"name": name, "password": "another long word"})[1]["token"]}
                    for name in ("bob", "eve"))
        status, answer = self.post("/api/move", wish, X_Sinew_Control=control["token"], **bob)
        self.assertEqual((status, answer["holder"]), (409, "ada"), answer)
        self.assertEqual(self.post("/api/control/take", {}, **bob)[0], 409)
        self.assertEqual(self.post("/api/control/take", {"force": True}, **eve)[0], 403)
        status, taken = self.post("/api/control/take", {"force": True}, **bob)
        self.assertEqual(status, 200, taken)
        self.assertEqual(self.post("/api/move", wish, X_Sinew_Control=control["token"], **ada)[0], 409, "an old token works")
        self.assertEqual(self.post("/api/programs/a.prog", {"text": "STOP"}, "PUT", **bob)[0], 403)
        self.assertEqual(self.post("/api/stop", {})[0], 200)
        wait_until("it is stopped", lambda: self.get("/api/state")[1]["safety"]["state"] == "stopped")
        self.assertEqual(self.post("/api/reset", {}, X_Sinew_Control=taken["token"], **bob)[0], 200)
        wait_until("it runs", lambda: self.get("/api/state")[1]["safety"]["state"] == "running")
        self.assertEqual(self.post("/api/control/leave", {}, X_Sinew_Control=taken["token"], **bob)[0], 200)
        wait_until("nobody controls", lambda: self.get("/api/state")[1]["controlled_by"] is None)

    def test_programs_are_checked_simulated_and_run(self):
        ada = self.expert()
        text = 'INCLUDE "points.prog"\nMOVEJ here\nMOVEJ POINT {ready}\n'
        self.assertEqual(self.post("/api/points/record", {"name": "here"}, **ada)[0], 200)
        self.assertEqual(self.post("/api/programs/t.prog", {"text": text}, "PUT", **ada)[0], 200)
        found = self.post("/api/programs/check", {"name": "t.prog", "text": "MOVEL 1 2\n"})[1]
        self.assertEqual([(f["line"], f["severity"]) for f in found["findings"]], [(1, "error")])
        ghost = self.post("/api/programs/simulate", {"name": "t.prog"})[1]
        self.assertTrue(ghost["ok"], ghost["findings"])
        self.assertGreater(len(ghost["ghost"]["positions"]), 3)
        control = self.post("/api/control/take", {}, **ada)[1]["token"]
        try:
            status, answer = self.post("/api/programs/run", {"name": "t.prog", "wait": True}, X_Sinew_Control=control, **ada)
            self.assertEqual((status, answer["reached"]), (200, True), answer)
            last = ghost["ghost"]["positions"][-1]
            for wanted, is_now in zip(last[:5], self.joints()):
                self.assertAlmostEqual(wanted, is_now, delta=5e-3)
        finally:
            self.post("/api/control/leave", {}, X_Sinew_Control=control, **ada)

    def test_another_page_changes_nothing_even_with_a_session(self):
        ada = self.expert()
        self.assertEqual(self.post("/api/control/take", {}, Origin="http://evil.example", **ada)[0], 403)
        self.assertEqual(self.post("/api/stop", {}, Origin="http://evil.example")[0], 403)

    def live_socket(self, **headers: str) -> socket.socket:
        """One that has asked to be let in."""
        words = {"Host": f"127.0.0.1:{self.port}", "Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
                 "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Protocol": "sinew.live.v1"} | headers
        link = socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE)
        link.sendall(("GET /api/live HTTP/1.1\r\n" + "".join(f"{name}: {text}\r\n" for name, text in words.items()) + "\r\n").encode())
        return link

    def upgrade(self, **headers: str) -> int:
        """The status with which a socket is refused, or 101."""
        with self.live_socket(**headers) as link:
            return int(link.recv(100).split()[1])

    def test_a_socket_ends_with_its_session_though_it_says_nothing(self):
        ada = self.expert()
        with self.live_socket(Origin=f"http://127.0.0.1:{self.port}", **ada) as link:
            self.assertIn(b" 101 ", link.recv(100))
            self.assertEqual(self.post("/api/logout", {}, **ada)[0], 200)
            said = b""
            while piece := link.recv(65536):
                said = (said + piece)[-4096:]
            self.assertIn((4401).to_bytes(2, "big") + b"the session is over", said)

    def test_a_socket_opens_for_the_robots_own_page_only(self):
        own = f"http://127.0.0.1:{self.port}"
        self.assertEqual(self.upgrade(Origin=own), 101)
        self.assertEqual(self.upgrade(Origin="http://evil.example"), 403)
        self.assertEqual(self.upgrade(Origin="null"), 403)
        # its name was led to this address
        self.assertEqual(self.upgrade(Origin="http://evil.example", Host="evil.example"), 403)

    def test_metrics_are_what_prometheus_reads(self):
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/metrics", timeout=PATIENCE) as answer:
            self.assertEqual(answer.headers["Content-Type"], "text/plain; version=0.0.4; charset=utf-8")
            text = answer.read().decode()
        self.assertTrue(text.endswith("\n"))
        kinds, values = {}, {}
        for line in text.splitlines():
            if line.startswith("# HELP "):
                self.assertRegex(line, r"^# HELP sinew_[a-z0-9_]+ \S")
            elif line.startswith("# TYPE "):
                name, kind = re.fullmatch(r"# TYPE (sinew_[a-z0-9_]+) (counter|gauge)", line).groups()
                self.assertNotIn(name, kinds, "told twice")
                kinds[name] = kind
            else:
                name, labels, value = re.fullmatch(r'(sinew_[a-z0-9_]+)(\{[a-z]+="[^"]*"(?:,[a-z]+="[^"]*")*\})? (\S+)', line).groups()
                self.assertIn(name, kinds, "its kind is told before it")
                self.assertEqual(name.endswith("_total"), kinds[name] == "counter", name)
                values[name + (labels or "")] = float(value)
        self.assertEqual(sum(value for name, value in values.items() if name.startswith("sinew_state{")), 1.0)
        self.assertGreater(values["sinew_cycles_total"], 0.0)
        self.assertEqual(values["sinew_bus_load_ratio"], 0.0, "a simulated device has no bus")
        self.assertIn('sinew_joint_position{joint="base"}', values)

    def test_with_tls_all_is_encrypted_with_the_certificate_that_is_told(self):
        space = f"{SPACE}-tls"
        with tempfile.TemporaryDirectory() as folder:
            told("start", "scorbot-er3", "--sim", "--web", "127.0.0.1:0", "--web-tls", "--web-data", folder, space=space)
            try:
                note = processes(space)["web"]["note"]
                print_told = re.search(r"SHA-256 ([0-9A-Fa-f:]+)", note).group(1).replace(":", "").lower()
                context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
                context.check_hostname = False
                context.verify_mode = ssl.CERT_NONE
                link = http.client.HTTPSConnection("127.0.0.1", port(space), timeout=PATIENCE, context=context)
                link.request("GET", "/api/state")
                certificate = link.sock.getpeercert(binary_form=True)
                self.assertEqual(hashlib.sha256(certificate).hexdigest(), print_told)
                answer = link.getresponse()
                self.assertEqual(answer.status, 200)
                self.assertEqual(json.loads(answer.read())["robot"], "scorbot-er3")
                link.close()
                plain = http.client.HTTPConnection("127.0.0.1", port(space), timeout=PATIENCE)
                plain.request("GET", "/api/state")
                self.assertGreaterEqual(plain.getresponse().status, 400, "who speaks plainly learns nothing")
                plain.close()
            finally:
                sinew("stop", space=space)

    def test_without_accounts_it_does_not_listen_to_the_network(self):
        refused = sinew("start", "scorbot-er3", "--sim", "--web", "0.0.0.0:0", "--no-accounts", space=f"{SPACE}-open")
        self.assertNotEqual(refused.returncode, 0)
        self.assertIn("loopback", refused.stderr)

    def test_start_refuses_what_is_no_place_to_listen(self):
        for words in (("--web", "8080"), ("--web", "robot.example:80"), ("--no-web", "--web", "127.0.0.1:1")):
            self.assertEqual(sinew("start", "scorbot-er3", *words, space=SPACE + "-none").returncode, 2, words)


if __name__ == "__main__":
    unittest.main(verbosity=2)
