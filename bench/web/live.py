#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""The page's own way through the whole system, on a simulated SCORBOT-ER III of its own.

Usage: live.py SINEW [--presses N] [--watchers N] [--seconds S] [--json]

jog: from when a key's message is handed to the socket to the first changed reference that the controller sends to the device.
The bound is two periods of telemetry and one cycle.
watchers: pages that watch at 30 Hz: what they cost the web process, whose memory is told at the begin, in the middle and at the end,
and do to the controller's cycle, whose statistics are taken before, while and after they watch; and whether a page that does not
read is dropped.
"""

import argparse
import base64
import json
import os
import pathlib
import re
import selectors
import socket
import struct
import subprocess
import sys
import tempfile
import time
import urllib.request

ROBOT = "scorbot-er3"
TELEMETRY_MS = 1000.0 / 30.0
CYCLE_MS = 1.0


class Page:
    """A WebSocket at /api/live, as a browser would open it."""

    def __init__(self, port: int):
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall((f"GET /api/live HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\n"
                             "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                             f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Protocol: sinew.live.v1\r\n\r\n").encode())
        self.bytes = b""
        while b"\r\n\r\n" not in self.bytes:
            self.bytes += self.socket.recv(4096)
        head, _, self.bytes = self.bytes.partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 101"), head
        self.frames = 0

    def say(self, message: dict) -> None:
        text = json.dumps(message).encode()
        mask = os.urandom(4)
        size = struct.pack("!BB", 0x81, 0x80 | len(text)) if len(text) < 126 else struct.pack("!BBH", 0x81, 0xFE, len(text))
        self.socket.sendall(size + mask + bytes(byte ^ mask[i % 4] for i, byte in enumerate(text)))

    def read(self) -> "list[bytes]":
        """What has come, as texts; blocks when nothing has."""
        part = self.socket.recv(1 << 16)
        if not part:
            raise ConnectionError("the server has closed")
        self.bytes += part
        texts = []
        while len(self.bytes) >= 2:
            kind, size, begin = self.bytes[0] & 15, self.bytes[1] & 127, 2
            if size == 126:
                size, begin = int.from_bytes(self.bytes[2:4], "big"), 4
            elif size == 127:
                size, begin = int.from_bytes(self.bytes[2:10], "big"), 10
            if len(self.bytes) < begin + size:
                break
            if kind == 1:
                texts.append(self.bytes[begin:begin + size])
                self.frames += 1
            if kind == 9:
                self.socket.sendall(b"\x8a\x80\0\0\0\0")
            self.bytes = self.bytes[begin + size:]
        return texts

    def hello(self) -> dict:
        while True:
            for text in self.read():
                message = json.loads(text)
                if message["op"] == "hello":
                    return message


class Robot:
    def __init__(self, sinew: str, folder: str):
        self.sinew, self.space = sinew, f"bench-live-{os.getpid()}"
        self.call("start", ROBOT, "--sim", "--web", "127.0.0.1:0", "--web-data", folder, "--no-accounts")
        processes = json.loads(self.call("status", "--json"))["robots"][0]["processes"]
        self.processes = {process["role"]: process for process in processes}
        self.port = int(re.search(r":(\d+)", self.processes["web"]["note"].split("//")[1]).group(1))

    def call(self, *words: str) -> str:
        return subprocess.run([self.sinew, *words, "--space", self.space], capture_output=True, text=True, check=True).stdout

    def post(self, path: str, body: dict, **headers: str) -> dict:
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", json.dumps(body).encode(),
                                         {"Content-Type": "application/json", **headers})
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)

    def memory_mib(self) -> float:
        with open(f"/proc/{self.processes['web']['pid']}/status", encoding="ascii") as lines:
            return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024

    def computed_s(self) -> float:
        with open(f"/proc/{self.processes['web']['pid']}/stat", encoding="ascii") as line:
            words = line.read().rsplit(") ", 1)[1].split()
        return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def share(values: "list[float]", part: float) -> float:
    return sorted(values)[min(len(values) - 1, int(part * len(values)))]


def measure_jog(robot: Robot, presses: int, channel) -> dict:
    page = Page(robot.port)
    token = robot.post("/api/control/take", {"client": page.hello()["client"]})["token"]
    robot.post("/api/move", {"kind": "joints", "joints": {"base": 0.0}, "wait": True}, **{"X-Sinew-Control": token})
    late = []
    for press in range(presses):
        wish = {"op": "jog", "control": token, "frame": "joints", "joints": {"base": 0.1 if press % 2 == 0 else -0.1}}
        before = channel.newest().position[0]
        pressed = time.monotonic()
        page.say(wish)
        while channel.newest().position[0] == before:
            pass
        late.append(1000.0 * (time.monotonic() - pressed))
        page.say({"op": "jog", "control": token, "stop": True})
        while any(channel.newest().velocity):
            time.sleep(0.002)
        time.sleep(0.05)
    bound = 2 * TELEMETRY_MS + CYCLE_MS
    return {"presses": presses, "p50_ms": round(share(late, 0.5), 2), "p99_ms": round(share(late, 0.99), 2),
            "max_ms": round(max(late), 2), "bound_ms": round(bound, 2), "within": max(late) <= bound}


def watch(pages: "list[Page]", seconds: float) -> None:
    with selectors.DefaultSelector() as ready:
        for page in pages:
            ready.register(page.socket, selectors.EVENT_READ, page)
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for key, _ in ready.select(0.1):
                key.data.read()


class Cycles:
    """The controller's own statistics, each time of some ten seconds, and how many cycles it skipped in all of them."""

    FIELDS = ("wake_p50", "wake_p99", "busy_p50", "busy_p99")

    def __init__(self, health):
        self.health, self.taken = health, []
        self.begun, self.late = time.monotonic(), health.newest().late_cycles

    def take(self) -> None:
        self.taken.append(self.health.newest())

    def result(self) -> dict:
        medians = {f"{name}_us": round(share([getattr(one, f"{name}_ns") / 1000 for one in self.taken], 0.5), 1) for name in self.FIELDS}
        late = (self.health.newest().late_cycles - self.late) / (time.monotonic() - self.begun) * 60
        return {**medians, "late_per_minute": round(late, 1), "samples": len(self.taken)}


