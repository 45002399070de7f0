# SPDX-License-Identifier: BSD-3-Clause


def hanoi(discs, source, target):
    if discs == 0:
        return []
    other = 3 - source - target
    return hanoi(discs - 1, source, other) + [(source, target)] + hanoi(discs - 1, other, target)
