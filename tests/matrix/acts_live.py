# SPDX-License-Identifier: BSD-3-Clause
"""Verbs that last: streams, trajectories, a master that is followed, a recording."""

import math
import signal
import subprocess
import time

import moves
from pose import added, difference, length
from rates import FAST, LIVE
from said import Answer, Call, Process
from started_robot import wait_until
from trial import Refused, Trial

_WAVE = math.radians(4)
_LENGTH_WAVE = 0.01       # [m]
_LEASE_NS = 200_000_000
_SECONDS = 2.0            # of robot time
_BEAT = 0.01
_POINTS = 41
_FOLLOWED = 2e-3          # [m]


def _one_joint(trial: Trial, amount: float):
    joint = trial.goals.random.choice(trial.robot.model.enabled)
    by = _LENGTH_WAVE if joint.is_length else amount
    q, goal = trial.goals.find("one joint", lambda q: trial.goals.joint_by(q, joint.index, by))
    return q, goal, joint


def stream(trial: Trial) -> None:
    """A program's references with a lease, half a wave; then it falls silent, and the joint stands."""
    import sinew
    q, goal, joint = _one_joint(trial, _WAVE)
    trial.from_posture(q, LIVE)
    by = goal[joint.index] - q[joint.index]
    # the fastest that it may be asked for
    seconds = max(_SECONDS, math.pi * abs(by) / (0.5 * trial.speed * joint.velocity))
    begin = trial.robot.state.newest().message.stamp_ns
    with sinew.Channel.create(f"{trial.robot.name}/ref/matrix", trial.robot.space, schema="JointReference",
                              exist_ok=True) as references:
        now = begin
        while now - begin < seconds * 1e9:
            now = trial.robot.state.newest().message.stamp_ns
            wanted = q[joint.index] + by * math.sin(0.5 * math.pi * min(1.0, (now - begin) * 1e-9 / seconds))
            references.put(stamp_ns=now, lease_ns=_LEASE_NS, joint_mask=1 << joint.index,
                           position=[0.0] * joint.index + [wanted])
            time.sleep(_BEAT)
    wait_until("it rests when the stream is silent", lambda: trial.robot.rests)
    trial.expect_moved(0.8 * abs(by))
    trial.expect_state("Running")
    if abs(trial.robot.sent[joint.index] - goal[joint.index]) > 0.2 * abs(by):
        trial.complain(f"the stream led to {goal[joint.index]:.4f}, it stands at {trial.robot.sent[joint.index]:.4f}")


def trajectory(trial: Trial) -> None:
    """Points with times, of one joint, there and back."""
    import sinew
    q, goal, joint = _one_joint(trial, _WAVE)
    trial.from_posture(q, FAST)
    by = goal[joint.index] - q[joint.index]
    # there and back as smoothly as a polynomial of fifth degree, well within its limits: between points it is a little less smooth
    half = max(1.0, 4.0 * abs(by) / joint.velocity, (16.0 * abs(by) / joint.acceleration) ** 0.5,
               (1000.0 * abs(by) / joint.jerk) ** (1 / 3))
    begin = trial.robot.sent[joint.index]
    values = []
    for i in range(_POINTS):
        t = 2.0 * i / (_POINTS - 1)
        s = t if t <= 1.0 else 2.0 - t
        values += [t * half, begin + by * s ** 3 * (10 - 15 * s + 6 * s * s)]
    with sinew.LiveRobot(trial.robot.name, trial.robot.space) as live, live.channel("trajectory") as parts:
        parts.put(stamp_ns=live.state.message.stamp_ns, number=1, count=_POINTS, total=_POINTS, joint_mask=1 << joint.index,
                  who=live.who, values=values)
        try:
            live.ask(verb="Trajectory", number=1)
        except sinew.MotionFailed as failed:
            raise Refused(str(failed)) from None
    trial.expect_moved(0.9 * abs(by))
    trial.expect_joints({joint.index: begin})


def recorded_stream(trial: Trial) -> None:
    """Recorded by the web process while the robot moves, then run again."""
    q, goal, joint = _one_joint(trial, 2 * _WAVE)
    trial.from_posture(q, FAST)
    web = trial.robot.web
    web.take()
    web.told("POST", "/api/streams/record", {"name": "wave"})
    trial.do(moves.Joints({joint.index: goal[joint.index]}))
    web.told("POST", "/api/streams/end", {"keep": True})
    trial.do(moves.Joints({joint.index: q[joint.index]}))
    ran = web.ask("POST", "/api/streams/wave/run", {"speed": trial.speed, "wait": True})
    web.ask("DELETE", "/api/streams/wave")
    if ran[0] >= 300:
        raise Refused(ran[1].get("reason") or ran[1].get("error") or str(ran))
    wait_until("it rests", lambda: trial.robot.rests)
    trial.expect_joints({joint.index: goal[joint.index]})


