#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Kills one process after the other of robots that move, and judges from their channels. 'sinew bench torture' runs it.

Usage: torture.py BIN LIB [--quick] [--seed S] [--rounds N] [--robot NAME]
"""

import argparse
import json
import math
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from braking_judge import NOTICED, WATCHDOG, DeviceLog, Verdict, kill, limits_of, stands, wait_until  # noqa: E402
from running_robot import DONE, MOVE_JOINTS, ROOT, STOP, StartedRobot  # noqa: E402

LEASE = 0.15  # [s] of a key: so long it counts as held after its last word
CLIENT = 0.25  # [s] after which a follower or a key's robot takes silence for the end

# robot: the joint that is moved, where from and where to [rad], and what its arm is called
ROBOTS = {"ur5e": (1, -1.2, -2.5, "", "0 {} 90 -90 -90 0"), "mds": (4, -0.6, -1.8, "left", None)}
VICTIMS = ("motion", "controller", "simulator", "web", "supervisor", "client")
DOUBLE = "double"  # a second set of processes is refused, and the first goes on
SITUATIONS = ("move", "jog", "program", "follow")

KEY = """
import sys, time, sinew
robot, joint, velocity, space = sys.argv[1], int(sys.argv[2]), float(sys.argv[3]), sys.argv[4]
jog, state = sinew.Channel(robot + "/jog", space), sinew.Channel(robot + "/state", space)
end = time.monotonic() + 1.6
while time.monotonic() < end:
    jog.put(stamp_ns=state.newest().message.stamp_ns, lease_ns=150_000_000, frame="Joints", joint_mask=1 << joint,
            joint_velocity=[0.0] * joint + [velocity], speed=1.0, who="torture")
    time.sleep(0.02)
"""

MASTER = """
import math, sys, time, sinew
robot, joint, space = sys.argv[1], int(sys.argv[2]), sys.argv[3]
like = sinew.Channel(robot + "/state", space).newest().message
state = sinew.Channel.create("puppet/state", space, schema="JointState", exist_ok=True)
begin, here = time.monotonic(), list(like.position)
while time.monotonic() - begin < 30:
    t, q = time.monotonic() - begin, list(here)
    q[joint] -= 0.45 * (1 - math.cos(1.6 * t))
    v = [0.0] * len(q)
    v[joint] = -0.72 * math.sin(1.6 * t)
    state.put(stamp_ns=time.monotonic_ns(), measured_mask=like.measured_mask, joint_count=like.joint_count,
              position=q, velocity=v)
    time.sleep(0.005)
