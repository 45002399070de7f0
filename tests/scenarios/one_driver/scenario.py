#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Nobody drives a robot twice, and who watches over it comes back. Usage: scenario.py BIN LIB"""

import contextlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from running_robot import programs  # noqa: E402

BIN, _ = programs()
ROBOT = "ur5e"
PROGRAM = "FOR i = 1 TO 500\n  DMOVEJ 20 0 0 0 0 0\n  DMOVEJ -20 0 0 0 0 0\nEND\n"


def wait_for(what, condition):
    """Looks until the condition holds; the guard against hanging is CTest's."""
    while True:
        try:
            if found := condition():
                return found
        except (KeyError, IndexError, FileNotFoundError, json.JSONDecodeError):  # it is only just coming back
            pass
        time.sleep(0.05)


def is_alive(pid):
    try:
        state = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state not in "ZX"


class OneDriver(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="sinew-one-"))
        self.space = f"one-{os.getpid()}"
        (self.folder / "here").mkdir(mode=0o700)
        (self.folder / "cron").mkdir(mode=0o700)
        self.here = {**os.environ, "XDG_RUNTIME_DIR": str(self.folder / "here")}
        self.cron = {**os.environ, "XDG_RUNTIME_DIR": str(self.folder / "cron")}
        self.run_folder = self.folder / "here/sinew" / self.space
        self.by_hand = []

    def tearDown(self):
        for process in self.by_hand:
            process.kill()
            process.wait()
        self.sinew("kill", status=None)
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.rmtree(f"/dev/shm/sinew-{self.space}", ignore_errors=True)

    def sinew(self, *words, status=0, environment=None):
        """Runs sinew; answers what it said, on both streams."""
        done = subprocess.run([BIN / "sinew", *words, "--space", self.space], capture_output=True, text=True,
                              env=environment or self.here, check=False)
        if status is not None:
            self.assertEqual(done.returncode, status, f"{words}\n{done.stdout}\n{done.stderr}")
        return done.stdout + done.stderr

    def start_robot(self):
        self.sinew("start", ROBOT, "--sim", "--no-web")
        return self.pids()

    def launch(self, program, *words):
        """A part by hand; nobody waits for it."""
        process = subprocess.Popen([BIN / program, "--robot", ROBOT, "--space", self.space, *words],
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=self.here)
        self.by_hand.append(process)
        return process

    def status(self, environment=None):
        done = subprocess.run([BIN / "sinew", "status", "--json", "--space", self.space], capture_output=True,
                              text=True, env=environment or self.here, check=False)
        return json.loads(done.stdout)

    def pids(self):
        robots = self.status()["robots"]
        return {process["role"]: process["pid"] for process in robots[0]["processes"]} if robots else {}

    def safety(self):
        return self.status()["robots"][0]["safety"]

    def supervisor(self):
        return self.status()["supervisor"]["pid"]

    def guardian(self):
        return int((self.run_folder / "guardian.pid").read_text().split()[0])

    def check_nothing_lives(self, *pids):
        self.assertEqual([pid for pid in pids if is_alive(pid)], [])
        self.assertFalse(pathlib.Path(f"/dev/shm/sinew-{self.space}").exists())
        self.assertIn("nothing runs in space", self.sinew("status", status=1))


class TwoAreRefused(OneDriver):
    def test_a_second_of_each_part_is_refused_by_name(self):
        pids = self.start_robot()
        for program, words, role in (("sinew-controller", [], "controller"), ("sinew-motion", [], "motion"),
                                     ("sinew-controller", ["--driver", "ideal"], "controller"),
                                     ("sinew-simulator", ["--name", ROBOT], "simulator")):
            second = self.launch(program, *words)
            said = second.communicate()[0]
            self.assertNotEqual(second.returncode, 0, said)
            self.assertIn(f"one writer at a time, and {role} (pid {pids[role]}, program sinew-{role}, since 20", said)
            self.assertIn(f"'sinew stop' or 'kill {pids[role]}'", said)
        for channel in ("device/command", "device/state", "processed"):
            said = self.sinew("channel", "put", f"{ROBOT}/{channel}", "joint_count=6", "--force", status=1)
            self.assertIn("has one writer at a time", said)
        self.assertEqual(self.pids(), pids)
        self.assertEqual(self.safety()["state"], "running")

    def test_of_several_at_one_instant_one_gets_it(self):
        for _ in range(3):
            many = [self.launch("sinew-controller", "--driver", "ideal") for _ in range(4)]
            wait_for("all but one end", lambda: sum(one.poll() is None for one in many) <= 1)
            winner = [one for one in many if one.poll() is None]
            self.assertEqual(len(winner), 1, [one.communicate()[0] for one in many if one.poll() is not None])
            winner[0].kill()
            winner[0].wait()

    def test_put_beside_a_writer_wants_force(self):
        self.start_robot()
        said = self.sinew("channel", "put", f"{ROBOT}/segments", "motion=1", status=1)
        self.assertIn("is written by motion (pid ", said)
        self.assertIn("nothing was put", said)
        self.sinew("channel", "put", f"{ROBOT}/segments", "motion=1", "--force")
        # the stop is everybody's
        self.sinew("channel", "put", f"{ROBOT}/stop", "verb=Stop")
        wait_for("it has stopped", lambda: self.safety()["state"] == "stopped")


