# SPDX-License-Identifier: BSD-3-Clause
"""Channels: opening, reading, waiting and putting."""

import ctypes
import math
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sinew import library
from sinew.errors import ChannelError, ChannelMismatch, ChannelRemoved, MessageError, Status, error_for
from sinew.library import calls, schema_of
from sinew.message import Message, encode
from sinew.schema import Schema, parse_schema

_STARTS = {"newest": 0, "oldest": 1, "now": 2}
_SLICE_NS = 100_000_000  # a wait looks up this often, so that Ctrl-C works whichever thread the signal hit
_MOST_ATTEMPTS = 100     # a reader that is overtaken by a whole ring while it copies tries again


class Frame(Mapping):
    """A message and what goes with it.

    frame["position"] and frame.message.position are the message's fields, and so is frame.position unless the
    frame has an attribute of that name itself: frame.stamp_ns is when the message was put.
    """

    __slots__ = ("sequence", "stamp_ns", "wall_ns", "missed", "sender_pid", "writer", "data", "_schema")

    def __init__(self, info: library.FrameInfo, data: bytes, schema: "Schema | None"):
        self.sequence: int = info.sequence
        self.stamp_ns: int = info.stamp_ns
        self.wall_ns: int = info.wall_ns
        self.missed: int = info.missed
        self.sender_pid: int = info.sender_pid
        self.writer: int = info.writer
        self.data = data
        self._schema = schema

    @property
    def message(self) -> Message:
        """The decoded message."""
        if self._schema is None:
            raise ChannelError("the channel carries bytes without meaning: use frame.data")
        return Message(self._schema.message, self.data)

    def numpy(self):
        """The message as numpy shows it, without a copy: frame.numpy()["position"]. Needs numpy."""
        return self.message.numpy()

    def __getitem__(self, name: str) -> Any:
        return self.message[name]

    def __getattr__(self, name: str) -> Any:
        if name in Frame.__slots__:  # asked for before it is set, as when unpickled
            raise AttributeError(name)
        if self._schema is None:
            raise AttributeError(f"'{name}': the channel carries bytes without meaning; use frame.data")
        return getattr(self.message, name)

    def __iter__(self) -> Iterator[str]:
        return iter(self.message if self._schema else ())

    def __len__(self) -> int:
        return len(self.message) if self._schema else 0

    def __repr__(self) -> str:
        content = repr(self.message) if self._schema else f"{len(self.data)} bytes"
        return f"<Frame {self.sequence} of process {self.sender_pid}: {content}>"


@dataclass(frozen=True)
class Place:
    """Which channel, and what it is to be when it has to be made; zeros stand for the C library's defaults."""

    name: str
    space: str = "default"
    schema: str = ""
    sender: str = ""
    capacity: int = 0
    depth: int = 0
    writers: int = 0
    mode: int = 0
    may_create: bool = False
    alone: bool = False  # nobody else may put while this one does

    def options(self) -> library.Options:
        """The same for the C library."""
        for value in (self.capacity, self.depth, self.writers, self.mode):
            if not 0 <= value < 2**32:
                raise ChannelError(f"{value} is not within 0 to {2**32 - 1}")
        for text in (self.name, self.space, self.schema, self.sender):
            if "\0" in text:
                raise ChannelError(f"{text!r:.80} contains a zero byte")
        return library.Options(self.space.encode(), self.name.encode(), self.schema.encode() or None,
                               self.sender.encode() or None, self.capacity, self.depth, self.writers, self.mode,
                               self.may_create)


