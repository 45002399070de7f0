#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A robot's processes are started, watched over and stopped. Usage: scenario.py SINEW"""

import json
import os
import pathlib
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

PROGRAM = ""
READY = "sh -c 'echo I am up; echo ready >&{ready_fd}; exec sleep 1000'"
# deaths of tests come fast, and are not meant as a reason to give up
PATIENT = {"first_delay": 0.01, "longest_delay": 0.02, "healthy_after": 10, "most_quick_deaths": 100000}
URDF = '<robot name="arm"><link name="base"/></robot>'


def wait_for(condition):
    """Looks until the condition holds; the guard against hanging is CTest's."""
    while not (found := condition()):
        time.sleep(0.01)
    return found


def is_alive(pid):
    try:
        state = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state not in "ZX"


class SupervisorTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="sinew-sup-"))
        self.space = f"sup-{os.getpid()}"
        self.environment = {**os.environ, "XDG_RUNTIME_DIR": str(self.folder)}
        self.run_folder = self.folder / "sinew" / self.space

    def tearDown(self):
        self.sinew("kill")
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.rmtree(f"/dev/shm/sinew-{self.space}", ignore_errors=True)

    def sinew(self, *words, status=0, space=None):
        """Runs sinew; answers what it said, on both streams."""
        done = subprocess.run([PROGRAM, *words, "--space", space or self.space], capture_output=True, text=True,
                              timeout=300, env=self.environment)
        if status is not None:
            self.assertEqual(done.returncode, status, f"{words}\n{done.stdout}\n{done.stderr}")
        return done.stdout + done.stderr

    def make_robot(self, name="arm", restart=None, **processes):
        """A robot folder whose roles are all stand-ins."""
        folder = self.folder / name
        folder.mkdir(exist_ok=True)
        (folder / "robot.urdf").write_text(URDF)
        roles = {"simulator": READY, "controller": READY, "motion": READY, "web": "none", **processes}
        lines = ["urdf: robot.urdf", "processes:"]
        lines += [f"  {role}: {json.dumps(command)}" for role, command in roles.items()]
        lines += [f"  restart: {json.dumps(restart or PATIENT)}"]
        (folder / "robot.yaml").write_text("\n".join(lines) + "\n")
        return str(folder)

    def status(self):
        done = subprocess.run([PROGRAM, "status", "--json", "--space", self.space], capture_output=True, text=True,
                              timeout=300, env=self.environment)
        return json.loads(done.stdout)

    def pids(self, robot="arm"):
        for row in self.status()["robots"]:
            if row["name"] == robot:
                return {process["role"]: process["pid"] for process in row["processes"]}
        return {}

    def process(self, role):
        return next(p for p in self.status()["robots"][0]["processes"] if p["role"] == role)

    def ask(self, data):
        """What the supervisor answers to bytes on its socket."""
        with socket.socket(socket.AF_UNIX) as link:
            link.connect(str(self.run_folder / "supervisor.socket"))
            answer = b""
            try:
                link.sendall(data)
                while chunk := link.recv(65536):
                    answer += chunk
            except (BrokenPipeError, ConnectionResetError):
                pass
            return answer.decode()

    def check_nothing_left(self, pids):
        self.assertEqual([pid for pid in pids if is_alive(pid)], [])
        left = [p.name for p in self.run_folder.rglob("*") if not p.is_dir() and p.parent.name != "logs"]
        self.assertEqual(left, [])
        self.assertFalse(pathlib.Path(f"/dev/shm/sinew-{self.space}").exists())


