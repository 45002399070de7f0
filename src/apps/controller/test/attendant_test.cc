// SPDX-License-Identifier: BSD-3-Clause
#include "apps/controller/attendant.h"

#include <chrono>
#include <cstring>
#include <filesystem>
#include <functional>
#include <map>
#include <thread>

#include "sinew/recording/mcap_reader.h"

#include "apps/controller/test/loop_rig.h"

namespace sinew {
namespace {

class AttendantTest : public LoopTest {
 protected:
  /// Lets the attendant work until `is_so`.
  static bool eventually(const std::function<bool()>& is_so) {
    const std::int64_t end_ns = monotonic_now_ns() + channels::kHangGuard_ns;
    while (!is_so() && monotonic_now_ns() < end_ns) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return is_so();
  }
  void remove(const std::string& name) {
    EXPECT_EQ(sinew_remove(space().c_str(), ("mds/" + name).c_str(), &error_), SINEW_OK) << error_.text;
  }
};

TEST_F(AttendantTest, WhatWasGivenBackIsNeverSeenAgain) {
  auto first = writer<JointReference>("ref/a");
  Attendant attendant(model(), {.robot = "mds", .space = space()});
  const SourceInPlace found = attendant.source(0);
  ASSERT_NE(found.source, nullptr);
  EXPECT_EQ(found.source->who, "a");

  remove("ref/a");
  attendant.give_back(0, found.generation);
  EXPECT_EQ(attendant.source(0).source, nullptr) << "from that moment on";
  auto second = writer<JointReference>("ref/a");
  ASSERT_TRUE(eventually([&] { return attendant.source(0).source != nullptr; }));
  EXPECT_NE(attendant.source(0).generation, found.generation)
      << "another one, also if it lies where the first lay";
}

TEST_F(AttendantTest, GivingBackLateDropsNoSuccessor) {
  auto first = writer<JointReference>("ref/a");
  Attendant attendant(model(), {.robot = "mds", .space = space()});
  const std::uint64_t old = attendant.source(0).generation;
  remove("ref/a");
  attendant.give_back(0, old);
  auto second = writer<JointReference>("ref/b");
  ASSERT_TRUE(eventually([&] { return attendant.source(0).source != nullptr; }));
  attendant.give_back(0, old);
  // the attendant has looked when it has found another
  auto third = writer<JointReference>("ref/c");
  ASSERT_TRUE(eventually([&] { return attendant.source(1).source != nullptr; }));
  ASSERT_NE(attendant.source(0).source, nullptr);
  EXPECT_EQ(attendant.source(0).source->who, "b");
}

/// Where joint 0 is wanted by a program, at `now_ns`.
JointReference to(double target, std::int64_t now_ns) {
  JointReference wish{.stamp_ns = now_ns, .joint_mask = 1};
  wish.position[0] = target;
  return wish;
}

// programs that put one target and end leave their channels behind: the seventeenth is heard all the same
TEST_F(AttendantTest, ProgramsThatAreGoneMakeRoomForOthers) {
  constexpr int kPrograms = 40;
  int started = 0;
  double wanted = 0.0;
  run(60'000, [&](int) {
    if (controller_->state() != ControlState::Running) return;
    const bool is_taken = controller_->output().command.wanted[0] == wanted;
    if (started > kPrograms || (started == kPrograms && is_taken)) {
      started = kPrograms + 1;
      return;
    }
    if (started == 0 || is_taken) {
      wanted = 1e-4 * ++started;
      // closed at once, as by a program that ends
      auto program = writer<JointReference>(fmt::format("ref/p{}", started));
      tell(program, to(wanted, pace_->now_ns()));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  });
  EXPECT_EQ(started, kPrograms + 1) << "program " << started << " was not heard";
  EXPECT_EQ(controller_->output().safety.refusals, 0U);
}

// a program that had to make room is heard again with its next message, and not with its last
TEST_F(AttendantTest, WhoMadeRoomIsHeardAgainWhenItHasSomethingToSay) {
  for (std::size_t i = 0; i < kMaxSources; ++i) {
    auto program = writer<JointReference>(fmt::format("ref/p{:02}", i));
    tell(program, to(0.1, 1));
  }
  Attendant attendant(model(), {.robot = "mds", .space = space()});
  const auto place_of = [&](const std::string& who) {
    for (std::size_t i = 0; i < kMaxSources; ++i)
      if (const ReferenceSource* source = attendant.source(i).source; source && source->who == who) return i;
    return kMaxSources;
  };
  const auto give_back_what_is_wanted = [&] {
    for (std::size_t i = 0; i < kMaxSources; ++i)
      if (const auto place = attendant.source(i);
          place.source && attendant.is_wanted_back(i, place.generation))
        attendant.give_back(i, place.generation);
  };
  auto new_one = writer<JointReference>("ref/zoe");
  ASSERT_TRUE(eventually([&] {
    give_back_what_is_wanted();
    return place_of("zoe") < kMaxSources;
  }));
  EXPECT_EQ(place_of("p00"), kMaxSources) << "it was heard last longest ago";
  EXPECT_LT(place_of("p15"), kMaxSources);

  auto again = writer<JointReference>("ref/p00");
  tell(again, to(0.2, 2));
  ASSERT_TRUE(eventually([&] {
    give_back_what_is_wanted();
    return place_of("p00") < kMaxSources;
  }));
  Frame<JointReference> heard;
  ASSERT_EQ(attendant.source(place_of("p00")).source->reader.read_fresh(heard), SINEW_OK);
  EXPECT_EQ(heard.message.position[0], 0.2);
  EXPECT_LT(place_of("zoe"), kMaxSources) << "its program lives";
}

// what a program wanted of an earlier controller moves nothing
TEST_F(AttendantTest, WhatWasPutLongAgoIsNotHeard) {
  auto program = writer<JointReference>("ref/a");
  tell(program, to(0.1, 1));
  Frame<JointReference> heard;
  {
    Attendant attendant(model(), {.robot = "mds", .space = space()});
    EXPECT_EQ(attendant.source(0).source->reader.read_fresh(heard), SINEW_OK) << "just now";
  }
  Attendant attendant(model(), {.robot = "mds", .space = space(), .oldest_ns = 0});
  Reader<JointReference>& reader = attendant.source(0).source->reader;
  EXPECT_EQ(reader.read_fresh(heard), SINEW_NOTHING_NEW);
  tell(program, to(0.2, 2));
  EXPECT_EQ(reader.read_fresh(heard), SINEW_OK);
  EXPECT_EQ(heard.message.position[0], 0.2);
}

TEST_F(AttendantTest, WhatLedToAStopIsSavedAndNamed) {
  recordings_ = fmt::format("{}/sinew-{}", std::filesystem::temp_directory_path().string(), space());
  std::optional<Writer<ControlRequest>> stop;
  bool is_named = false;
  run(20'000, [&](int cycle) {
    if (!stop) stop = writer<ControlRequest>("stop");
    if (cycle == 300) tell(*stop, ControlRequest{});
    is_named = is_named || !text_of(controller_->output().safety.recording).empty();
    if (!is_named) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  });
  ASSERT_TRUE(is_named);
  const std::string path(text_of(controller_->output().safety.recording));
  EXPECT_TRUE(path.starts_with(recordings_)) << path;
  EXPECT_TRUE(path.ends_with("requested.mcap")) << path;

