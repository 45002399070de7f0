# SPDX-License-Identifier: BSD-3-Clause
"""What the programs of MDS-Ach import: channel names, joint addresses and the packed structs on its channels.

The structs are those of mds.h, byte for byte. Positions in rad; a joint's index is its address on the CAN bus.
"""

from ctypes import Structure, c_double, c_int16, c_ubyte, c_uint16, sizeof
from typing import Any

MDS_JOINT_COUNT = 100
MDS_ARM_COUNT = 2
MDS_CHAR_PARAM_BUFFER_SIZE = 30

MDS_CHAN_REF_NAME = "mds-ref"
MDS_CHAN_REF_FILTER_NAME = "mds-ref-filter"
MDS_CHAN_STATE_NAME = "mds-state"
MDS_CHAN_PARAM_NAME = "mds-param"
MDS_CHAN_BOARD_CMD_NAME = "mds-cmd"
MDS_CHAN_IK_NAME = "mds-ik"

RIGHT = 0
LEFT = 1

MDS_REF_MODE_REF_FILTER = 0
MDS_REF_MODE_REF = 1
MDS_REF_MODE_COMPLIANT = 2
MDS_REF_MODE_ENC_FILTER = 3

JOINTS = {  # short name: (name of the muscle, address)
    "NKR": ("HeadRoll", 0x30), "NKP1": ("HeadPitch", 0x38), "NKP2": ("NeckPitch", 0x39),
    "NKY": ("HeadPan", 0x3A), "REP": ("RightElbowFlex", 0x48), "RSY": ("RightUpperArmRoll", 0x49),
    "RSR": ("RightShoulderAbd", 0x4B), "LEP": ("LeftElbowFlex", 0x4C), "LSY": ("LeftUpperArmRoll", 0x4D),
    "LSR": ("LeftShoulderAbd", 0x4F), "RWR": ("RightWristFlex", 0x50), "RWY": ("RightWristRoll", 0x52),
    "LWR": ("LeftWristFlex", 0x54), "LWY": ("LeftWristRoll", 0x56), "RSP": ("RightShoulderExt", 0x5B),
    "WST": ("TorsoPan", 0x5C), "LSP": ("LeftShoulderExt", 0x5F),
}
(NKR, NKP1, NKP2, NKY, REP, RSY, RSR, LEP, LSY, LSR, RWR, RWY, LWR, LWY, RSP, WST,
 LSP) = (address for _, address in JOINTS.values())

_TEXT = c_ubyte * MDS_CHAR_PARAM_BUFFER_SIZE


class MDS_JOINT_REF(Structure):
    """Wanted position of one joint."""

    _pack_ = 1
    _fields_ = [("ref", c_double), ("mode", c_int16)]


class MDS_REF(Structure):
    """On mds-ref and mds-ref-filter: wanted positions of all joints at once."""

    _pack_ = 1
    _fields_ = [("joint", MDS_JOINT_REF * MDS_JOINT_COUNT)]


class MDS_JOINT_STATE(Structure):
    """One joint as the daemon sees it. Names are filled up with blanks."""

    _pack_ = 1
    _fields_ = [("ref_r", c_double), ("ref", c_double), ("ref_c", c_double), ("pos", c_double),
                ("cur", c_double), ("vel", c_double), ("offset", c_double), ("direction", c_double),
                ("enabled", c_int16), ("address", c_int16), ("active", c_ubyte), ("homed", c_ubyte),
                ("name", _TEXT), ("nameshort", _TEXT)]


class MDS_POWER(Structure):
    """In V, A and W."""

    _pack_ = 1
    _fields_ = [("voltage", c_double), ("current", c_double), ("power", c_double)]


class MDS_STATE(Structure):
    """On mds-state. `refWait` has one byte, as in C."""

    _pack_ = 1
    _fields_ = [("joint", MDS_JOINT_STATE * MDS_JOINT_COUNT), ("power", MDS_POWER), ("time", c_double),
                ("refWait", c_ubyte)]


class MDS_JNT_PARAM(Structure):
    """Parameters of one joint."""

    _pack_ = 1
    _fields_ = [(name, c_double) for name in (
        "rom", "encoderresolution", "gearratio", "HomeAcceleration", "HomeVelocity", "HomeError", "HomeBuffer",
        "HomeTimeout", "MCB_KP", "MCB_KI", "MCB_KD", "MCB_KM", "safetymargin", "encoderconfig_tickspercount",
        "rom_margin", "offset", "direction")] + [
        ("enabled", c_int16), ("address", c_uint16), ("coordsys", _TEXT), ("HomeType", _TEXT),
        ("HomeTarget", _TEXT), ("name", _TEXT), ("nameshort", _TEXT)]


class MDS_JOINT_PARAM(Structure):
    """On mds-param."""

    _pack_ = 1
    _fields_ = [("joint", MDS_JNT_PARAM * MDS_JOINT_COUNT)]


class MDS_IK_ARM(Structure):
    """Where a hand is to go [m, rad]; ik_method: how many of the six, in this order, are to be met."""

    _pack_ = 1
    _fields_ = [("t_x", c_double), ("t_y", c_double), ("t_z", c_double), ("r_x", c_double), ("r_y", c_double),
                ("r_z", c_double), ("ik_method", c_int16)]


class MDS_IK(Structure):
    """On mds-ik. `move` is RIGHT or LEFT."""

    _pack_ = 1
    _fields_ = [("arm", MDS_IK_ARM * MDS_ARM_COUNT), ("move", c_int16)]


assert [sizeof(kind) for kind in (MDS_REF, MDS_STATE, MDS_JOINT_PARAM, MDS_IK)] == [1000, 13033, 29000, 102]


def ubytes2str(text: Any) -> str:
    """The text in a field of bytes, without the blanks and zero bytes at its end."""
    return bytes(text).decode("ascii", errors="replace").replace("\0", "").rstrip()


def str2ubytes(text: str) -> Any:
    """A text filled up with blanks, for a field of bytes."""
    raw = text.encode("ascii")
    if len(raw) > MDS_CHAR_PARAM_BUFFER_SIZE:
        raise ValueError(f"'{text}' is longer than {MDS_CHAR_PARAM_BUFFER_SIZE} characters")
    return _TEXT(*raw.ljust(MDS_CHAR_PARAM_BUFFER_SIZE))


def getAddress(name: str, state: MDS_STATE) -> int:
    """The address of a joint by its short name or its muscle's; -1 when there is none.

    The names in `state` decide. A state that has none yet, because it was not read from its channel, is no
    reason to fail: then the addresses of the robot as built are meant.
    """
    has_names = False
    for joint in state.joint:
        names = (ubytes2str(joint.name), ubytes2str(joint.nameshort))
        has_names = has_names or any(names)
        if name and (name in names or (name in JOINTS and JOINTS[name][0] == names[0])):
            return joint.address
    if has_names:
        return -1
    return next((address for short, (muscle, address) in JOINTS.items() if name in (short, muscle)), -1)
