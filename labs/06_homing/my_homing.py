# SPDX-License-Identifier: BSD-3-Clause
"""Lab 06: find the lower edge of the cam, from below."""

phase = "search"


def begin():
    global phase
    phase = "search"


def home(switch, counts):
    return 20 if not switch else "home"  # from below that works, slowly: and from above?
