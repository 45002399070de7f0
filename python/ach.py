# SPDX-License-Identifier: BSD-3-Clause
"""The x-Ach view for Python: the module `ach` that controllers written for Ach import, on Sinew's channels.

    import ach
    import mds_ach as mds

    state = mds.MDS_STATE()
    s = ach.Channel(mds.MDS_CHAN_STATE_NAME)
    [status, framesize] = s.get(state, wait=False, last=True)

The Ach channel "mds-ref" is Sinew's channel "ach/mds-ref", in the space that the environment variable
SINEW_SPACE names ("default" without it), because Ach's calls have no place for a space. Make one with
ach.create("mds-ref", 10, 3000), or from a shell: sinew channel mk ach/mds-ref --capacity 30000 --depth 16
"""

import ctypes
import functools
from ctypes import POINTER, c_char_p, c_int, c_long, c_size_t, c_uint, c_uint64, c_void_p
from typing import Any

from sinew.library import find_library

_NAMES = ["ACH_OK", "ACH_OVERFLOW", "ACH_INVALID_NAME", "ACH_BAD_SHM_FILE", "ACH_FAILED_SYSCALL",
          "ACH_STALE_FRAMES", "ACH_MISSED_FRAME", "ACH_TIMEOUT", "ACH_EEXIST", "ACH_ENOENT", "ACH_CLOSED",
          "ACH_BUG", "ACH_EINVAL", "ACH_CORRUPT", "ACH_BAD_HEADER", "ACH_EACCES", "ACH_CANCELED", "ACH_EFAULT",
          "ACH_EINTR"]
(ACH_OK, ACH_OVERFLOW, ACH_INVALID_NAME, ACH_BAD_SHM_FILE, ACH_FAILED_SYSCALL, ACH_STALE_FRAMES,
 ACH_MISSED_FRAME, ACH_TIMEOUT, ACH_EEXIST, ACH_ENOENT, ACH_CLOSED, ACH_BUG, ACH_EINVAL, ACH_CORRUPT,
 ACH_BAD_HEADER, ACH_EACCES, ACH_CANCELED, ACH_EFAULT, ACH_EINTR) = range(19)

ACH_O_WAIT = 0x01
ACH_O_LAST = 0x02
ACH_O_COPY = 0x04
ACH_O_RELTIME = 0x08

ACH_DEFAULT_FRAME_COUNT = 16
ACH_DEFAULT_FRAME_SIZE = 512

_SLICE_NS = 100_000_000  # a wait looks up this often, so that Ctrl-C works


class AchException(Exception):
    """What Ach refuses, with its reason; `status` is the number."""

    def __init__(self, text: str, status: int = ACH_BUG):
        super().__init__(text)
        self.status = status


class _Timespec(ctypes.Structure):
    _fields_ = [("tv_sec", c_long), ("tv_nsec", c_long)]


class _Handle(ctypes.Structure):
    """ach_channel_t"""

    _fields_ = [("reserved", c_uint64 * 16)]


class _CreateAttributes(ctypes.Structure):
    """ach_create_attr_t"""

    _fields_ = [("map", c_int), ("clock", c_int), ("truncate", c_uint, 1), ("set_clock", c_uint, 1),
                ("reserved", c_uint64 * 14)]


@functools.cache
def _calls() -> ctypes.CDLL:
    """libach, loaded when it is first needed."""
    library = ctypes.CDLL(find_library("ach"))
    for name, arguments in {
            "ach_create": [c_char_p, c_size_t, c_size_t, POINTER(_CreateAttributes)],
            "ach_unlink": [c_char_p],
            "ach_open": [POINTER(_Handle), c_char_p, c_void_p],
            "ach_close": [POINTER(_Handle)],
            "ach_put": [POINTER(_Handle), c_void_p, c_size_t],
            "ach_get": [POINTER(_Handle), c_void_p, c_size_t, POINTER(c_size_t), POINTER(_Timespec), c_int],
            "ach_flush": [POINTER(_Handle)],
            "ach_chmod": [POINTER(_Handle), c_uint],
            "ach_cancel": [POINTER(_Handle), c_void_p],
            "ach_channel_fd": [POINTER(_Handle), POINTER(c_int)]}.items():
        getattr(library, name).argtypes = arguments
    library.ach_errstr.restype = c_char_p
    return library


def result_string(status: int) -> str:
    """The name of a status, such as "ACH_STALE_FRAMES"."""
    return _NAMES[status] if 0 <= status < len(_NAMES) else "UNKNOWN"


