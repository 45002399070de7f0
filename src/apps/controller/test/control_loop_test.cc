// SPDX-License-Identifier: BSD-3-Clause
#include "apps/controller/control_loop.h"

#include <limits>
#include <map>
#include <set>
#include <thread>
#include <vector>

#include "sinew/base/test/allocation_count.h"

#include "apps/controller/test/loop_rig.h"

namespace sinew {
namespace {

/// Counts what the loop allocates from the end of one wait to the begin of the next.
class CountingPace final : public ScriptedPace {
 public:
  using ScriptedPace::ScriptedPace;
  Beat wait() noexcept override {
    if (began_at_ != 0) allocations_ += allocation_count - began_at_;
    const Beat beat = ScriptedPace::wait();
    began_at_ = allocation_count;
    return beat;
  }
  std::uint64_t allocations() const { return allocations_; }

 private:
  std::uint64_t began_at_ = 0;
  std::uint64_t allocations_ = 0;
};

class ControlLoopTest : public LoopTest {
 protected:
  std::unique_ptr<ScriptedPace> make_pace(int cycles, std::function<void(int)> script,
                                          std::atomic<bool>& is_over) override {
    return std::make_unique<CountingPace>(cycles, std::move(script), is_over);
  }
  std::uint64_t allocations() const { return static_cast<const CountingPace&>(*pace_).allocations(); }