"""


class Victim(StartedRobot):
    """A robot with all its processes, the web process among them."""

    def __init__(self, bin_path: pathlib.Path, robot: str):
        self.bin, self.robot = bin_path, robot
        self.space = f"torture-{robot}-{os.getpid()}"
        self.processes = {}
        self.data = tempfile.mkdtemp(prefix="torture")
        self.start_all()
        self.open_channels()

    def start_all(self) -> None:
        self.run_sinew("start", self.robot, "--sim", "--web", "127.0.0.1:0", "--web-data", self.data,
                       "--no-accounts", "--space", self.space)

    def close(self) -> None:
        super().close()
        shutil.rmtree(self.data, ignore_errors=True)


class Torture:
    def __init__(self, bin_path: pathlib.Path, name: str, rng: random.Random):
        self.bin, self.name, self.rng = bin_path, name, rng
        self.joint, self.near, self.far, self.arm, self.program = ROBOTS[name]
        self.robot = Victim(bin_path, name)
        self.limits = limits_of(json.loads(self.robot.run_sinew("model", name, "--json")))
        self.speed = 0.5 * self.limits[self.joint]["velocity"]
        self.violations = []

    # ---- what the robot says ----

    def sinew(self, *words: str) -> str:
        return subprocess.run([self.bin / "sinew", *words, "--space", self.robot.space],
                              capture_output=True, text=True, check=False, cwd=ROOT).stdout

    def status(self) -> dict:
        return json.loads(self.sinew("status", "--json"))

    def pids(self) -> "dict[str, int]":
        status = self.status()
        pids = {process["role"]: int(process["pid"]) for process in status["robots"][0]["processes"]}
        pids["supervisor"] = int(status["supervisor"].get("pid", 0))
        return pids

    def bring_home(self) -> None:
        def is_there() -> bool:
            if json.loads(self.sinew("read", "--once", "--json"))["state"] != "running":
                self.sinew("console", "-c", "reset")
                return False
            self.robot.open_channels()
            return self.robot.answer_to(self.lift_to(self.near)).status == DONE
        wait_until(f"{self.name} is where each round begins", is_there)

    def rests(self) -> bool:
        states = self.robot.channel("device/state")
        before = list(states.newest().message.position)
        time.sleep(0.3)
        return max(abs(a - b) for a, b in zip(before, states.newest().message.position)) < 1e-3

    # ---- what it is doing when somebody dies; each answers the process that asked for it, if there is one ----

    def lift_to(self, angle: float) -> int:
        return self.robot.ask(verb=MOVE_JOINTS, joint_mask=1 << self.joint, joints=[0.0] * self.joint + [angle])

    def begin_move(self) -> "subprocess.Popen | None":
        self.lift_to(self.far)
        return None

    def run_python(self, text: str, *words: str) -> subprocess.Popen:
        env = {**os.environ, "PYTHONPATH": str(ROOT / "python")}
        return subprocess.Popen([sys.executable, "-B", "-c", text, *words], env=env, stderr=subprocess.DEVNULL)

    def begin_jog(self) -> "subprocess.Popen | None":
        velocity = math.copysign(self.speed, self.far - self.near)
        return self.run_python(KEY, self.name, str(self.joint), str(velocity), self.robot.space)

    def begin_program(self) -> "subprocess.Popen | None":
        goals = [math.degrees(angle) for angle in (self.far, self.near)] * 3
        posture = [math.degrees(q) for q in self.robot.state.newest().message.position]
        chain = json.loads(self.robot.run_sinew("model", self.name, "--json"))["chains"]
        names = next(c for c in chain if not self.arm or c["name"] == self.arm)["joints"]
        joints = json.loads(self.robot.run_sinew("model", self.name, "--json"))["joints"]
        places = [next(j["position"] for j in joints if j["name"] == name) for name in names]
        lines = []
        for goal in goals:
            numbers = [goal if place == self.joint else posture[place] for place in places]
            lines.append("MOVEJ " + " ".join(f"{number:.4f}" for number in numbers) + " (mm,deg,s)")
        self.file = pathlib.Path(self.robot.data, "torture.prog")
        self.file.write_text("\n".join(lines) + "\n")
        arm = ["--arm", self.arm] if self.arm else []
        return subprocess.Popen([self.bin / "sinew", "run", self.file, "--no-check", *arm, "--space", self.robot.space],
                                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=ROOT)

    def begin_follow(self) -> "subprocess.Popen | None":
        master = self.run_python(MASTER, self.name, str(self.joint), self.robot.space)
        arm = f", arm: {self.arm}, master_arm: {self.arm}" if self.arm else ""
        wait_until("there is a master", lambda: self.sinew("channel", "echo", "puppet/state", "--once") != "")
        self.robot.ask(verb="FollowMaster", text="{master: puppet, model: " + self.name + ", what: joints" + arm + "}")
        return master

    # ---- a round ----

    def reaction(self, victim: str, situation: str) -> "float | None":
        """[s] For how long it may go on as if nothing had happened; None: nothing has to stop."""
        if victim == "motion":
            return NOTICED
        if victim == "controller":
            return WATCHDOG
        if victim == "client" and situation in ("jog", "follow"):
            return LEASE if situation == "jog" else CLIENT
        return None

    def round(self, victim: str, situation: str) -> None:
        self.bring_home()
        before = self.pids()
        log = DeviceLog(self.robot)
        asker = getattr(self, f"begin_{situation}")()
        processed, states = self.robot.channel("processed"), self.robot.channel("device/state")
        share = self.rng.uniform(0.2, 0.8)
        wait_until("it moves", lambda: abs(processed.newest().message.velocity[self.joint]) > 0.1 * self.speed)
        time.sleep(share * 0.6)
        if victim == DOUBLE:
            self.double(before)
        else:
            kill(asker.pid if victim == "client" else before[victim])
        speeds = list(processed.newest().message.velocity)
        since_ns = states.newest().message.stamp_ns
        self.wait_for_return(victim, before)
        reaction = self.reaction(victim, situation)
        # a program ends with the client that started it
        if reaction is None and (victim, situation) != ("client", "program"):
            self.robot.open_channels()
            self.robot.ask(verb=STOP)
        if asker is not None:
            asker.kill()
            asker.wait()
        wait_until("the joints rest", self.rests)
        self.judge(log.close(), victim, situation, since_ns, speeds, reaction)
        self.watch_for_ghosts(victim, situation)

    def double(self, before: dict) -> None:
        """Each of its processes a second time, and all of them from an environment that knows nothing of the first."""
        words = ["--robot", self.name, "--space", self.robot.space]
        for program in (["sinew-controller", "--driver", "simulator"], ["sinew-simulator"], ["sinew-motion"]):
            second = subprocess.run([self.bin / program[0], *words, *program[1:]], capture_output=True, text=True,
                                    check=False, cwd=ROOT, timeout=60)
            if second.returncode == 0 or "lives; end it first" not in second.stderr:
                self.violations.append(f"{self.name}: a second {program[0]} was not refused: {second.stderr.strip()}")
        with tempfile.TemporaryDirectory() as elsewhere:
            env = {**os.environ, "XDG_RUNTIME_DIR": elsewhere}
            second = subprocess.run([self.bin / "sinew", "start", self.name, "--sim", "--space", self.robot.space], env=env,
                                    capture_output=True, text=True, check=False, cwd=ROOT, timeout=60)
        if second.returncode == 0:
            self.violations.append(f"{self.name}: a start from another environment was not refused")
        if self.pids() != before:
            self.violations.append(f"{self.name}: being started twice has ended {before} for {self.pids()}")

    def wait_for_return(self, victim: str, before: dict) -> None:
        if victim in ("client", DOUBLE):
            time.sleep(1.0)  # whoever were to move on would have time for it
            return
        wait_until(f"{victim} is back", lambda: self.pids()[victim] not in (0, before[victim]))
        now = self.pids()
        for role, pid in before.items():
            if role != victim and now[role] != pid:
                self.violations.append(f"{role} died with {victim}")
        time.sleep(0.5)

    def judge(self, states, victim, situation, since_ns, speeds, reaction) -> None:
        deed = "started twice" if victim == DOUBLE else f"{victim} killed"
        what = f"{self.name}: {deed} in a {situation} at {max(map(abs, speeds)):.2f} rad/s"
        if victim == "simulator":
            newest = [state for state in states if state[2] == states[-1][2]]
            if not stands(newest, self.limits):
                self.violations.append(f"{what}: the device that came back moved")
            print(f"{what}: ok", file=sys.stderr, flush=True)
            return
        if reaction is None:
            print(f"{what}: went on", file=sys.stderr, flush=True)
            return
        verdict = Verdict(states, since_ns, speeds, self.limits, reaction)
        print(f"{what}: {verdict.way:.3f} rad of {verdict.bound:.3f}", file=sys.stderr, flush=True)
        if verdict.way > verdict.bound:
            self.violations.append(f"{what}: joint {verdict.joint} went {verdict.way:.3f} rad, of {verdict.bound:.3f}")

    def watch_for_ghosts(self, victim: str, situation: str) -> None:
        log = DeviceLog(self.robot)
        time.sleep(0.7)
        if not stands(log.close(), self.limits):
            self.violations.append(f"{self.name}: moves unasked after {victim} was killed in a {situation}")

    def end(self) -> None:
        space = self.robot.space
        self.robot.close()
        if pathlib.Path(f"/dev/shm/sinew-{space}").exists():
            self.violations.append(f"{self.name}: /dev/shm/sinew-{space} is left behind")
        left = [path.parent.name for path in pathlib.Path("/proc").glob("[0-9]*/cmdline") if says(path, space)]
        if left:
            self.violations.append(f"{self.name}: processes {' '.join(left)} are left behind")


def says(path: pathlib.Path, word: str) -> bool:
    try:
        return word.encode() in path.read_bytes() and int(path.parent.name) != os.getpid()
    except OSError:
        return False


def rounds_of(rng: random.Random, count: int, is_quick: bool) -> list:
    """Each victim so often, in situations that are drawn; all of them where there is time."""
    drawn = []
    for victim in (*VICTIMS, DOUBLE):
        # nobody has asked for a move by holding on to it
        possible = [s for s in SITUATIONS if victim != "client" or s != "move"]
        chosen = [rng.choice(possible)] if is_quick else possible * count
        drawn += [(victim, situation) for situation in chosen]
    rng.shuffle(drawn)
    return drawn


def main() -> int:
    parser = argparse.ArgumentParser(prog="sinew bench torture", description="Kills one process after the other of robots "
                                     "that move, and starts them twice. Exits with 1 when a joint went farther than it "
                                     "needs to brake, moved unasked, or something did not come back or stayed behind.")
    parser.add_argument("bin", type=pathlib.Path, help=argparse.SUPPRESS)
    parser.add_argument("lib", help=argparse.SUPPRESS)
    parser.add_argument("--quick", action="store_true", help="Each victim once for each robot, in a situation that is drawn.")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="Of the instants. (default: 1)")
    parser.add_argument("--rounds", type=int, default=20, metavar="N",
                        help="Of each victim in each situation. (default: 20)")
    parser.add_argument("--robot", choices=sorted(ROBOTS), metavar="NAME", help="mds or ur5e. (default: both)")
    parser.add_argument("--json", action="store_true", help="Print the result as JSON.")
    words = parser.parse_args()
    os.environ["LD_LIBRARY_PATH"] = words.lib
    violations, rounds = [], 0
    for name in [words.robot] if words.robot else sorted(ROBOTS):
        rng = random.Random(f"{words.seed} {name}")
        torture = Torture(words.bin, name, rng)
        try:
            for victim, situation in rounds_of(rng, words.rounds, words.quick):
                torture.round(victim, situation)
                rounds += 1
        finally:
            torture.end()
            violations += torture.violations
    for violation in violations:
        print(f"violated: {violation}", file=sys.stderr)
    if words.json:
        print(json.dumps({"rounds": rounds, "violations": violations, "seed": words.seed}))
    else:
        print(f"{rounds} rounds, {len(violations)} violations, seed {words.seed}")
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main())
