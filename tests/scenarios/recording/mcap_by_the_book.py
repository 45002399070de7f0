#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Reads an MCAP file by its public specification and complains about whatever breaks it.

Standard library only, so chunks must not be packed. Usage: mcap_by_the_book.py FILE
"""

import struct
import sys
import zlib

MAGIC = b"\x89MCAP0\r\n"
DATA_OPS = {0x03, 0x04, 0x05, 0x06, 0x07, 0x09, 0x0C, 0x0F}
SUMMARY_OPS = {0x03, 0x04, 0x08, 0x0A, 0x0B, 0x0D}


class Fields:
    """Takes the fields of a record off its bytes, one after the other."""

    def __init__(self, content):
        self.content, self.place = content, 0

    def take(self, size):
        assert self.place + size <= len(self.content), "a field ends beyond its record"
        self.place += size
        return self.content[self.place - size:self.place]

    def number(self, kind):
        return struct.unpack("<" + kind, self.take(struct.calcsize("<" + kind)))[0]

    def text(self):
        return self.take(self.number("I")).decode("utf-8")

    def pairs(self, key, value):
        inner = Fields(self.take(self.number("I")))
        pairs = []
        while inner.place < len(inner.content):
            pairs.append((key(inner), value(inner)))
        assert len({p[0] for p in pairs}) == len(pairs) or key is u64, "a map names a key twice"
        return pairs

    def end(self):
        assert self.place == len(self.content), "bytes are left over in a record"


def u16(fields):
    return fields.number("H")


def u64(fields):
    return fields.number("Q")


def records(data, start, end):
    """(opcode, offset, length of the whole record, content) of each record between two places."""
    place = start
    while place < end:
        op, length = struct.unpack_from("<BQ", data, place)
        assert place + 9 + length <= end, f"the record at {place} ends beyond its section"
        yield op, place, 9 + length, data[place + 9:place + 9 + length]
        place += 9 + length


def definition(op, content):
    """(kind, id, all the rest) of a schema or a channel."""
    fields = Fields(content)
    number = u16(fields)
    if op == 0x03:
        rest = (fields.text(), fields.text(), bytes(fields.take(fields.number("I"))))
        assert number != 0, "a schema has number zero"
    else:
        rest = (u16(fields), fields.text(), fields.text(), tuple(fields.pairs(Fields.text, Fields.text)))
        assert rest[2], "a channel has no message encoding"
    fields.end()
    return op, number, rest


class Book:
    """Everything that a file holds, checked while it is read."""

    def __init__(self, data):
        self.data = data
        self.definitions = {}
        self.messages = []  # (topic, sequence, log time, publish time, bytes), in the order of the file
        self.chunks = {}  # offset → (length, start, end, compression, packed size, unpacked size)
        self.indexes = {}  # offset of the chunk → {channel: offset of its index}
        self.index_lengths = {}
        self.metadata = {}
        self.metadata_places = set()
        assert data[:8] == MAGIC and data[-8:] == MAGIC, "the magic is wrong"
        first = next(records(data, 8, len(data) - 8))
        assert first[0] == 0x01, "the first record is no header"
        header = Fields(first[3])
        self.profile, self.library = header.text(), header.text()
        self.data_start = first[1] + first[2]
        self.read_footer()
        self.read_data()
        self.read_summary()

    def read_footer(self):
        op, length = struct.unpack_from("<BQ", self.data, len(self.data) - 37)
        assert (op, length) == (0x02, 20), "the last record is no footer"
        self.summary_start, self.offsets_start, crc = struct.unpack_from("<QQI", self.data, len(self.data) - 28)
        assert crc == zlib.crc32(self.data[self.summary_start:len(self.data) - 12]), "the summary's CRC is wrong"

    def define(self, op, content):
        kind, number, rest = definition(op, content)
        known = self.definitions.setdefault((kind, number), rest)
        assert known == rest, "two records of one number differ"
        if op == 0x04 and rest[0] != 0:
            assert (0x03, rest[0]) in self.definitions, "a channel stands before its schema"

    def read_message(self, content):
        fields = Fields(content)
        channel, sequence, log_time, publish_time = u16(fields), fields.number("I"), u64(fields), u64(fields)
        assert (0x04, channel) in self.definitions, "a message stands before its channel"
        topic = self.definitions[(0x04, channel)][1]
        self.messages.append((topic, sequence, log_time, publish_time, content[fields.place:]))
        return channel, log_time

    def read_chunk(self, offset, length, content):
        fields = Fields(content)
        start, end, unpacked_size = u64(fields), u64(fields), u64(fields)
        crc, compression = fields.number("I"), fields.text()
        packed = fields.take(u64(fields))
        fields.end()
        assert compression == "", "this judge reads only chunks that are not packed"
        assert len(packed) == unpacked_size and zlib.crc32(packed) == crc, "a chunk's size or CRC is wrong"
        places, times = {}, []
        for op, place, _, inner in records(packed, 0, len(packed)):
            assert op in (0x03, 0x04, 0x05), f"a chunk holds a record {op:#x}"
            if op == 0x05:
                channel, log_time = self.read_message(inner)
                places.setdefault(channel, []).append((log_time, place))
                times.append(log_time)
            else:
                self.define(op, inner)
        assert (start, end) == (min(times, default=0), max(times, default=0)), "a chunk's times are wrong"
        self.chunks[offset] = (length, start, end, compression, len(packed), unpacked_size)
        self.indexes[offset], self.index_lengths[offset] = {}, 0
        return places

    def read_data(self):
        chunk, places = None, {}
        for op, offset, length, content in records(self.data, self.data_start, self.summary_start):
            assert op in DATA_OPS, f"a record {op:#x} stands in the data"
            if op != 0x07:
                assert chunk is None or self.indexes[chunk].keys() == places.keys(), "a chunk lacks an index"
                chunk, places = None, {}
            if op in (0x03, 0x04):
                self.define(op, content)
            elif op == 0x05:
                self.read_message(content)
            elif op == 0x06:
                chunk, places = offset, self.read_chunk(offset, length, content)
            elif op == 0x07:
                fields = Fields(content)
                channel = u16(fields)
                assert fields.pairs(u64, u64) == places[channel], "an index does not fit its chunk"
                self.indexes[chunk][channel] = offset
                self.index_lengths[chunk] += length
            elif op == 0x0C:
                fields = Fields(content)
                name = fields.text()
                self.metadata[name] = dict(fields.pairs(Fields.text, Fields.text))
                self.metadata_places.add((offset, length, name))
            elif op == 0x0F:
                assert offset + length == self.summary_start, "something follows the end of the data"
                crc = Fields(content).number("I")
                assert crc == zlib.crc32(self.data[:offset]), "the CRC of the data is wrong"
                return
        raise AssertionError("the data have no end record")

    def read_summary(self):
        groups, seen, indexed, statistics, metadata = [], {}, set(), None, set()
        for op, offset, length, content in records(self.data, self.summary_start, self.offsets_start):
            assert op in SUMMARY_OPS, f"a record {op:#x} stands in the summary"
            if not groups or groups[-1][0] != op:
                assert op not in [g[0] for g in groups], "records of one kind do not stand together"
                groups.append([op, offset, 0])
            groups[-1][2] += length
            if op in (0x03, 0x04):
                kind, number, rest = definition(op, content)
                seen[(kind, number)] = rest
            elif op == 0x08:
                self.check_chunk_index(Fields(content), indexed)
            elif op == 0x0B:
                assert statistics is None, "there are two statistics"
                statistics = Fields(content)
            elif op == 0x0D:
                fields = Fields(content)
                metadata.add((u64(fields), u64(fields), fields.text()))
        assert seen == self.definitions, "the summary repeats other schemas and channels than the data hold"
        assert indexed == set(self.chunks), "not every chunk is in the summary"
        assert metadata == self.metadata_places, "not every metadata record is in the summary"
        self.check_statistics(statistics)
        offsets = [struct.unpack("<BQQ", c) for o, _, _, c in records(self.data, self.offsets_start, len(self.data) - 37) if o == 0x0E]
        assert offsets == [tuple(g) for g in groups], "the summary offsets are wrong"

    def check_chunk_index(self, fields, indexed):
        start, end, offset, length = u64(fields), u64(fields), u64(fields), u64(fields)
        index_offsets, index_length = dict(fields.pairs(u16, u64)), u64(fields)
        compression, packed_size, unpacked_size = fields.text(), u64(fields), u64(fields)
        fields.end()
        assert self.chunks[offset] == (length, start, end, compression, packed_size, unpacked_size), "a chunk index is wrong"
        assert index_offsets == self.indexes[offset], "a chunk index points beside its message indexes"
        assert index_length == self.index_lengths[offset], "the length of the message indexes is wrong"
        indexed.add(offset)

    def check_statistics(self, fields):
        said = (u64(fields), u16(fields), *(fields.number("I") for _ in range(4)), u64(fields), u64(fields))
        counts = dict(fields.pairs(u16, u64))
        fields.end()
        times = [m[2] for m in self.messages]
        schemas = sum(kind == 0x03 for kind, _ in self.definitions)
        channels = {number: rest[1] for (kind, number), rest in self.definitions.items() if kind == 0x04}
        true = (len(self.messages), schemas, len(channels), 0, len(self.metadata_places), len(self.chunks),
                min(times, default=0), max(times, default=0))
        assert said == true, f"the statistics say {said}, not {true}"
        assert sum(counts.values()) == len(self.messages) and counts.keys() == channels.keys(), "the counts are wrong"


def main():
    with open(sys.argv[1], "rb") as file:
        book = Book(file.read())
    print(f"{len(book.messages)} messages in {len(book.chunks)} chunks, by the book")


if __name__ == "__main__":
    main()