  const auto reader = recording::McapReader::open(path);
  ASSERT_TRUE(reader) << reader.error().message;
  std::map<std::string, int> counts;
  bool shows_stop = false;
  recording::McapMessages messages(*reader);
  while (const auto message = messages.next()) {
    const std::string& topic = reader->contents().channels.at(message->channel_id).topic;
    ++counts[topic];
    Safety safety;
    if (topic != "mds/safety" || message->bytes.size() != sizeof safety) continue;
    std::memcpy(&safety, message->bytes.data(), sizeof safety);
    shows_stop = shows_stop || safety.state == ControlState::Stopped;
  }
  EXPECT_GT(counts["mds/processed"], 300) << "what was before the stop, and the stop";
  EXPECT_GT(counts["mds/state"], 0);
  EXPECT_TRUE(shows_stop);
  std::filesystem::remove_all(recordings_);
}

TEST_F(AttendantTest, WhatFailsRightAfterAStopDoesNotTakeItsPlace) {
  const std::string folder =
      fmt::format("{}/sinew-{}", std::filesystem::temp_directory_path().string(), space());
  auto states = writer<JointState>("state");
  Attendant attendant(model(), {.robot = "mds", .space = space(), .recordings = folder});
  tell(states, JointState{});
  attendant.note_stop(StopReason::Requested);
  attendant.note_stop(StopReason::StaleState);
  const std::array<char, 128>* named = nullptr;
  ASSERT_TRUE(eventually([&] {
    if (named == nullptr) named = attendant.new_recording();
    return named != nullptr;
  }));
  EXPECT_TRUE(text_of(*named).ends_with("requested.mcap")) << text_of(*named);
  std::filesystem::remove_all(folder);
}

// programs come, command and go: the cycle never touches what the attendant has freed
TEST_F(AttendantTest, ProgramsComeAndGoWhileTheCycleRuns) {
  constexpr int kPrograms = 20;
  std::optional<Writer<JointReference>> program;
  int done = 0;
  run(30'000, [&](int) {
    if (done == kPrograms) return;
    const double target = 1e-3 * (done + 1);
    if (program && controller_->output().command.wanted[0] == target) {
      remove("ref/a");
      program.reset();
      ++done;
    } else if (!program && controller_->state() == ControlState::Running) {
      program = writer<JointReference>("ref/a");
      tell(*program, to(target, pace_->now_ns()));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  });
  EXPECT_EQ(done, kPrograms);
  EXPECT_EQ(controller_->output().safety.refusals, 0U);
}

}  // namespace
}  // namespace sinew
