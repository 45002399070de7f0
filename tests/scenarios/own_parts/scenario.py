#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Controllers and parts of one's own, made by 'sinew lab new'. Usage: scenario.py SINEW LIB"""

import json
import math
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
SINEW, LIBRARIES = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
del sys.argv[1:3]
os.environ["LD_LIBRARY_PATH"] = str(LIBRARIES)
sys.path.insert(0, str(ROOT / "python"))
import sinew as sinew_package  # noqa: E402

SPACE = f"own-parts-{os.getpid()}"
TOWER = ROOT / "tests/scenarios/web/tower"
BOARD = ROOT / "worlds/hanoi"
DOWN = math.pi / 2
PATIENCE = 400.0  # [s] for a tower, on a machine that does other things as well
# a machine with much to do may keep the simulator from its turn for longer than a robot's device may be silent
BUSY = "\ncontrol: {stale_ms: 3000}\n"
PLACES = [(0.336, 0.0, 0.2), (0.237558, 0.237558, 0.2), (0.237558, 0.237558, 0.1)]

# the corrected equations of the thesis, angles up-positive from link to link
GEOMETRIC_IK = '''
import math
import sinew
D0, D1, D2, D3, D4 = 0.344, 0.016, 0.221, 0.221, 0.143

def my_ik(target, now):
    r = math.hypot(target.x, target.y) - D1 - D4 * math.cos(target.pitch)
    z = target.z - D0 + D4 * math.sin(target.pitch)
    d = (r * r + z * z - D2 * D2 - D3 * D3) / (2 * D2 * D3)
    if abs(d) > 1.0:
        return None
    elbow = -math.acos(d)
    shoulder = math.atan2(z, r) - math.atan2(D3 * math.sin(elbow), D2 + D3 * math.cos(elbow))
    base = math.atan2(target.y, target.x)
    roll = target.roll + base - target.yaw  # of a hand that points down: base and roll turn about one axis
    roll = now[4] + math.remainder(roll - now[4], 2 * math.pi)
    return [base, shoulder, elbow, -target.pitch - shoulder - elbow, roll]

sinew.serve_motion(ik=my_ik)
'''
# a driver whose device is a world of physics, what a student's arm would be, in step with it; and the camera over the
# board, which tells where the discs are, and the fingers' sense of touch
BRIDGE = '''
import struct
import subprocess
import sinew
from sinew.parts import Part

RATE = 200

part = Part()
device = part.name + "-device"
simulator = subprocess.Popen([{simulator!r}, "--robot", part.robot, "--name", device, "--world", {world!r}, "--space", part.space])

def channel(name, schema, **more):
    return sinew.Channel.create(device + "/" + name, part.space, schema=schema, exist_ok=True, **more)

states, commands = channel("device/state", "JointState"), channel("device/command", "JointCommand")
clock, world = channel("clock", "Clock"), channel("simulation", "SimulationRequest")
channel("health", "Health", depth=16).put(period_ns=10**9 // RATE)  # so often it is told what to do
senses = [(channel(name, schema, depth=depth), part.channel(name, schema, depth=depth, sender="device"))
          for name, schema, depth in (("world_truth", "World", 2), ("sensor/grasp", "GraspState", 64))]
time = part.channel("clock", "Clock", sender="device")
first = states.next(timeout=60).position[:6]

def sense(now_ns):
    for there, here in senses:
        seen = there.fresh()
        if seen is not None:  # stamped in the robot's own time, which its first eight bytes tell
            age_ns = clock.newest().message.stamp_ns - seen.message.stamp_ns
            here.put(struct.pack("<q", now_ns - age_ns) + seen.data[8:])

def my_motors(position, command, seconds):
    commands.put(stamp_ns=clock.newest().message.stamp_ns, moved_mask=63, joint_count=6, is_enabled=1, position=command,
                 velocity=[(wanted - was) / seconds for wanted, was in zip(command, my_motors.last)])
    my_motors.last = command
    number = world.put(verb="Step", steps=round(1000 * seconds))
    while clock.newest().last_request < number:
        clock.wait(timeout=1)
    sense(time.newest().message.stamp_ns + 10**9 // RATE)
    return states.newest().position[:6]

my_motors.last = first
sinew.serve_device(my_motors, first, rate=RATE, speed=4)
simulator.terminate()
'''
BAD_IK = '''
import math
import sinew

def my_ik(target, now):
    if target.z > 0.5:
        raise RuntimeError("I give up")
    if target.z > 0.4:
        return [0.0, 0.0]
    if target.z > 0.3:
        return [9.0, 0.0, 0.0, 0.0, 0.0]
    return [math.nan] * 5

sinew.serve_motion(ik=my_ik)
'''


