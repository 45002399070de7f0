# SPDX-License-Identifier: BSD-3-Clause
"""A master-slave pair: the industrial robot's tool follows a panda's, twice as far. Start both first:
sinew start panda; sinew start yarc-industrial. Usage: 12_master_slave.py [SPACE [SECONDS]]"""

import math
import sys
import time

import sinew

space = sys.argv[1] if len(sys.argv) > 1 else "default"
seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 4.0

# the slave is asked to follow
replies = sinew.Channel("yarc-industrial/reply", space, start="now")
requests = sinew.Channel("yarc-industrial/request", space)
number = requests.put(verb="FollowMaster", who="example", text="{master: panda, scale: 2}")
reply = replies.next(timeout=20)
while reply.request != number:
    reply = replies.next(timeout=20)
print(f"{reply.status}: {reply.reason}")
if reply.status != "Accepted":
    sys.exit(1)

# the master waves its elbow, and the slave goes with its tool
states = sinew.Channel("panda/state", space)
wave = sinew.Channel.create("panda/ref/example", space, schema="JointReference", exist_ok=True)
elbow = states.newest().position[3]
began = time.monotonic()
while time.monotonic() - began < seconds:
    position = list(states.newest().position)
    position[3] = elbow + 0.1 * math.sin(math.pi * (time.monotonic() - began))
    wave.put(joint_mask=8, position=position)
    time.sleep(0.01)

# and that is the end of it
requests.put(verb="Stop", who="example")
while reply.request != number or reply.status == "Accepted":
    reply = replies.next(timeout=20)
print(f"{reply.status}: {reply.reason}")
