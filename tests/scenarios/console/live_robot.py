# SPDX-License-Identifier: BSD-3-Clause
"""A controller with a perfect device, in a space of its own, for scenarios that talk to a running robot."""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import time


class LiveRobot:
    def __init__(self, program, robot="mds", space=None, with_motion=False):
        self.program = program
        self.motion = None
        self.space = space or f"console-{os.getpid()}"
        controller = pathlib.Path(program).parent / "sinew-controller"
        self.process = subprocess.Popen([controller, "--robot", robot, "--driver", "ideal", "--space", self.space],
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 60
        while self.try_run("read", "--once", "--json").returncode != 0 or self.read()["state"] == "starting":
            assert time.monotonic() < deadline and self.process.poll() is None, "the controller does not come up"
            time.sleep(0.1)
        if with_motion:
            self.start_motion(robot)

    def start_motion(self, robot):
        ready, told = os.pipe()
        self.motion = subprocess.Popen([pathlib.Path(self.program).parent / "sinew-motion", "--robot", robot, "--space", self.space,
                                        "--ready-fd", str(told)], pass_fds=[told], stderr=subprocess.DEVNULL)
        os.close(told)
        with os.fdopen(ready) as pipe:
            assert pipe.readline() == "ready\n", "the motion service does not come up"

    def end(self):
        if self.motion is not None:
            self.motion.terminate()
            self.motion.wait(timeout=60)
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait(timeout=60)
        shutil.rmtree(f"/dev/shm/sinew-{self.space}", ignore_errors=True)

    def try_run(self, *words, **more):
        return subprocess.run([self.program, *words, "--space", self.space], capture_output=True, text=True, timeout=120, **more)

    def run(self, *words, status=0, **more):
        """What was printed on stdout, or on stderr when it should fail."""
        done = self.try_run(*words, **more)
        assert done.returncode == status, f"{words}: exit {done.returncode}\n{done.stdout}\n{done.stderr}"
        return done.stdout if status == 0 else done.stderr

    def console(self, line, *words, status=0):
        return self.run("console", "-c", line, *words, status=status)

    def read(self):
        return json.loads(self.run("read", "--once", "--json"))

    def joint(self, name):
        return next(j for j in self.read()["joints"] if name in (j["name"], j["alias"]))
