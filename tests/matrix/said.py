# SPDX-License-Identifier: BSD-3-Clause
"""What comes of something that was asked for, while it is under way and when it is over."""

import signal
import subprocess
import threading
from dataclasses import dataclass

from started_robot import PATIENCE, Hang


@dataclass(frozen=True)
class Answer:
    is_done: bool
    words: str


class Process:
    """A command of sinew's that ends when the motion has."""

    def __init__(self, words: "list[str]", typed: "str | None" = None):
        self._process = subprocess.Popen(words, stdin=subprocess.PIPE if typed is not None else subprocess.DEVNULL,
                                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if typed is not None:
            self._process.stdin.write(typed)
            self._process.stdin.close()
            self._process.stdin = None

    @property
    def is_over(self) -> bool:
        return self._process.poll() is not None

    def interrupt(self) -> None:
        self._process.send_signal(signal.SIGINT)

    def wait(self) -> Answer:
        try:
            out, errors = self._process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            out, errors = self._process.communicate()
            raise Hang(f"'{' '.join(map(str, self._process.args[1:]))}' did not end; it said: {out}{errors}") from None
        return Answer(self._process.returncode == 0, (out + errors).strip())


class Call:
    """A call that blocks until the motion is over, in a thread of its own; it answers an Answer."""

    def __init__(self, call):
        self._answer: "Answer | None" = None
        self._thread = threading.Thread(target=self._run, args=(call,), daemon=True)
        self._thread.start()

    def _run(self, call) -> None:
        try:
            self._answer = call()
        except Exception as error:  # pylint: disable=broad-except # whatever it is, it is the case's answer
            self._answer = Answer(False, f"{type(error).__name__}: {error}")

    @property
    def is_over(self) -> bool:
        return self._answer is not None

    def interrupt(self) -> None:
        """Nothing: who asks by a call has other ways to stop."""

    def wait(self) -> Answer:
        self._thread.join(PATIENCE)
        if self._answer is None:
            raise Hang("the call was not answered")
        return self._answer
