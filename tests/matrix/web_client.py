# SPDX-License-Identifier: BSD-3-Clause
"""The robot's web interface, as a program of somebody's own speaks it: HTTP and the WebSocket /api/live."""

import base64
import http.client
import json
import os
import socket
import struct
import threading

PATIENCE = 180.0  # [s] for an answer, on a machine that does other things as well


class WebClient:
    """Asks one robot's web process; whoever asks is `local`."""

    def __init__(self, port: int):
        self.port, self.control = port, ""

    def ask(self, method: str, path: str, body: "dict | None" = None) -> "tuple[int, dict]":
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        headers = {"Content-Type": "application/json"} if body is not None else {}
        if self.control:
            headers["X-Sinew-Control"] = self.control
        try:
            connection.request(method, path, None if body is None else json.dumps(body), headers)
            answer = connection.getresponse()
            text = answer.read().decode()
            return answer.status, json.loads(text) if text.startswith(("{", "[")) else {"text": text}
        finally:
            connection.close()

    def told(self, method: str, path: str, body: "dict | None" = None) -> dict:
        status, answer = self.ask(method, path, body)
        if status >= 300:
            raise RuntimeError(f"{method} {path}: {status} {answer}")
        return answer

    def take(self) -> None:
        self.control = self.told("POST", "/api/control/take", {"force": True})["token"]

    def leave(self) -> None:
        if self.control:
            self.ask("POST", "/api/control/leave", {})
        self.control = ""


class LiveSocket:
    """/api/live: sends JSON texts, keeps what the server says but for the stream of states."""

    def __init__(self, port: int):
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
        self._buffer = b""
        self.heard: "list[dict]" = []
        key = base64.b64encode(os.urandom(16)).decode()
        self._socket.sendall(f"GET /api/live HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                             f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n"
                             "Sec-WebSocket-Protocol: sinew.live.v1\r\n\r\n".encode())
        while b"\r\n\r\n" not in self._buffer:
            self._buffer += self._received()
        head, self._buffer = self._buffer.split(b"\r\n\r\n", 1)
        if b" 101 " not in head.split(b"\r\n", 1)[0]:
            raise RuntimeError(f"/api/live: {head[:80]!r}")
        threading.Thread(target=self._listen, daemon=True).start()

    def send(self, message: dict) -> None:
        payload, mask = json.dumps(message).encode(), os.urandom(4)
        size = len(payload)
        head = bytes([0x81, 0x80 | size]) if size < 126 else bytes([0x81, 0x80 | 126]) + struct.pack(">H", size)
        self._socket.sendall(head + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(payload)))

    @property
    def refusals(self) -> "list[str]":
        return [message.get("error", "") for message in self.heard if message.get("op") == "refused"]

    def close(self) -> None:
        # ends the listening thread as well
        try:
            self._socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self._socket.close()

    def _received(self) -> bytes:
        data = self._socket.recv(65536)
        if not data:
            raise OSError("the connection is closed")
        return data

    def _take(self, size: int) -> bytes:
        while len(self._buffer) < size:
            self._buffer += self._received()
        taken, self._buffer = self._buffer[:size], self._buffer[size:]
        return taken

    def _listen(self) -> None:
        try:
            while True:
                self._hear()
        except OSError:
            return

    def _hear(self) -> None:
        first, second = self._take(2)
        size = second & 0x7F
        if size == 126:
            size = struct.unpack(">H", self._take(2))[0]
        elif size == 127:
            size = struct.unpack(">Q", self._take(8))[0]
        payload = self._take(size)
        if first & 0x0F != 1:
            return
        message = json.loads(payload)
        if message.get("op") != "live":
            self.heard.append(message)
