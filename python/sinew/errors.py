# SPDX-License-Identifier: BSD-3-Clause
"""What channels refuse, and the numbers that the C library has for it."""

from enum import IntEnum


class Status(IntEnum):
    """What became of a call of the C library (sinew_status)."""

    OK = 0
    NOTHING_NEW = 1
    TIMED_OUT = 2
    INTERRUPTED = 3
    TOO_SMALL = 4
    TOO_LARGE = 5
    GONE = 6
    REMOVED = 7
    NOT_FOUND = 8
    EXISTS = 9
    DENIED = 10
    MISMATCH = 11
    DAMAGED = 12
    FULL = 13
    INVALID = 14
    SYSTEM = 15


class ChannelError(Exception):
    """A refusal; `status` is a number of Status, and the text says what, where and what to do next."""

    def __init__(self, text: str, status: int = Status.INVALID):
        super().__init__(text)
        self.status = status

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""


class ChannelTimeout(ChannelError, TimeoutError):
    """No message came in time."""


class ChannelNotFound(ChannelError, FileNotFoundError):
    """No such channel."""


class ChannelExists(ChannelError, FileExistsError):
    """There is such a channel already."""


class ChannelDenied(ChannelError, PermissionError):
    """The file's rights do not allow it."""


class ChannelMismatch(ChannelError):
    """The channel carries another message than the one expected."""


class ChannelGone(ChannelError, LookupError):
    """That message has been overwritten by newer ones."""


class ChannelRemoved(ChannelError):
    """The channel was removed; open it again by name."""


class SchemaError(ChannelError, ValueError):
    """A schema text that breaks the rules, or a message that is not what its schema says."""


class MessageError(ChannelError, ValueError):
    """A value that the message has no place for."""


class MotionFailed(Exception):
    """A motion that was not carried out; `status` is "Unreachable", "Blocked", "Refused", "Aborted" or "Strayed"."""

    def __init__(self, text: str, status: str = "Refused"):
        super().__init__(text)
        self.status = status


_KINDS = {
    Status.TIMED_OUT: ChannelTimeout,
    Status.NOT_FOUND: ChannelNotFound,
    Status.EXISTS: ChannelExists,
    Status.DENIED: ChannelDenied,
    Status.MISMATCH: ChannelMismatch,
    Status.GONE: ChannelGone,
    Status.REMOVED: ChannelRemoved,
}


def error_for(status: int, text: str) -> ChannelError:
    """The exception for a status of the C library."""
    return _KINDS.get(status, ChannelError)(text, status)  # type: ignore[call-overload]


class RobotStatus(IntEnum):
    """What became of a call of the C library (sinew_robot_status)."""

    OK = 0
    UNREACHABLE = 1
    NOT_FOUND = 2
    INVALID = 3
    SYSTEM = 4


class RobotError(Exception):
    """A robot's refusal; the text says what, where and what to do next."""

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""


class RobotNotFound(RobotError, FileNotFoundError):
    """No such robot or file."""


class RobotInvalid(RobotError, ValueError):
    """An argument, or what a robot's file says, cannot be."""


class Unreachable(RobotError):
    """No joint positions bring the tool there.

    `reason` is "out of reach", "joint limit", "singular" or "not converged"; `nearest` the best joint positions found,
    which miss by `position_error` [m] and `rotation_error` [rad]; `joint` the one whose limit forbids it, if any.
    """

    def __init__(self, text: str, reason: str = "", nearest: object = None, position_error: float = 0.0,
                 rotation_error: float = 0.0, joint: str | None = None):
        super().__init__(text)
        self.reason = reason
        self.nearest = nearest
        self.position_error = position_error
        self.rotation_error = rotation_error
        self.joint = joint
