#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A device of two joints, in step with a test. Usage: device.py --robot NAME --name NAME --space SPACE"""

from sinew.parts import DevicePart, Positions

SPEED = 1.0  # [rad/s]


def motors(position: Positions, command: Positions, seconds: float) -> "list[float]":
    """They go to their command as fast as they can."""
    way = SPEED * seconds
    return [q + max(-way, min(way, wanted - q)) for q, wanted in zip(position, command)]


class TickedDevice(DevicePart):
    """Its time is what the channel `tick` tells."""

    def __init__(self) -> None:
        super().__init__(motors, [0.0, 0.0], rate=1000.0)
        self._ticks, self._at_ns = self.channel("tick", "Clock", start="oldest"), 0

    def now_ns(self) -> int:
        return self._at_ns

    def run(self) -> None:
        while self.is_running:
            if self._ticks.wait(timeout=0.1):
                self._at_ns = self._ticks.next().message.stamp_ns
                self.cycle()


if __name__ == "__main__":
    TickedDevice().run()