  JointReference wave(int cycle) const {
    JointReference reference{.stamp_ns = pace_->now_ns(), .joint_mask = enabled_mask(model())};
    for (std::size_t i = 0; i < model().positions.size(); ++i) {
      const JointLimits& limits = model().joints[model().positions[i]].limits;
      reference.position[i] = 0.5 * (limits.lower + limits.upper) +
                              0.1 * (cycle / 400 % 2 == 0 ? 1 : -1) * (limits.upper - limits.lower);
    }
    return reference;
  }
};

TEST_F(ControlLoopTest, AWholeCycleOfTheProcessAllocatesNothing) {
  auto program = writer<JointReference>("ref/a");
  auto world = writer<World>("world");
  std::optional<Writer<ControlRequest>> stop;
  std::optional<Writer<ControlRequest>> command;
  run(2500, [&](int cycle) {
    if (!stop) {
      stop = writer<ControlRequest>("stop");
      command = writer<ControlRequest>("command");
    }
    if (cycle % 400 == 0) tell(program, wave(cycle));
    if (cycle == 600) tell(*stop, ControlRequest{.verb = ControlVerb::Stop});
    if (cycle == 900) tell(*command, ControlRequest{.verb = ControlVerb::Reset});
    if (cycle % 1000 == 100) {
      tell(world, world_with_box(0.7));
      std::this_thread::sleep_for(std::chrono::milliseconds(60));
    }
  });
  EXPECT_EQ(controller_->output().safety.refusals, 2U) << "before it had begun, and while it was stopped";
  ASSERT_GT(allocation_count, 0U) << "the counter does not count";
  EXPECT_EQ(allocations(), 0U);
}

// what must never break: in whatever order the channels are read, the last word counts
// so who is asked to end while the robot runs need not come up held, and who was stopped by somebody must
TEST_F(ControlLoopTest, TellsByItsLastWordsHowItHasEnded) {
  const auto how_it_ended = [&] {
    const auto next = open_control_channels("mds", space());
    EXPECT_TRUE(next) << next.error().message;
    EXPECT_FALSE(next->was_up);
    return next->ended_well;
  };
  EXPECT_FALSE(how_it_ended()) << "there was none before";
  run(100, [](int) {});
  EXPECT_TRUE(how_it_ended());
  auto stop = writer<ControlRequest>("stop");
  run(100, [&](int cycle) {
    ControlRequest request{.stamp_ns = pace_->now_ns()};
    set_text(request.who, "anna");
    if (cycle == 50) tell(stop, request);
  });
  EXPECT_FALSE(how_it_ended());
}

TEST_F(ControlLoopTest, IsRefusedBesideAnotherControllerOfTheSameRobot) {
  const auto first = open_control_channels("mds", space());
  ASSERT_TRUE(first);
  const auto second = open_control_channels("mds", space());
  ASSERT_FALSE(second);
  EXPECT_NE(
      second.error().message.find(fmt::format("processed cannot be opened to put: it has one writer at a "
                                              "time, and controller (pid {}",
                                              getpid())),
      std::string::npos)
      << second.error().message;
}

TEST_F(ControlLoopTest, OfAStopAndAResetInOneCycleTheLaterCounts) {
  std::optional<Writer<ControlRequest>> stop;
  std::optional<Writer<ControlRequest>> command;
  std::map<int, ControlState> seen;
  run(200, [&](int cycle) {
    if (!stop) {
      stop = writer<ControlRequest>("stop");
      command = writer<ControlRequest>("command");
    }
    if (cycle == 20) tell(*stop, ControlRequest{});
    if (cycle == 40 || cycle == 80) {
      tell(*command, ControlRequest{.verb = ControlVerb::Reset});
      tell(*stop, ControlRequest{});
    }
    if (cycle == 120) {
      tell(*stop, ControlRequest{});
      tell(*command, ControlRequest{.verb = ControlVerb::Reset});
    }
    if (cycle % 20 == 19) seen[cycle] = controller_->state();
  });
  EXPECT_EQ(seen[19], ControlState::Running);
  for (const int cycle : {39, 59, 79, 99, 119}) EXPECT_EQ(seen[cycle], ControlState::Stopped) << cycle;
  EXPECT_EQ(seen[139], ControlState::Running);
}

// a reset that was put before the stop and read long after it, as there were many of them
TEST_F(ControlLoopTest, AResetFromBeforeAStopThatIsReadAfterItIsOff) {
  std::optional<Writer<ControlRequest>> stop;
  std::optional<Writer<ControlRequest>> command;
  ControlState last = ControlState::Starting;
  run(100, [&](int cycle) {
    if (!stop) {
      stop = writer<ControlRequest>("stop");
      command = writer<ControlRequest>("command");
    }
    if (cycle == 20) {
      for (int i = 0; i < 60; ++i) tell(*command, ControlRequest{.verb = ControlVerb::Reset});
      tell(*stop, ControlRequest{});
    }
    last = controller_->state();
  });
  EXPECT_EQ(last, ControlState::Stopped);
}

TEST_F(ControlLoopTest, OutputsAreSetAndFallAtAStopAsRobotYamlSays) {
  std::optional<Writer<IoCommand>> asked;
  std::optional<Writer<ControlRequest>> stop;
  std::optional<Reader<IoState>> io;
  std::vector<std::uint64_t> seen;
  const auto look = [&] {
    Frame<IoState> frame;
    ASSERT_EQ(io->read_newest(frame), SINEW_OK);
    EXPECT_EQ(frame.message.output_mask, 3U);
    seen.push_back(frame.message.outputs);
  };
  run(700, [&](int cycle) {
    if (!asked) {
      asked = writer<IoCommand>("io_command");
      stop = writer<ControlRequest>("stop");
      io = *Reader<IoState>::open({.name = "mds/io", .space = space()});
    }
    if (cycle == 200) tell(*asked, IoCommand{.output_mask = 7, .outputs = 7});
    if (cycle == 300) look();
    if (cycle == 310) tell(*stop, ControlRequest{.verb = ControlVerb::Stop});
    if (cycle == 400) look();
    if (cycle == 410) tell(*asked, IoCommand{.output_mask = 3, .outputs = 2});
    if (cycle == 500) look();
  });
  EXPECT_EQ(seen, (std::vector<std::uint64_t>{3, 1, 0}));
  EXPECT_EQ(allocations(), 0U);
}

/// Everything bad that can be put on the controller's channels.
class Flood {
 public:
  Flood(Writer<JointReference> reference, Writer<World> world, Writer<Segment> segments,
        Writer<IoCommand> outputs, std::array<Writer<ControlRequest>, 3> requests)
      : reference_(std::move(reference)),
        world_(std::move(world)),
        segments_(std::move(segments)),
        outputs_(std::move(outputs)),
        requests_(std::move(requests)) {}

  /// A hundred messages on each channel: 100 kHz at 1 kHz.
  void pour(std::int64_t now_ns) {
    for (unsigned i = 0; i < 100; ++i) {
      put_reference(i, now_ns);
      put_requests(i);
      put_segment(i, now_ns);
      put_outputs(i);
    }
    // a hundred of these are 4 MB
    for (unsigned i = 0; i < 100; ++i) put_world(i);
  }

