// SPDX-License-Identifier: BSD-3-Clause
// Channel files of any content: opened, and used when they open.
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "sinew/channels/test/file_abuse.h"
#include "sinew/channels/test/golden_channel.h"

namespace {

std::string space() {
  return "fuzz-" + std::to_string(getpid());
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  std::atexit([] {
    std::error_code ignored;
    std::filesystem::remove_all("/dev/shm/sinew-" + space(), ignored);
  });
  return 0;
}

// The input is laid over a valid file, eight bytes at a time: two of offset, one of length, five of content.
// What is left over, or begins with 'w', is the whole file.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string bytes = sinew::channels::golden_channel();
  if (size > 0 && data[0] == 'w') {
    bytes.assign(reinterpret_cast<const char*>(data) + 1, size - 1);
  } else {
    for (; size >= 8; data += 8, size -= 8) {
      const std::size_t offset = (data[0] + 256U * data[1]) % bytes.size();
      const std::size_t length = std::min<std::size_t>({data[2] % 6U, 5U, bytes.size() - offset});
      std::copy_n(data + 3, length, bytes.begin() + static_cast<std::ptrdiff_t>(offset));
    }
  }
  sinew::channels::plant_channel_file(space(), "c", bytes);
  sinew::channels::abuse_channel(space(), "c");
  return 0;
}
