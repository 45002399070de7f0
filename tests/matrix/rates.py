# SPDX-License-Identifier: BSD-3-Clause
"""How fast a simulated world goes, robot seconds per second; a machine that has much to do goes slower by itself."""

FAST = 3.0
LIVE = 1.0  # with keys that are held
