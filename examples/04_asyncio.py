# SPDX-License-Identifier: BSD-3-Clause
"""Receives messages in an asyncio program while others run: PYTHONPATH=python python3 examples/04_asyncio.py [SPACE]"""

import asyncio
import sys

import sinew


async def publish(channel: sinew.Channel) -> None:
    """Puts three messages, one now and then."""
    for i in range(3):
        channel.put(joint_count=1, position=[i / 10])
        await asyncio.sleep(0.01)


async def receive(channel: sinew.Channel, count: int) -> None:
    """Prints each message as it comes."""
    news = asyncio.Event()
    asyncio.get_running_loop().add_reader(channel, news.set)
    while count > 0:
        await news.wait()
        news.clear()
        while (frame := channel.fresh()) is not None:
            print(f"position {frame.position[0]}")
            count -= 1 + frame.missed
    asyncio.get_running_loop().remove_reader(channel)


async def run(space: str) -> None:
    """Runs both at once."""
    with sinew.Channel.create("example/state", space, schema="JointState", exist_ok=True, start="now") as channel:
        await asyncio.gather(receive(channel, 3), publish(channel))
    sinew.remove("example/state", space)


asyncio.run(run(sys.argv[1] if len(sys.argv) > 1 else "default"))