class StartAndStop(SupervisorTest):
    def test_start_returns_when_all_are_ready_and_stop_leaves_nothing(self):
        robot = self.make_robot(motion="sh -c 'sleep 0.2; echo {name} {space} >told; echo ready >&{ready_fd}; exec sleep 1000'")
        said = self.sinew("start", robot, "--sim")
        self.assertIn("arm is ready", said)
        self.assertEqual((self.folder / "arm/told").read_text(), f"arm {self.space}\n")
        status = self.status()
        self.assertTrue(status["is_well"])
        pids = self.pids()
        self.assertEqual(list(pids), ["simulator", "controller", "motion"])
        self.assertTrue(all(is_alive(pid) for pid in pids.values()))
        self.assertEqual((self.run_folder / "logs/arm-controller.log").read_text().splitlines()[1], "I am up")
        # twice: a clear word, and nobody is disturbed
        self.assertIn("arm is running already", self.sinew("start", robot, "--sim"))
        self.assertEqual(self.pids(), pids)
        self.assertIn("with other settings", self.sinew("start", robot, "--device", "-", status=1))
        self.assertIn("controller   running", self.sinew("status"))
        self.assertIn("is stopped", self.sinew("stop"))
        self.check_nothing_left([*pids.values(), status["supervisor"]["pid"]])
        self.assertIn("nothing runs in space", self.sinew("status", status=1))
        self.assertIn("nothing runs in space", self.sinew("stop"))

    def test_stop_goes_in_the_reverse_order_and_kills_who_stays(self):
        polite = "sh -c 'trap \"echo {} >>ended; exit\" TERM; echo ready >&{{ready_fd}}; while :; do sleep 0.02; done'"
        robot = self.make_robot(simulator=polite.format("simulator"), controller=polite.format("controller"),
                                motion="sh -c 'trap \"\" TERM; echo ready >&{ready_fd}; while :; do sleep 0.05; done'")
        self.sinew("start", robot)
        pids = self.pids()
        self.sinew("stop", "--timeout", "0.3")
        self.assertEqual((self.folder / "arm/ended").read_text(), "controller\nsimulator\n")
        self.assertIn("motion: has not ended in time and is killed", (self.run_folder / "logs/supervisor.log").read_text())
        self.check_nothing_left(pids.values())

    def test_a_start_that_fails_says_why_and_leaves_nothing(self):
        robot = self.make_robot(controller="sh -c 'echo the bus is down; exit 3'")
        said = self.sinew("start", robot, status=1)
        self.assertIn("arm: the controller ended with status 3 after", said)
        self.assertIn("the bus is down", said)
        self.assertNotIn("I am up", said)
        self.assertIn("nothing runs", self.sinew("status", status=1))
        robot = self.make_robot(controller="./nothing")
        self.assertIn("cannot run './nothing' in", self.sinew("start", robot, status=1))
        robot = self.make_robot(controller="sh -c 'echo still at it; exec sleep 1000'  # {ready_fd}")
        said = self.sinew("start", robot, "--timeout", "0.4", status=1)
        self.assertIn("the controller was not ready within 400.0 ms and was killed", said)
        self.assertIn("still at it", said)
        self.assertIn("processes: controller: '{nobody}' stands for nothing",
                      self.sinew("start", self.make_robot(controller="x {nobody}"), status=2))
        self.assertIn("there is no robot 'nobody'", self.sinew("start", "nobody", status=1))

    def test_two_starts_at_once_make_one_supervisor(self):
        robots = [self.make_robot(name) for name in ("a", "b", "b")]
        starts = [subprocess.Popen([PROGRAM, "start", r, "--space", self.space], env=self.environment,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) for r in robots]
        for start in starts:
            said, _ = start.communicate(timeout=300)
            self.assertEqual(start.returncode, 0, said)
        self.assertEqual(sorted(r["name"] for r in self.status()["robots"]), ["a", "b"])
        log = (self.run_folder / "logs/supervisor.log").read_text()
        self.assertEqual(log.count("begins"), 1, log)
        # one of two is stopped: the other stays
        of_b = self.pids("b")
        self.sinew("stop", "a")
        self.assertEqual(self.pids("b"), of_b)
        self.assertIn("there is no robot 'a'", self.sinew("stop", "a", status=1))

    def test_channels_without_users_go_with_the_robot(self):
        self.sinew("start", self.make_robot())
        self.sinew("channel", "mk", "arm/state", "--message", "JointState")
        self.sinew("channel", "mk", "arm/used", "--capacity", "8")
        reader = subprocess.Popen([PROGRAM, "channel", "echo", "arm/used", "--space", self.space], stdout=subprocess.DEVNULL)
        wait_for(lambda: json.loads(self.sinew("channel", "info", "arm/used", "--json"))["readers"])
        self.sinew("stop")
        self.assertEqual(self.sinew("channel", "ls", "--names"), "arm/used\n")
        reader.kill()
        reader.wait()

    def test_stop_asks_the_controller_to_hold(self):
        self.sinew("start", self.make_robot())
        self.sinew("channel", "mk", "arm/stop", "--message", "ControlRequest")
        reader = subprocess.Popen([PROGRAM, "channel", "echo", "arm/stop", "--once", "--json", "--space", self.space],
                                  stdout=subprocess.PIPE, text=True)
        wait_for(lambda: json.loads(self.sinew("channel", "info", "arm/stop", "--json"))["readers"])
        self.sinew("stop")
        said, _ = reader.communicate(timeout=300)
        self.assertEqual(json.loads(said)["message"]["verb"], "Stop")

    def test_status_tells_what_processes_say_of_themselves(self):
        self.sinew("start", self.make_robot())
        pid = self.pids()["controller"]
        self.sinew("channel", "mk", "arm/health", "--message", "Health")
        self.sinew("channel", "mk", "arm/safety", "--message", "Safety")
        self.sinew("channel", "mk", "arm/state", "--message", "JointState")
        self.sinew("channel", "put", "arm/health", f"process_id={pid}", "period_ns=1000000", "late_cycles=5", "wake_p99_ns=42000")
        self.sinew("channel", "put", "arm/health", "process_id=1", "period_ns=500000")
        self.sinew("channel", "put", "arm/state", "fault_bits=3")
        controller = self.say_again_and_again("arm/safety", "state=Stopped", "reason=Requested", "who=anna")
        said = self.sinew("status")
        for text in ("1000 Hz", "42.0 us", "stopped: anna asked for it", "device says: lost, watchdog"):
            self.assertIn(text, said)
        status = self.status()
        self.assertEqual(self.process("controller")["health"]["late_cycles"], 5)
        self.assertIsNone(self.process("motion")["health"])
        self.assertTrue(status["is_well"])
        # a controller says so ten times a second; what is older than that is not what is
        controller.kill()
        controller.wait()
        wait_for(lambda: self.status()["robots"][0]["is_old"])
        self.assertIn("not as it is now", self.sinew("status", status=1))
        self.say_again_and_again("arm/safety", "state=Faulted", "reason=DeviceFault")
        self.assertIn("arm is faulted: device fault", self.sinew("status", status=1))

    def say_again_and_again(self, *words):
        """Puts a message twenty times a second until the test is over; returns when the first is there."""
        putter = subprocess.Popen([PROGRAM, "channel", "put", *words, "--rate", "20", "--space", self.space],
                                  stdout=subprocess.DEVNULL, env=self.environment)
        self.addCleanup(lambda: (putter.kill(), putter.wait()))
        wait_for(lambda: not self.status()["robots"][0].get("is_old", True) and self.status()["robots"][0]["safety"])
        return putter


