// SPDX-License-Identifier: BSD-3-Clause
#include "apps/controller/control_channels.h"

#include <utility>

#include "sinew/base/fixed_string.h"
#include "sinew/control/segment_player.h"

namespace sinew {
namespace {

constexpr std::uint32_t kEverybodyMayStop = 0666;
constexpr std::uint32_t kGroupMayCommand = 0660;
constexpr std::uint32_t kOwnerMayOverride = 0600;

/// As many as the controller may queue.
constexpr std::uint32_t kSegmentsKept = kMostPieces;

class Opener {
 public:
  Opener(const std::string& robot, const std::string& space) : robot_(robot), space_(space) {}

  template <class Message>
  Result<Writer<Message>> writer(const char* name, std::uint32_t depth) const {
    return Writer<Message>::open({.name = robot_ + "/" + name,
                                  .space = space_,
                                  .sender = std::string(kController),
                                  .depth = depth,
                                  .writers = kControlWriters,
                                  .is_alone = true});
  }
  Result<Reader<ControlRequest>> requests(const char* name, std::uint32_t mode) const {
    // what was asked before this controller was there is not meant for it
    return Reader<ControlRequest>::open(
        {.name = robot_ + "/" + name, .space = space_, .depth = 64, .mode = mode}, SINEW_START_NOW);
  }
  Result<Reader<Segment>> segments() const {
    return Reader<Segment>::open(
        {.name = robot_ + "/segments", .space = space_, .depth = kSegmentsKept, .mode = kGroupMayCommand},
        SINEW_START_NOW);
  }
  Result<Reader<IoCommand>> io_commands() const {
    return Reader<IoCommand>::open(
        {.name = robot_ + "/io_command", .space = space_, .depth = 64, .mode = kGroupMayCommand},
        SINEW_START_NOW);
  }
  // a simulator makes it, and only that one knows what touches
  std::optional<Reader<ContactEvent>> contacts() const {
    auto reader = Reader<ContactEvent>::open(
        {.name = robot_ + "/sensor/contacts", .space = space_, .may_create = false}, SINEW_START_OLDEST);
    return reader ? std::optional(*std::move(reader)) : std::nullopt;
  }
  bool was_up() const {
    auto processed =
        Reader<JointCommand>::open({.name = robot_ + "/processed", .space = space_, .may_create = false});
    Frame<JointCommand> last;
    return processed && processed->read_newest(last) == SINEW_OK && last.message.is_enabled != 0;
  }
  // by its last words: that it has stopped the robot itself, and what the robot did before
  bool ended_well() const {
    auto safety = Reader<Safety>::open({.name = robot_ + "/safety", .space = space_, .may_create = false},
                                       SINEW_START_OLDEST);
    Frame<Safety> said;
    ControlState before = ControlState::Starting;
    bool has_ended = false;
    while (safety && safety->read_next(said) == SINEW_OK) {
      has_ended = said.message.state == ControlState::Stopped && text_of(said.message.who) == kController;
      if (!has_ended) before = said.message.state;
    }
    return has_ended && before == ControlState::Running;
  }

 private:
  const std::string& robot_;
  const std::string& space_;
};

}  // namespace

Result<ControlChannels> open_control_channels(const std::string& robot, const std::string& space) {
  const Opener open(robot, space);
  const bool was_up = open.was_up();
  const bool ended_well = !was_up && open.ended_well();
  // the first that is opened: where another controller lives, this one goes no further
  auto processed = open.writer<JointCommand>("processed", kCyclesKept);
  if (!processed) return processed.error();
  auto state = open.writer<JointState>("state", kCyclesKept);
  if (!state) return state.error();
  auto safety = open.writer<Safety>("safety", 256);
  if (!safety) return safety.error();
  auto health = open.writer<Health>("health", 64);
  if (!health) return health.error();
  auto stop = open.requests("stop", kEverybodyMayStop);
  if (!stop) return stop.error();
  auto command = open.requests("command", kGroupMayCommand);
  if (!command) return command.error();
  auto override_channel = open.requests("override", kOwnerMayOverride);
  if (!override_channel) return override_channel.error();
  auto segments = open.segments();
  if (!segments) return segments.error();
  auto io = open.writer<IoState>("io", 64);
  if (!io) return io.error();
  auto io_command = open.io_commands();
  if (!io_command) return io_command.error();
  return ControlChannels{.state = *std::move(state),
                         .processed = *std::move(processed),
                         .safety = *std::move(safety),
                         .health = *std::move(health),
                         .stop = *std::move(stop),
                         .command = *std::move(command),
                         .override_ = *std::move(override_channel),
                         .segments = *std::move(segments),
                         .io = *std::move(io),
                         .io_command = *std::move(io_command),
                         .contacts = open.contacts(),
                         .robot = robot,
                         .was_up = was_up,
                         .ended_well = ended_well};
}

}  // namespace sinew