class Channel:
    """A channel, open for reading; the first put() opens it for writing too.

    `start` says which messages count as new: "newest" (the newest there is and all that follow), "oldest" (all
    that are kept) or "now". `schema` is a schema text or the name of a message, and refuses a channel that
    carries another one. One thread at a time may read, one at a time may put.
    """

    def __init__(self, name: str, space: str = "default", *, start: str = "newest", schema: "str | None" = None,
                 **options: Any):
        self._reader = self._writer = None
        if start not in _STARTS:
            raise ChannelError(f"start='{start}' is none of {', '.join(_STARTS)}")
        expected = schema if schema and "\n" not in schema else None
        self._place = Place(name, space, _schema_text(schema, options.get("may_create", False)), **options)
        self._open_reader(start)
        if expected and self.message_name != expected:
            carried = self.message_name or "bytes without meaning"
            self.close()
            raise ChannelMismatch(f"channel '{name}' in space '{space}' carries {carried}, not {expected}",
                                  Status.MISMATCH)

    @classmethod
    def create(cls, name: str, space: str = "default", *, schema: "str | None" = None, exist_ok: bool = False,
               start: str = "newest", **options: Any) -> "Channel":
        """Makes a channel and opens it. Options: capacity, depth, writers, mode, sender."""
        place = Place(name, space, _schema_text(schema, True), **options)
        error = library.Error()
        status = calls().sinew_create(place.options(), error)
        if status != Status.OK and not (status == Status.EXISTS and exist_ok):
            raise error_for(status, _text_of(error))
        return cls(name, space, start=start, schema=place.schema or None, **options)

    def newest(self) -> "Frame | None":
        """The newest message, seen before or not; None when nothing has been put yet."""
        return self._read(calls().sinew_read_newest)

    def fresh(self) -> "Frame | None":
        """The newest message if it has not been seen; else None."""
        return self._read(calls().sinew_read_fresh)

    def next(self, timeout: "float | None" = None) -> Frame:
        """The oldest message that has not been seen. Waits for it, at most `timeout` seconds."""
        deadline_ns = _deadline_ns(timeout)
        while (frame := self._read(calls().sinew_read_next)) is None:
            if not self._wait_until(deadline_ns):
                raise error_for(Status.TIMED_OUT, f"no message on '{self.name}' within {timeout} s")
        return frame

    def at(self, stamp_ns: int) -> "Frame | None":
        """The last message put at or before `stamp_ns` (monotonic); None when nothing has been put yet."""
        return self._read(calls().sinew_read_at, stamp_ns)

    def sequence(self, number: int) -> "Frame | None":
        """Message `number`; None when it has not been put yet."""
        return self._read(calls().sinew_read_sequence, number)

    def skip(self) -> None:
        """Calls every message put so far seen."""
        calls().sinew_skip(self._own_reader())

    def wait(self, timeout: "float | None" = None) -> bool:
        """Waits for an unseen message, at most `timeout` seconds. False when none came."""
        return self._wait_until(_deadline_ns(timeout))

    def __iter__(self) -> Iterator[Frame]:
        """All messages from here on, until the channel is removed."""
        while True:
            try:
                frame = self.next()
            except ChannelRemoved:
                return
            yield frame

    def fileno(self) -> int:
        """A descriptor for select and asyncio, readable while something is unseen. Not to be read or closed.

        After a fork the child asks for one of its own.
        """
        descriptor = calls().sinew_reader_fd(self._own_reader())
        if descriptor < 0:
            raise ChannelError(f"no descriptor to be had for '{self.name}'", Status.SYSTEM)
        return descriptor

    def open_to_put(self) -> None:
        """Opens it for writing now rather than at the first put(): refused where somebody else writes alone."""
        if self._writer is None:
            self._writer = self._open_writer()

    def put(self, message: "Mapping[str, Any] | bytes | None" = None, /, **fields: Any) -> int:
        """Puts a message, from fields or from bytes, and answers its number. Fields not named are zero."""
        content = self._content_of(message, fields)
        self.open_to_put()
        number = ctypes.c_uint64()
        self._check(calls().sinew_put(self._writer, content, len(content), number), "put a message on")
        return number.value

    def close(self) -> None:
        """Closes the channel. Safe to call twice."""
        writer, self._writer = self._writer, None
        reader, self._reader = self._reader, None
        if writer:
            calls().sinew_writer_close(writer)
        if reader:
            calls().sinew_reader_close(reader)

    @property
    def name(self) -> str:
        """Such as "mds/state"."""
        return self._place.name

    @property
    def space(self) -> str:
        """The system that the channel belongs to."""
        return self._place.space

    @property
    def schema(self) -> "Schema | None":
        """What the messages are; None: bytes without meaning."""
        return self._schema

    @property
    def schema_text(self) -> str:
        """The schema as it stands in the channel."""
        return calls().sinew_reader_schema(self._own_reader()).decode("utf-8", errors="replace")

    @property
    def message_name(self) -> str:
        """Such as "JointState"; empty: bytes without meaning."""
        return self._describe().message_name.decode("utf-8", errors="replace")

    @property
    def capacity(self) -> int:
        """Largest message [bytes]."""
        return self._describe().capacity

    @property
    def depth(self) -> int:
        """Messages kept."""
        return self._describe().depth

    @property
    def newest_sequence(self) -> int:
        """Number of the newest message; 0: nothing has been put yet."""
        return self._describe().newest_sequence

    def __enter__(self) -> "Channel":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_reader", None) or getattr(self, "_writer", None):
            self.close()

    def __repr__(self) -> str:
        return f"<Channel '{self.name}' in space '{self.space}'{'' if self._reader else ', closed'}>"

    def _open_reader(self, start: str) -> None:
        error = library.Error()
        self._reader = calls().sinew_reader_open(self._place.options(), _STARTS[start], error)
        if not self._reader:
            self._reader = None
            raise error_for(error.status, _text_of(error))
        self._buffer = ctypes.create_string_buffer(self.capacity)
        text = self.schema_text
        self._schema = parse_schema(text) if text else None

    def _open_writer(self) -> int:
        mine = self._describe().channel_id
        error = library.Error()
        is_alone = self._place.alone
        open_writer = calls().sinew_writer_open_alone if is_alone else calls().sinew_writer_open
        writer = open_writer(self._place.options(), error)
        if not writer:
            raise error_for(error.status, _text_of(error))
        # the name may stand for another channel by now, and nobody puts to one and reads the other
        description = library.Description()
        calls().sinew_describe_writer(writer, description)
        if description.channel_id != mine:
            calls().sinew_writer_close(writer)
            self._check(Status.REMOVED, "put a message on")
        return writer

    def _own_reader(self) -> int:
        if self._reader is None:
            raise ChannelError(f"channel '{self.name}' is closed")
        return self._reader

    def _describe(self) -> library.Description:
        description = library.Description()
        calls().sinew_describe_reader(self._own_reader(), description)
        return description

    def _read(self, call: Any, *where: int) -> "Frame | None":
        reader = self._own_reader()
        if any(not -2**63 <= number < 2**64 for number in where):
            raise ChannelError(f"{where[0]} is no number of a message and no time")
        info = library.FrameInfo()
        for _ in range(_MOST_ATTEMPTS):
            status = call(reader, *where, self._buffer, len(self._buffer), info)
            if status != Status.GONE or where:
                break
        if status == Status.NOTHING_NEW:
            return None
        self._check(status, "read")
        return Frame(info, ctypes.string_at(self._buffer, info.size), self._schema)

    def _wait_until(self, deadline_ns: int) -> bool:
        while True:
            slice_ns = min(deadline_ns, time.monotonic_ns() + _SLICE_NS)
            status = calls().sinew_wait(self._own_reader(), slice_ns)
            if status == Status.OK:
                return True
            if status == Status.TIMED_OUT and slice_ns == deadline_ns:
                return False
            if status not in (Status.TIMED_OUT, Status.INTERRUPTED):
                self._check(status, "wait for a message on")

    def _content_of(self, message: Any, fields: dict[str, Any]) -> bytes:
        if message is None or isinstance(message, Mapping):
            if self._schema is None:
                raise MessageError(f"channel '{self.name}' carries bytes without meaning: put(bytes)")
            return encode(self._schema.message, {**(message or {}), **fields})
        if fields:
            raise MessageError("put() takes bytes or fields, not both")
        content = memoryview(message).tobytes()
        size = self._schema.message.size if self._schema else len(content)
        if len(content) != size:
            raise MessageError(f"a {self._schema.message.name} has {size} bytes, not {len(content)}")
        return content

    def _check(self, status: int, doing: str) -> None:
        if status != Status.OK:
            text = calls().sinew_status_text(status).decode()
            raise error_for(status, f"cannot {doing} channel '{self.name}' in space '{self.space}': {text}")


def remove(name: str, space: str = "default") -> None:
    """Removes a channel by name. Its readers and writers are told."""
    error = library.Error()
    status = calls().sinew_remove(space.encode(), name.encode(), error)
    if status != Status.OK:
        raise error_for(status, _text_of(error))


def _schema_text(schema: "str | None", is_needed: bool) -> str:
    """The text of a schema given as text or as the name of a message; empty when it is not one of ours."""
    if not schema or "\n" in schema:
        return schema or ""
    try:
        return schema_of(schema)
    except ChannelError:
        if is_needed:
            raise
        return ""


def _text_of(error: library.Error) -> str:
    return error.text.decode("utf-8", errors="replace")


def _deadline_ns(timeout: "float | None") -> int:
    if timeout is None:
        return library.FOR_EVER_NS
    if math.isnan(timeout):
        raise ChannelError("a timeout cannot be NaN")
    return time.monotonic_ns() + int(min(max(timeout, 0.0), 1e9) * 1e9)
