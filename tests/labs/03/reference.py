# SPDX-License-Identifier: BSD-3-Clause
import math

HEIGHT, OFFSET, UPPER_ARM, FOREARM, HAND = 0.344, 0.016, 0.221, 0.221, 0.143
LIMITS = [(-2.705260341, 2.705260341), (-0.610865238, 2.268928028), (-2.268928028, 2.268928028), (-2.268928028, 2.268928028)]


def wrap(angle):
    return math.atan2(math.sin(angle), math.cos(angle))


def ways(x, y, z, pitch, roll):
    yaw, rho = math.atan2(y, x), math.hypot(x, y)
    for base, r, down, turn in ((yaw, rho, pitch, roll), (yaw + math.pi, -rho, math.pi - pitch, roll - math.pi)):
        wrist_r = r - OFFSET - HAND * math.cos(down)
        wrist_z = z - HEIGHT + HAND * math.sin(down)
        d = (wrist_r**2 + wrist_z**2 - UPPER_ARM**2 - FOREARM**2) / (2 * UPPER_ARM * FOREARM)
        if abs(d) > 1:
            continue
        for bend in (1, -1):
            elbow = bend * math.atan2(math.sqrt(1 - d * d), d)
            shoulder = math.atan2(wrist_z, wrist_r) - math.atan2(FOREARM * math.sin(elbow), UPPER_ARM + FOREARM * math.cos(elbow))
            yield [wrap(base), wrap(shoulder), elbow, wrap(-down - shoulder - elbow), turn]


def ik(x, y, z, pitch, roll):
    for q in ways(x, y, z, pitch, roll):
        if all(low <= angle <= high for (low, high), angle in zip(LIMITS, q)):
            return q
    return None
