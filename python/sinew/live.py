# SPDX-License-Identifier: BSD-3-Clause
"""A robot that runs: where it is, and motions asked of it, each answered.

    import sinew

    robot = sinew.LiveRobot()                       # the only one that runs
    robot.move_to(0.3, 0.0, 0.2, pitch=1.57, hand=0.06)
    print(robot.position)
    robot.close()                                   # or: with sinew.LiveRobot() as robot: …
"""

import os
import pathlib
import time
import weakref
from typing import Any

from sinew.channel import Channel, Frame
from sinew.errors import ChannelNotFound, ChannelTimeout, MotionFailed

_PATIENCE = 600.0  # [s] for a motion, on whatever machine
_PREFIX = "/dev/shm/sinew-"


def running_robots(space: str = "default") -> list[str]:
    """The names of the robots of a space that have a controller's channels."""
    root = pathlib.Path(_PREFIX + space)
    return sorted(str(path.parent.relative_to(root)) for path in root.rglob("safety"))


class LiveRobot:
    """The robot `name` of a space. Motions return its last reply, or raise sinew.MotionFailed with the reason."""

    def __init__(self, name: str = "", space: str = "default", who: str = ""):
        names = running_robots(space)
        if not name and len(names) != 1:
            found = f"several run: {', '.join(names)}; say which" if names else "start one with 'sinew start ROBOT'"
            raise ChannelNotFound(f"no robot is named, and in space '{space}' {found}")
        self.name, self.space = name or names[0], space
        self.who = who or f"python-{os.getpid()}"
        self._channels: "weakref.WeakSet[Channel]" = weakref.WeakSet()  # those that somebody still has
        self._state, self._safety = self.channel("state"), self.channel("safety")
        self._requests, self._replies = self.channel("request"), self.channel("reply", start="now")

    def channel(self, name: str, **options: Any) -> Channel:
        """One of the robot's channels, open until this object is closed: channel("state")."""
        channel = Channel(f"{self.name}/{name}", self.space, **options)
        self._channels.add(channel)
        return channel

    def close(self) -> None:
        """Closes its channels; 'sinew stop' leaves alone what is open. The robot goes on. Safe to call twice."""
        for channel in list(self._channels):
            channel.close()

    def __enter__(self) -> "LiveRobot":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def state(self) -> Frame:
        """The newest JointState."""
        frame = self._state.newest()
        return frame if frame is not None else self._state.next(timeout=5.0)

    @property
    def position(self) -> list[float]:
        """Where the joints are [rad, m], in the order of 'sinew model'."""
        state = self.state
        return state.position[:state.joint_count]

    @property
    def safety(self) -> Frame:
        """The newest Safety: `state` is "Running" when motions are carried out."""
        frame = self._safety.newest()
        return frame if frame is not None else self._safety.next(timeout=5.0)

    def move_to(self, x: float, y: float, z: float, roll: float = 0.0, pitch: float = 0.0, hand: float = -1.0,
                time: float = 0.0) -> Frame:
        """The grip point to x y z [m], the hand turned by roll and down by pitch [rad]; then the fingers so far
        apart [m], unless below zero. In `time` seconds, or as fast as the limits allow."""
        return self.ask(verb="MoveTarget", position=[x, y, z], rpy=[roll, pitch, 0.0], value=hand, duration=time)

    def move_joints(self, positions: "dict[int, float]", speed: float = 1.0) -> Frame:
        """Some joints, by number from 0, to positions [rad, m], at a share of their speed."""
        joints = [0.0] * (max(positions) + 1)
        for joint, position in positions.items():
            joints[joint] = position
        return self.ask(verb="MoveJoints", joint_mask=sum(1 << joint for joint in positions), joints=joints, speed=speed)

    def move_line(self, x: float, y: float, z: float, roll: float, pitch: float, yaw: float, speed: float = 1.0) -> Frame:
        """The tool along a straight line to a pose in the base [m, rad]."""
        return self.ask(verb="MoveLine", position=[x, y, z], rpy=[roll, pitch, yaw], speed=speed)

    def stop(self) -> Frame:
        """Ends what is being done, smoothly."""
        return self.ask(verb="Stop")

    def ask(self, **fields: Any) -> Frame:
        """Puts any Request and waits for the last reply to it."""
        request = {"speed": 1.0, "component_mask": 63, "who": self.who, **fields}
        number = self._requests.put(stamp_ns=self.state.message.stamp_ns, **request)
        deadline = time.monotonic() + _PATIENCE
        while time.monotonic() < deadline:
            reply = self._replies.next(timeout=_PATIENCE)
            if reply.request != number or reply.status == "Accepted":
                continue
            if reply.status != "Done":
                raise MotionFailed(f"{reply.status}: {reply.reason}", str(reply.status))
            return reply
        raise ChannelTimeout(f"request {number} was not answered within {_PATIENCE:.0f} s")
