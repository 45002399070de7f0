# SPDX-License-Identifier: BSD-3-Clause
"""Lab 07: bring the block to its goal. Rows of x, y, z [m], pitch, roll [rad], width of the hand [m]."""

import math

DOWN = math.pi / 2
OPEN = 0.065


def plan(block, goal):
    x, y, z, yaw = block
    return [
        (x, y, z + 0.1, DOWN, 0.0, OPEN),  # above the block; what comes next?
    ]