class FoundByTheirChannels(OneDriver):
    def test_another_environment_finds_stops_and_does_not_start(self):
        pids = self.start_robot()
        all_pids = [*pids.values(), self.supervisor(), self.guardian()]
        said = self.sinew("start", ROBOT, "--sim", "--no-web", status=1, environment=self.cron)
        self.assertIn(f"run from another environment: supervisor pid {self.supervisor()}, run folder {self.run_folder}", said)
        said = self.sinew("status", environment=self.cron)
        self.assertIn(f"its run folder is {self.run_folder}", said)
        self.assertIn(str(pids["controller"]), said)
        self.assertEqual(self.pids(), pids)
        self.assertIn("is stopped", self.sinew("stop", environment=self.cron))
        self.check_nothing_lives(*all_pids)

    def test_a_run_folder_that_was_removed_is_made_again(self):
        pids = self.start_robot()
        all_pids = [*pids.values(), self.supervisor()]
        shutil.rmtree(self.run_folder)
        self.assertIn("is running already", self.sinew("start", ROBOT, "--sim", "--no-web"))
        self.assertEqual(self.pids(), pids)
        shutil.rmtree(self.run_folder)
        self.sinew("stop")
        self.check_nothing_lives(*all_pids)

    def test_without_folder_and_supervisor_they_are_found_and_stopped(self):
        pids = self.start_robot()
        wait_for("a guardian", self.guardian)
        guardian, supervisor = self.guardian(), self.supervisor()
        os.kill(guardian, signal.SIGSTOP)
        os.kill(supervisor, signal.SIGKILL)
        os.kill(guardian, signal.SIGKILL)
        shutil.rmtree(self.run_folder)
        said = self.sinew("status", status=1)
        for role, pid in pids.items():
            self.assertRegex(said, f"{role} +running +{pid}")
        self.assertIn(f"was not found in the run folder {self.run_folder}", said)
        said = self.sinew("start", ROBOT, "--sim", "--no-web", status=1)
        self.assertIn("is driven already", said)
        self.assertIn(f"(pid {pids['simulator']}, program sinew-simulator", said)
        self.assertEqual({role: p for role, p in self.pids().items() if is_alive(p)}, pids)
        said = self.sinew("stop")
        for role, pid in pids.items():
            self.assertIn(f"{role} of {ROBOT} (pid {pid}", said)
        wait_for("the supervisor that was asked leaves", lambda: not self.run_folder.joinpath("supervisor.pid").exists())
        self.check_nothing_lives(*pids.values(), supervisor, guardian)

    def test_who_was_started_by_hand_is_found_and_stopped(self):
        controller = self.launch("sinew-controller", "--driver", "ideal")
        wait_for("it is there", lambda: self.pids())
        self.assertEqual(self.pids(), {"controller": controller.pid})
        said = self.sinew("status", status=1)
        self.assertIn(f"it alone writes {ROBOT}/processed", said)
        self.assertIn("no supervisor has started what lives here; 'sinew stop' ends it", said)
        said = self.sinew("start", ROBOT, "--sim", "--no-web", status=1)
        self.assertIn(f"'{ROBOT}' is driven already", said)
        self.assertIn(f"controller of {ROBOT} (pid {controller.pid}", said)
        self.assertIn("no supervisor knew it", self.sinew("stop"))
        self.assertEqual(controller.wait(), 0)


