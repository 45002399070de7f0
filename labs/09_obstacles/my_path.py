# SPDX-License-Identifier: BSD-3-Clause
"""Lab 09: from start to goal, touching nothing. Rows of base, shoulder, elbow, pitch, roll [rad]."""


def path(start, goal, boxes):
    return [goal]  # straight there, and through the wall
