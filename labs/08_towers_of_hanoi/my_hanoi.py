# SPDX-License-Identifier: BSD-3-Clause
"""Lab 08: which disc goes where? Pegs are 0, 1 and 2; a move is (from, to)."""


def hanoi(discs, source, target):
    return [(source, target)]  # right for one disc
