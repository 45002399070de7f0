# SPDX-License-Identifier: BSD-3-Clause
"""Sinew for Python. Channels: any is decoded by the schema it carries, without generated code.

    import sinew

    with sinew.Channel("mds/state") as state:
        for frame in state:
            print(frame.sequence, frame.position[0])

Robots: where the tool is, and which joint positions bring it where it shall be.

    arm = sinew.Robot("ur5e")
    print(arm.ik(arm.fk([0, -1.57, 1.57, 0, 0, 0])))

Robots that run, and parts of them written in Python (sinew.live, sinew.parts):

    sinew.LiveRobot().move_to(0.3, 0.0, 0.2, pitch=1.57, hand=0.06)

Only the standard library is needed; with numpy, frame.numpy() shows the message without copying it, and sums with
robots take and give arrays.
"""

from sinew.channel import Channel, Frame, remove
from sinew.errors import (ChannelDenied, ChannelError, ChannelExists, ChannelGone, ChannelMismatch,
                          ChannelNotFound, ChannelRemoved, ChannelTimeout, MessageError, MotionFailed, RobotError,
                          RobotInvalid, RobotNotFound, SchemaError, Unreachable)
from sinew.library import schema_of
from sinew.live import LiveRobot, running_robots
from sinew.message import EnumName, Message
from sinew.parts import Target, serve_device, serve_motion
from sinew.schema import Schema, parse_schema

__all__ = ["Channel", "ChannelDenied", "ChannelError", "ChannelExists", "ChannelGone", "ChannelMismatch",
           "ChannelNotFound", "ChannelRemoved", "ChannelTimeout", "EnumName", "Frame", "IkBatch", "LiveRobot",
           "Message", "MessageError", "MotionFailed", "Pose", "Robot", "RobotError", "RobotInvalid", "RobotNotFound",
           "Schema", "SchemaError", "Target", "Unreachable", "parse_schema", "remove", "running_robots", "schema_of",
           "serve_device", "serve_motion"]


def __getattr__(name: str) -> object:
    # numpy takes its time to load: only when a robot is wanted
    if name in ("IkBatch", "Pose", "Robot"):
        from sinew import robot
        return getattr(robot, name)
    raise AttributeError(f"module 'sinew' has no attribute '{name}'")
