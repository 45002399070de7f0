// SPDX-License-Identifier: BSD-3-Clause
// Recordings of any content: opened, read by time, checked.
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

#include "sinew/base/assert.h"
#include "sinew/recording/mcap_reader.h"
#include "sinew/recording/mcap_writer.h"

namespace {

using sinew::recording::Buffer;

// A small whole file with everything in it, as bytes; the records of its chunks are not packed, so that
// mutations reach them.
Buffer golden_file() {
  const std::string path = std::filesystem::temp_directory_path() / ("fuzz-" + std::to_string(getpid()));
  auto writer = sinew::recording::McapWriter::create({.path = path,
                                                      .compression = sinew::recording::Compression::None,
                                                      .chunk_size = 100,
                                                      .may_replace = true});
  SINEW_ASSERT(writer);
  const auto schema = writer->add_schema({.name = "S", .encoding = "sinew", .text = "t"});
  SINEW_ASSERT(writer->add_metadata({.name = "m", .facts = {{"k", "v"}}}));
  const auto channel = writer->add_channel({.schema_id = *schema, .topic = "c", .encoding = "sinew"});
  const Buffer bytes(8);
  for (std::uint32_t i = 1; i < 6; ++i)
    SINEW_ASSERT(writer->write({.channel_id = *channel, .sequence = i, .log_ns = i, .bytes = bytes}));
  SINEW_ASSERT(writer->close());
  const auto source = sinew::recording::ByteSource::open(path);
  Buffer whole;
  SINEW_ASSERT(source && source->read(0, source->size(), whole));
  std::filesystem::remove(path);
  return whole;
}

}  // namespace

// The input is laid over a valid file, eight bytes at a time: two of offset, one of length, five of content.
// When it begins with 'w' it is the whole file but for the magic.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Buffer kGolden = golden_file();
  Buffer bytes = kGolden;
  if (size > 0 && data[0] == 'w') {
    bytes.resize(8);
    const auto* rest = reinterpret_cast<const std::byte*>(data) + 1;
    bytes.insert(bytes.end(), rest, rest + size - 1);
  } else {
    for (; size >= 8; data += 8, size -= 8) {
      const std::size_t offset = (data[0] + 256U * data[1]) % bytes.size();
      const std::size_t length = std::min<std::size_t>({data[2] % 6U, 5U, bytes.size() - offset});
      const auto* content = reinterpret_cast<const std::byte*>(data) + 3;
      std::copy_n(content, length, bytes.begin() + static_cast<std::ptrdiff_t>(offset));
    }
  }
  const auto reader = sinew::recording::McapReader::of(std::move(bytes), {.largest_chunk = 1U << 20});
  if (!reader) return 0;
  sinew::recording::McapMessages messages(*reader);
  std::size_t total = 0;
  while (const auto message = messages.next()) total += message->bytes.size();
  SINEW_ASSERT(total <= reader->contents().places.size() << 20);
  reader->check();
  return 0;
}
