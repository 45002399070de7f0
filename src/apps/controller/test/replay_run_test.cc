// SPDX-License-Identifier: BSD-3-Clause
#include "apps/controller/replay_run.h"

#include <random>
#include <thread>
#include <vector>

#include "sinew/recording/channel_tap.h"
#include "sinew/recording/recording_file.h"
#include "sinew/recording/test/file_fixture.h"
#include "sinew/trajectory/joint_curve.h"

#include "apps/controller/test/loop_rig.h"

namespace sinew {
namespace {

using recording::McapReader;
using recording::MessageBatch;
using recording::TappedMessage;

/// Says what becomes of a recorded message; false: it is lost.
using Change = std::function<bool(const TappedMessage& message, std::vector<std::byte>& bytes)>;

/// Three programs want anything of any joint, somebody stops and resets, the guard is overridden, and the
/// world changes; all of it recorded.
class ReplayRunTest : public LoopTest {
 protected:
  void run_everything(int cycles, int record_from = 0) {
    std::vector<Writer<JointReference>> programs;
    for (const char* who : {"ref/a", "ref/b", "ref/c"}) programs.push_back(writer<JointReference>(who));
    auto world = writer<World>("world");
    if (record_from == 0) follow();
    std::optional<Writer<ControlRequest>> stop;
    std::optional<Writer<ControlRequest>> command;
    std::optional<Writer<ControlRequest>> override_channel;
    run(cycles, [&](int cycle) {
      if (!stop) {
        stop = writer<ControlRequest>("stop");
        command = writer<ControlRequest>("command");
        override_channel = writer<ControlRequest>("override");
      }
      if (cycle == record_from && !tap_) follow();
      // one of long motions, two of short ones
      if (cycle % 300 == 20) tell(programs[0], anything(enabled_mask(model())));
      if (cycle % 25 == 0) tell(programs[1 + random_() % 2], anything(std::uint64_t{1} << random_() % 43));
      if (cycle % 1200 == 700) tell(*stop, request(ControlVerb::Stop));
      if (cycle % 1200 == 900) tell(*command, request(ControlVerb::Reset));
      if (cycle % 1500 == 1100) tell(*override_channel, request(ControlVerb::Override));
      if (cycle % 1000 == 300) {
        tell(world, world_with_box(0.6 + 1e-4 * cycle));
        // beside the cycle somebody makes sense of it
        std::this_thread::sleep_for(std::chrono::milliseconds(60));
      }
      if (tap_ && cycle % 100 == 99) collect();
    });
    collect();
  }

  /// Planned motions of the left elbow, in pieces sent ahead: out, back, and out again without its end;
  /// between them pieces that are refused.
  void run_segments(int cycles, int record_from = 0) {
    const double home = starting_positions(model())[kElbow];
    if (record_from == 0) follow();
    std::optional<Writer<Segment>> segments;
    run(cycles, [&](int cycle) {
      if (!segments) segments = writer<Segment>("segments");
      if (cycle == record_from && !tap_) follow();
      for (const auto& [motion, begin, from, way, pieces] :
           {Planned{1, 50, home, 0.1, 5}, Planned{2, 1200, home + 0.1, -0.1, 5},
            Planned{3, 2350, home, 0.1, 3}}) {
        // each piece a tenth of a second before it begins, by the same clock for all
        for (int k = 0; k < pieces; ++k)
          if (cycle == begin + 200 * k) tell(*segments, piece_of({motion, begin, from, way, pieces}, k));
      }
      if (cycle == 300) tell(*segments, Segment{.joint_mask = 1U << kElbow, .motion = 9});
      if (cycle == 1500) tell(*segments, piece_of({4, 1000, home, 0.1, 1}, 0));
      if (tap_ && cycle % 100 == 99) collect();
    });
    collect();
  }

  struct Planned {
    std::uint64_t motion;
    int begin;  ///< Cycle when its first piece is sent.
    double from;
    double way;
    int pieces;  ///< Of five, that are sent.
  };
  Segment piece_of(const Planned& planned, int k) const {
    const double d = planned.way;
    const Coefficients whole{planned.from, 0.0, 0.0, 10.0 * d, -15.0 * d, 6.0 * d};
    const Coefficients c = shifted(whole, 0.2 * k);
    Segment piece{.stamp_ns = pace_->now_ns(),
                  .start_ns = 10 * kSecond_ns + (planned.begin + 100 + 200 * k) * kMillisecond_ns,
                  .duration_ns = 200 * kMillisecond_ns,
                  .joint_mask = 1U << kElbow,
                  .motion = planned.motion,
                  .is_last = k == 4 ? 1U : 0U};
    piece.c0[kElbow] = c[0];
    piece.c1[kElbow] = c[1];
    piece.c2[kElbow] = c[2];
    piece.c3[kElbow] = c[3];
    piece.c4[kElbow] = c[4];
    piece.c5[kElbow] = c[5];
    return piece;
  }

