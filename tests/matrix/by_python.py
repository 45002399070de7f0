# SPDX-License-Identifier: BSD-3-Clause
"""Moves as a program in Python asks for them."""

import time

import moves
from pose import Pose
from said import Answer, Call
from started_robot import wait_until

_LINEAR = 0.05   # [m/s] of a key
_ANGULAR = 0.2   # [rad/s] of a key
_BEAT = 0.02     # [s]


def _goal(X: Pose) -> dict:
    return {"position": X.position, "rpy": X.rpy}


def request_of(robot, move) -> dict:
    """The fields of the Request."""
    match move:
        case moves.ToPosture() | moves.Joints():
            goal = move.q if isinstance(move, moves.ToPosture) else move.goal
            joints = [goal.get(i, 0.0) for i in range(max(goal) + 1)]
            return {"verb": "MoveJoints", "joint_mask": sum(1 << i for i in goal), "joints": joints}
        case moves.ToPose():
            return {"verb": "MoveTool", "arm": move.arm, **_goal(move.goal)}
        case moves.Line():
            return {"verb": "MoveLine", "arm": move.arm, **_goal(move.goal)}
        case moves.LineBy():
            return {"verb": "MoveLine", "arm": move.arm, "frame": "Tool", "position": move.by}
        case moves.LineInUser():
            return {"verb": "MoveLine", "arm": move.arm, "frame": "User", **_goal(move.goal_in_user),
                    "frame_position": move.X_BU.position, "frame_rpy": move.X_BU.rpy}
        case moves.Circle():
            return {"verb": "MoveCircle", "arm": move.arm, **_goal(move.goal), "via_position": move.via.position,
                    "via_rpy": move.via.rpy}
        case moves.GripperTo():
            return {"verb": "MoveGripper", "text": move.name, "position": [move.width]}
    raise TypeError(f"no request says {move}")


class ByPython:
    """`import sinew`, on the robot's channels."""

    name = "python"

    def __init__(self, robot):
        self.robot = robot

    def begin(self, move, speed: float) -> Call:
        if isinstance(move, moves.Output):
            return Call(lambda: self._set(move))
        if isinstance(move, moves.Corners):
            return Call(lambda: self._corners(move, speed))
        return Call(lambda: self._ask(speed=speed, **request_of(self.robot, move)))

    def _ask(self, **fields) -> Answer:
        import sinew
        with sinew.LiveRobot(self.robot.name, self.robot.space) as live:
            try:
                return Answer(True, live.ask(**fields).reason)
            except sinew.MotionFailed as failed:
                return Answer(False, str(failed))

    def _corners(self, move: moves.Corners, speed: float) -> Answer:
        """All are asked for at once, each after the one before, so that they may run into each other."""
        import sinew
        with sinew.LiveRobot(self.robot.name, self.robot.space) as live:
            requests, replies = live.channel("request"), live.channel("reply", start="now")
            numbers = [requests.put(stamp_ns=live.state.message.stamp_ns, who=live.who, component_mask=63, speed=speed,
                                    order="After", blend_radius=move.blend,
                                    **request_of(self.robot, moves.Line(move.arm, X))) for X in move.points]
            waiting = set(numbers)
            while waiting:
                reply = replies.next(timeout=120.0)
                if reply.request not in waiting or reply.status == "Accepted":
                    continue
                if reply.status != "Done":
                    return Answer(False, f"{reply.status}: {reply.reason}")
                waiting.discard(reply.request)
        return Answer(True, "")

    def _set(self, move: moves.Output) -> Answer:
        import sinew
        port = next(port for port in self.robot.facts["outputs"] if port["name"] == move.name)
        mask = 1 << port["number"]
        with sinew.Channel(f"{self.robot.name}/io_command", self.robot.space) as outputs:
            outputs.put(output_mask=mask, outputs=mask if move.is_on else 0, who="matrix")
        return Answer(True, "")

    def jog(self, wishes: "list[moves.Jog]", speed: float) -> Answer:
        import sinew
        with sinew.LiveRobot(self.robot.name, self.robot.space) as live:
            jog = live.channel("jog")
            for wish in wishes:
                words = self._hold(live, jog, wish, speed)
                if words:
                    return Answer(False, words)
        return Answer(True, "")

    def _hold(self, live, jog, wish: moves.Jog, speed: float) -> str:
        fields, is_there = self._wish(wish), self.robot.went(wish)
        begin_ns = self.robot.now_ns

        def beat() -> bool:
            jog.put(stamp_ns=live.state.message.stamp_ns, who=live.who, speed=speed, **fields)
            time.sleep(_BEAT)
            return is_there() or self.robot.jog_refusal(begin_ns) != ""

        wait_until(f"the key moves it: {wish}", beat)
        words = self.robot.jog_refusal(begin_ns)
        # a wish of zero is a key that was let go
        jog.put(stamp_ns=live.state.message.stamp_ns, who=live.who, speed=speed, **{**fields, "joint_velocity": [],
                                                                                    "linear": [], "angular": []})
        wait_until("it rests after the key was let go", lambda: self.robot.rests)
        return words

    def _wish(self, wish: moves.Jog) -> dict:
        sign = 1.0 if wish.amount > 0 else -1.0
        if wish.frame == "joints":
            velocity = [0.0] * (wish.joint + 1)
            velocity[wish.joint] = sign * self.robot.model.joints[wish.joint].velocity
            return {"frame": "Joints", "joint_mask": 1 << wish.joint, "joint_velocity": velocity}
        linear, angular = [0.0] * 3, [0.0] * 3
        if wish.axis < 3:
            linear[wish.axis] = sign * _LINEAR
        else:
            angular[wish.axis - 3] = sign * _ANGULAR
        return {"frame": wish.frame.capitalize(), "arm": wish.arm, "linear": linear, "angular": angular}

    def pause(self) -> Answer:
        return self._ask(verb="Pause")

    def resume(self) -> Answer:
        return self._ask(verb="Resume")

    def override(self, share: float) -> Answer:
        return self._ask(verb="SetOverride", speed=share)

    def stop(self, pending) -> Answer:
        import sinew
        with sinew.Channel(f"{self.robot.name}/stop", self.robot.space) as stop:
            stop.put(verb="Stop", who="matrix")
        return Answer(True, "")

    def reset(self) -> Answer:
        self.robot.ask_controller("Reset")
        return Answer(True, "")

    def home(self) -> Answer:
        self.robot.ask_controller("Home")
        return Answer(True, "")
