# SPDX-License-Identifier: BSD-3-Clause
"""Declares what is called of the C library for robots (sinew_robot.h)."""

import ctypes
import functools
from ctypes import POINTER, c_char, c_char_p, c_double, c_int, c_int32, c_size_t, c_uint32, c_void_p

from sinew.errors import ChannelError, RobotError, RobotInvalid, RobotNotFound, RobotStatus
from sinew.library import find_library
from sinew.tables import Pointer


class Error(ctypes.Structure):
    """sinew_robot_error"""

    _fields_ = [("status", c_int32), ("text", c_char * 1020)]


class Options(ctypes.Structure):
    """sinew_robot_options"""

    _fields_ = [("robot", c_char_p), ("arm", c_char_p), ("tool", c_char_p), ("base", c_char_p), ("tip", c_char_p)]


class JointInfo(ctypes.Structure):
    """sinew_robot_joint_info"""

    _fields_ = [("name", c_char_p), ("lower", c_double), ("upper", c_double), ("velocity", c_double),
                ("is_revolute", c_int32), ("reserved", c_int32)]


class IkOptions(ctypes.Structure):
    """sinew_ik_options"""

    _fields_ = [("seed", Pointer), ("posture", Pointer), ("tolerance", c_double), ("components", c_uint32),
                ("in_tool_axes", c_uint32), ("accept_nearest", c_uint32), ("most_rounds", c_uint32)]


class IkResult(ctypes.Structure):
    """sinew_ik_result"""

    _fields_ = [("reason", c_int32), ("solution_count", c_int32), ("limit_joint", c_int32), ("is_closed_form", c_int32),
                ("position_error", c_double), ("rotation_error", c_double)]


_SIGNATURES = {
    "sinew_robot_open": (c_void_p, [POINTER(Options), POINTER(Error)]),
    "sinew_robot_close": (None, [c_void_p]),
    "sinew_robot_name": (c_char_p, [c_void_p]),
    "sinew_robot_tip": (c_char_p, [c_void_p]),
    "sinew_robot_method": (c_char_p, [c_void_p]),
    "sinew_robot_remark": (c_char_p, [c_void_p, c_size_t]),
    "sinew_robot_joint_count": (c_size_t, [c_void_p]),
    "sinew_robot_joint": (c_int, [c_void_p, c_size_t, POINTER(JointInfo)]),
    "sinew_robot_fk": (c_int, [c_void_p, Pointer, c_size_t, Pointer, POINTER(Error)]),
    "sinew_robot_jacobian": (c_int, [c_void_p, Pointer, c_size_t, Pointer, POINTER(Error)]),
    "sinew_robot_ik": (c_int, [c_void_p, Pointer, POINTER(IkOptions), Pointer, c_size_t, POINTER(IkResult), POINTER(Error)]),
    "sinew_robot_ik_batch": (c_int, [c_void_p, Pointer, c_size_t, POINTER(IkOptions), Pointer, POINTER(IkResult),
                                     POINTER(Error)]),
    "sinew_pose_to_matrix": (None, [Pointer, c_size_t, Pointer]),
    "sinew_pose_from_matrix": (c_int, [Pointer, c_size_t, Pointer, POINTER(Error)]),
    "sinew_ik_reason_text": (c_char_p, [c_int]),
}


@functools.cache
def robot_calls() -> ctypes.CDLL:
    """The C library, loaded when it is first needed. While it computes, other threads of Python run."""
    try:
        loaded = ctypes.CDLL(find_library("sinew_robot"))
    except ChannelError as error:
        raise RobotError(str(error)) from error
    for name, (result, arguments) in _SIGNATURES.items():
        call = getattr(loaded, name)
        call.restype, call.argtypes = result, arguments
    return loaded


def reason_text(reason: int) -> str:
    """The words for a sinew_ik_reason, such as "joint limit"."""
    return robot_calls().sinew_ik_reason_text(reason).decode()


def raise_for(error: Error) -> None:
    """Raises what the C library refused; nothing when it did not."""
    if error.status == RobotStatus.OK:
        return
    kinds = {RobotStatus.NOT_FOUND: RobotNotFound, RobotStatus.INVALID: RobotInvalid}
    raise kinds.get(error.status, RobotError)(error.text.decode(errors="replace"))