def _check(status: int) -> None:
    if status != ACH_OK:
        reason = _calls().ach_errstr().decode("utf-8", errors="replace")
        raise AchException(f"{result_string(status)}: {reason}", status)


def create(name: str, frame_count: int = ACH_DEFAULT_FRAME_COUNT, frame_size: int = ACH_DEFAULT_FRAME_SIZE,
           truncate: bool = False) -> None:
    """Makes a channel. With `truncate`, one that exists is unlinked first."""
    attributes = _CreateAttributes(truncate=1 if truncate else 0)
    _check(_calls().ach_create(name.encode(), frame_count, frame_size, attributes))


def unlink(name: str) -> None:
    """Takes a channel's name away."""
    _check(_calls().ach_unlink(name.encode()))


class Channel:
    """A handle of an Ach channel. With a name, it is open from the start; the channel must exist."""

    def __init__(self, name: "str | None" = None):
        self._handle: "_Handle | None" = None
        self.name: "str | None" = None
        if name:
            self.open(name)

    def open(self, name: str) -> None:
        """Opens the channel of that name. All frames that are kept count as not seen."""
        if self._handle is not None:
            raise AchException(f"the handle is open already, on '{self.name}'", ACH_EINVAL)
        handle = _Handle()
        _check(_calls().ach_open(handle, name.encode(), None))
        self._handle, self.name = handle, name

    def close(self) -> None:
        """Closes the handle."""
        _check(_calls().ach_close(self._open_handle()))
        self._handle = self.name = None

    def put(self, buffer: Any) -> None:
        """Puts a frame: any object with a buffer, such as bytes or a ctypes structure."""
        handle = self._open_handle()
        content = memoryview(buffer).tobytes()
        _check(_calls().ach_put(handle, content, len(content)))

    def get(self, buffer: Any, wait: bool = False, last: bool = False, options: int = 0,
            timeout: "float | None" = None) -> list[int]:
        """Copies a frame into a writable buffer and answers [status, framesize].

        `options` adds ACH_O_… flags; `timeout` [s] bounds a wait. The status is one of ACH_OK,
        ACH_MISSED_FRAME (there is a frame, and some before it were not seen), ACH_STALE_FRAMES (nothing new),
        ACH_TIMEOUT, ACH_CANCELED and ACH_OVERFLOW (framesize says what it takes); all else is an AchException.
        """
        handle = self._open_handle()
        target = (ctypes.c_char * memoryview(buffer).nbytes).from_buffer(buffer)
        flags = (options | (ACH_O_WAIT if wait else 0) | (ACH_O_LAST if last else 0)) & ~ACH_O_RELTIME
        size = c_size_t(0)
        left_ns = None if timeout is None else int(max(timeout, 0.0) * 1e9)
        while True:
            slice_ns = _SLICE_NS if left_ns is None else min(left_ns, _SLICE_NS)
            span = _Timespec(0, slice_ns)
            status = _calls().ach_get(handle, target, len(target), size, span, flags | ACH_O_RELTIME)
            left_ns = None if left_ns is None else left_ns - slice_ns
            if status != ACH_TIMEOUT or left_ns == 0:
                break
        if status not in (ACH_OK, ACH_MISSED_FRAME, ACH_STALE_FRAMES, ACH_TIMEOUT, ACH_CANCELED, ACH_OVERFLOW):
            _check(status)
        return [status, size.value]

    def flush(self) -> None:
        """Calls every frame put so far seen."""
        _check(_calls().ach_flush(self._open_handle()))

    def cancel(self) -> None:
        """Ends a get() that waits in another thread."""
        _check(_calls().ach_cancel(self._open_handle(), None))

    def chmod(self, mode: int) -> None:
        """Sets the rights of the channel's file."""
        _check(_calls().ach_chmod(self._open_handle(), mode))

    def unlink(self) -> None:
        """Takes the channel's name away."""
        self._open_handle()
        unlink(self.name or "")

    def fileno(self) -> int:
        """A descriptor for select, readable while there are frames not seen."""
        descriptor = c_int(-1)
        _check(_calls().ach_channel_fd(self._open_handle(), descriptor))
        return descriptor.value

    def result_string(self, status: int) -> str:
        """The name of a status."""
        return result_string(status)

    def __del__(self) -> None:
        if getattr(self, "_handle", None) is not None:
            self.close()

    def _open_handle(self) -> _Handle:
        if self._handle is None:
            raise AchException("the handle is not open", ACH_EINVAL)
        return self._handle
