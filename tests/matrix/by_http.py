# SPDX-License-Identifier: BSD-3-Clause
"""Moves as calls of the web interface."""

import time

import moves
from by_program import whole_text
from said import Answer, Call
from started_robot import wait_until
from web_client import LiveSocket

_HEARTBEAT = 0.05       # [s] as the page sends it
_LINEAR = 0.05          # [m/s] of a key
_ANGULAR = 0.2          # [rad/s] of a key


def _body(robot, move) -> "dict | None":
    """Of POST /api/move; None: what only programs say."""
    match move:
        case moves.ToPosture() | moves.Joints():
            goal = move.q if isinstance(move, moves.ToPosture) else move.goal
            return {"kind": "joints", "joints": {robot.model.joints[i].name: x for i, x in goal.items()}}
        case moves.ToPose() | moves.Line():
            kind = "pose" if isinstance(move, moves.ToPose) else "line"
            return {"kind": kind, "arm": move.arm, "position": move.goal.position, "rpy": move.goal.rpy}
        case moves.LineBy() if move.frame == "tool":
            return {"kind": "line", "arm": move.arm, "frame": "tool", "position": move.by, "rpy": [0, 0, 0]}
        case moves.LineInUser():
            goal, user = move.goal_in_user, move.X_BU
            return {"kind": "line", "arm": move.arm, "frame": "user", "position": goal.position, "rpy": goal.rpy,
                    "frame_position": user.position, "frame_rpy": user.rpy}
    return None


def _answer(status: int, told: dict) -> Answer:
    return Answer(status < 300, told.get("reason") or told.get("error") or "" if isinstance(told, dict) else str(told))


class ByHttp:
    """A program that speaks HTTP; it takes control when it begins."""

    name = "http"

    def __init__(self, robot):
        self.robot, self.web = robot, robot.web
        self._count = 0

    def _post(self, path: str, body: "dict | None" = None, method: str = "POST") -> Answer:
        return _answer(*self.web.ask(method, path, body or {}))

    def _take(self) -> None:
        if not self.web.control:
            self.web.take()

    def begin(self, move, speed: float) -> Call:
        self._take()
        if isinstance(move, moves.GripperTo):
            return Call(lambda: self._post("/api/gripper", {"name": move.name, "width": move.width, "wait": True}))
        if isinstance(move, moves.Output):
            return Call(lambda: self._post(f"/api/outputs/{move.name}", {"value": move.is_on}, "PUT"))
        if isinstance(move, moves.Corners) and not move.blend:
            return Call(lambda: self._corners(move, speed))
        body = _body(self.robot, move)
        if body is None:
            return Call(lambda: self._program(move, speed))
        return Call(lambda: self._post("/api/move", {**body, "speed": speed, "wait": True}))

    def _corners(self, move: moves.Corners, speed: float) -> Answer:
        answer = Answer(True, "")
        for X in move.points:
            body = _body(self.robot, moves.Line(move.arm, X))
            answer = self._post("/api/move", {**body, "speed": speed, "wait": True})
            if not answer.is_done:
                break
        return answer

    def _program(self, move, speed: float) -> Answer:
        self._count += 1
        name = f"case_{self._count}.prog"
        self.web.told("PUT", f"/api/programs/{name}", {"text": whole_text(self.robot, move, speed)})
        return self._post("/api/programs/run", {"name": name, "arm": move.arm, "wait": True})

    def jog(self, wishes: "list[moves.Jog]", speed: float) -> Answer:
        """Holds each key as the page does until the robot has gone so far, then lets it go."""
        self._take()
        socket = LiveSocket(self.web.port)
        try:
            for wish in wishes:
                words = self._hold(socket, wish, speed)
                if words:
                    return Answer(False, words)
        finally:
            socket.close()
        return Answer(True, "")

    def _hold(self, socket: LiveSocket, wish: moves.Jog, speed: float) -> str:
        message = {"op": "jog", "control": self.web.control, **self._wish(wish), "speed": speed}
        is_there, begin_ns = self.robot.went(wish), self.robot.now_ns

        def refusal() -> str:
            return self.robot.jog_refusal(begin_ns) or "".join(socket.refusals[:1])

        def beat() -> bool:
            socket.send(message)
            time.sleep(_HEARTBEAT)
            return is_there() or refusal() != ""

        wait_until(f"the key moves it: {wish}", beat)
        words = refusal()
        socket.send({"op": "jog", "control": self.web.control, "stop": True})
        wait_until("it rests after the key was let go", lambda: self.robot.rests)
        return words or "".join(socket.refusals[:1])

    def _wish(self, wish: moves.Jog) -> dict:
        sign = 1.0 if wish.amount > 0 else -1.0
        if wish.frame == "joints":
            joint = self.robot.model.joints[wish.joint]
            return {"frame": "joints", "arm": "", "tool": "", "joints": {joint.name: sign * joint.velocity}}
        linear, angular = [0.0] * 3, [0.0] * 3
        if wish.axis < 3:
            linear[wish.axis] = sign * _LINEAR
        else:
            angular[wish.axis - 3] = sign * _ANGULAR
        return {"frame": wish.frame, "arm": wish.arm, "tool": "", "linear": linear, "angular": angular}

    def pause(self) -> Answer:
        return self._post("/api/pause", {"wait": True})

    def resume(self) -> Answer:
        return self._post("/api/resume", {"wait": True})

    def override(self, share: float) -> Answer:
        return self._post("/api/override", {"share": share, "wait": True})

    def stop(self, pending) -> Answer:
        return self._post("/api/stop")

    def reset(self) -> Answer:
        self._take()
        return self._post("/api/reset")

    def home(self) -> Answer:
        self._take()
        return self._post("/api/home")