  static constexpr std::size_t kElbow = 4;

  void follow() { tap_ = *recording::ChannelTap::open({.space = space()}); }
  void collect() { tap_->poll(kNever_ns, messages_); }

  JointReference anything(std::uint64_t mask) {
    JointReference reference{.stamp_ns = pace_->now_ns(), .joint_mask = mask};
    reference.lease_ns = random_() % 4 == 0 ? 40 * kMillisecond_ns : 0;
    reference.smoothing = static_cast<Smoothing>(random_() % 4);
    for (std::size_t i = 0; i < model().positions.size(); ++i) {
      const JointLimits& limits = model().joints[model().positions[i]].limits;
      // now and then a little beyond, which is refused
      reference.position[i] =
          std::uniform_real_distribution<double>(limits.lower, limits.upper * 1.001)(random_);
    }
    return reference;
  }
  ControlRequest request(ControlVerb verb) {
    ControlRequest request{.stamp_ns = pace_->now_ns(), .lease_ns = 20 * kMillisecond_ns, .verb = verb};
    set_text(request.who, "tester");
    return request;
  }

  // The recording, with what `change` makes of it.
  McapReader recorded(const Change& change = nullptr) {
    const std::string path = folder_ / "run.mcap";
    auto file =
        recording::RecordingFile::create({.path = path, .may_replace = true}, recording::facts_now(space()));
    EXPECT_TRUE(file);
    for (std::size_t i = 0; i < messages_.size(); ++i) {
      TappedMessage message = messages_[i];
      std::vector<std::byte> bytes(message.bytes.begin(), message.bytes.end());
      if (change && !change(message, bytes)) continue;
      message.bytes = bytes;
      EXPECT_TRUE(file->write(message));
    }
    EXPECT_TRUE(file->close());
    return *McapReader::open(path);
  }
  static ReplayedRun replayed(const McapReader& reader) {
    const auto runs = replay_through_controller(reader);
    EXPECT_TRUE(runs) << runs.error().message;
    EXPECT_EQ(runs->size(), 1U);
    return runs->at(0);
  }
  template <class Message>
  std::vector<Message> all_of(const std::string& channel) const {
    std::vector<Message> all;
    for (std::size_t i = 0; i < messages_.size(); ++i) {
      if (messages_[i].channel->name != channel) continue;
      std::memcpy(static_cast<void*>(&all.emplace_back()), messages_[i].bytes.data(), sizeof(Message));
    }
    return all;
  }

