# SPDX-License-Identifier: BSD-3-Clause
FAST, SLOW = 200, 20

phase = "search"
direction = 1
last = None
still = 0


def begin():
    global phase, direction, last, still
    phase, direction, last, still = "search", 1, None, 0


def home(switch, counts):
    global phase, direction, last, still
    still = still + 1 if counts == last else 0
    last = counts
    if phase == "search":
        if switch:
            phase = "leave"
        elif still > 20:
            direction, still = -direction, 0
        else:
            return direction * FAST
    if phase == "leave":  # go down until well below the edge
        if switch:
            return -FAST
        phase, home.left = "clear", counts
    if phase == "clear":
        if counts > home.left - 30:
            return -FAST
        phase = "approach"
    return "home" if switch else SLOW
