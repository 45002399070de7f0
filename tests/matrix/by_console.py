# SPDX-License-Identifier: BSD-3-Clause
"""Moves as they are typed at the console."""

import moves
from pose import Pose
from said import Answer, Process

AXES = ("x", "y", "z", "rx", "ry", "rz")


def _numbers(values) -> str:
    return " ".join(f"{x:.9f}" for x in values)


def _pose(X: Pose) -> str:
    return _numbers((*X.position, *X.rpy))


def _joints(robot, goal: "dict[int, float]") -> str:
    return "goto " + " ".join(f"{robot.model.joints[i].name} {x:.9f}" for i, x in goal.items())


def _jog(robot, move: moves.Jog) -> str:
    if move.frame == "joints":
        return f"jog {robot.model.joints[move.joint].name} {move.amount:.9f}"
    frame = "tool " if move.frame == "tool" else ""
    return f"jog {move.arm} {frame}{AXES[move.axis]} {move.amount:.9f}"


def lines_of(robot, move, speed: float) -> "list[str]":
    """What is typed; some take several lines."""
    at = f"at {100 * speed:g}%"
    match move:
        case moves.ToPosture():
            return [f"goto {move.name}"]
        case moves.Joints():
            return [_joints(robot, move.goal)]
        case moves.ToPose():
            return [f"speed {100 * speed:g}", f"ik {move.arm} 6 {_pose(move.goal)}"]
        case moves.Line():
            return [f"line {move.arm} {_pose(move.goal)} {at}"]
        case moves.LineBy():
            frame = " in tool" if move.frame == "tool" else ""
            return [f"line by {move.arm} {_numbers(move.by)}{frame} {at}"]
        case moves.Corners():
            return [f"line {move.arm} {_pose(X)} {at}" for X in move.points]
        case moves.GripperTo():
            # fingers are joints to the console
            return [_joints(robot, move.joints) if move.joints else f"goto {move.name} {move.width:.6f}"]
        case moves.Jog():
            return [f"{_jog(robot, move)} {at}"]
    raise TypeError(f"nothing at the console says {move}")


class ByConsole:
    """`sinew console`: one line with -c and --wait, several as they come from a pipe."""

    name = "console"

    def __init__(self, robot):
        self.robot = robot

    def _words(self, *more: str) -> "list[str]":
        return [self.robot.program, "console", "--robot", self.robot.name, "--space", self.robot.space, *more]

    def begin(self, move, speed: float) -> Process:
        lines = lines_of(self.robot, move, speed)
        if len(lines) == 1:
            return Process(self._words("-c", lines[0], "--wait"))
        return Process(self._words(), "\n".join(lines) + "\n")

    def jog(self, wishes: "list[moves.Jog]", speed: float) -> Answer:
        lines = [line for wish in wishes for line in lines_of(self.robot, wish, speed)]
        return Process(self._words(), "\n".join(lines) + "\n").wait()

    def _say(self, line: str, *more: str) -> Answer:
        return Process(self._words("-c", line, *more)).wait()

    def pause(self) -> Answer:
        return self._say("pause")

    def resume(self) -> Answer:
        return self._say("resume")

    def override(self, share: float) -> Answer:
        return self._say(f"speed {100 * share:g}")

    def stop(self, pending) -> Answer:
        return self._say("stop")

    def reset(self) -> Answer:
        return self._say("reset")

    def home(self) -> Answer:
        return self._say("home", "--wait")