class WhoWatchesComesBack(OneDriver):
    def test_supervisor_and_guardian_bring_each_other_back(self):
        pids = self.start_robot()
        for _ in range(3):
            supervisor, guardian = self.supervisor(), wait_for("a guardian", self.guardian)
            os.kill(supervisor, signal.SIGKILL)
            wait_for("a new supervisor", lambda: self.supervisor() not in (0, supervisor))
            self.assertEqual(self.pids(), pids)
            guardian = wait_for("its guardian", lambda: (g := self.guardian()) != self.supervisor() and is_alive(g) and g)
            os.kill(guardian, signal.SIGKILL)
            wait_for("another guardian", lambda: self.guardian() != guardian and is_alive(self.guardian()))
        # and whoever dies from then on is brought back
        os.kill(pids["motion"], signal.SIGKILL)
        now = wait_for("motion is back", lambda: (p := self.pids())["motion"] not in (0, pids["motion"]) and p)
        self.assertEqual({**now, "motion": 0}, {**pids, "motion": 0})
        everybody = [*now.values(), self.supervisor(), self.guardian()]
        self.sinew("stop")
        self.check_nothing_lives(*everybody)

    def test_what_is_old_is_called_old(self):
        pids = self.start_robot()
        for role in ("controller", "simulator"):
            os.kill(pids[role], signal.SIGSTOP)
        time.sleep(2.5)  # older than what is taken for new
        said = self.sinew("status", status=1)
        self.assertRegex(said, "safety: not known; .* ago it was: ")
        self.assertIn("not as it is now", said)
        self.assertIn(f"{ROBOT} has said nothing for", said)
        self.assertTrue(json.loads(self.sinew("read", "--once", "--json"))["is_old"])
        self.assertIn("OLD: said", self.sinew("read", "--once"))
        self.assertIn(f"the controller of '{ROBOT}' has said nothing for", self.sinew("console", "-c", "status"))
        for role in ("simulator", "controller"):
            os.kill(pids[role], signal.SIGCONT)
        wait_for("it is new", lambda: not self.status()["robots"][0]["is_old"])


class AfterARestart(OneDriver):
    def end_controller(self, how):
        before = self.pids()["controller"]
        os.kill(before, how)
        wait_for("it is back", lambda: self.pids()["controller"] not in (0, before) and self.status()["is_well"])

    def test_asked_to_end_it_is_ready_again_by_itself(self):
        self.start_robot()
        self.end_controller(signal.SIGTERM)
        wait_for("it runs", lambda: self.safety()["state"] == "running")
        self.sinew("console", "-c", "goto shoulder_pan_joint 0.1", "--wait")
        # what was stopped by somebody stays so
        self.sinew("console", "-c", "stop")
        self.end_controller(signal.SIGTERM)
        self.assertEqual(self.safety()["state"], "held")

    def test_after_its_death_it_is_held_and_says_why(self):
        self.start_robot()
        self.end_controller(signal.SIGKILL)
        self.assertEqual(self.safety()["state"], "held")
        self.assertIn("held: the controller had died and was started anew; 'reset' lets it run", self.sinew("status"))
        said = self.sinew("console", "-c", "line by 0 0 0.01", "--wait", status=1)
        self.assertRegex(said, "is held: its controller had died and was started anew .* ago; 'reset' lets it run")
        self.sinew("console", "-c", "reset")
        wait_for("it runs", lambda: self.safety()["state"] == "running")
        self.sinew("console", "-c", "goto shoulder_pan_joint 0.1", "--wait")

    def test_start_after_kill_says_how_the_robot_is(self):
        self.start_robot()
        console = subprocess.Popen([BIN / "sinew", "console", "--space", self.space], stdin=subprocess.PIPE,
                                   stdout=subprocess.DEVNULL, env=self.here, text=True)
        self.addCleanup(console.communicate)
        space = pathlib.Path(f"/dev/shm/sinew-{self.space}")
        is_open = lambda: f"sinew-{self.space}/{ROBOT}/processed" in pathlib.Path(f"/proc/{console.pid}/maps").read_text()
        wait_for("the console has the robot's channels", is_open)
        self.sinew("kill")
        self.assertTrue((space / ROBOT / "processed").exists(), "the console keeps them")
        said = self.sinew("start", ROBOT, "--sim", "--no-web")
        self.assertIn(f"{ROBOT} is up, but held: the controller had died and was started anew; 'reset' lets it run", said)
        self.assertNotIn(f"{ROBOT} is ready\n", said)


class ProgramsAndTheirClients(OneDriver):
    def run_program(self, *words):
        path = self.folder / "round.prog"
        path.write_text(PROGRAM)
        client = subprocess.Popen([BIN / "sinew", "run", str(path), "--no-check", "--space", self.space, *words],
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=self.here, text=True)
        self.by_hand.append(client)
        return client

    def newest(self, channel):
        import sinew
        with contextlib.closing(sinew.Channel(f"{ROBOT}/{channel}", self.space)) as opened:
            return opened.newest()

    def is_running(self):
        return self.newest("motion").message.program_phase == "Running"

    def test_a_program_ends_with_its_client_unless_it_is_to_go_on(self):
        self.start_robot()
        client = self.run_program()
        wait_for("it runs", self.is_running)
        client.kill()
        wait_for("it has ended", lambda: not self.is_running())
        self.assertIn(f"the program's client 'run' (pid {client.pid}) has died", self.newest("reply").message.reason)
        client = self.run_program("--detach")
        self.assertEqual(client.wait(), 0, client.communicate())
        wait_for("it runs", self.is_running)
        time.sleep(1.0)  # it would have ended by now
        self.assertTrue(self.is_running())
        self.sinew("console", "-c", "stop")
        wait_for("it has ended", lambda: not self.is_running())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
