# SPDX-License-Identifier: BSD-3-Clause
"""Lab 02: where is the hand? Lengths in m, angles in rad."""

import math

HEIGHT, OFFSET, UPPER_ARM, FOREARM, HAND = 0.344, 0.016, 0.221, 0.221, 0.143


def fk(base, shoulder, elbow, pitch, roll):
    x = OFFSET + UPPER_ARM + FOREARM + HAND  # true while all joints are at zero: your turn
    y = 0.0
    z = HEIGHT
    hand_pitch = 0.0
    hand_roll = 0.0
    return x, y, z, hand_pitch, hand_roll
