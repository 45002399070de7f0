// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <string>

#include "sinew/base/assert.h"
#include "sinew/channels/sinew_channel.h"

namespace sinew::channels {

/// Puts `bytes` where the channel NAME of SPACE belongs, in place of whatever is there.
inline void plant_channel_file(const std::string& space, const std::string& name, const std::string& bytes) {
  const std::string folder = "/dev/shm/sinew-" + space;
  mkdir(folder.c_str(), 0755);
  const std::string path = folder + "/" + name;
  unlink(path.c_str());
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

/// Uses a planted channel in every way there is. A refusal must say why; what opens must neither crash nor
/// loop. True when it opened.
inline bool abuse_channel(const std::string& space, const std::string& name) {
  sinew_options options;
  sinew_options_init(&options);
  options.space = space.c_str();
  options.name = name.c_str();
  sinew_error error;
  sinew_reader* reader = sinew_reader_open(&options, SINEW_START_OLDEST, &error);
  SINEW_ASSERT(reader != nullptr || (error.status != SINEW_OK && error.text[0] != '\0'));
  if (reader == nullptr) return false;
  sinew_writer* writer = sinew_writer_open(&options, &error);
  SINEW_ASSERT(writer != nullptr || (error.status != SINEW_OK && error.text[0] != '\0'));

  std::array<char, 4096> buffer{};
  sinew_frame frame;
  sinew_description description;
  sinew_describe_reader(reader, &description);
  SINEW_ASSERT(std::strlen(sinew_reader_schema(reader)) <= 65536);
  for (int round = 0; round < 4; ++round) {
    sinew_wait(reader, 0);
    sinew_read_next(reader, buffer.data(), buffer.size(), &frame);
    sinew_read_fresh(reader, buffer.data(), buffer.size(), &frame);
    sinew_read_newest(reader, buffer.data(), 3, &frame);
    for (std::uint64_t sequence = 0; sequence < 5; ++sequence)
      sinew_read_sequence(reader, sequence, buffer.data(), buffer.size(), &frame);
    for (const std::int64_t stamp_ns : {INT64_MIN, std::int64_t{2000}, INT64_MAX})
      sinew_read_at(reader, stamp_ns, buffer.data(), buffer.size(), &frame);
    if (writer != nullptr) sinew_put(writer, buffer.data(), 8, nullptr);
  }
  sinew_writer_close(writer);
  sinew_reader_close(reader);
  return true;
}

}  // namespace sinew::channels
