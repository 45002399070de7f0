# SPDX-License-Identifier: BSD-3-Clause
"""Verbs that somebody says while the robot moves, or holds a key for: jog, pause, override, stop, home."""

import math

import moves
from pose import added, scaled, turned, from_rpy, Pose, times
from rates import FAST, LIVE
from started_robot import wait_until
from trial import Refused, Trial

_JOG_ANGLE = math.radians(3)
_JOG_LENGTH = 0.01        # [m]
_JOG_TURN = math.radians(2)
_LONG = math.radians(30)  # of the joints of a motion that somebody interferes with
_OTHER = math.radians(0.6)  # what a joint that is not jogged may show
_STANDS = 1e-6
_FELT = 0.3               # [s] after which an override is, and then the joints slow down
_SLOW = 0.1               # of the speed
_SLOWED = 0.3
_LEAST_AXES = 3
_LIVE_WAYS = ("http", "python")


# ---- keys ----

def jog_joints(trial: Trial) -> None:
    """Every joint whose motor is in use, one after the other."""
    model = trial.robot.model

    def keys(q):
        wishes = []
        for joint in model.enabled:
            amount = _JOG_LENGTH if joint.is_length else _JOG_ANGLE
            # a key is let go late: thrice as much must be free
            goal = trial.goals.joint_by(q, joint.index, 3 * amount)
            if goal is not None:
                wishes.append(moves.Jog(math.copysign(amount, goal[joint.index] - q[joint.index]), joint.index))
        return wishes if len(wishes) >= max(1, 0.7 * len(model.enabled)) else None

    q, wishes = trial.goals.find("jogging its joints", keys)
    for number, wish in enumerate(wishes):
        _from(trial, q, number)
        before = trial.robot.sent
        trial.done(trial.way.jog([wish], trial.speed))
        wait_until("it rests", lambda: trial.robot.rests)
        _judge_joint(trial, wish, before)


def _from(trial: Trial, q: "list[float]", number: int) -> None:
    """Each key from the same posture."""
    if number == 0:
        trial.from_posture(q, LIVE)
    else:
        trial.robot.bring(q)
        trial.robot.set_rate(LIVE)


def _judge_joint(trial: Trial, wish: moves.Jog, before: "list[float]") -> None:
    sent = trial.robot.sent
    name = trial.robot.model.joints[wish.joint].name
    by = (sent[wish.joint] - before[wish.joint]) / wish.amount
    if trial.way.name in _LIVE_WAYS and by < 0.9:
        trial.complain(f"the key of {name} moved it by {by:.2f} of what it was held for")
    if trial.way.name == "console" and abs(by - 1.0) > 0.02:
        trial.complain(f"a step of {name} moved it by {by:.3f} of what was asked for")
    others = [abs(a - b) for i, (a, b) in enumerate(zip(sent, before)) if i != wish.joint]
    if max(others, default=0.0) > _STANDS:
        trial.complain(f"the key of {name} moved another joint as well")


def _axis_goal(X: Pose, frame: str, axis: int, amount: float) -> Pose:
    """Where a key of an axis leads."""
    e = tuple(float(i == axis % 3) for i in range(3))
    R = X.rotation if frame == "tool" else (1.0, 0.0, 0.0, 0.0)
    if axis < 3:
        return Pose(added(X.position, turned(R, scaled(e, amount))), X.rotation)
    turn = from_rpy(*scaled(e, amount))
    rotation = times(X.rotation, turn) if frame == "tool" else times(turn, X.rotation)
    return Pose(X.position, rotation)


def _jog_axes(trial: Trial, frame: str) -> None:
    if not trial.robot.model.arms:
        trial.from_posture(trial.robot.model.starts()[0][1], LIVE)
        trial.done(trial.way.jog([moves.Jog(_JOG_LENGTH, arm="arm", frame=frame, axis=2)], trial.speed))
        return
    arm = trial.goals.arm()
    axes = range(6) if arm.turns_freely else range(3)

    def keys(q):
        wishes = []
        for axis in axes:
            amount = _JOG_LENGTH if axis < 3 else _JOG_TURN
            for sign in trial.goals.random.sample((1.0, -1.0), 2):
                X = arm.pose(q)
                # there and back again, and late
                way = [_axis_goal(X, frame, axis, sign * amount * part) for part in (1.0, 2.0, 3.0)]
                if trial.goals.way(arm, q, way) is not None:
                    wishes.append(moves.Jog(sign * amount, arm=arm.name, frame=frame, axis=axis))
                    break
        return wishes if len(wishes) >= min(len(axes), _LEAST_AXES) else None

    q, wishes = trial.goals.find(f"jogging along the axes of the {frame}", keys)
    for number, wish in enumerate(wishes):
        _from(trial, q, number)
        begin = arm.pose(trial.robot.sent)
        trial.done(trial.way.jog([wish], trial.speed))
        wait_until("it rests", lambda: trial.robot.rests)
        _judge_axis(trial, arm, wish, begin)


