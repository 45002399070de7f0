#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Pictures of worlds, without a screen. Usage: scenario.py SINEW"""

import collections
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib

SINEW = pathlib.Path(sys.argv[1]).resolve()
ROOT = pathlib.Path(__file__).resolve().parents[3]
CHANNELS = {2: 3, 6: 4}  # of a PNG's colour types


def read_png(data: bytes) -> "tuple[int, int, list[bytes]]":
    """Width, height and rows of red, green and blue of a picture with 8 bits a channel, by the book: https://www.w3.org/TR/png/."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n", "no PNG"
    chunks, at, packed = {}, 8, b""
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        assert zlib.crc32(kind + body) == struct.unpack(">I", data[at + 8 + size:at + 12 + size])[0], "damaged"
        chunks[kind], packed, at = body, packed + (body if kind == b"IDAT" else b""), at + 12 + size
    width, height, depth, colours = struct.unpack(">IIBB", chunks[b"IHDR"][:10])
    assert depth == 8 and b"IEND" in chunks
    step, raw, rows = CHANNELS[colours], zlib.decompress(packed), []
    before = bytes(width * step)
    for y in range(height):
        line = raw[y * (width * step + 1):(y + 1) * (width * step + 1)]
        before = unfiltered(line[0], bytearray(line[1:]), before, step)
        rows.append(b"".join(before[i:i + 3] for i in range(0, len(before), step)) if step > 3 else before)
    return width, height, rows


def unfiltered(kind: int, row: bytearray, above: bytes, step: int) -> bytes:
    for i in range(len(row)):
        left = row[i - step] if i >= step else 0
        corner = above[i - step] if i >= step else 0
        if kind == 1:
            row[i] = row[i] + left & 255
        elif kind == 2:
            row[i] = row[i] + above[i] & 255
        elif kind == 3:
            row[i] = row[i] + (left + above[i]) // 2 & 255
        elif kind == 4:
            guess = left + above[i] - corner
            nearest = min((left, above[i], corner), key=lambda value: abs(guess - value))
            row[i] = row[i] + nearest & 255
    return bytes(row)


class Snapshots(unittest.TestCase):
    def take(self, *words: str) -> bytes:
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "out.png"
            done = subprocess.run([SINEW, "sim", *words, "--snapshot", path], capture_output=True, text=True, check=False,
                                  cwd=ROOT)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            return path.read_bytes()

    def test_a_picture_has_its_size_and_something_to_see(self):
        width, height, rows = read_png(self.take("mds"))
        self.assertEqual((width, height, len(rows)), (960, 720, 720))
        # a robot before a table is made of many shades, and no one of them fills the picture
        shades = collections.Counter(row[i:i + 3] for row in rows[::4] for i in range(0, len(row), 3 * 4))
        self.assertGreater(len(shades), 50)
        self.assertLess(max(shades.values()), 0.9 * shades.total())

    def test_another_posture_is_another_picture(self):
        pictures = [self.take("empty", "--robot", "scorbot-er3", "--q", *q)
                    for q in (["0", "0", "0", "0", "0", "0"], ["1", "0.5", "0", "0", "0", "0"])]
        self.assertNotEqual(pictures[0], pictures[1])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