PART_S = 11.0  # the controller's statistics are of the last ten seconds or so


def cycles_alone(health, seconds: float) -> dict:
    time.sleep(PART_S)
    cycles = Cycles(health)
    for _ in range(max(1, round(seconds / PART_S))):
        time.sleep(PART_S)
        cycles.take()
    return cycles.result()


def is_dropped(page: Page) -> bool:
    """Whether the server has hung up, when all that was on its way has been read."""
    page.socket.settimeout(5.0)
    try:
        while page.socket.recv(1 << 16):
            pass
    except ConnectionError:
        return True
    except socket.timeout:
        return False
    return True


def measure_watchers(robot: Robot, count: int, seconds: float, health) -> dict:
    alone = min(60.0, seconds)
    before = cycles_alone(health, alone)
    pages = [Page(robot.port) for _ in range(count)]
    deaf = Page(robot.port)  # never reads
    watch(pages, PART_S)
    memory, computed, cycles = [robot.memory_mib()], robot.computed_s(), Cycles(health)
    for page in pages:
        page.frames = 0
    begun = time.monotonic()
    while time.monotonic() - begun < seconds:
        watch(pages, min(PART_S, max(0.1, seconds - (time.monotonic() - begun))))
        memory.append(robot.memory_mib())
        cycles.take()
    lasted = time.monotonic() - begun
    busy = (robot.computed_s() - computed) / lasted
    result = {"watchers": count, "seconds": round(lasted, 1), "frames_per_second": round(sum(page.frames for page in pages) / count / lasted, 1),
              "fewest_per_second": round(min(page.frames for page in pages) / lasted, 1), "web_core_share": round(busy, 3),
              "web_memory_mib": {"begin": round(memory[0], 2), "middle": round(memory[len(memory) // 2], 2), "end": round(memory[-1], 2),
                                 "most": round(max(memory), 2)},
              "deaf_is_dropped": is_dropped(deaf), "cycle_while": cycles.result()}
    for page in pages:
        page.socket.close()
    return {**result, "cycle_before": before, "cycle_after": cycles_alone(health, alone), "load_average": [round(one, 1) for one in os.getloadavg()]}


def main() -> int:
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("sinew")
    words.add_argument("--presses", type=int, default=50)
    words.add_argument("--watchers", type=int, default=50)
    words.add_argument("--seconds", type=float, default=30.0)
    words.add_argument("--json", action="store_true")
    asked = words.parse_args()
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "python"))
    import sinew  # after its place is known
    with tempfile.TemporaryDirectory() as folder:
        robot = Robot(asked.sinew, folder)
        try:
            with sinew.Channel(f"{ROBOT}/processed", robot.space) as channel:
                findings = {"jog": measure_jog(robot, asked.presses, channel)}
            if asked.watchers > 0:
                with sinew.Channel(f"{ROBOT}/health", robot.space) as health:
                    findings["watchers"] = measure_watchers(robot, asked.watchers, asked.seconds, health)
        finally:
            robot.call("stop")
    if asked.json:
        print(json.dumps(findings))
        return 0
    for name, row in findings.items():
        print(name)
        for key, value in row.items():
            print(f"  {key:20} {value}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
