# SPDX-License-Identifier: BSD-3-Clause
"""All cases of the matrix, and the share of them that a seed draws. Nothing runs here."""

import csv
import fnmatch
import pathlib
import random
import re
from dataclasses import dataclass

from verbs import VERBS, Verb

HERE = pathlib.Path(__file__).resolve().parent


@dataclass(frozen=True)
class Stage:
    """A robot in a world where it may stand, and what it has."""
    robot: str
    world: str
    has: "frozenset[str]"


@dataclass(frozen=True)
class Case:
    stage: Stage
    verb: Verb
    way: str
    percent: int

    @property
    def id(self) -> str:
        return f"{self.stage.robot}/{self.stage.world}/{self.verb.name}/{self.way}/{self.percent}"


@dataclass(frozen=True)
class Row:
    """A line of expected.csv or known_faults.csv: which cases, the words that they answer, and why."""
    robot: str
    world: str
    verb: str
    way: str
    percent: str
    words: str
    why: str

    def is_of(self, case: Case) -> bool:
        fields = ((self.robot, case.stage.robot), (self.world, case.stage.world), (self.verb, case.verb.name),
                  (self.way, case.way), (self.percent, str(case.percent)))
        return all(any(fnmatch.fnmatchcase(value, one) for one in pattern.split("|")) for pattern, value in fields)

    def says(self, words: str) -> bool:
        return re.search(self.words, words) is not None


def _table(name: str) -> "list[dict]":
    with open(HERE / name, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def stages() -> "list[Stage]":
    return [Stage(row["robot"], row["world"], frozenset(row["has"].split())) for row in _table("stages.csv")]


def expected() -> "list[Row]":
    """Refusals that are right."""
    return [Row(**row) for row in _table("expected.csv")]


def known_faults() -> "list[Row]":
    """What is wrong and known: it fails all the same."""
    return [Row(**row) for row in _table("known_faults.csv")]


def row_of(case: Case, rows: "list[Row]") -> "Row | None":
    return next((row for row in rows if row.is_of(case)), None)


def cases_of(stage: Stage, all_ways: bool = False, turn: int = 0) -> "list[Case]":
    """Each verb at each speed, by one way after the other, or by all. What a robot has no part for is asked once."""
    found = []
    for number, verb in enumerate(VERBS):
        speeds = verb.speeds if verb.needs <= stage.has else (100,)
        for column, percent in enumerate(speeds):
            ways = verb.ways if all_ways else [verb.ways[(turn + number + column) % len(verb.ways)]]
            found += [Case(stage, verb, way, percent) for way in ways]
    return found


def all_cases(all_ways: bool = False, seed: int = 0) -> "list[Case]":
    return [case for number, stage in enumerate(stages()) for case in cases_of(stage, all_ways, number + seed)]


def share(seed: int, stage_count: int, case_count: int) -> "list[Case]":
    """Some stages, and of each some cases: drawn among all ways."""
    drawn = random.Random(seed)
    chosen = drawn.sample(stages(), stage_count)
    found = []
    for stage in chosen:
        cases = cases_of(stage, all_ways=True)
        # whatever is asked, verbs differ
        verbs = drawn.sample(VERBS, min(case_count, len(VERBS)))
        found += [drawn.choice([case for case in cases if case.verb is verb]) for verb in verbs]
    return found


def case_named(text: str) -> Case:
    for case in all_cases(all_ways=True):
        if case.id == text:
            return case
    raise SystemExit(f"there is no case '{text}'; --list tells all")
