# SPDX-License-Identifier: BSD-3-Clause
"""Verbs that go to a goal once: postures, joints, poses, lines, circles, splines, grippers, outputs."""

import math

import moves
from goals import NoRoom
from pose import Pose, added, difference, from_rpy, length, scaled
from trial import Refused, Trial
from rates import FAST
from watch import away_from_circle, away_from_lines

_BESIDE = math.radians(10)  # of a posture: from there it is gone to
_JOINT_BY = math.radians(15)
_LENGTH_BY = 0.02           # [m] of a prismatic joint
_BLEND = 0.008              # [m]
_USER = Pose((0.1, -0.05, 0.2), from_rpy(0.1, -0.2, 0.7))
_WIDTHS = (0.6, 0.2)        # of the gripper's range


def _arm_or_none(trial: Trial):
    return trial.goals.arm() if trial.robot.model.arms else None


def _without(trial: Trial, move) -> None:
    """What the robot has no part for: asked all the same."""
    trial.from_posture(trial.robot.model.starts()[0][1], FAST)
    trial.do(move)


def posture(trial: Trial) -> None:
    """To a named posture from beside it."""
    model = trial.robot.model
    arm = _arm_or_none(trial)
    if trial.way.name == "program" and arm is None:
        return _without(trial, moves.ToPosture("home", {}))
    home = model.starts()[0][1]
    for name in trial.goals.random.sample(list(model.postures), len(model.postures)):
        q = [h if math.isnan(x) else x for x, h in zip(model.postures[name], home)]
        # a posture speaks of some joints, a program of one arm
        meant = [j.index for j in model.enabled if not math.isnan(model.postures[name][j.index])]
        indices = arm.indices if trial.way.name == "program" else meant
        if not trial.goals.is_roomy(q) or not trial.goals.is_way_clear(home, q):
            continue
        beside = trial.goals.joints_by(q, indices, _BESIDE)
        if beside is None:
            continue
        trial.from_posture(beside, FAST)
        goal = {i: q[i] for i in indices}
        trial.do(moves.ToPosture(name, goal, arm.name if arm and trial.way.name == "program" else ""))
        trial.expect_joints(goal)
        return None
    raise NoRoom(f"beside none of the postures {list(model.postures)}")


def _joints(trial: Trial, choose, arm_name: str = "") -> None:
    q, goal = trial.goals.find("a joint move", choose)
    trial.from_posture(q, FAST)
    moved = {i: x for i, x in enumerate(goal) if x != q[i]}
    trial.do(moves.Joints(moved, arm_name))
    trial.expect_joints({j.index: goal[j.index] for j in trial.robot.model.enabled})
    if trial.way.name != "console":
        trial.expect_speed()


def one_joint(trial: Trial) -> None:
    model = trial.robot.model
    joint = trial.goals.random.choice(model.enabled)
    _joints(trial, lambda q: trial.goals.joint_by(q, joint.index, _LENGTH_BY if joint.is_length else _JOINT_BY))


