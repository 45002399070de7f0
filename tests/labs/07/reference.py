# SPDX-License-Identifier: BSD-3-Clause
import math

DOWN = math.pi / 2
OPEN, CLOSED = 0.065, 0.024
ABOVE = 0.1


def turn(x, y, yaw):
    """The roll that lays the fingers along the block's sides, the nearest to zero of the four."""
    return math.remainder(math.atan2(y, x) - yaw, math.pi / 2)


def plan(block, goal):
    rows = []
    for (x, y, z, yaw), before, after in ((block, OPEN, CLOSED), (goal, CLOSED, OPEN)):
        roll = turn(x, y, yaw)
        rows += [(x, y, z + ABOVE, DOWN, roll, before),
                 (x, y, z + 0.001, DOWN, roll, after),
                 (x, y, z + ABOVE, DOWN, roll, after)]
    return rows