def _judge_axis(trial: Trial, arm, wish: moves.Jog, begin: Pose) -> None:
    end = arm.pose(trial.robot.sent)
    name = f"{wish.frame} {'x y z rx ry rz'.split()[wish.axis]}"
    if trial.way.name == "console":
        goal = _axis_goal(begin, wish.frame, wish.axis, wish.amount)
        away = math.dist(goal.position, end.position)
        if away > 1e-3:
            trial.complain(f"a step along {name} ended {1e3 * away:.2f} mm from where it leads")
        return
    e = tuple(float(i == wish.axis % 3) for i in range(3))
    along = turned(begin.rotation, e) if wish.frame == "tool" else e
    went = tuple(b - a for a, b in zip(begin.position, end.position))
    share = sum(a * b for a, b in zip(went, along))
    beside = math.dist(went, scaled(along, share))
    if wish.axis < 3 and share / wish.amount < 0.9:
        trial.complain(f"the key {name} moved it by {1e3 * share:.2f} mm")
    if wish.axis < 3 and beside > 2e-3:
        trial.complain(f"the key {name} moved it {1e3 * beside:.2f} mm to the side")
    if wish.axis >= 3 and math.dist(begin.position, end.position) > 2e-3:
        trial.complain(f"the key {name} carried it {1e3 * math.dist(begin.position, end.position):.2f} mm away")


def jog_base(trial: Trial) -> None:
    _jog_axes(trial, "base")


def jog_tool(trial: Trial) -> None:
    _jog_axes(trial, "tool")


# ---- interfering with a motion ----

class _LongMove:
    """A motion that lasts: to a pose where the way speaks of poses, else of the joints."""

    def __init__(self, trial: Trial):
        model = trial.robot.model
        self.arm = trial.goals.arm() if model.arms else None
        indices = self.arm.indices if self.arm else [j.index for j in model.enabled]
        self.q, self.goal = trial.goals.find("a long move", lambda q: trial.goals.joints_by(q, indices, _LONG, 1))
        self.distance = max(abs(a - b) for a, b in zip(self.q, self.goal))
        ways = [(abs(a - b), j) for a, b, j in zip(self.q, self.goal, model.joints) if a != b]
        self.seconds = max(way / (trial.speed * j.velocity) + 2.0 * math.sqrt(way / j.acceleration) for way, j in ways)
        if self.arm is None and trial.way.name in ("console", "program"):
            self.move = moves.ToPose("arm", Pose())
        elif trial.way.name == "console":
            self.move = moves.ToPose(self.arm.name, self.arm.pose(self.goal))
        else:
            self.move = moves.Joints({i: self.goal[i] for i in indices}, self.arm.name if self.arm else "")

    def judge(self, trial: Trial) -> None:
        if isinstance(self.move, moves.Joints):
            trial.expect_joints(self.move.goal)
        else:
            trial.expect_flange(self.arm, self.move.goal)

    def begin_and_wait_mid(self, trial: Trial):
        pending = trial.begin(self.move)
        if trial.wait_mid(pending, self.distance):
            return pending
        answer = pending.wait()
        if not answer.is_done:
            raise Refused(answer.words)
        raise RuntimeError("the matrix came too late: the motion was over before it did anything")


def _stands(trial: Trial, what: str) -> "list[float]":
    wait_until(f"it stands {what}", lambda: trial.robot.rests)
    stood = trial.robot.sent
    first = trial.robot.processed.newest().message.stamp_ns
    wait_until("a while passes", lambda: trial.robot.processed.newest().message.stamp_ns > first + 300_000_000)
    if max(abs(a - b) for a, b in zip(stood, trial.robot.sent)) > _STANDS:
        trial.complain(f"it moved on {what}")
    return stood


