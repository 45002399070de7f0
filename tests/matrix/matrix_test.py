#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The matrix itself, without running any of it: nothing shipped is left out, and few refusals are expected."""

import pathlib
import re
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE))

import cases  # noqa: E402
from verbs import VERBS  # noqa: E402

MOST_REFUSALS = 0.1  # of all cases


class Matrix(unittest.TestCase):
    def setUp(self):
        self.all = cases.all_cases(all_ways=True)

    def test_every_robot_and_variant_is_in_it(self):
        shipped = {folder.name for folder in (ROOT / "robots").iterdir() if (folder / "robot.yaml").exists()}
        shipped |= {f"{path.parents[1].name}:{path.stem}" for path in (ROOT / "robots").glob("*/variants/*.yaml")}
        shipped |= {path.stem for path in (HERE / "urdf").glob("*.urdf")}
        self.assertEqual({stage.robot for stage in cases.stages()}, shipped)

    def test_every_world_is_in_it_and_every_robot_stands_in_the_empty_one(self):
        self.assertEqual({stage.world for stage in cases.stages()}, {path.parent.name for path in (ROOT / "worlds").glob("*/world.yaml")})
        robots = {stage.robot for stage in cases.stages()}
        self.assertEqual({stage.robot for stage in cases.stages() if stage.world == "empty"}, robots)

    def test_names_of_cases_are_their_own(self):
        names = [case.id for case in self.all]
        self.assertEqual(len(names), len(set(names)))

    def test_at_most_one_case_in_ten_is_a_refusal(self):
        refused = [case for case in self.all if cases.row_of(case, cases.expected())]
        self.assertLess(len(refused), MOST_REFUSALS * len(self.all))
        # what the other way of counting says: one way after the other
        turn = cases.all_cases()
        self.assertLess(sum(1 for case in turn if cases.row_of(case, cases.expected())), MOST_REFUSALS * len(turn))

    def test_every_refusal_says_its_words_and_why_and_is_of_some_case(self):
        for row in cases.expected() + cases.known_faults():
            re.compile(row.words)
            self.assertGreater(len(row.words), 5, row)
            self.assertGreater(len(row.why), 10, row)
            self.assertTrue(any(row.is_of(case) for case in self.all), row)

    def test_a_seed_draws_the_same_share_and_another_one_another(self):
        self.assertEqual(cases.share(7, 6, 6), cases.share(7, 6, 6))
        self.assertNotEqual(cases.share(7, 6, 6), cases.share(8, 6, 6))

    def test_shares_come_by_everything(self):
        drawn = [case for seed in range(200) for case in cases.share(seed, 6, 6)]
        self.assertEqual({case.stage for case in drawn}, set(cases.stages()))
        self.assertEqual({case.verb for case in drawn}, set(VERBS))
        self.assertEqual({(case.verb.name, case.way) for case in drawn}, {(verb.name, way) for verb in VERBS for way in verb.ways})

    def test_each_verb_is_done_by_all_its_ways_in_turn(self):
        done = {(case.verb.name, case.way) for case in cases.all_cases()}
        self.assertEqual(done, {(verb.name, way) for verb in VERBS for way in verb.ways})


if __name__ == "__main__":
    unittest.main()
