#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The web interface, held against its own description. Usage: scenario.py SINEW"""

import http.client
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import unittest

SINEW = pathlib.Path(sys.argv.pop(1)).resolve()
SPACE = f"web-api-{os.getpid()}"
PATIENCE = 120.0  # [s] on a machine that does other things as well
PASSWORD = "correct horse"
SAMPLES = {"name": "nothing.prog", "number": "1", "role": "web", "rest": "0/nothing.stl", "x": "0.3", "y": "0", "z": "0.2",
           "roll": "0", "pitch": "1.57", "handWidth": "0.05", "time": "0"}
TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None), "number": (int, float), "integer": int}


def sinew(*words: str, typed: str = "") -> subprocess.CompletedProcess:
    return subprocess.run([SINEW, *words, "--space", SPACE], capture_output=True, text=True, check=False, input=typed)


def told(*words: str, typed: str = "") -> str:
    done = sinew(*words, typed=typed)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def is_of_type(value, name: str) -> bool:
    return isinstance(value, TYPES[name]) and not (isinstance(value, bool) and name in ("number", "integer"))


class Description:
    """The part of OpenAPI and JSON Schema that ours is written in."""

    def __init__(self, document: dict):
        self.document = document

    def resolved(self, part: dict) -> dict:
        while "$ref" in part:
            target = self.document
            for word in part["$ref"].removeprefix("#/").split("/"):
                target = target[word]
            part = target
        return part

    def complaints(self, value, schema: dict, where: str = "answer") -> "list[str]":
        schema = self.resolved(schema)
        if "oneOf" in schema:
            return [] if any(not self.complaints(value, one, where) for one in schema["oneOf"]) else [f"{where}: none of oneOf"]
        if "const" in schema and value != schema["const"] or "enum" in schema and value not in schema["enum"]:
            return [f"{where}: {value!r} is not among {schema.get('enum', schema.get('const'))}"]
        types = schema.get("type", [])
        types = [types] if isinstance(types, str) else types
        if types and not any(is_of_type(value, name) for name in types):
            return [f"{where}: {value!r} is no {types}"]
        found = []
        if isinstance(value, dict):
            found += [f"{where}: no '{key}'" for key in schema.get("required", []) if key not in value]
            for key, inner in value.items():
                of_key = schema.get("properties", {}).get(key, schema.get("additionalProperties"))
                if isinstance(of_key, dict):
                    found += self.complaints(inner, of_key, f"{where}.{key}")
        if isinstance(value, list) and "items" in schema:
            for i, inner in enumerate(value):
                found += self.complaints(inner, schema["items"], f"{where}[{i}]")
        return found

    def calls(self):
        for path, item in self.document["paths"].items():
            for method, call in item.items():
                yield method.upper(), path, call


