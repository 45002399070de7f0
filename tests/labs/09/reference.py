# SPDX-License-Identifier: BSD-3-Clause
UP = [1.75, -1.05, -1.05]  # shoulder, elbow, pitch: folded high above everything


def path(start, goal, boxes):
    return [[start[0], *UP, 0], [goal[0], *UP, 0], goal]
