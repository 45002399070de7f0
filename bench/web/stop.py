#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""How long STOP takes, beside heavy requests, on a simulated SCORBOT-ER III of its own.

Usage: stop.py SINEW [--seconds S] [--json]

stop: POST /api/stop, each a new press, from the request to its answer, when the controller's channel has it. echo: the same press
again and again, which the server answers by the same way and does nothing else. other: GET /api/session, which waits its turn. Each
alone, then all beside others who restore backups that are none, drop robots that are none, ask for all backups, save programs, think
about postures and flood sockets. STOP has 50 ms, whatever else is asked.
"""

import argparse
import base64
import http.client
import json
import multiprocessing
import os
import re
import socket
import struct
import subprocess
import sys
import tempfile
import time

ROBOT = "scorbot-er3"
BOUND_MS = 50.0
PAUSE_S = 0.01


class Robot:
    def __init__(self, sinew: str, folder: str):
        self.sinew, self.space = sinew, f"bench-stop-{os.getpid()}"
        self.call("start", ROBOT, "--sim", "--web", "127.0.0.1:0", "--web-data", folder, "--no-accounts")
        processes = json.loads(self.call("status", "--json"))["robots"][0]["processes"]
        note = next(process["note"] for process in processes if process["role"] == "web")
        self.port = int(re.search(r":(\d+)", note.split("//")[1]).group(1))

    def call(self, *words: str) -> str:
        return subprocess.run([self.sinew, *words, "--space", self.space], capture_output=True, text=True, check=True).stdout


def ask(connection: http.client.HTTPConnection, method: str, path: str, body: bytes = b"") -> int:
    connection.request(method, path, body, {"Content-Type": "application/json"})
    answer = connection.getresponse()
    answer.read()
    return answer.status


def heavy_bodies() -> "list[tuple[str, str, bytes]]":
    """What took seconds each, and what is as large as may be."""
    empty = b'{"backup":[' + b",".join([b"{}"] * 300_000) + b"]}"
    names = ",".join(f'"p{i}.prog":""' for i in range(99_999))
    backup = ('{"backup":{"format":"sinew-backup","version":1,"robot":"%s","robot_yaml":"","programs":{%s},"files":{},"users":[]}}' % (ROBOT, names)).encode()
    robot = json.dumps({"name": "x", "files": [{"path": "x.urdf", "base64": base64.b64encode(os.urandom(9 << 20)).decode()}]}).encode()
    point = json.dumps({"points": [{"name": f"p{i}", "arm": "arm", "note": "", "joints": {"base": 0.1}} for i in range(700)]}).encode()
    pose = json.dumps({"position": [0.3, 0.1, 0.3], "rpy": [0, 1.5, 0]}).encode()
    return [("POST", "/api/restore", empty), ("POST", "/api/restore", backup), ("POST", "/api/robots", robot), ("GET", "/api/backup", b""),
            ("PUT", "/api/points", point), ("POST", "/api/solve", pose)]


def load(port: int, which: int) -> None:
    """Asks for one thing for ever; `which` beyond the list floods a socket."""
    bodies = heavy_bodies()
    while True:
        try:
            if which >= len(bodies):
                flood(port)
                continue
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
            while ask(connection, *bodies[which]) != 429:
                pass
            time.sleep(0.05)
        except OSError:
            time.sleep(0.05)


def flood(port: int) -> None:
    """A socket that says as much as it may, and reads nothing of what it is told."""
    with socket.create_connection(("127.0.0.1", port)) as one:
        one.sendall((f"GET /api/live HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\nConnection: Upgrade\r\n"
                     "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                     "Sec-WebSocket-Protocol: sinew.live.v1\r\n\r\n").encode())
        text = b'{"op": "plot", "channel": "health", "fields": [' + b",".join([b'"a"'] * 15_000) + b"]}"
        frame = struct.pack("!BBH", 0x81, 0xFE, len(text)) + bytes(4) + text
        while True:
            one.sendall(frame)
            time.sleep(0.004)


def measure(port: int, seconds: float, request) -> "list[float]":
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.connect()
    connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    late, end, number = [], time.monotonic() + seconds, 0
    while time.monotonic() < end:
        number += 1
        method, path, body = request(number)
        begun = time.monotonic()
        status = ask(connection, method, path, body)
        late.append(1000.0 * (time.monotonic() - begun))
        if status != 200:
            raise RuntimeError(f"{method} {path}: {status}")
        time.sleep(PAUSE_S)
    return sorted(late)


def row(late: "list[float]") -> dict:
    at = lambda part: round(late[min(len(late) - 1, int(part * len(late)))], 2)
    return {"count": len(late), "p50_ms": at(0.5), "p99_ms": at(0.99), "p99.9_ms": at(0.999), "max_ms": round(late[-1], 2)}


def measure_all(port: int, seconds: float) -> dict:
    begin = os.getpid() * 1_000_000
    press = lambda number: json.dumps({"press": number}).encode()
    return {"stop": row(measure(port, seconds, lambda number: ("POST", "/api/stop", press(begin + time.monotonic_ns() % 1_000_000_000)))),
            "echo": row(measure(port, seconds, lambda number: ("POST", "/api/stop", press(1)))),
            "other": row(measure(port, seconds, lambda number: ("GET", "/api/session", b"")))}


def main() -> int:
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("sinew")
    words.add_argument("--seconds", type=float, default=20.0, help="for each kind of request; default 20")
    words.add_argument("--json", action="store_true")
    asked = words.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        robot = Robot(asked.sinew, folder)
        others = [multiprocessing.Process(target=load, args=(robot.port, which), daemon=True) for which in range(len(heavy_bodies()) + 2)]
        try:
            findings = {"alone": measure_all(robot.port, asked.seconds)}
            for one in others:
                one.start()
            time.sleep(min(2.0, asked.seconds))
            findings["beside heavy requests"] = measure_all(robot.port, asked.seconds)
        finally:
            for one in others:
                if one.pid:
                    one.terminate()
            robot.call("stop")
    findings["bound_ms"] = BOUND_MS
    findings["within"] = findings["beside heavy requests"]["stop"]["p99_ms"] <= BOUND_MS
    findings["load_average"] = [round(one, 1) for one in os.getloadavg()]
    if asked.json:
        print(json.dumps(findings))
        return 0 if findings["within"] else 1
    print(f"{'case':24} {'request':8} {'count':>6} {'p50 ms':>8} {'p99 ms':>8} {'p99.9 ms':>9} {'max ms':>8}")
    for case in ("alone", "beside heavy requests"):
        for name, one in findings[case].items():
            print(f"{case:24} {name:8} {one['count']:6} {one['p50_ms']:8.2f} {one['p99_ms']:8.2f} {one['p99.9_ms']:9.2f} {one['max_ms']:8.2f}")
    print(f"STOP within {BOUND_MS} ms (p99): {'yes' if findings['within'] else 'no'}")
    return 0 if findings["within"] else 1


if __name__ == "__main__":
    sys.exit(main())
