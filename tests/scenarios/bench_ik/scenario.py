#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Inverse kinematics measured beside KDL's. Usage: scenario.py SINEW"""

import csv
import json
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

PROGRAM = ""
ROOT = pathlib.Path(__file__).resolve().parents[3]
UR5E = ["--urdf", str(ROOT / "robots/ur5e/robot.urdf"), "--tip", "wrist_3_link"]
KEYS = ["solver", "method", "count", "success", "mean_us", "median_us", "p99_us", "max_us", "max_position_error",
        "max_rotation_error", "limit_violations"]
POSE = ["px", "py", "pz", "qx", "qy", "qz", "qw"]


def run(*words, status=0):
    """Runs sinew; answers its stdout and stderr."""
    done = subprocess.run([PROGRAM, *words], capture_output=True, text=True, timeout=300)
    assert done.returncode == status, f"{words}: exit {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done.stdout, done.stderr


def rows_of(*words):
    return json.loads(run("bench", "ik", *words, "--json")[0])["rows"]


def row_for(q):
    """A pose that the UR5e takes with the joints q, by the name of its columns."""
    pose = json.loads(run("fk", *UR5E, "--json", "--", *(repr(x) for x in q))[0])
    quaternion = pose["quaternion"]
    row = dict(zip(POSE, [*pose["position"], *(quaternion[k] for k in "xyzw")]))
    return row | {f"q{i + 1}": x for i, x in enumerate(q)}


class BenchIk(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = pathlib.Path(folder.name) / "poses.csv"

    def write(self, rows):
        with self.file.open("w", newline="", encoding="utf-8") as out:
            writer = csv.DictWriter(out, fieldnames=list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)

    def check(self, rows, count):
        self.assertEqual([row["solver"] for row in rows if row["solver"] == "sinew"], ["sinew"])
        for row in rows:
            self.assertEqual(list(row), KEYS)
            self.assertEqual((row["count"], row["limit_violations"]), (count, 0))
            self.assertLessEqual(row["median_us"], row["p99_us"])
            self.assertLessEqual(row["p99_us"], row["max_us"])
        self.assertEqual(rows[0]["success"], 100.0)
        self.assertLessEqual(max(rows[0]["max_position_error"], rows[0]["max_rotation_error"]), 1e-6)

    def test_makes_poses_of_its_own_for_a_robot_or_a_file(self):
        self.check(rows_of("--robot", "panda", "--count", "100", "--seed", "7"), 100)
        self.check(rows_of("--robot", "mds", "--arm", "left", "--count", "50"), 50)
        self.check(rows_of(*UR5E, "--base", "base_link", "--count", "50"), 50)

    def test_reads_poses_in_any_order_with_and_without_seeds(self):
        seeded = random.Random(5)
        rows = [row_for([seeded.uniform(-3, 3) for _ in range(6)]) for _ in range(12)]
        self.write(rows)
        self.check(rows_of(*UR5E, "--poses", str(self.file)), 12)
        for row in rows:
            row |= {f"seed_rand{i + 1}": seeded.uniform(-3, 3) for i in range(6)}
        names = list(rows[0])
        seeded.shuffle(names)
        self.write([{name: row[name] for name in names} for row in rows])
        self.check(rows_of(*UR5E, "--poses", str(self.file)), 12)
        self.check(rows_of(*UR5E, "--poses", str(self.file), "--count", "5"), 5)

    def test_the_table_shows_both_solvers_and_forward_kinematics(self):
        table = run("bench", "ik", "--robot", "scorbot-er3", "--count", "50")[0]
        self.assertIn("closed form: five axes", table)
        self.assertIn("forward kinematics with Jacobian, ns per configuration", table)

    def test_joints_of_another_base_or_tip_are_noticed(self):
        self.write([row_for([0.1] * 6), row_for([0.2] * 6) | {"px": 0.3}])
        self.assertIn("1 of 2 poses are not where their joints q1", run("bench", "ik", *UR5E, "--poses", str(self.file))[1])

    def test_what_cannot_be_is_refused_with_file_line_and_column(self):
        good = row_for([0.1] * 6)
        for bad, complaint in (
                ({key: good[key] for key in POSE[1:]}, ":1: column 'px' is missing"),
                (good | {"qz": "north"}, ":3: column 'qz': 'north' is no finite number"),
                (good | {"pz": "nan"}, ":3: column 'pz': 'nan' is no finite number"),
                (good | dict.fromkeys(POSE[3:], 0), ":3: column 'qx': the quaternion qx,qy,qz,qw has length 0"),
                (good | {"q7": 0}, ":1: column 'q7': the chain has 6 joints"),
                (good | {"seed_rand1": 0}, ":1: column 'seed_rand2' is missing")):
            with self.subTest(complaint=complaint):
                self.write([{key: good.get(key, 0) for key in bad}, bad])
                self.assertIn(f"{self.file}{complaint}", run("bench", "ik", *UR5E, "--poses", str(self.file), status=2)[1])
        self.assertIn("No such file", run("bench", "ik", *UR5E, "--poses", "nowhere.csv", status=1)[1])
        self.assertIn("say which robot", run("bench", "ik", "--count", "3", status=2)[1])
        self.assertIn("did you mean 'panda'", run("bench", "ik", "--robot", "pandaa", status=1)[1])

    def test_bench_alone_lists_what_there_is(self):
        listing = run("bench")[0]
        self.assertIn("bench ik", listing)
        self.assertIn("bench channels", listing)


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main()