 private:
  void put_reference(unsigned i, std::int64_t now_ns) {
    constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
    JointReference bad{.stamp_ns = now_ns, .joint_mask = 1};
    switch ((i + turn_++) % 7) {
      case 0:
        bad.position[0] = kNaN;
        break;
      case 1:
        bad.position[0] = -std::numeric_limits<double>::infinity();
        break;
      case 2:
        bad.joint_mask = std::uint64_t{1} << 60;
        break;
      case 3:
        bad.stamp_ns += 3600 * kSecond_ns;
        break;
      case 4:
        bad.lease_ns = -1;
        break;
      case 5:
        bad.smoothing = static_cast<Smoothing>(77);
        break;
      default:
        EXPECT_EQ(reference_.put_first(16, bad), SINEW_OK);
        return;
    }
    tell(reference_, bad);
  }
  void put_requests(unsigned i) {
    ControlRequest bad{.lease_ns = i % 2 == 0 ? -1 : std::numeric_limits<std::int64_t>::max()};
    bad.verb = i % 3 == 0 ? ControlVerb::Override : static_cast<ControlVerb>(1000 + i);
    set_text(bad.who, "flood");
    // whoever puts a whole message on `stop` means it
    EXPECT_EQ(requests_[0].put_first(8, bad), SINEW_OK);
    for (std::size_t k = 1; k < 3; ++k)
      EXPECT_EQ(i % 5 == 0 ? requests_[k].put_first(4, bad) : requests_[k].put(bad), SINEW_OK);
  }
  void put_segment(unsigned i, std::int64_t now_ns) {
    Segment bad{
        .stamp_ns = now_ns, .start_ns = now_ns, .duration_ns = kSecond_ns, .joint_mask = 1, .motion = 1};
    if (i % 4 == 0) bad.c0[0] = std::numeric_limits<double>::quiet_NaN();
    if (i % 4 == 1) bad.duration_ns = -1;
    if (i % 4 == 2) bad.joint_mask = 0;
    EXPECT_EQ(i % 4 == 3 ? segments_.put_first(24, bad) : segments_.put(bad), SINEW_OK);
  }
  void put_outputs(unsigned i) {
    IoCommand bad{.output_mask = 3, .outputs = 3, .analog_output_mask = 0xffff};
    bad.analog_outputs.fill(std::numeric_limits<double>::quiet_NaN());
    EXPECT_EQ(i % 2 == 0 ? outputs_.put_first(8, bad) : outputs_.put(bad), SINEW_OK);
  }
  void put_world(unsigned i) {
    bad_world_ = world_with_box(0.7);
    if (i % 3 == 0) bad_world_.object_count = 100'000;
    if (i % 3 == 1) bad_world_.objects[0].position[1] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(i % 3 == 2 ? world_.put_first(12, bad_world_) : world_.put(bad_world_), SINEW_OK);
  }

