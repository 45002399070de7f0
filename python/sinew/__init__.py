# SPDX-License-Identifier: BSD-3-Clause
"""Sinew's channels for Python: any channel is decoded by the schema it carries, without generated code.

    import sinew

    with sinew.Channel("mds/state") as state:
        for frame in state:
            print(frame.sequence, frame.position[0])

Only the standard library is needed; with numpy, frame.numpy() shows the message without copying it.
"""

from sinew.channel import Channel, Frame, remove
from sinew.errors import (ChannelDenied, ChannelError, ChannelExists, ChannelGone, ChannelMismatch,
                          ChannelNotFound, ChannelRemoved, ChannelTimeout, MessageError, SchemaError)
from sinew.library import schema_of
from sinew.message import EnumName, Message
from sinew.schema import Schema, parse_schema

__all__ = ["Channel", "ChannelDenied", "ChannelError", "ChannelExists", "ChannelGone", "ChannelMismatch",
           "ChannelNotFound", "ChannelRemoved", "ChannelTimeout", "EnumName", "Frame", "Message",
           "MessageError", "Schema", "SchemaError", "parse_schema", "remove", "schema_of"]