  recording::Folder folder_;
  std::optional<recording::ChannelTap> tap_;
  MessageBatch messages_;
  std::mt19937_64 random_{11};
};

TEST_F(ReplayRunTest, ARunOfManyProgramsStopsHoldsAndWorldsComesOutTheSameBitForBit) {
  run_everything(4000);
  std::uint64_t held = 0;
  for (const JointCommand& command : all_of<JointCommand>("mds/processed"))
    held += command.held_mask != 0 ? 1 : 0;
  EXPECT_GT(held, 100U) << "the guard had nothing to do";
  std::map<InputKind, int> kinds;
  for (const TakenInput& input : all_of<TakenInput>("mds/taken")) ++kinds[input.kind];
  EXPECT_EQ(kinds[InputKind::Source], 3);
  EXPECT_GT(kinds[InputKind::Reference], 100);
  EXPECT_GE(kinds[InputKind::Request], 7) << "stops and resets, and the controller's own";
  EXPECT_EQ(kinds[InputKind::Override], 2);
  EXPECT_EQ(kinds[InputKind::World], 4);

  const ReplayedRun run = replayed(recorded());
  EXPECT_EQ(run.difference, "");
  EXPECT_EQ(run.left_out, 0U) << run.left_out_reason;
  EXPECT_EQ(run.first_cycle, 1U);
  EXPECT_EQ(run.cycles, all_of<Cycle>("mds/cycle").size());
  EXPECT_GE(run.cycles, 4000U);
}

TEST_F(ReplayRunTest, ARecordingBegunInTheMiddleComesOutTheSameFromItsFirstSnapshotOn) {
  run_everything(4000, 1850);
  const ReplayedRun run = replayed(recorded());
  EXPECT_EQ(run.difference, "");
  // every 2,500 cycles there is one
  EXPECT_GT(run.first_cycle, 1850U);
  EXPECT_LE(run.first_cycle, 2510U);
  EXPECT_GE(run.last_cycle, 4000U);
  EXPECT_EQ(run.left_out, run.first_cycle - 1850) << run.left_out_reason;
  EXPECT_NE(run.left_out_reason.find("no snapshot before it"), std::string::npos) << run.left_out_reason;
}

TEST_F(ReplayRunTest, PlannedMotionsComeOutTheSameBitForBit) {
  run_segments(3500);
  const double home = starting_positions(model())[kElbow];
  double farthest = home;
  for (const JointCommand& command : all_of<JointCommand>("mds/processed"))
    farthest = std::max(farthest, command.position[kElbow]);
  EXPECT_NEAR(farthest, home + 0.1, 1e-9) << "it was not moved";
  int pieces = 0;
  for (const TakenInput& input : all_of<TakenInput>("mds/taken"))
    pieces += input.kind == InputKind::Segment ? 1 : 0;
  EXPECT_EQ(pieces, 15);
  const std::vector<Safety> safety = all_of<Safety>("mds/safety");
  EXPECT_EQ(safety.back().refusals, 2U);
  EXPECT_EQ(safety.back().ended_motion, 3U);

  const ReplayedRun run = replayed(recorded());
  EXPECT_EQ(run.difference, "");
  EXPECT_EQ(run.left_out, 0U) << run.left_out_reason;
  EXPECT_GE(run.cycles, 3500U);
}

// what is queued of a motion is part of what a snapshot remembers
TEST_F(ReplayRunTest, AMotionThatWasUnderWayAtTheSnapshotComesOutTheSame) {
  run_segments(3500, 1850);
  const ReplayedRun run = replayed(recorded());
  EXPECT_EQ(run.difference, "");
  EXPECT_GT(run.first_cycle, 1850U);
  EXPECT_GT(run.first_cycle, 2450U) << "motion 3 begins there";
  EXPECT_LE(run.first_cycle, 2510U) << "its second piece comes at 2550";
  EXPECT_GE(run.last_cycle, 3500U);
}

// who dies leaves a whole second of queue behind; none of it is carried out, and the same comes out again
TEST_F(ReplayRunTest, AWriterThatDiesEndsItsMotionAtOnceBitForBit) {
  const double home = starting_positions(model())[kElbow];
  const Planned planned{1, 50, home, 0.1, 5};
  Sender sender(space());
  follow();
  double at_death = 0.0;
  run(1500, [&](int cycle) {
    // the one that is killed closes no channel
    for (int k = 0; k < planned.pieces; ++k)
      if (cycle == planned.begin + k) sender.put(piece_of(planned, k));
    if (cycle == 600) {
      at_death = controller_->output().command.position[kElbow];
      sender.kill();
      const sinew_frame message{.sequence = 1,
                                .stamp_ns = 0,
                                .wall_ns = 0,
                                .missed = 0,
                                .size = 0,
                                .sender_pid = static_cast<std::uint32_t>(sender.pid()),
                                .writer = 0,
                                .reserved = 0};
      while (!watch_->is_of_dead(message)) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  });
  collect();
  const std::vector<Safety> safety = all_of<Safety>("mds/safety");
  const auto orphaned = std::ranges::find(safety, StopReason::WriterDead, &Safety::reason);
  ASSERT_NE(orphaned, safety.end());
  EXPECT_EQ(text_of(orphaned->who), "sender");
  EXPECT_EQ(orphaned->motion_end, MotionEnd::Orphaned);
  EXPECT_EQ(orphaned->state, ControlState::Running);
  const double rest = controller_->output().command.position[kElbow];
  EXPECT_LT(rest - at_death, 0.035) << "it went on to the end of its queue";
  EXPECT_GT(rest, home + 0.02) << "it had not begun";

  const ReplayedRun run = replayed(recorded());
  EXPECT_EQ(run.difference, "");
  EXPECT_EQ(run.left_out, 0U) << run.left_out_reason;
  EXPECT_GE(run.cycles, 1500U);
}

// as 'rm -rf' of the space does
TEST_F(ReplayRunTest, WithoutItsChannelsTheLoopBrakesSaysWhyAndEnds) {
  const double home = starting_positions(model())[kElbow];
  const Planned planned{1, 50, home, 0.1, 5};
  Sender sender(space());
  int last_cycle = 0;
  run(3000, [&](int cycle) {
    last_cycle = cycle;
    for (int k = 0; k < planned.pieces; ++k)
      if (cycle == planned.begin + k) sender.put(piece_of(planned, k));
    if (cycle != 600) return;
    std::error_code ignored;
    std::filesystem::remove_all(folder(), ignored);
    while (!watch_->are_channels_gone()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  });
  EXPECT_LT(last_cycle, 2000) << "it went on for ever";
  const Safety& safety = controller_->output().safety;
  EXPECT_EQ(safety.state, ControlState::Faulted);
  EXPECT_EQ(safety.reason, StopReason::ChannelsGone);
  EXPECT_EQ(controller_->output().command.velocity[kElbow], 0.0);
}

TEST_F(ReplayRunTest, OneWrongBitInASegmentIsFoundAndNamed) {
  run_segments(1400);
  bool has_changed = false;
  const ReplayedRun run = replayed(recorded([&](const TappedMessage& message, std::vector<std::byte>& bytes) {
    if (has_changed || message.channel->name != "mds/segments" || message.sequence < 2) return true;
    Segment piece;
    std::memcpy(static_cast<void*>(&piece), bytes.data(), sizeof piece);
    piece.c3[kElbow] = std::nextafter(piece.c3[kElbow], 0.0);
    std::memcpy(bytes.data(), &piece, sizeof piece);
    has_changed = true;
    return true;
  }));
  ASSERT_TRUE(has_changed);
  EXPECT_NE(run.difference.find("joint '"), std::string::npos) << run.difference;
  EXPECT_LT(run.last_cycle, 1400U);
}

TEST_F(ReplayRunTest, OneWrongBitInAnInputIsFoundAndNamed) {
  run_everything(1500);
  std::uint64_t changed = 0;
  const McapReader reader = recorded([&](const TappedMessage& message, std::vector<std::byte>& bytes) {
    if (changed != 0 || message.channel->name != "mds/taken" || message.sequence < 3) return true;
    TakenInput input;
    std::memcpy(static_cast<void*>(&input), bytes.data(), sizeof input);
    if (input.kind != InputKind::Reference || input.source != 0 || input.cycle < 200) return true;
    changed = input.cycle;
    for (double& position : input.reference.position) position = std::nextafter(position, 0.0);
    std::memcpy(bytes.data(), &input, sizeof input);
    return true;
  });
  const ReplayedRun run = replayed(reader);
  ASSERT_GT(changed, 0U);
  EXPECT_EQ(run.last_cycle, changed - 1);
  EXPECT_TRUE(run.difference.starts_with(fmt::format("cycle {}: joint '", changed))) << run.difference;
  EXPECT_NE(run.difference.find("was recorded"), std::string::npos) << run.difference;
}

TEST_F(ReplayRunTest, AfterAGapItGoesOnFromTheNextSnapshot) {
  run_everything(4000);
  const McapReader reader = recorded([](const TappedMessage& message, std::vector<std::byte>&) {
    return message.channel->name != "mds/state" || message.sequence != 500;
  });
  const ReplayedRun run = replayed(reader);
  EXPECT_EQ(run.difference, "");
  EXPECT_EQ(run.left_out_reason, "cycle 500: state 500 is not in the recording");
  EXPECT_GT(run.left_out, 1900U);
  EXPECT_LT(run.left_out, 2100U);
  EXPECT_GE(run.last_cycle, 4000U);
}

TEST_F(ReplayRunTest, ARobotThatHasChangedSinceIsRefused) {
  run_everything(10);
  const McapReader reader = recorded([](const TappedMessage& message, std::vector<std::byte>& bytes) {
    if (message.channel->name == "mds/run") bytes[offsetof(ControlRun, robot_hash)] ^= std::byte{1};
    return true;
  });
  const auto runs = replay_through_controller(reader);
  ASSERT_FALSE(runs);
  EXPECT_EQ(runs.error().message,
            "robot 'mds' is not the one recorded: its files have changed since; give the one of then with "
            "--robot, and what was set up on site then with --site");
}

TEST_F(ReplayRunTest, ARecordingWithoutCyclesIsRefused) {
  run_everything(10);
  const auto runs =
      replay_through_controller(recorded([](const TappedMessage& message, std::vector<std::byte>&) {
        return message.channel->name == "mds/state";
      }));
  ASSERT_FALSE(runs);
  EXPECT_NE(runs.error().message.find("holds no cycles of a controller: record the channels run, snapshot"),
            std::string::npos)
      << runs.error().message;
}

}  // namespace
}  // namespace sinew