  Writer<JointReference> reference_;
  Writer<World> world_;
  Writer<Segment> segments_;
  Writer<IoCommand> outputs_;
  std::array<Writer<ControlRequest>, 3> requests_;  // stop, command, override
  World bad_world_;
  unsigned turn_ = 0;
};

TEST_F(ControlLoopTest, AFloodOfBadInputOnEveryChannelIsRefusedCountedAndDisturbsNothing) {
  constexpr int kCycles = 900;
  std::array<std::vector<JointArray>, 2> sent;
  std::set<std::string> refused;
  std::uint64_t refusals = 0;
  for (const bool is_flooded : {false, true}) {
    auto program = writer<JointReference>("ref/a");
    std::optional<Flood> flood;
    run(kCycles, [&](int cycle) {
      if (is_flooded && !flood)
        flood.emplace(writer<JointReference>("ref/bad"), writer<World>("world"), writer<Segment>("segments"),
                      writer<IoCommand>("io_command"),
                      std::array{writer<ControlRequest>("stop"), writer<ControlRequest>("command"),
                                 writer<ControlRequest>("override")});
      if (cycle % 400 == 10) tell(program, wave(cycle));
      if (flood) flood->pour(pace_->now_ns());
      // the attendant opens new channels within some milliseconds
      if (flood && cycle == 0) std::this_thread::sleep_for(std::chrono::milliseconds(80));
      const ControlOutput& output = controller_->output();
      sent[is_flooded].push_back(output.command.position);
      if (is_flooded && output.safety.refusals > 0)
        refused.insert(std::string(text_of(output.safety.refused_who)));
    });
    refusals = controller_->output().safety.refusals;
  }
  ASSERT_EQ(sent[0].size(), sent[1].size());
  EXPECT_TRUE(sent[0] == sent[1]) << "the motion was disturbed";
  EXPECT_NE(sent[0].front(), sent[0].back()) << "nothing moved";
  EXPECT_EQ(controller_->state(), ControlState::Stopped) << "by the end of the loop, and by nobody before";
  // eight of each kind of request, eight pieces, eight outputs and one reference in every cycle
  EXPECT_GT(refusals, 36U * (kCycles - 100));
  EXPECT_TRUE(refused.contains("io")) << "the last word of each cycle";

  Frame<Health> health;
  auto channel = Reader<Health>::open({.name = "mds/health", .space = space()});
  ASSERT_EQ(channel->read_newest(health), SINEW_OK);
  EXPECT_GT(health.message.refusals, 1000U);
}

TEST_F(ControlLoopTest, EveryBadWorldIsCounted) {
  auto world = writer<World>("world");
  World bad = world_with_box(0.7);
  bad.objects[0].qw = 7.0;
  run(400, [&](int cycle) {
    if (cycle % 100 == 0) tell(world, bad);
    if (cycle % 100 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(60));
  });
  Frame<Health> health;
  auto channel = Reader<Health>::open({.name = "mds/health", .space = space()});
  ASSERT_EQ(channel->read_newest(health), SINEW_OK);
  EXPECT_GE(health.message.refusals, 2U);
  EXPECT_EQ(controller_->output().safety.refusals, 0U);
}

// a world that was left behind and cannot be read may hold anything
TEST_F(ControlLoopTest, DoesNotRunInAWorldThatItCannotRead) {
  auto world = writer<World>("world");
  auto requests = writer<ControlRequest>("command");
  World bad = world_with_box(0.7);
  bad.objects[0].qw = 7.0;
  tell(world, bad);
  std::map<int, Safety> seen;
  run(400, [&](int cycle) {
    if (cycle == 20 || cycle == 150) tell(requests, {.verb = ControlVerb::Reset});
    if (cycle == 100) {
      tell(world, world_with_box(0.7));
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    if (cycle == 19 || cycle == 99 || cycle == 149 || cycle == 399)
      seen[cycle] = controller_->output().safety;
  });
  for (const int cycle : {19, 99, 149}) {
    EXPECT_EQ(seen[cycle].state, ControlState::Held) << cycle;
    EXPECT_EQ(seen[cycle].reason, StopReason::UnknownWorld) << cycle;
  }
  EXPECT_EQ(seen[399].state, ControlState::Running);
  EXPECT_EQ(seen[399].reason, StopReason::None);
}

// what a short message leaves of the buffer is another program's
TEST_F(ControlLoopTest, AMessageThatIsTooShortIsNotFilledUpWithAnotherProgramsWish) {
  auto good = writer<JointReference>("ref/a");
  auto cut_off = writer<JointReference>("ref/b");
  run(300, [&](int cycle) {
    if (cycle == 10) tell(good, wave(0));
    if (cycle == 20) static_cast<void>(cut_off.put_first(8, wave(0)));
  });
  const Safety& safety = controller_->output().safety;
  EXPECT_EQ(safety.refusals, 1U);
  EXPECT_EQ(text_of(safety.refused_who), "b");
  EXPECT_EQ(safety.last_refusal, Refusal::BadValue);
}

TEST_F(ControlLoopTest, AShortPieceOfAMotionIsCounted) {
  std::optional<Writer<Segment>> segments;
  run(60, [&](int cycle) {
    if (!segments) segments = writer<Segment>("segments");
    if (cycle == 20) static_cast<void>(segments->put_first(24, Segment{}));
  });
  EXPECT_EQ(controller_->output().safety.refusals, 1U);
  EXPECT_EQ(text_of(controller_->output().safety.refused_who), "segments");
}

}  // namespace
}  // namespace sinew