def all_joints(trial: Trial) -> None:
    enabled = [j.index for j in trial.robot.model.enabled]
    _joints(trial, lambda q: trial.goals.joints_by(q, enabled, _JOINT_BY, max(1, len(enabled) // 2)))


def joints_of_arm(trial: Trial) -> None:
    arm = _arm_or_none(trial)
    if arm is None:
        return _without(trial, moves.Text("MOVEJ 0.1 0.1", ""))
    return _joints(trial, lambda q: trial.goals.joints_by(q, arm.indices, _JOINT_BY, 2), arm.name)


def pose(trial: Trial) -> None:
    """To where the flange is in another posture."""
    arm = _arm_or_none(trial)
    if arm is None:
        return _without(trial, moves.ToPose("arm", Pose((0.3, 0.0, 0.3))))
    q, goal = trial.goals.find("a move to a pose", lambda q: trial.goals.joints_by(q, arm.indices, _JOINT_BY, 3))
    trial.from_posture(q, FAST)
    X = arm.pose(goal)
    trial.do(moves.ToPose(arm.name, X))
    trial.expect_flange(arm, X)
    trial.expect_moved(1e-3)


def _line(trial: Trial, frame: str, move_for, is_from_home: bool = False) -> None:
    arm = _arm_or_none(trial)
    if arm is None:
        return _without(trial, move_for(None, "arm", (0.0, 0.0, 0.05), Pose((0.3, 0.0, 0.3))))
    q, (by, goal) = trial.goals.find(f"a line along the axes of the {frame}", lambda q: trial.goals.line(arm, q, frame, not is_from_home),
                                          is_from_home)
    trial.from_posture(q, FAST)
    begin = arm.pose(trial.robot.sent)
    goal = Pose(added(begin.position, difference(goal.position, arm.pose(q).position)), goal.rotation)
    trial.do(move_for(arm, arm.name, by, goal))
    trial.expect_flange(arm, goal)
    trial.expect_path(arm, lambda p: away_from_lines(p, [begin.position, goal.position]), "its line")
    trial.expect_moved(1e-3)
    return None


def line_base(trial: Trial) -> None:
    _line(trial, "base", lambda arm, name, by, goal: moves.Line(name, goal))


def line_from_home(trial: Trial) -> None:
    """From home, and be it stretched out: where joints can go with the tool, it goes."""
    _line(trial, "base", lambda arm, name, by, goal: moves.Line(name, goal), True)


def line_by(trial: Trial) -> None:
    _line(trial, "base", lambda arm, name, by, goal: moves.LineBy(name, by, "base"))


def line_tool(trial: Trial) -> None:
    _line(trial, "tool", lambda arm, name, by, goal: moves.LineBy(name, by, "tool"))


def line_user(trial: Trial) -> None:
    _line(trial, "base", lambda arm, name, by, goal: moves.LineInUser(name, _USER, _USER.inverse() * goal))


def _shape(trial: Trial, what: str, shape, move_for):
    """A move through points that have room. Answers arm, begin and points, or none where there is no arm."""
    arm = _arm_or_none(trial)
    if arm is None:
        place = Pose((0.3, 0.0, 0.3))
        _without(trial, move_for("arm", (place,) * _ARC))
        return None
    q, points = trial.goals.find(what, lambda q: trial.goals.corner(arm, q, shape))
    trial.from_posture(q, FAST)
    begin = arm.pose(trial.robot.sent)
    trial.do(move_for(arm.name, points))
    trial.expect_flange(arm, points[-1])
    trial.expect_moved(1e-3)
    return arm, begin, points


def circle(trial: Trial) -> None:
    """Half of one: over its top to the other side."""
    found = _shape(trial, "half a circle", _half_circle, lambda arm, points: moves.Circle(arm, points[_TOP], points[-1]))
    if found is None:
        return
    arm, begin, points = found
    centre = scaled(added(begin.position, points[-1].position), 0.5)
    radius = length(difference(points[-1].position, centre))
    up, side = difference(points[_TOP].position, centre), difference(points[-1].position, centre)
    axis = scaled((up[1] * side[2] - up[2] * side[1], up[2] * side[0] - up[0] * side[2], up[0] * side[1] - up[1] * side[0]),
                  1.0 / (radius * radius))
    trial.expect_path(arm, lambda p: away_from_circle(p, centre, radius, axis), "its circle")
    highest = max((sum(a * b for a, b in zip(difference(X.position, centre), up)) for X in trial.watch.places(arm)), default=0.0)
    if highest < 0.8 * radius * radius:
        trial.complain("it did not go by the point on the way")


_ARC = 8
_TOP = _ARC // 2 - 1


def _half_circle(first, second):
    points = []
    for i in range(1, _ARC + 1):
        angle = math.pi * i / _ARC
        points.append(added(scaled(first, 0.5 * (1 - math.cos(angle))), scaled(second, 0.5 * math.sin(angle))))
    return points


def spline(trial: Trial) -> None:
    found = _shape(trial, "a spline", lambda a, b: [scaled(added(a, b), 0.5), a, scaled(added(a, scaled(b, -1.0)), 0.5)],
                   lambda arm, points: moves.Spline(arm, points))
    if found is None:
        return
    arm, _, points = found
    places = [X.position for X in trial.watch.places(arm)]
    for number, point in enumerate(points):
        # how near one looks depends on how often one looks
        nearest = min((math.dist(p, point.position) for p in places), default=1.0)
        if nearest > 4e-3:
            trial.complain(f"it went by point {number + 1} at {1e3 * nearest:.1f} mm")


def _square(a, b):
    return [a, added(a, b), b, (0.0, 0.0, 0.0)]


def square(trial: Trial) -> None:
    found = _shape(trial, "a square", _square, moves.Corners)
    if found is not None:
        arm, begin, points = found
        corners = [begin.position, *(X.position for X in points)]
        trial.expect_path(arm, lambda p: away_from_lines(p, corners), "its square")


def blend(trial: Trial) -> None:
    """A square whose corners are cut: within the radius of its lines, and never at rest in a corner."""
    found = _shape(trial, "a square", _square, lambda arm, points: moves.Corners(arm, points, _BLEND))
    if found is None:
        return
    arm, begin, points = found
    corners = [begin.position, *(X.position for X in points)]
    places = [X.position for X in trial.watch.places(arm)]
    worst = max((away_from_lines(p, corners) for p in places), default=0.0)
    if worst > _BLEND:
        trial.complain(f"the flange was sent {1e3 * worst:.2f} mm beside its square, the blends have {1e3 * _BLEND:.0f} mm")
    # the first of several requests begins before the others are there
    corner = points[1 if trial.way.name == "python" else 0]
    nearest = min((math.dist(p, corner.position) for p in places), default=0.0)
    if nearest < 5e-4:
        trial.complain("a corner was not cut")


def gripper(trial: Trial) -> None:
    grippers = trial.robot.facts["grippers"]
    if not grippers:
        return _without(trial, moves.GripperTo("gripper", 0.02))
    one = grippers[0]
    trial.from_posture(trial.robot.model.starts()[0][1], FAST)
    for share in _WIDTHS:
        width = one["closed_width"] + share * (one["open_width"] - one["closed_width"])
        joints = _finger_joints(trial, share)
        is_open = share > 0.5 if one["hangs_on_output"] and trial.way.name == "program" else None
        trial.do(moves.GripperTo(one["name"], width, is_open, joints))
        trial.expect_joints(joints, 2e-3)
        if is_open is not None:
            # the output of its name closes it
            trial.expect_output(next(p["number"] for p in trial.robot.facts["outputs"] if p["name"] == one["name"]), not is_open)
    return None


def _finger_joints(trial: Trial, share: float) -> "dict[int, float]":
    """Where the joints of the gripper's name are so far open; nothing where it hangs on an output."""
    name = trial.robot.facts["grippers"][0]["name"]
    return {j.index: j.lower + share * (j.upper - j.lower) for j in trial.robot.model.joints if j.name == name}


def outputs(trial: Trial) -> None:
    """One output on, then off."""
    ports = [port for port in trial.robot.facts["outputs"] if not port["is_analog"]]
    trial.from_posture(trial.robot.model.starts()[0][1], FAST)
    if not ports:
        if trial.way.name == "python":
            raise Refused("the robot has no output")
        trial.do(moves.Output("lamp", True))
        trial.complain("an output that does not exist was switched")
        return
    port = trial.goals.random.choice(ports)
    for is_on in (True, False):
        trial.do(moves.Output(port["name"], is_on))
        trial.expect_output(port["number"], is_on)
