# SPDX-License-Identifier: BSD-3-Clause
"""Finds the C library and declares what is called of it (sinew_channel.h)."""

import ctypes
import functools
import pathlib
from ctypes import POINTER, c_char, c_char_p, c_int, c_int32, c_int64, c_size_t, c_uint32, c_uint64, c_void_p

from sinew.errors import ChannelError, Status

FOR_EVER_NS = 2**63 - 1
_PACKAGE = pathlib.Path(__file__).resolve().parent


class Error(ctypes.Structure):
    """sinew_error"""

    _fields_ = [("status", c_int32), ("text", c_char * 1020)]


class Options(ctypes.Structure):
    """sinew_options"""

    _fields_ = [("space", c_char_p), ("name", c_char_p), ("schema", c_char_p), ("sender", c_char_p),
                ("capacity", c_uint32), ("depth", c_uint32), ("writers", c_uint32), ("mode", c_uint32),
                ("may_create", c_uint32)]


class FrameInfo(ctypes.Structure):
    """sinew_frame"""

    _fields_ = [("sequence", c_uint64), ("stamp_ns", c_int64), ("wall_ns", c_int64), ("missed", c_uint64),
                ("size", c_uint32), ("sender_pid", c_uint32), ("writer", c_uint32), ("reserved", c_uint32)]


class Description(ctypes.Structure):
    """sinew_description"""

    _fields_ = [("channel_id", c_uint64), ("schema_hash", c_uint64), ("newest_sequence", c_uint64), ("capacity", c_uint32),
                ("depth", c_uint32), ("writers", c_uint32), ("message_version", c_uint32),
                ("message_name", c_char * 64)]


_READ = [c_void_p, c_void_p, c_size_t, POINTER(FrameInfo)]
_SIGNATURES = {
    "sinew_options_init": (None, [POINTER(Options)]),
    "sinew_create": (c_int, [POINTER(Options), POINTER(Error)]),
    "sinew_remove": (c_int, [c_char_p, c_char_p, POINTER(Error)]),
    "sinew_writer_open": (c_void_p, [POINTER(Options), POINTER(Error)]),
    "sinew_writer_open_alone": (c_void_p, [POINTER(Options), POINTER(Error)]),
    "sinew_writer_close": (None, [c_void_p]),
    "sinew_put": (c_int, [c_void_p, c_char_p, c_size_t, POINTER(c_uint64)]),
    "sinew_reader_open": (c_void_p, [POINTER(Options), c_int, POINTER(Error)]),
    "sinew_reader_close": (None, [c_void_p]),
    "sinew_read_newest": (c_int, _READ),
    "sinew_read_fresh": (c_int, _READ),
    "sinew_read_next": (c_int, _READ),
    "sinew_read_sequence": (c_int, [c_void_p, c_uint64, *_READ[1:]]),
    "sinew_read_at": (c_int, [c_void_p, c_int64, *_READ[1:]]),
    "sinew_skip": (None, [c_void_p]),
    "sinew_reader_fd": (c_int, [c_void_p]),
    "sinew_describe_reader": (None, [c_void_p, POINTER(Description)]),
    "sinew_reader_schema": (c_char_p, [c_void_p]),
    "sinew_schema_of": (c_char_p, [c_char_p]),
    "sinew_message_name": (c_char_p, [c_size_t]),
    "sinew_describe_writer": (None, [c_void_p, POINTER(Description)]),
    "sinew_status_text": (c_char_p, [c_int]),
}
_WAITING_SIGNATURES = {"sinew_wait": (c_int, [c_void_p, c_int64])}


def find_library(stem: str) -> str:
    """The file of a library of ours: installed, beside this package, or in the clone around it."""
    file_name = f"lib{stem}.so.1"
    try:
        # what the loader finds by itself is installed
        ctypes.CDLL(file_name)
        return file_name
    except OSError:
        pass
    for folder in (_PACKAGE, _PACKAGE.parents[1] / "build" / "release" / "lib"):
        if (folder / file_name).exists():
            return str(folder / file_name)
    raise ChannelError(f"{file_name} is neither installed nor built: run ./sinew once to build it",
                       Status.NOT_FOUND)


class _Calls:
    """The calls of the C library. Those that wait let other threads of Python run; the rest are too short."""

    def __init__(self) -> None:
        self.path = find_library("sinew_channel")
        for kind, signatures in ((ctypes.PyDLL, _SIGNATURES), (ctypes.CDLL, _WAITING_SIGNATURES)):
            loaded = kind(self.path)
            for name, (result, arguments) in signatures.items():
                call = getattr(loaded, name)
                call.restype, call.argtypes = result, arguments
                setattr(self, name, call)


@functools.cache
def calls() -> _Calls:
    """The C library, loaded when it is first needed."""
    return _Calls()


def schema_of(message: str) -> str:
    """The schema text of one of Sinew's own messages, such as "JointState"."""
    text = calls().sinew_schema_of(message.encode())
    if text is None:
        raise ChannelError(f"there is no message '{message}'; there are {', '.join(message_names())}", Status.NOT_FOUND)
    return text.decode()


def message_names() -> list[str]:
    """The names of Sinew's own messages."""
    names: list[str] = []
    while name := calls().sinew_message_name(len(names)):
        names.append(name.decode())
    return names
