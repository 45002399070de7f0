// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sinew/base/time.h"
#include "sinew/channels/channel.h"
#include "sinew/channels/sinew_channel.h"

namespace sinew::channels {

using WriterHandle = std::unique_ptr<sinew_writer, CloseWriter>;
using ReaderHandle = std::unique_ptr<sinew_reader, CloseReader>;

/// Long enough for any machine; only a hang reaches it.
inline constexpr std::int64_t kHangGuard_ns = 60 * kSecond_ns;

/// Runs `body` in a child and answers its exit code: what `body` returns, or 128 + signal. 0 is meant to be
/// good.
template <class Body>
int exit_code_of_child(Body body) {
  const pid_t child = fork();
  if (child == 0) _exit(body());
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// A space of its own for every test, gone afterwards.
class ChannelTest : public ::testing::Test {
 protected:
  ~ChannelTest() override {
    std::error_code ignored;
    std::filesystem::remove_all(folder(), ignored);
  }

  const std::string& space() const { return space_; }
  std::string folder() const { return "/dev/shm/sinew-" + space_; }
  std::string path(const std::string& name) const { return folder() + "/" + name; }

  sinew_options options(const char* name = "c") const {
    sinew_options chosen;
    sinew_options_init(&chosen);
    chosen.space = space_.c_str();
    chosen.name = name;
    chosen.capacity = 64;
    chosen.depth = 4;
    chosen.may_create = 1;
    return chosen;
  }

  WriterHandle open_writer(const sinew_options& chosen) {
    return WriterHandle(sinew_writer_open(&chosen, &error_));
  }
  ReaderHandle open_reader(const sinew_options& chosen, int start = SINEW_START_OLDEST) {
    return ReaderHandle(sinew_reader_open(&chosen, start, &error_));
  }

  /// Puts a number; answers its sequence, 0 when refused.
  static std::uint64_t put(const WriterHandle& writer, std::uint64_t number) {
    std::uint64_t sequence = 0;
    return sinew_put(writer.get(), &number, sizeof number, &sequence) == SINEW_OK ? sequence : 0;
  }

  sinew_error error_{};

 private:
  std::string space_ = fmt::format("test-{}", getpid());
};

}  // namespace sinew::channels
