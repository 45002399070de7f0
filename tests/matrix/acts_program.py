# SPDX-License-Identifier: BSD-3-Clause
"""A program with all of it."""

import math

import moves
from by_program import text_of
from pose import Pose, added, scaled
from rates import FAST
from trial import Trial

_TEXT = """# all of the language's moves
PRINT "begin"
here = HERE()
{joints}
{back}
FOR n = 1 TO 2
  IF n == 1
    {line}
  ELSE
    {spline}
  END
  MOVEL here
END
{circle}
MOVEL here
{square}
BLEND 0
WAIT 0.05
SUB nod(far)
  DMOVE far 0 0 0 0 0 {{B}}
  DMOVE -far 0 0 0 0 0 {{B}}
END
CALL nod({nod})
{more}
PRINT "end"
"""


def whole_program(trial: Trial) -> None:
    model = trial.robot.model
    if not model.arms:
        trial.from_posture(model.starts()[0][1], FAST)
        trial.do(moves.Text("MOVEL_RPY 0.3 0 0.3 0 0 0", ""))
        return
    arm = trial.goals.arm()

    def room(q):
        points = trial.goals.corner(arm, q, lambda a, b: [a, added(a, b), b, (0.0, 0.0, 0.0)])
        goal = trial.goals.joints_by(q, arm.indices, math.radians(5), 2)
        nod = next((by for by in (0.01, -0.01)
                    if trial.goals.way(arm, q, [Pose(added(arm.pose(q).position, (by, 0.0, 0.0)), arm.pose(q).rotation)])), None)
        return (points, goal, nod) if points and goal and nod else None

    q, (points, goal, nod) = trial.goals.find("a whole program", room)
    trial.from_posture(q, FAST)
    trial.do(moves.Text(_text(trial, arm, q, points, goal, nod), arm.name))
    # relative moves and lines lead back to where it began
    trial.expect_flange(arm, arm.pose(q))
    trial.expect_moved(1e-3)


def _text(trial: Trial, arm, q, points, goal, nod) -> str:
    def said(move) -> str:
        return text_of(trial.robot, move)

    begin = arm.pose(q).position
    a, b = points[0], points[2]
    half = Pose(scaled(added(begin, a.position), 0.5), a.rotation)
    top = Pose(added(half.position, scaled(tuple(y - x for x, y in zip(begin, b.position)), 0.5)), a.rotation)
    more = []
    if trial.robot.facts["outputs"]:
        name = trial.robot.facts["outputs"][0]["name"]
        more += [f"SET {{{name}}}", f"RESET {{{name}}}"]
    return _TEXT.format(joints=said(moves.Joints({i: goal[i] for i in arm.indices}, arm.name)),
                        back=said(moves.Joints({i: q[i] for i in arm.indices}, arm.name)), line=said(moves.Line(arm.name, a)),
                        spline=said(moves.Spline(arm.name, (top, a))), circle=said(moves.Circle(arm.name, top, a)),
                        square=said(moves.Corners(arm.name, points, 0.005)), nod=f"{nod:g}", more="\n".join(more))