def record(trial: Trial) -> None:
    """Recorded, and run through the controller again, the same bit for bit."""
    import sinew
    q, goal, joint = _one_joint(trial, 2 * _WAVE)
    trial.from_posture(q, FAST)
    path = trial.robot.folder / "case.mcap"
    recorder = subprocess.Popen([trial.robot.program, "record", "--robot", trial.robot.name, "--space", trial.robot.space,
                                 "-o", path, "--force"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    wait_until("the recorder writes", path.exists)
    wait_until("it has begun", lambda: path.stat().st_size > 0)
    # a recording can be run again from its first snapshot on, and there is one every few seconds
    with sinew.Channel(f"{trial.robot.name}/snapshot", trial.robot.space, start="now") as snapshots:
        wait_until("a snapshot comes", lambda: snapshots.fresh() is not None)
    trial.do(moves.Joints({joint.index: goal[joint.index]}))
    recorder.send_signal(signal.SIGINT)
    told = "".join(recorder.communicate(timeout=60))
    replayed = subprocess.run([trial.robot.program, "replay", path, "--through-controller"], capture_output=True, text=True,
                              check=False)
    words = replayed.stdout + replayed.stderr
    if recorder.returncode != 0 or replayed.returncode != 0 or "bit for bit" not in words:
        trial.complain(f"not the same through the controller: {told} {words}")
    path.unlink(missing_ok=True)


# ---- following ----

class _Following:
    """The robot behind a master: asked at the console or by a request, ended when it is enough."""

    def __init__(self, trial: Trial, arm: str, master: str):
        self.trial, robot = trial, trial.robot
        self.text = f"{{master: {master}, what: tool}}"
        if trial.way.name == "console":
            words = [robot.program, "follow", robot.name, "--master", master, "--space", robot.space]
            self.pending = Process(words + (["--arm", arm] if arm else []))
        else:
            self.pending = Call(lambda: self._ask(arm))

    def _ask(self, arm: str) -> Answer:
        import sinew
        with sinew.LiveRobot(self.trial.robot.name, self.trial.robot.space) as live:
            try:
                return Answer(True, live.ask(verb="FollowMaster", text=self.text, arm=arm).reason)
            except sinew.MotionFailed as failed:
                return Answer("topped by request" in str(failed), str(failed))

    def end(self) -> Answer:
        if self.trial.way.name == "console":
            self.pending.interrupt()
        else:
            self.trial.robot.ask(verb="Stop")
        return self.pending.wait()


def follow(trial: Trial) -> None:
    """The flange goes the master's way, as far."""
    if not trial.robot.model.arms:
        trial.from_posture(trial.robot.model.starts()[0][1], LIVE)
        answer = _Following(trial, "", trial.master().name).pending.wait()
        trial.done(answer)
        return
    master = trial.master()
    arm, leader = trial.goals.arm(), master.model.arms[0]
    rest = master.model.starts()[0][1]
    master.bring(rest)
    master.set_rate(LIVE)

    def both(q):
        found = trial.goals.line(arm, q)
        if found is None or length(found[0]) < 0.04:
            return None
        X = leader.pose(rest)
        goal = leader.reach(type(X)(added(X.position, found[0]), X.rotation), rest)
        return None if goal is None else found

    q, (by, _) = trial.goals.find("following a master", both)
    trial.from_posture(q, LIVE)
    _follow_line(trial, master, arm, leader, by)


def _follow_line(trial: Trial, master, arm, leader, by) -> None:
    following = _Following(trial, arm.name if len(trial.robot.model.arms) > 1 else "", master.name)
    wait_until("it follows", lambda: following.pending.is_over or trial.robot.motion.newest().phase == "Following")
    if following.pending.is_over:
        raise Refused(following.pending.wait().words)
    first, led = arm.pose(trial.robot.sent), leader.pose(master.sent)
    master.ask(verb="MoveLine", arm=leader.name, position=added(led.position, by), rpy=led.rpy, speed=min(0.3, trial.speed))
    began = time.monotonic()
    away = 1.0

    def is_behind() -> bool:
        nonlocal away
        went = difference(arm.pose(trial.robot.sent).position, first.position)
        led_by = difference(leader.pose(master.sent).position, led.position)
        away = math.dist(went, led_by)
        return away < _FOLLOWED or time.monotonic() - began > 10.0

    wait_until("it has come behind", is_behind)
    if away >= _FOLLOWED:
        trial.complain(f"it is {1e3 * away:.1f} mm from where its master led it")
    answer = following.end()
    if not answer.is_done:
        trial.complain(f"it did not end well: {answer.words}")
    trial.expect_state("Running")
    trial.expect_moved(1e-3)
