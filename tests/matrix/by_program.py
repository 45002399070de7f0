# SPDX-License-Identifier: BSD-3-Clause
"""Moves in the robot language, run by `sinew run`."""

import pathlib

import moves
from pose import Pose
from said import Answer, Process

_RUN = 'UNITS (m, rad, s)\nSPEED {percent:g}%\n{text}\n'


def _pose(X: Pose) -> str:
    return " ".join(f"{x:.9f}" for x in (*X.position, *X.rpy))


def _point(X: Pose) -> str:
    return "POSE(" + ", ".join(f"{x:.9f}" for x in (*X.position, *X.rpy)) + ")"


def _joints(robot, arm: str, goal: "dict[int, float]") -> str:
    """A program moves all joints of an arm: those that are not meant stay."""
    now = robot.sent
    return " ".join(f"{goal.get(i, now[i]):.9f}" for i in robot.arm(arm).indices)


def _corners(move: moves.Corners) -> str:
    blend = [f"BLEND {move.blend:g}"] if move.blend else []
    return "\n".join(blend + [f"MOVEL_RPY {_pose(X)}" for X in move.points])


def text_of(robot, move) -> str:
    """The statement, in metres and radians."""
    match move:
        case moves.ToPosture():
            return f"MOVEJ POINT {{{move.name}}}"
        case moves.Joints():
            return f"MOVEJ {_joints(robot, move.arm, move.goal)}"
        case moves.ToPose():
            return f"MOVEJ_RPY {_pose(move.goal)}"
        case moves.Line():
            return f"MOVEL_RPY {_pose(move.goal)}"
        case moves.LineBy():
            frame = "{T}" if move.frame == "tool" else "{B}"
            return "DMOVE " + " ".join(f"{x:.9f}" for x in move.by) + f" 0 0 0 {frame}"
        case moves.LineInUser():
            return f"FRAME {{bench}} = {_point(move.X_BU)}\nMOVEL_RPY {_pose(move.goal_in_user)}"
        case moves.Circle():
            return f"MOVEC_RPY {_pose(move.via)}; {_pose(move.goal)}"
        case moves.Spline():
            return "MOVEL_RPY_SPLINE " + "; ".join(_pose(X) for X in move.points)
        case moves.Corners():
            return _corners(move)
        case moves.GripperTo():
            how = f"{move.width:.6f}" if move.is_open is None else "OPEN" if move.is_open else "CLOSE"
            return f"GRIPPER {{{move.name}}} {how}"
        case moves.Output():
            return f"SET {{{move.name}}}" if move.is_on else f"RESET {{{move.name}}}"
        case moves.Text():
            return move.text
    raise TypeError(f"no program says {move}")


def whole_text(robot, move, speed: float) -> str:
    return _RUN.format(percent=100 * speed, text=text_of(robot, move))


class ByProgram:
    """`sinew run FILE`."""

    name = "program"

    def __init__(self, robot):
        self.robot = robot
        self._count = 0

    def begin(self, move, speed: float) -> Process:
        self._count += 1
        path = pathlib.Path(self.robot.folder) / f"case_{self._count}.prog"
        path.write_text(whole_text(self.robot, move, speed))
        # a program is of one arm, also where it moves none; whoever has no arm is told so
        arms = [one.name for one in self.robot.model.arms]
        arm = ["--arm", getattr(move, "arm", "") or arms[0]] if arms else []
        return Process([self.robot.program, "run", path, "--robot", self.robot.name, "--space", self.robot.space, *arm])

    def console(self, line: str) -> Answer:
        """Beside a program somebody at the console."""
        return Process([self.robot.program, "console", "-c", line, "--robot", self.robot.name, "--space",
                        self.robot.space]).wait()

    def pause(self) -> Answer:
        return self.console("pause")

    def resume(self) -> Answer:
        return self.console("resume")

    def override(self, share: float) -> Answer:
        return self.console(f"speed {100 * share:g}")

    def stop(self, pending: Process) -> Answer:
        pending.interrupt()
        return Answer(True, "")

    def reset(self) -> Answer:
        return Answer(True, "")
