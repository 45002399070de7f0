# SPDX-License-Identifier: BSD-3-Clause
"""Lab 05: from a wish that jumps to a motion that does not. Angles in rad, asked every 10 ms."""

import math

STEP = 0.01
FASTEST = 0.34
HARDEST = 1.3


def smooth(wanted, position, velocity):
    return wanted  # jumps: no motor can do that
