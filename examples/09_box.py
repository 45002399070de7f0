# SPDX-License-Identifier: BSD-3-Clause
"""Lets the left hand of a running MDS go round a box of 0.5 m, as the MDS-Ach paper's section 8.3 does
('sinew start mds'): 09_box.py [ROUNDS]"""

import sys
import time

import mds_ach as mds
import ach

CORNERS = [(0.4, 0.45, 0.25), (0.4, -0.05, 0.25), (0.4, -0.05, -0.25), (0.4, 0.45, -0.25)]
rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 1

k = ach.Channel(mds.MDS_CHAN_IK_NAME)
s = ach.Channel(mds.MDS_CHAN_STATE_NAME)
ikc = mds.MDS_IK()
state = mds.MDS_STATE()


def joints():
    """Where the joints are."""
    s.get(state, wait=True, last=True)
    return [joint.pos for joint in state.joint]


def go(corner, dof=3, armi=mds.LEFT):
    """Sends the hand there, and waits until the arm has moved and rests."""
    ikc.move = armi
    ikc.arm[armi].ik_method = dof
    ikc.arm[armi].t_x, ikc.arm[armi].t_y, ikc.arm[armi].t_z = corner
    before = joints()
    k.put(ikc)
    deadline = time.monotonic() + 60.0
    has_moved = False
    while time.monotonic() < deadline:
        time.sleep(0.1)
        now = joints()
        change = max(abs(a - b) for a, b in zip(before, now))
        if has_moved and change < 1e-5:
            return
        has_moved = has_moved or change > 1e-3
        before = now


go((0.3, 0.2, 0.0))
for _ in range(rounds):
    for corner in CORNERS:
        go(corner)
        print(*corner)
