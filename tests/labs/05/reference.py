# SPDX-License-Identifier: BSD-3-Clause
import math

STEP = 0.01
FASTEST = 0.34
HARDEST = 1.3


def smooth(wanted, position, velocity):
    left = wanted - position
    change = HARDEST * STEP
    if abs(left) <= change * STEP and abs(velocity) <= change:
        return wanted
    braking = math.sqrt(2 * HARDEST * abs(left) + change * change / 4) - change / 2
    aim = math.copysign(min(FASTEST, braking), left)
    velocity = max(velocity - change, min(velocity + change, aim))
    return position + STEP * velocity
