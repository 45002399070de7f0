// SPDX-License-Identifier: BSD-3-Clause
#include "apps/supervisor/presence.h"

#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "sinew/messages/schemas.h"

namespace sinew::supervisor {
namespace {

class PresenceTest : public testing::Test {
 protected:
  ~PresenceTest() override {
    std::error_code ignored;
    std::filesystem::remove_all("/dev/shm/sinew-" + space_, ignored);
  }
  // a robot with one process, this one
  static Json rows() {
    const auto self = *processes::identity_of(getpid());
    return {{{"name", "arm"},
             {"processes", {{{"role", "motion"}, {"pid", self.pid}, {"start_ticks", self.start_ticks}}}}}};
  }

  std::string space_ = fmt::format("presence-{}", getpid());
  processes::RunFolder folder_{.space = space_, .path = "/run/there/" + space_};
};

TEST_F(PresenceTest, TellsWhoItIsAndWhatItHasStarted) {
  EXPECT_FALSE(see_supervisor(space_));
  Presence presence(folder_);
  presence.tell(rows());
  const auto seen = see_supervisor(space_);
  ASSERT_TRUE(seen);
  EXPECT_EQ(seen->identity.pid, getpid());
  EXPECT_TRUE(seen->is_alive);
  EXPECT_EQ(seen->folder, folder_.path);
  const auto parts = living_parts(space_, "arm");
  ASSERT_EQ(parts.size(), 1U);
  EXPECT_EQ(parts[0].role, "motion");
  EXPECT_EQ(parts[0].identity.pid, getpid());
  EXPECT_TRUE(living_parts(space_, "leg").empty());
  presence.leave();
  EXPECT_FALSE(see_supervisor(space_));
}

TEST_F(PresenceTest, ASecondOneIsRefusedWhileTheFirstLives) {
  Presence presence(folder_);
  ASSERT_TRUE(presence.claim());
  presence.tell(rows());
  const pid_t child = fork();
  if (child == 0) {
    Presence second({.space = space_, .path = "/tmp/elsewhere"});
    const Status claimed = second.claim();
    const bool is_told = !claimed && claimed.error().message.find(fmt::format(
                                         "has a supervisor already, pid {}, whose run folder is {}",
                                         getppid(), folder_.path)) != std::string::npos;
    _exit(is_told ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST_F(PresenceTest, AChannelThatWasRemovedIsMadeAgain) {
  Presence presence(folder_);
  presence.tell(rows());
  std::filesystem::remove_all("/dev/shm/sinew-" + space_);
  EXPECT_FALSE(see_supervisor(space_));
  presence.tell(rows());
  EXPECT_TRUE(see_supervisor(space_));
}

// whoever believed it could be made to end any process of the machine
TEST_F(PresenceTest, WhatAnotherUserHasWrittenNamesNobody) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give a file to somebody else";
  Presence presence(folder_);
  presence.tell(rows());
  auto controller = Writer<JointCommand>::open({.name = "arm/processed", .space = space_, .is_alone = true});
  ASSERT_TRUE(controller);
  ASSERT_EQ(living_parts(space_, "arm").size(), 1U) << "one process, found twice";
  for (const char* channel : {"supervisor", "arm/processed"})
    ASSERT_EQ(chown(fmt::format("/dev/shm/sinew-{}/{}", space_, channel).c_str(), 12345, 12345), 0);
  EXPECT_FALSE(see_supervisor(space_));
  const auto parts = living_parts(space_, "arm");
  ASSERT_EQ(parts.size(), 1U);
  EXPECT_EQ(parts[0].identity.pid, 0);
}

}  // namespace
}  // namespace sinew::supervisor
