# SPDX-License-Identifier: BSD-3-Clause
"""Puts a joint state on a channel and reads it back: PYTHONPATH=python python3 examples/01_joint_state.py [SPACE]"""

import sys
import time

import sinew

space = sys.argv[1] if len(sys.argv) > 1 else "default"

# a channel carries its schema, so whoever opens it knows what is in it
with sinew.Channel.create("example/state", space, schema="JointState", exist_ok=True) as state:
    state.put(stamp_ns=time.monotonic_ns(), joint_count=2, position=[0.1, -0.2], measured_mask=0b11)

    frame = state.newest()
    print(f"message {frame.sequence} of process {frame.sender_pid}")
    for i in range(frame.joint_count):
        print(f"joint {i + 1}: {frame.position[i]} {state.schema.message.fields['position'].unit}")

    # what a message has no place for is refused, with a hint
    try:
        state.put(positions=[0.1])
    except sinew.MessageError as refusal:
        print(refusal)

sinew.remove("example/state", space)