class Deaths(SupervisorTest):
    def test_a_dead_controller_comes_back_and_status_tells(self):
        self.sinew("start", self.make_robot())
        before = self.pids()
        os.kill(before["controller"], signal.SIGKILL)
        row = wait_for(lambda: (p := self.process("controller"))["restarts"] == 1 and p["state"] == "running" and p)
        self.assertIn("was killed by signal 9 (Killed) after", row["last_death"])
        self.assertIn("last end of controller: was killed by signal 9", self.sinew("status"))
        after = self.pids()
        self.assertNotEqual(after.pop("controller"), before.pop("controller"))
        self.assertEqual(after, before)

    def test_who_dies_too_often_is_given_up_until_asked_again(self):
        rules = {**PATIENT, "most_quick_deaths": 3}
        command = "sh -c 'test -e broken && echo no && exit 1; echo ready >&{ready_fd}; exec sleep 1000'"
        robot = self.make_robot(restart=rules, controller=command)
        self.sinew("start", robot)
        (self.folder / "arm/broken").touch()
        os.kill(self.pids()["controller"], signal.SIGKILL)
        wait_for(lambda: self.process("controller")["state"] == "gave up")
        self.assertIn("3 quick deaths in a row, the last: ended with status 1", self.sinew("status", status=1))
        self.assertIn("3 quick deaths in a row", self.sinew("start", robot, status=1))
        self.assertEqual(self.process("motion")["restarts"], 0)
        (self.folder / "arm/broken").unlink()
        self.sinew("start", robot)
        self.assertTrue(self.status()["is_well"])

    def test_children_outlive_the_supervisor_and_are_taken_up_again(self):
        robot = self.make_robot()
        self.sinew("start", robot)
        pids = self.pids()
        supervisor = self.status()["supervisor"]["pid"]
        os.kill(supervisor, signal.SIGTERM)
        wait_for(lambda: not is_alive(supervisor))
        # asked to leave alone, it is not brought back
        self.assertIn("no supervisor watches over these processes", self.sinew("status", status=1))
        self.assertEqual(self.pids(), pids)
        self.sinew("start", robot)
        self.assertEqual(self.pids(), pids)
        # one that died meanwhile is started anew; and a stop finds them without a start before
        supervisor = self.status()["supervisor"]["pid"]
        os.kill(supervisor, signal.SIGTERM)
        wait_for(lambda: not is_alive(supervisor))
        os.kill(pids["motion"], signal.SIGKILL)
        self.sinew("start", robot)
        after = wait_for(lambda: (p := self.pids())["motion"] and p)
        self.assertEqual({**after, "motion": 0}, {**pids, "motion": 0})
        os.kill(self.status()["supervisor"]["pid"], signal.SIGKILL)
        self.sinew("stop")
        self.check_nothing_left(after.values())

    def test_a_supervisor_that_is_killed_comes_back_and_takes_them_up(self):
        robot = self.make_robot()
        self.sinew("start", robot)
        pids = self.pids()
        for _ in range(5):
            supervisor = self.status()["supervisor"]["pid"]
            os.kill(supervisor, signal.SIGKILL)
            wait_for(lambda: self.status()["supervisor"]["pid"] not in (0, supervisor))
            wait_for(lambda: self.status()["is_well"])
            self.assertEqual(self.pids(), pids)
        os.kill(pids["motion"], signal.SIGKILL)
        wait_for(lambda: self.pids()["motion"] not in (0, pids["motion"]) and self.status()["is_well"])
        self.sinew("stop")
        self.check_nothing_left(pids.values())

    def test_a_pid_that_came_round_is_left_alone(self):
        robot = self.make_robot()
        self.sinew("start", robot)
        pids = self.pids()
        os.kill(self.status()["supervisor"]["pid"], signal.SIGTERM)
        os.kill(pids["controller"], signal.SIGKILL)
        wait_for(lambda: not is_alive(pids["controller"]))
        stranger = subprocess.Popen(["sleep", "1000"], start_new_session=True)
        path = self.run_folder / "arm-controller.pid"
        record = path.read_text()
        path.write_text(record.replace(record.split()[0], str(stranger.pid), 1).ljust(128)[:127] + "\n")
        self.sinew("start", robot)
        self.assertNotEqual(self.pids()["controller"], stranger.pid)
        self.sinew("stop")
        self.assertTrue(is_alive(stranger.pid))
        stranger.kill()
        stranger.wait()

    def test_files_of_the_dead_and_rubbish_in_their_place(self):
        robot = self.make_robot()
        (self.run_folder / "robots").mkdir(parents=True)
        for path in (self.folder / "sinew", self.run_folder, self.run_folder / "robots"):
            path.chmod(0o700)
        (self.run_folder / "supervisor.pid").write_text("1 2 3\n")
        (self.run_folder / "supervisor.socket").write_text("no socket")
        (self.run_folder / "arm-controller.pid").write_text("\0rubbish")
        (self.run_folder / "robots/ghost.json").write_text('{"name": "ghost", "processes": [[[')
        self.sinew("start", robot)
        self.assertEqual([r["name"] for r in self.status()["robots"]], ["arm"])
        self.assertIn("ghost is passed over", (self.run_folder / "logs/supervisor.log").read_text())

    def test_what_a_process_leaves_behind_dies_with_it(self):
        self.sinew("start", self.make_robot(motion="sh -c 'sleep 1000 & echo $! >left; echo ready >&{ready_fd}; exec sleep 1000'"))
        left = int((self.folder / "arm/left").read_text())
        self.assertTrue(is_alive(left))
        os.kill(self.pids()["motion"], signal.SIGKILL)
        wait_for(lambda: not is_alive(left))

    def test_anybody_is_killed_at_random_moments(self):
        chance = random.Random(11)
        robot = self.make_robot()
        self.sinew("start", robot)
        before = self.status()
        for _ in range(40):
            pids = {p["role"]: p["pid"] for p in before["robots"][0]["processes"]}
            victim = chance.choice(["supervisor", *pids])
            pid = before["supervisor"]["pid"] if victim == "supervisor" else pids[victim]
            time.sleep(chance.random() * 0.03)
            os.kill(pid, signal.SIGKILL)
            if chance.random() < 0.3:
                # and perhaps the supervisor just as it starts another
                time.sleep(chance.random() * 0.03)
                if is_alive(before["supervisor"]["pid"]):
                    os.kill(before["supervisor"]["pid"], signal.SIGKILL)
            wait_for(lambda: not is_alive(pid))
            self.sinew("start", robot)
            after = wait_for(lambda: (s := self.status())["is_well"] and s)
            for process in after["robots"][0]["processes"]:
                self.assertTrue(is_alive(process["pid"]))
                if process["role"] != victim:
                    self.assertEqual(process["pid"], pids[process["role"]], f"{victim} was killed")
            before = after
        alive = [p["pid"] for p in before["robots"][0]["processes"]]
        self.sinew("stop")
        self.check_nothing_left(alive)
        # nobody was started twice: whatever ran from our folder is gone
        mine = [p for p in pathlib.Path("/proc").glob("[0-9]*/cwd") if self.runs_in_robot(p)]
        self.assertEqual(mine, [])

    def test_a_start_goes_on_though_the_supervisor_dies_meanwhile(self):
        chance = random.Random(3)
        slow = "sh -c 'sleep 0.05; echo ready >&{ready_fd}; exec sleep 1000'"
        robot = self.make_robot(simulator=slow, controller=slow, motion=slow)
        for _ in range(8):
            start = subprocess.Popen([PROGRAM, "start", robot, "--space", self.space], env=self.environment,
                                     stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            lock = self.run_folder / "supervisor.pid"
            pid = wait_for(lambda: lock.exists() and lock.read_text().split()[:1])[0]
            time.sleep(chance.random() * 0.3)
            if is_alive(int(pid)):
                os.kill(int(pid), signal.SIGKILL)
            said, _ = start.communicate(timeout=300)
            self.assertEqual(start.returncode, 0, said)
            # had it been ready before, it is taken up now
            self.sinew("start", robot)
            pids = self.pids()
            self.assertEqual([p for p in pids.values() if not is_alive(p)], [])
            self.sinew("stop")
            self.check_nothing_left(pids.values())

    def runs_in_robot(self, link):
        try:
            return os.readlink(link).startswith(str(self.folder))
        except OSError:
            return False


class Abuse(SupervisorTest):
    def test_rubbish_on_the_socket_is_answered_and_does_no_harm(self):
        self.sinew("start", self.make_robot())
        pids = self.pids()
        chance = random.Random(5)
        lines = [b"\n", b"{}\n", b"[]\n", b'{"verb": 7}\n', b'{"verb": "start"}\n', b'{"verb": "start", "plan": []}\n',
                 b'{"verb": "start", "plan": {"name": "../x", "processes": [{}]}}\n', b"[" * 60000 + b"\n", b"x" * 200000,
                 b'{"verb": "start", "plan": {"name": "y", "processes": [{"role": "a/b", "words": ["sh"]}]}}\n',
                 b'{"verb": "start", "plan": {"name": "y", "processes": [{"role": "a", "words": [""]}]}}\n',
                 b'{"verb": "stop", "name": "nobody"}\n', b'{"verb": "\xff\xfe"}\n', b'{"a":' * 3000 + b"\n"]
        lines += [bytes(chance.randrange(256) for _ in range(chance.randrange(400))) + b"\n" for _ in range(100)]
        for line in lines:
            answer = json.loads(self.ask(line).splitlines()[-1])
            self.assertEqual(answer["done"], False, line[:80])
            self.assertTrue(answer["error"])
        # callers that say nothing, and more of them than there is room for
        silent = []
        for _ in range(100):
            silent.append(socket.socket(socket.AF_UNIX))
            silent[-1].connect(str(self.run_folder / "supervisor.socket"))
        self.assertTrue(self.status()["is_well"])
        for link in silent:
            link.close()
        self.assertEqual(self.pids(), pids)

    def test_the_socket_and_its_folder_are_for_the_user_alone(self):
        self.sinew("start", self.make_robot())
        self.assertEqual((self.run_folder / "supervisor.socket").stat().st_mode & 0o777, 0o600)
        self.assertEqual(self.run_folder.stat().st_mode & 0o777, 0o700)
        self.sinew("stop")
        self.run_folder.chmod(0o777)
        self.assertIn("nobody else may write", self.sinew("start", self.make_robot(), status=1))
        self.run_folder.chmod(0o700)

    def test_logs_that_cannot_be_written_do_not_stop_a_robot(self):
        (self.run_folder / "logs").mkdir(parents=True)
        for path in (self.folder / "sinew", self.run_folder, self.run_folder / "logs"):
            path.chmod(0o700)
        (self.run_folder / "logs/arm-controller.log").symlink_to("/dev/full")
        self.sinew("start", self.make_robot())
        self.assertTrue(self.status()["is_well"])
        self.assertIn("cannot write the log", (self.run_folder / "logs/supervisor.log").read_text())

    def test_logs_stay_bounded(self):
        flood = "sh -c 'echo ready >&{ready_fd}; yes 0123456789012345678901234567890123456789 | head -c 20000000; exec sleep 1000'"
        self.sinew("start", self.make_robot(motion=flood))
        log = self.run_folder / "logs/arm-motion.log"
        wait_for(lambda: log.with_name("arm-motion.log.1").exists())
        wait_for(lambda: log.stat().st_size + log.with_name("arm-motion.log.1").stat().st_size < 17 << 20)

    def test_kill_ends_everything_also_with_a_supervisor_that_hangs(self):
        robot = self.make_robot()
        self.sinew("start", robot)
        pids = self.pids()
        supervisor = self.status()["supervisor"]["pid"]
        os.kill(supervisor, signal.SIGSTOP)
        self.assertIn("does not answer", self.sinew("status", status=1))
        self.assertIn("supervisor and 3 processes ended", self.sinew("kill"))
        self.check_nothing_left([*pids.values(), supervisor])
        self.sinew("start", robot)
        other = f"{self.space}-b"
        self.sinew("start", robot, space=other)
        pids = [*self.pids().values()]
        said = self.sinew("killall")
        self.assertIn(f"space '{self.space}': supervisor and 3 processes ended", said)
        self.assertIn(f"space '{other}': supervisor and 3 processes ended", said)
        self.check_nothing_left(pids)


class OtherVerbs(SupervisorTest):
    def test_make_runs_the_robots_own_command(self):
        self.assertIn("nothing to make", self.sinew("make", self.make_robot()))
        self.sinew("make", self.make_robot(make="touch made"))
        self.assertTrue((self.folder / "arm/made").exists())
        self.assertIn("'false' in", self.sinew("make", self.make_robot(make="false"), status=1))

    def test_changerobot_stops_one_and_starts_another(self):
        self.sinew("start", self.make_robot("one"))
        self.assertIn("there is no robot", self.sinew("changerobot", "nobody", status=1))
        self.assertEqual([r["name"] for r in self.status()["robots"]], ["one"])
        self.sinew("changerobot", self.make_robot("two"))
        self.assertEqual([r["name"] for r in self.status()["robots"]], ["two"])

    def test_resetbus_says_that_there_is_none(self):
        self.assertIn("has no bus", self.sinew("resetbus", self.make_robot(), status=1))


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=2)
