# SPDX-License-Identifier: BSD-3-Clause
import math

HEIGHT, OFFSET, UPPER_ARM, FOREARM, HAND = 0.344, 0.016, 0.221, 0.221, 0.143


def fk(base, shoulder, elbow, pitch, roll):
    fore = shoulder + elbow
    hand = fore + pitch
    r = OFFSET + UPPER_ARM * math.cos(shoulder) + FOREARM * math.cos(fore) + HAND * math.cos(hand)
    z = HEIGHT + UPPER_ARM * math.sin(shoulder) + FOREARM * math.sin(fore) + HAND * math.sin(hand)
    return r * math.cos(base), r * math.sin(base), z, -hand, roll