class WebApi(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.data = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.data.name) / "scorbot"
        told("start", "scorbot-er3", "--sim", "--web", "127.0.0.1:0", "--web-data", str(cls.folder))
        status = json.loads(told("status", "--json"))
        note = {process["role"]: process for process in status["robots"][0]["processes"]}["web"]["note"]
        cls.port = int(re.search(r"http://[0-9.]+:([0-9]+)", note).group(1))
        cls.note = note
        cls.description = Description(cls.ask("GET", "/api/openapi.json")[1])
        cls.code = told("web", "code", "--data", str(cls.folder)).strip()
        answer = cls.ask("POST", "/api/first", {"code": cls.code, "name": "Ada", "password": PASSWORD})
        assert answer[0] == 200, answer
        cls.ada = answer[1]["token"]
        for role in ("viewer", "operator", "programmer"):
            made = cls.ask("POST", "/api/users", {"name": role, "password": PASSWORD, "role": role}, token=cls.ada)
            assert made[0] == 200, made

    @classmethod
    def tearDownClass(cls):
        sinew("stop")
        cls.data.cleanup()

    @classmethod
    def ask(cls, method: str, path: str, body=None, token: str = "", control: str = "", **headers: str):
        connection = http.client.HTTPConnection("127.0.0.1", cls.port, timeout=PATIENCE)
        sent = {name.replace("_", "-"): text for name, text in headers.items()}
        if body is not None:
            sent["Content-Type"] = "application/json"
        if token:
            sent["Authorization"] = f"Bearer {token}"
        if control:
            sent["X-Sinew-Control"] = control
        try:
            connection.request(method, path, None if body is None else json.dumps(body), sent)
            answer = connection.getresponse()
            text = answer.read().decode()
            is_json = answer.headers.get_content_type() == "application/json"
            return answer.status, json.loads(text) if is_json and text else text
        finally:
            connection.close()

    def log_in(self, name: str) -> str:
        status, answer = self.ask("POST", "/api/login", {"name": name, "password": PASSWORD})
        self.assertEqual(status, 200, answer)
        return answer["token"]

    def check(self, method: str, path: str, call: dict, status: int, answer) -> None:
        """Whether the description allows this."""
        responses = call["responses"]
        self.assertIn(str(status), responses, f"{method} {path}: {answer}")
        response = self.description.resolved(responses[str(status)])
        schema = response.get("content", {}).get("application/json", {}).get("schema")
        if schema:
            self.assertEqual(self.description.complaints(answer, schema), [], f"{method} {path}: {status}")

    def test_every_call_is_answered_as_described(self):
        for method, path, call in self.description.calls():
            if path in ("/api/live", "/{x}/{y}/{z}/{roll}/{pitch}/{handWidth}/{time}", "/api/logout", "/api/stop", "/"):
                continue  # a socket; what moves or stops; a session that others need; a page
            real = re.sub(r"{(\w+)}", lambda m: SAMPLES[m[1]], path)
            body = None if method == "GET" else {}
            for token in ("", self.ada):
                with self.subTest(f"{method} {path}", token=bool(token)):
                    if token and "restart" in path:
                        continue
                    time.sleep(0.02)  # 100 requests a second are the most
                    status, answer = self.ask(method, real, body, token)
                    self.check(method, path, call, status, answer)
                    if path == "/api/control/take" and status == 200:
                        self.ask("POST", "/api/control/leave", {}, token, answer["token"])

    def test_without_a_session_only_this_machine_may_look_and_stop(self):
        for method, path, call in self.description.calls():
            real = re.sub(r"{(\w+)}", lambda m: SAMPLES[m[1]], path)
            needs = call["description"]
            if not needs.startswith(("Operator", "Programmer", "Expert", "Anybody who is")):
                continue
            time.sleep(0.02)
            status, answer = self.ask(method, real, None if method == "GET" else {})
            self.assertEqual(status, 401, f"{method} {path}: {answer}")

    def test_each_role_is_refused_what_is_above_it(self):
        tokens = {role: self.log_in(role) for role in ("viewer", "operator", "programmer")}
        roles = list(tokens)
        above = {"viewer": 0, "operator": 1, "programmer": 2, "expert": 3}
        covered = {role: 0 for role in roles}
        described = {role: 0 for role in above}
        for method, path, call in self.description.calls():
            real = re.sub(r"{(\w+)}", lambda m: SAMPLES[m[1]], path)
            least = re.split(r"[.,;]", call["description"])[0].lower()
            if least not in above:
                self.assertRegex(call["description"], "^(Anybody|Programs of the user|Whoever has the code)", f"{method} {path}: who may is not told")
                continue
            described[least] += 1
            for role in roles[:above[least]]:
                time.sleep(0.02)
                status, answer = self.ask(method, real, None if method == "GET" else {}, tokens[role])
                self.assertEqual(status, 403, f"{method} {path} as {role}: {answer}")
                self.assertIn(f"'{role}' is {role} and may not", answer["error"])
                covered[role] += 1
        # a description that no longer says who may would leave this test with nothing to do
        self.assertEqual(covered["programmer"], described["expert"])
        self.assertEqual(covered["operator"], described["expert"] + described["programmer"])
        self.assertEqual(covered["viewer"], described["expert"] + described["programmer"] + described["operator"])
        self.assertGreaterEqual(covered["viewer"], 50)
        self.assertGreaterEqual(covered["programmer"], 10)

    def test_an_alarm_is_kept_whoever_watches_and_whoever_is_killed(self):
        def stops():
            return [one for one in self.ask("GET", "/api/alarms?limit=200")[1]["alarms"] if one["reason"] == "requested"]

        deadline = time.monotonic() + PATIENCE
        before = len(stops())
        self.assertEqual(self.ask("POST", "/api/stop", {}, self.ada)[0], 200)
        while len(stops()) == before:
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.1)
        newest = stops()[0]
        self.assertIn("ada", newest["who"])
        self.assertEqual((newest["level"], newest["acknowledged_by"]), ("alarm", None))
        viewer = self.log_in("viewer")
        self.assertEqual(self.ask("POST", "/api/alarms/acknowledge", {"number": newest["number"]}, viewer)[0], 403)
        self.assertEqual(self.ask("POST", "/api/alarms/acknowledge", {"number": newest["number"]}, self.ada)[0], 200)
        self.assertEqual(stops()[0]["acknowledged_by"], "ada")
        self.assertEqual(self.ask("POST", "/api/alarms/acknowledge", {"number": 10**6}, self.ada)[0], 404)
        for query in ("limit=0", "limit=201", "limit=x", "before=-1", "before="):
            self.assertEqual(self.ask("GET", f"/api/alarms?{query}")[0], 400, query)
        page = self.ask("GET", f"/api/alarms?before={newest['number']}&limit=1")[1]["alarms"]
        self.assertTrue(all(one["number"] < newest["number"] for one in page))
        control = self.ask("POST", "/api/control/take", {"force": True}, self.ada)[1]["token"]
        while stops()[0]["cleared"] is None:
            self.assertLess(time.monotonic(), deadline)
            self.ask("POST", "/api/reset", {}, self.ada, control=control)
            time.sleep(0.2)
        self.ask("POST", "/api/control/leave", {}, self.ada, control=control)

    def test_a_program_that_somebody_else_changed_is_neither_replaced_nor_run(self):
        grace = self.log_in("programmer")
        status, answer = self.ask("PUT", "/api/programs/ours.prog", {"text": "# one\n", "version": ""}, self.ada)
        self.assertEqual(status, 200, answer)
        first = answer["version"]
        self.assertEqual(self.ask("GET", "/api/programs/ours.prog")[1]["version"], first)
        status, answer = self.ask("PUT", "/api/programs/ours.prog", {"text": "# two\n", "version": first}, grace)
        self.assertEqual(status, 200, answer)
        second = answer["version"]
        for method, path, body in (("PUT", "/api/programs/ours.prog", {"text": "# three\n"}), ("DELETE", "/api/programs/ours.prog", {}),
                                   ("POST", "/api/programs/check", {"name": "ours.prog"}), ("POST", "/api/programs/simulate", {"name": "ours.prog"}),
                                   ("PUT", "/api/programs/ours.prog/breakpoints", {"lines": [1]})):
            status, answer = self.ask(method, path, {**body, "version": first}, self.ada)
            self.assertEqual((status, answer["version"], answer["text"]), (409, second, "# two\n"), f"{method} {path}")
            self.assertEqual((answer["by"], answer["error"]), ("programmer", "'ours.prog' was changed meanwhile by programmer"))
        control = self.ask("POST", "/api/control/take", {"force": True}, self.ada)[1]["token"]
        status, answer = self.ask("POST", "/api/programs/run", {"name": "ours.prog", "version": first}, self.ada, control=control)
        self.assertEqual((status, answer["version"]), (409, second))
        self.ask("POST", "/api/control/leave", {}, self.ada, control=control)
        self.assertEqual(self.ask("PUT", "/api/programs/ours.prog/breakpoints", {"lines": [1], "version": second}, grace)[0], 200)
        self.assertEqual(self.ask("GET", "/api/programs/ours.prog")[1]["breakpoints"], [1])
        self.assertEqual(self.ask("DELETE", "/api/programs/ours.prog", {"version": second}, grace)[0], 200)
        self.assertIn("ours.prog", [one["name"] for one in self.ask("GET", "/api/programs")[1]["removed"]])
        status, answer = self.ask("PUT", "/api/programs/ours.prog", {"text": "# four\n", "version": second}, self.ada)
        self.assertEqual((status, answer["version"], answer["error"]), (409, "", "'ours.prog' was removed meanwhile"))
        self.assertEqual(self.ask("POST", "/api/programs/ours.prog/restore", {}, grace)[0], 200)
        self.assertEqual(self.ask("GET", "/api/programs/ours.prog")[1]["text"], "# two\n")

    def test_tools_that_were_changed_come_back(self):
        wish = {"position": [0, 0, 0.1], "rpy": [0, 0, 0]}
        names = lambda: [one["name"] for one in self.ask("GET", "/api/tools")[1]["tools"]]
        self.assertEqual(self.ask("PUT", "/api/tools/pen", wish, self.ada)[0], 200)
        self.assertEqual(self.ask("DELETE", "/api/tools/pen", {}, self.ada)[0], 200)
        self.assertNotIn("pen", names())
        self.assertEqual(self.ask("POST", "/api/tools/undo", {}, self.ada)[0], 200)
        self.assertIn("pen", names())
        self.assertEqual(self.ask("POST", "/api/tools/redo", {}, self.ada)[0], 200)
        self.assertNotIn("pen", names())

    def test_every_channel_tells_its_numbers(self):
        channels = {one["name"]: one for one in self.ask("GET", "/api/channels")[1]["channels"]}
        fields = {one["name"]: one for one in channels["state"]["fields"]}
        self.assertEqual((fields["position"]["count"], fields["position"]["unit"]), (64, "rad, m"))
        self.assertIn("cycles", [one["name"] for one in channels["health"]["fields"]])
        self.assertNotIn("who", [one["name"] for one in channels["safety"]["fields"]])

    def test_what_moves_needs_the_token_of_who_controls(self):
        token = self.log_in("operator")
        wish = {"kind": "joints", "joints": {"elbow": 0.1}, "wait": True}
        status, answer = self.ask("POST", "/api/move", wish, token)
        self.assertEqual((status, answer["error"]), (409, "nobody controls the robot: take control first"))
        mine = self.ask("POST", "/api/control/take", {}, token)[1]["token"]
        status, answer = self.ask("POST", "/api/control/take", {}, self.ada)
        self.assertEqual((status, answer["holder"]), (409, "operator"))
        status, answer = self.ask("POST", "/api/move", wish, self.ada, control=mine)
        self.assertEqual((status, answer["holder"]), (409, "operator"), "a token of somebody else")
        self.assertEqual(self.ask("GET", "/api/state")[1]["controlled_by"], "operator")
        status, answer = self.ask("POST", "/api/move", wish, token, control=mine)
        self.assertEqual(status, 200, answer)
        hers = self.ask("POST", "/api/control/take", {"force": True}, self.ada)[1]["token"]
        status, answer = self.ask("POST", "/api/move", wish, token, control=mine)
        self.assertEqual((status, answer["holder"]), (409, "ada"), "an old token")
        self.assertEqual(self.ask("POST", "/api/control/leave", {}, self.ada, control=hers)[0], 200)

    def test_strange_pages_are_refused(self):
        for path in ("/api/login", "/api/users", "/api/control/take", "/api/stop"):
            status, answer = self.ask("POST", path, {}, self.ada, Origin="http://evil.example")
            self.assertEqual(status, 403, f"{path}: {answer}")

    def test_the_code_was_for_the_first_account_only(self):
        self.assertIn(self.code, self.note)
        status, _ = self.ask("POST", "/api/first", {"code": self.code, "name": "eve", "password": PASSWORD})
        self.assertEqual(status, 422)
        refused = sinew("web", "code", "--data", str(self.folder))
        self.assertEqual(refused.returncode, 1)
        self.assertIn("there are users already", refused.stderr)

    def test_who_is_removed_at_the_terminal_is_out(self):
        told("web", "users", "add", "grace", "--role", "viewer", "--password-stdin", "--data", str(self.folder), typed=PASSWORD + "\n")
        deadline = time.monotonic() + PATIENCE
        while self.ask("POST", "/api/login", {"name": "grace", "password": PASSWORD})[0] != 200:
            self.assertLess(time.monotonic(), deadline)
            time.sleep(1.0)
        token = self.log_in("grace")
        told("web", "users", "remove", "grace", "--data", str(self.folder))
        while self.ask("GET", "/api/session", token=token)[1]["user"]:
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.1)

    def test_a_log_tells_what_was_changed_and_what_was_refused(self):
        self.assertEqual(self.ask("PUT", "/api/programs/logged.prog", {"text": "# one\n"}, self.ada)[0], 200)
        self.assertEqual(self.ask("GET", "/api/backup", token=self.ada)[0], 200)
        self.assertEqual(self.ask("POST", "/api/move", {"kind": "joints"})[0], 401)
        self.assertEqual(self.ask("PUT", "/api/programs/logged.prog", {"text": "#"}, self.log_in("viewer"))[0], 403)
        self.assertEqual(self.ask("GET", "/api/no/such/call")[0], 404)
        status, audit = self.ask("GET", "/api/audit", token=self.ada)
        self.assertEqual(status, 200, audit)
        told_of = {(event["user"], event["what"], event["outcome"]) for event in audit["events"]}
        self.assertIn(("ada", "PUT /api/programs/logged.prog", "done"), told_of)
        self.assertIn(("ada", "GET /api/backup", "done"), told_of)
        self.assertIn(("", "POST /api/move", "log in first"), told_of)
        self.assertTrue(any(what == "PUT /api/programs/logged.prog" and "may not" in why for who, what, why in told_of
                            if who == "viewer"), told_of)
        # guesses of strangers stand in the log of the process
        log = self.ask("GET", "/api/log/web")[1]["text"]
        self.assertIn("GET /api/no/such/call: 404", log)

    def test_a_backup_brings_back_programs_points_and_users(self):
        self.assertEqual(self.ask("PUT", "/api/programs/kept.prog", {"text": "# one\n"}, self.ada)[0], 200)
        self.assertEqual(self.ask("POST", "/api/points/record", {"name": "here"}, self.ada)[0], 200)
        status, backup = self.ask("GET", "/api/backup", token=self.ada)
        self.assertEqual(status, 200, backup)
        self.assertIn("arms", backup["robot_yaml"])
        self.assertEqual(self.ask("PUT", "/api/programs/kept.prog", {"text": "# two\n"}, self.ada)[0], 200)
        self.assertEqual(self.ask("PUT", "/api/points", {"points": []}, self.ada)[0], 200)
        bad = json.loads(json.dumps(backup))
        bad["programs"]["../evil.prog"] = "#"
        self.assertEqual(self.ask("POST", "/api/restore", {"backup": bad}, self.ada)[0], 422)
        self.assertEqual(self.ask("GET", "/api/programs/kept.prog")[1]["text"], "# two\n")
        status, answer = self.ask("POST", "/api/restore", {"backup": backup}, self.ada)
        self.assertEqual(status, 200, answer)
        self.assertEqual(answer["restored"]["users"], len(backup["users"]))
        self.assertEqual(answer["notes"], [])
        self.assertEqual(self.ask("GET", "/api/programs/kept.prog")[1]["text"], "# one\n")
        self.assertEqual(self.ask("GET", "/api/points")[1]["points"][0]["name"], "here")
        versions = self.ask("GET", "/api/programs/kept.prog/history")[1]["versions"]
        newest = self.ask("GET", f"/api/programs/kept.prog/history/{versions[0]['number']}")[1]
        self.assertEqual(newest["text"], "# two\n")
        # nobody who is still a user was logged out
        self.assertEqual(self.ask("GET", "/api/session", token=self.ada)[1]["user"], "ada")


if __name__ == "__main__":
    unittest.main()