def _expect_short_of(trial: Trial, stood: "list[float]", move: _LongMove, what: str) -> None:
    if max(abs(a - b) for a, b in zip(stood, move.goal)) < 1e-4:
        trial.complain(f"it went to its goal {what}")


def pause(trial: Trial) -> None:
    move = _LongMove(trial)
    trial.from_posture(move.q, trial.slowly(move.seconds))
    pending = move.begin_and_wait_mid(trial)
    _asked(trial, trial.way.pause())
    stood = _stands(trial, "while it is paused")
    # what is fast is on its last half, slowing down already, before a pause is felt
    if isinstance(move.move, moves.Joints) and trial.speed <= _SLOW:
        _expect_short_of(trial, stood, move, "though it was paused")
    trial.robot.set_rate(FAST)
    _asked(trial, trial.way.resume())
    trial.done(pending.wait())
    move.judge(trial)


def override(trial: Trial) -> None:
    """Slowed down on the way."""
    move = _LongMove(trial)
    trial.from_posture(move.q, trial.slowly(move.seconds, 6.0))
    pending = move.begin_and_wait_mid(trial)
    _asked(trial, trial.way.override(_SLOWED))
    now = trial.robot.processed.newest().message.stamp_ns
    slowing = max(joint.velocity / joint.acceleration + joint.acceleration / joint.jerk for joint in trial.robot.model.enabled)
    until = now + int(1e9 * (_FELT + slowing))
    wait_until("it is felt", lambda: pending.is_over or trial.robot.processed.newest().message.stamp_ns > until)
    first = len(trial.watch.sent)
    trial.robot.set_rate(FAST)
    trial.done(pending.wait())
    rate = trial.watch.worst_rate_since(first)
    if rate > 1.1 * _SLOWED * trial.speed:
        trial.complain(f"at an override of {_SLOWED} it went at {rate:.2f} of its speed")
    move.judge(trial)
    _asked(trial, trial.way.override(1.0))


def stop(trial: Trial) -> None:
    """In mid-motion, then reset, and to the same goal."""
    move = _LongMove(trial)
    trial.from_posture(move.q, trial.slowly(move.seconds))
    pending = move.begin_and_wait_mid(trial)
    _asked(trial, trial.way.stop(pending))
    trial.robot.set_rate(LIVE)
    stood = _stands(trial, "after the stop")
    _expect_short_of(trial, stood, move, "though it was stopped")
    answer = pending.wait()
    if answer.is_done:
        trial.complain(f"who asked for the motion was told that it is done: {answer.words}")
    elif "stop" not in answer.words.lower() and "interrupt" not in answer.words.lower():
        trial.complain(f"who asked for the motion was not told of the stop: {answer.words}")
    trial.expect_state("Running" if trial.way.name == "program" else "Stopped")
    _asked(trial, trial.way.reset())
    wait_until("it runs again", lambda: trial.robot.safety_state == "Running")
    trial.robot.set_rate(FAST)
    trial.do(move.move)
    move.judge(trial)


def _asked(trial: Trial, answer) -> None:
    if not answer.is_done:
        trial.complain(f"it was not obeyed: {answer.words}")


def home(trial: Trial) -> None:
    q, _ = trial.goals.find("homing", lambda q: q)
    trial.from_posture(q, FAST)
    first = trial.robot.safety.newest().since_ns
    begin, went = trial.robot.q, [0.0]

    def is_homed() -> bool:
        # the device moves by itself: where it is sent says nothing
        went[0] = max(went[0], *(abs(a - b) for a, b in zip(trial.robot.q, begin)))
        return trial.robot.safety_state == "Running"

    is_homed()
    trial.done(trial.way.home())
    is_searched = trial.robot.model.robot.endswith(":homing")
    if is_searched:
        # --wait waits; of the others it is asked
        if trial.way.name == "console":
            trial.expect_state("Running")
        else:
            wait_until("the search begins", lambda: trial.robot.safety.newest().since_ns != first)
        wait_until("the search is over", is_homed)
        if went[0] < math.radians(1) and trial.way.name != "console":
            trial.complain(f"it found its switches without moving more than {went[0]:.5f}")
    else:
        wait_until("it runs", lambda: trial.robot.safety_state == "Running")
    trial.expect_state("Running")
