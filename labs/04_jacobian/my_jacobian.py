# SPDX-License-Identifier: BSD-3-Clause
"""Lab 04: how the hand moves with the joints. Lengths in m, angles in rad."""

import math

HEIGHT, OFFSET, UPPER_ARM, FOREARM, HAND = 0.344, 0.016, 0.221, 0.221, 0.143
FASTEST = [0.349066, 0.459022, 0.459022, 1.44862, 1.85005]


def jacobian(q):
    return [[0.0] * 5 for row in range(6)]


def joint_speeds(q, v):
    return [0.0] * 5
