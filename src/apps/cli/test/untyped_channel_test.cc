// SPDX-License-Identifier: BSD-3-Clause
#include "apps/cli/untyped_channel.h"

#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sinew/base/time.h"
#include "sinew/channels/channel.h"
#include "sinew/messages/schemas.h"
#include "sinew/messages/world.h"

namespace sinew::cli {
namespace {

// a signal that is taken just before the wait wakes nobody, as one that another thread takes
TEST(WaitForMessage, EndsAlsoWhenTheSignalInterruptsNothing) {
  const std::string space = fmt::format("untyped-{}", getpid());
  auto writer = Writer<Clock>::open({.name = "arm/clock", .space = space});
  ASSERT_TRUE(writer);
  EXPECT_EXIT(
      {
        auto reader = UntypedReader::open(space, "arm/clock", SINEW_START_NEWEST);
        if (!reader) std::exit(1);
        catch_stop_signals();
        std::thread other([] {
          std::this_thread::sleep_for(std::chrono::milliseconds(50));
          raise(SIGINT);
        });
        const auto is_there = wait_for_message(*reader, kNever_ns);
        other.join();
        std::exit(is_there && !*is_there ? 0 : 2);
      },
      testing::ExitedWithCode(0), "");
  std::error_code ignored;
  std::filesystem::remove_all("/dev/shm/sinew-" + space, ignored);
}

}  // namespace
}  // namespace sinew::cli
