# SPDX-License-Identifier: BSD-3-Clause
"""The verbs of the matrix, one a row: its name, by which ways it is asked for, what a robot must have for it, how fast its world
goes meanwhile, and a function that asks and judges. That function gets a Trial (trial.py)."""

from dataclasses import dataclass

import acts_live
import acts_move
import acts_program
import acts_steer
from rates import FAST, LIVE

ALL = ("console", "program", "http", "python")


@dataclass(frozen=True)
class Verb:
    name: str
    ways: "tuple[str, ...]"
    needs: "frozenset[str]"
    rate: float
    act: object
    speeds: "tuple[int, ...]" = (10, 50, 100)


def _row(name: str, ways, needs: str, rate: float, act, speeds=(10, 50, 100)) -> Verb:
    return Verb(name, tuple(ways), frozenset(needs.split()), rate, act, speeds)


VERBS = (
    _row("posture", ("console", "http", "python"), "", FAST, acts_move.posture),
    _row("posture-of-arm", ("program",), "arm", FAST, acts_move.posture),
    _row("one-joint", ("console", "http", "python"), "", FAST, acts_move.one_joint),
    _row("all-joints", ("console", "http", "python"), "", FAST, acts_move.all_joints),
    _row("joints-of-arm", ("program",), "arm", FAST, acts_move.joints_of_arm),
    _row("pose", ALL, "arm", FAST, acts_move.pose),
    _row("line-base", ALL, "arm", FAST, acts_move.line_base),
    _row("line-from-home", ALL, "arm", FAST, acts_move.line_from_home),
    _row("line-by", ("console", "program"), "arm", FAST, acts_move.line_by),
    _row("line-tool", ALL, "arm", FAST, acts_move.line_tool),
    _row("line-user", ("program", "http", "python"), "arm", FAST, acts_move.line_user),
    _row("circle", ("program", "http", "python"), "arm", FAST, acts_move.circle),
    _row("spline", ("program", "http"), "arm", FAST, acts_move.spline),
    _row("blend", ("program", "http", "python"), "arm", FAST, acts_move.blend),
    _row("square", ALL, "arm", FAST, acts_move.square),
    _row("jog-joints", ("console", "http", "python"), "", LIVE, acts_steer.jog_joints),
    _row("jog-base", ("console", "http", "python"), "arm", LIVE, acts_steer.jog_base),
    _row("jog-tool", ("console", "http", "python"), "arm", LIVE, acts_steer.jog_tool),
    _row("stream", ("python",), "", LIVE, acts_live.stream),
    _row("trajectory", ("python",), "", FAST, acts_live.trajectory, (100,)),
    _row("recorded-stream", ("http",), "", FAST, acts_live.recorded_stream),
    _row("follow", ("console", "python"), "arm", LIVE, acts_live.follow),
    _row("gripper", ALL, "gripper", FAST, acts_move.gripper, (100,)),
    _row("io", ("program", "http", "python"), "io", FAST, acts_move.outputs, (100,)),
    _row("pause", ALL, "arm", FAST, acts_steer.pause),
    _row("override", ALL, "arm", FAST, acts_steer.override, (100,)),
    _row("stop", ALL, "arm", FAST, acts_steer.stop),
    _row("home", ("console", "http", "python"), "", FAST, acts_steer.home, (100,)),
    _row("record", ("console",), "", FAST, acts_live.record),
    _row("program", ("program", "http"), "arm", FAST, acts_program.whole_program),
)
