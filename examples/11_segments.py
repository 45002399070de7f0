# SPDX-License-Identifier: BSD-3-Clause
"""Moves one joint of a running robot by two timed polynomials of its own, there and back in one motion:
PYTHONPATH=python python3 examples/11_segments.py [ROBOT [JOINT [SPACE]]], as in 11_segments.py mds 5"""

import sys
import time

import sinew

robot = sys.argv[1] if len(sys.argv) > 1 else "mds"
joint = int(sys.argv[2]) if len(sys.argv) > 2 else 5  # as in 'sinew model', from one
space = sys.argv[3] if len(sys.argv) > 3 else "default"
MOTION = 1        # a number of yours; a higher one replaces a lower one
SECOND = 10**9    # [ns]
WAY = 0.1         # [rad]


def quintic(start, end, seconds):
    """The six coefficients from (position, velocity, acceleration) to another such in so many seconds."""
    (p0, v0, a0), (p1, v1, a1), t = start, end, seconds
    d, v0t, v1t, a0t, a1t = p1 - p0, v0 * t, v1 * t, a0 * t * t, a1 * t * t
    return (p0, v0, a0 / 2,
            (10 * d - 6 * v0t - 4 * v1t - 1.5 * a0t + 0.5 * a1t) / t**3,
            (-15 * d + 8 * v0t + 7 * v1t + 1.5 * a0t - a1t) / t**4,
            (6 * d - 3 * (v0t + v1t) + 0.5 * (a1t - a0t)) / t**5)


def put(start_ns, seconds, coefficients, is_last):
    """Sends one piece; it must begin where, and when, the one before it ends."""
    columns = {f"c{k}": [0.0] * (joint - 1) + [c] for k, c in enumerate(coefficients)}
    segments.put(stamp_ns=time.monotonic_ns(), start_ns=start_ns, duration_ns=round(seconds * SECOND),
                 joint_mask=1 << (joint - 1), motion=MOTION, is_last=is_last, **columns)


processed = sinew.Channel(f"{robot}/processed", space)
safety = sinew.Channel(f"{robot}/safety", space)
segments = sinew.Channel(f"{robot}/segments", space)

# from where the joint is sent now; a little ahead, so that the pieces are there in time
now = processed.newest().message
here = now.position[joint - 1]
begin_ns = now.stamp_ns + SECOND // 2
turn = (here + WAY, 0.0, -0.3)  # it turns round without a stop
put(begin_ns, 2.0, quintic((here, 0.0, 0.0), turn, 2.0), is_last=0)
put(begin_ns + 2 * SECOND, 2.0, quintic(turn, (here, 0.0, 0.0), 2.0), is_last=1)

while (news := safety.next(timeout=30).message).ended_motion != MOTION or news.stamp_ns < begin_ns:
    pass
print(f"motion {news.ended_motion}: {news.motion_end}")
