# SPDX-License-Identifier: BSD-3-Clause
"""Lab 03: which joint positions bring the hand there? Lengths in m, angles in rad."""

import math

HEIGHT, OFFSET, UPPER_ARM, FOREARM, HAND = 0.344, 0.016, 0.221, 0.221, 0.143


def ik(x, y, z, pitch, roll):
    base = math.atan2(y, x)
    # where is the wrist, in the plane of the arm? which triangle do upper arm and forearm make?
    return None