class OwnParts(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def sinew(self, *words: str, status: int = 0) -> str:
        done = subprocess.run([SINEW, *words, "--space", SPACE], capture_output=True, text=True, check=False,
                              cwd=self.folder.name)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def start(self, robot: str, *words: str) -> sinew_package.LiveRobot:
        self.addCleanup(self.sinew, "stop")
        # found by name in a clone, as a student in one has it
        found = robot if (pathlib.Path(self.folder.name) / robot).exists() else str(ROOT / "robots" / robot)
        self.sinew("start", found, "--sim", *(words or ["--no-web"]))
        if "driver" not in robot:  # which has a time of its own
            self.sinew("sim", "speed", "4")
        return sinew_package.LiveRobot(robot, SPACE)

    def check_tower(self, robot: str, world: str, discs: int = 2) -> None:
        """A tower is moved by a program that knows nothing of who does what behind the URL."""
        self.start(robot, "--world", str(TOWER), "--web", "127.0.0.1:0")
        status = json.loads(self.sinew("status", "--json"))
        url = next(process["note"].partition(";")[0] for process in status["robots"][0]["processes"] if process["role"] == "web")
        done = subprocess.run([ROOT / "examples/13_towers_by_url.sh", url, str(discs)], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stdout.count("disc ")), (0, 2**discs - 1), done.stdout + done.stderr)
        truth = sinew_package.Channel(f"{world}/world_truth", SPACE).newest().message
        places = {thing.name: thing.position for thing in truth.objects[:truth.object_count]}
        for level, name in enumerate(["large", "small"][-discs:]):
            self.assertLess(math.dist(places[name], (0.35, 0.095, 0.0295 + 0.015 * level)), 0.003, places)

    def check_hanoi(self, robot: str, world: str) -> None:
        """The Towers of Hanoi are solved by the program that solves them on any robot, three discs, by friction alone."""
        self.start(robot, "--world", str(BOARD), "--no-web")
        told = pathlib.Path(self.folder.name) / "told"
        with open(told, "w", encoding="utf-8") as file:
            solver = subprocess.Popen([SINEW, "hanoi", "--robot", robot, "--space", SPACE], stdout=file, stderr=file)
        try:
            ended = solver.wait(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            solver.kill()
            ended = solver.wait()
        status = subprocess.run([SINEW, "status", "--space", SPACE], capture_output=True, text=True, check=False)
        self.assertEqual(ended, 0, told.read_text(encoding="utf-8") + status.stdout)
        truth = sinew_package.Channel(f"{world}/world_truth", SPACE).newest().message
        places = {thing.name: thing.position for thing in truth.objects[:truth.object_count]}
        for disc in (1, 2, 3):
            middle = (0.35, 0.095, 0.0295 + 0.015 * (3 - disc))
            self.assertLess(math.dist(places[f"disc_{disc}"], middle), 0.002, places)

    def make(self, name: str, *words: str) -> pathlib.Path:
        self.sinew("lab", "new", name, "--robot", str(ROOT / "robots/scorbot-er3"), *words)
        folder = pathlib.Path(self.folder.name) / name
        yaml = folder / "robot.yaml"
        if yaml.exists():
            text = yaml.read_text()
            rate = "control: {rate: 200"
            yaml.write_text(text.replace(rate, rate + ", stale_ms: 3000") if rate in text else text + BUSY)
        return folder

    def make_installed(self, name: str) -> pathlib.Path:
        """A controller made by a program that has no clone around it: below one folder are bin, lib and share/sinew."""
        place = pathlib.Path(self.folder.name) / "installed"
        (place / "bin").mkdir(parents=True)
        shutil.copy(SINEW, place / "bin")
        shutil.copytree(LIBRARIES, place / "lib", ignore=shutil.ignore_patterns("*.a"))
        shutil.copytree(ROOT / "python", place / "share/sinew/python", ignore=shutil.ignore_patterns("__pycache__"))
        words = [place / "bin/sinew", "lab", "new", name, "--robot", str(ROOT / "robots/scorbot-er3")]
        made = subprocess.run(words, capture_output=True, text=True, check=False, cwd=self.folder.name)
        self.assertEqual(made.returncode, 0, made.stdout + made.stderr)
        folder = pathlib.Path(self.folder.name) / name
        self.assertNotIn(str(ROOT), (folder / "run").read_text())
        refused = subprocess.run([*words[:3], "in_cpp", "--cpp", *words[4:]], capture_output=True, text=True, check=False,
                                 cwd=self.folder.name)
        self.assertEqual(refused.returncode, 1)
        self.assertIn("needs Sinew's headers and libraries", refused.stderr)
        return folder

    def check_short(self, program: pathlib.Path) -> None:
        self.assertLess(len(program.read_text().splitlines()), 20, program)

    def check_moves(self, robot: sinew_package.LiveRobot) -> None:
        """The hand goes where it is sent, by forward kinematics of the joints as measured."""
        arm = sinew_package.Robot(ROOT / "robots/scorbot-er3")
        for place in PLACES:
            robot.move_to(*place, pitch=DOWN, hand=0.05)
            reached = arm.fk(robot.position[:5]).position
            self.assertLess(math.dist(reached, place), 0.004, f"{reached} is not {place}")
            self.assertAlmostEqual(2 * robot.position[5], 0.05, delta=3e-3)
        with self.assertRaises(sinew_package.MotionFailed) as refused:
            robot.move_to(0.9, 0.0, 0.2, pitch=DOWN)
        self.assertEqual(refused.exception.status, "Unreachable")

    def test_controllers_run_as_they_come(self):
        python, cpp = self.make("my_controller", "--python"), self.make("faster", "--cpp")
        self.check_short(python / "my_controller.py")
        self.check_short(cpp / "faster.cc")
        self.start("scorbot-er3")
        for program in (python, cpp, self.make_installed("by_itself")):
            done = subprocess.run([program / "run", "scorbot-er3", SPACE], capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertIn("joint", done.stdout)
        self.assertTrue((python / "README.md").exists())
        self.assertIn("is there already", self.sinew("lab", "new", "faster", status=1))
        self.assertIn("there is no template for 'hat'", self.sinew("lab", "new", "x", "--part", "hat", status=2))
        self.assertFalse((pathlib.Path(self.folder.name) / "x").exists())

    def test_inverse_kinematics_of_ones_own(self):
        folder = self.make("my_ik", "--part", "ik")
        self.check_short(folder / "my_ik.py")
        (folder / "my_ik.py").write_text(GEOMETRIC_IK)
        self.check_hanoi("my_ik", "my_ik")

    def test_inverse_kinematics_that_answers_nonsense_moves_nothing(self):
        folder = self.make("bad_ik", "--part", "ik")
        (folder / "bad_ik.py").write_text(BAD_IK)
        robot = self.start("bad_ik")
        before = robot.position
        for z, words in ((0.6, "RuntimeError: I give up"), (0.45, "2 positions for 5 joints"),
                         (0.35, "joint 1 cannot go to 9.0"), (0.2, "no finite number")):
            with self.assertRaises(sinew_package.MotionFailed) as refused:
                robot.move_to(0.3, 0.0, z)
            self.assertIn(words, str(refused.exception))
        self.assertLess(max(abs(a - b) for a, b in zip(before, robot.position)), 1e-3)

    def test_how_far_the_hand_is_from_its_goal_is_measured_whatever_the_solver_says(self):
        folder = self.make("lazy_ik", "--part", "ik")
        (folder / "lazy_ik.py").write_text("import sinew\nsinew.serve_motion(ik=lambda target, now: list(now))\n")
        robot = self.start("lazy_ik")
        here = sinew_package.Robot(ROOT / "robots/scorbot-er3").fk(robot.position[:5]).position
        goal = (here[0] + 0.03, here[1], here[2] - 0.04)
        for reply in (robot.move_to(*goal, pitch=DOWN), robot.ask(verb="Solve", position=list(goal), rpy=[0.0, DOWN, 0.0])):
            self.assertAlmostEqual(reply.position_error, 0.05, delta=2e-3)
        robot.close()

    def test_a_planner_of_ones_own(self):
        folder = self.make("my_planner", "--part", "planner")
        self.check_short(folder / "my_planner.py")
        self.check_hanoi("my_planner", "my_planner")

    def test_a_planner_of_ones_own_behind_the_urls(self):
        self.make("url_planner", "--part", "planner")
        self.check_tower("url_planner", "url_planner")

    def test_a_driver_of_ones_own(self):
        folder = self.make("my_driver", "--part", "driver")
        self.check_short(folder / "my_driver.py")
        robot = self.start("my_driver")
        status = json.loads(self.sinew("status", "--json"))
        self.assertEqual([process["role"] for process in status["robots"][0]["processes"]],
                         ["simulator", "controller", "motion"])
        self.check_moves(robot)

    def test_a_driver_of_ones_own_solves_the_tower_too(self):
        folder = self.make("tower_driver", "--part", "driver")
        (folder / "tower_driver.py").write_text(
            BRIDGE.format(simulator=str(SINEW.parent / "sinew-simulator"), world=str(BOARD)))
        self.check_hanoi("tower_driver", "tower_driver-device")


if __name__ == "__main__":
    unittest.main(verbosity=2)
