// SPDX-License-Identifier: BSD-3-Clause
#include "apps/controller/replay_run.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "sinew/accounts/whole_file.h"
#include "sinew/base/fixed_string.h"
#include "sinew/collision/robot_shapes.h"
#include "sinew/control/safety_text.h"
#include "sinew/control/settings.h"
#include "sinew/mesh/mesh_points.h"
#include "sinew/messages/schemas.h"
#include "sinew/model/site.h"
#include "sinew/motion/world_reader.h"

#include "apps/controller/cycle_log.h"
#include "apps/controller/robot_fingerprint.h"

namespace sinew {
namespace {

/// Channels of a robot that its cycles are made of.
constexpr std::array<std::pair<std::string_view, const MessageSchema*>, 9> kChannels{{
    {"/run", &SchemaOf<ControlRun>::kSchema},
    {"/snapshot", &SchemaOf<ControlSnapshot>::kSchema},
    {"/taken", &SchemaOf<TakenInput>::kSchema},
    {"/cycle", &SchemaOf<Cycle>::kSchema},
    {"/state", &SchemaOf<JointState>::kSchema},
    {"/world", &SchemaOf<World>::kSchema},
    {"/segments", &SchemaOf<Segment>::kSchema},
    {"/processed", &SchemaOf<JointCommand>::kSchema},
    {"/safety", &SchemaOf<Safety>::kSchema},
}};

/// Worlds that may still be referred to.
constexpr std::size_t kMostWorlds = 64;
/// Pieces of planned motions that may not have been taken yet.
constexpr std::size_t kMostPiecesKept = 1024;

/// MCAP keeps the low half of a message's number.
std::uint32_t low_half(std::uint64_t number) {
  return static_cast<std::uint32_t>(number);
}

// A message as it was put; one that ends early has zeros in the rest.
template <class Message>
std::unique_ptr<Message> copy_of(std::span<const std::byte> bytes) {
  auto message = std::make_unique<Message>();
  std::memcpy(static_cast<void*>(message.get()), bytes.data(), std::min(bytes.size(), sizeof(Message)));
  return message;
}

bool is_same(double a, double b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

// What differs first between two commands; empty when nothing does.
std::string difference_of(const JointCommand& recorded, const JointCommand& made, const RobotModel& model) {
  if (std::memcmp(&recorded, &made, sizeof recorded) == 0) return "";
  constexpr std::array<std::pair<std::string_view, JointArray JointCommand::*>, 4> kRows{
      {{"position", &JointCommand::position},
       {"velocity", &JointCommand::velocity},
       {"acceleration", &JointCommand::acceleration},
       {"wanted position", &JointCommand::wanted}}};
  for (std::size_t i = 0; i < model.positions.size(); ++i) {
    for (const auto& [name, values] : kRows) {
      const double was = (recorded.*values)[i];
      const double is = (made.*values)[i];
      if (!is_same(was, is))
        return fmt::format("joint '{}': {} {:.17g} was recorded, {:.17g} came out",
                           model.joints[model.positions[i]].name, name, was, is);
    }
  }
  return fmt::format("enabled {}, held {:#x}, stamp {} were recorded, {}, {:#x}, {} came out",
                     recorded.is_enabled, recorded.held_mask, recorded.stamp_ns, made.is_enabled,
                     made.held_mask, made.stamp_ns);
}

std::string difference_of(const Safety& recorded, const Safety& made, const RobotModel& model) {
  if (std::memcmp(&recorded, &made, sizeof recorded) == 0) return "";
  return fmt::format("safety '{}' with {} refusals was recorded, '{}' with {} came out",
                     safety_text(recorded, &model), recorded.refusals, safety_text(made, &model),
                     made.refusals);
}

/// A robot from its files, with all that a controller of it needs.
struct Stage {
  LoadedRobot robot;
  RobotControl settings;
  std::unique_ptr<RobotShapes> shapes;
};

// What was set up on site may have been in force, or not yet.
std::vector<std::string> possible_sites(const ReplayRunOptions& options, const std::string& prefix) {
  if (!options.site.empty()) return {options.site};
  const auto folder = accounts::data_folder_of(prefix);
  if (!folder) return {""};
  return {"", fmt::format("{}/{}", *folder, kSiteFile)};
}

// The robot whose files are those of then.
Result<LoadedRobot> load_recorded(const ControlRun& run, const ReplayRunOptions& options,
                                  const std::string& prefix) {
  const std::string name = options.robot.empty() ? std::string(text_of(run.robot)) : options.robot;
  for (const std::string& site : possible_sites(options, prefix)) {
    auto robot = load_robot_on_site(name, site);
    // what cannot be read today was not in force then
    if (!robot && !site.empty() && options.site.empty()) break;
    if (!robot) return robot.error();
    const auto hash = robot_fingerprint(*robot);
    if (!hash) return hash.error();
    if (*hash == run.robot_hash) return std::move(robot->robot);
  }
  return Error{ErrorCode::Mismatch,
               fmt::format("robot '{}' is not the one recorded: its files have changed since; give the one "
                           "of then with --robot, and what was set up on site then with --site",
                           name)};
}

Result<std::unique_ptr<Stage>> make_stage(const ControlRun& run, const ReplayRunOptions& options,
                                          const std::string& prefix) {
  auto robot = load_recorded(run, options, prefix);
  if (!robot) return robot.error();
  const auto settings = read_control(robot->settings.control);
  if (!settings) return settings.error();
  auto stage = std::make_unique<Stage>(Stage{.robot = *std::move(robot), .settings = *settings});
  auto shapes = RobotShapes::make(stage->robot.model, guard_options(*settings, points_of_mesh));
  if (!shapes) return shapes.error();
  stage->shapes = std::make_unique<RobotShapes>(*std::move(shapes));
  return stage;
}

/// The cycles of one robot, put together from its channels as they come and run once they are whole.
class RunReplay {
 public:
  RunReplay(std::string robot, const ReplayRunOptions& options) : options_(options) {
    report_.robot = std::move(robot);
  }

  /// A message of the channel named by its end, such as "/state".
  Status take(std::string_view channel, std::uint32_t number, std::span<const std::byte> bytes) {
    if (channel == "/run") return begin(*copy_of<ControlRun>(bytes));
    if (channel == "/snapshot") take_snapshot(bytes);
    if (channel == "/state") states_[number] = *copy_of<JointState>(bytes);
    if (channel == "/world") take_world(number, bytes);
    if (channel == "/segments") take_segment(number, bytes);
    if (channel == "/taken") take_input(*copy_of<TakenInput>(bytes));
    if (channel == "/processed") take_command(*copy_of<JointCommand>(bytes));
    if (channel == "/safety") take_safety(*copy_of<Safety>(bytes));
    if (channel == "/cycle") {
      // what belongs to a cycle is there when the next one is
      run_pending();
      pending_ = *copy_of<Cycle>(bytes);
    }
    return Done{};
  }

  bool has_begun() const { return stage_ != nullptr; }
  bool differs() const { return !report_.difference.empty(); }
  ReplayedRun finish() {
    run_pending();
    return report_;
  }

 private:
  Status begin(const ControlRun& run) {
    run_pending();
    controller_.reset();
    snapshots_.clear();
    inputs_.clear();
    commands_.clear();
    auto stage = make_stage(run, options_, report_.robot);
    if (!stage) return stage.error();
    stage_ = *std::move(stage);
    return Done{};
  }

  void take_snapshot(std::span<const std::byte> bytes) {
    auto snapshot = copy_of<ControlSnapshot>(bytes);
    snapshots_[snapshot->cycle] = std::move(snapshot);
  }
  void take_world(std::uint32_t number, std::span<const std::byte> bytes) {
    worlds_[number] = copy_of<World>(bytes);
    if (worlds_.size() > kMostWorlds) worlds_.erase(worlds_.begin());
  }
  void take_segment(std::uint32_t number, std::span<const std::byte> bytes) {
    segments_[number] = *copy_of<Segment>(bytes);
    if (segments_.size() > kMostPiecesKept) segments_.erase(segments_.begin());
  }
  void take_input(const TakenInput& input) { inputs_[input.cycle].push_back(input); }
  // a controller that ends repeats its last command, switched off
  void take_command(const JointCommand& command) { commands_.emplace(command.cycle, command); }
  void take_safety(const Safety& safety) { safeties_[safety.stamp_ns] = safety; }

  void run_pending() {
    if (!pending_ || !stage_ || differs()) return;
    const Cycle cycle = *std::exchange(pending_, std::nullopt);
    if (cycle.cycle != report_.last_cycle + 1) controller_.reset();
    if (const std::string missing = run(cycle); !missing.empty()) {
      controller_.reset();
      if (report_.left_out++ == 0)
        report_.left_out_reason = fmt::format("cycle {}: {}", cycle.cycle, missing);
    }
    forget_until(cycle);
  }

  // Answers what of the cycle is not in the recording.
  std::string run(const Cycle& cycle) {
    if (!controller_) {
      if (std::string missing = go_on_from(cycle.cycle - 1); !missing.empty()) return missing;
    } else if (snapshots_.contains(cycle.cycle - 1)) {
      // as the recorded one did when it made the snapshot
      controller_->forget_ways();
    }
    const auto state = states_.find(low_half(cycle.state));
    if (state == states_.end()) return fmt::format("state {} is not in the recording", cycle.state);
    const auto command = commands_.find(cycle.cycle);
    if (command == commands_.end()) return "its command is not in the recording";
    const std::vector<TakenInput>& inputs = inputs_[cycle.cycle];
    if (inputs.size() != cycle.taken)
      return fmt::format("{} of its {} inputs are in the recording", inputs.size(), cycle.taken);
    for (const TakenInput& input : inputs)
      if (std::string missing = give(input); !missing.empty()) return missing;
    compare(cycle, controller_->step(state->second, cycle.stamp_ns), command->second);
    return "";
  }

  // Makes a controller that remembers what the recorded one did after `cycle`.
  std::string go_on_from(std::uint64_t cycle) {
    const auto found = snapshots_.find(cycle);
    if (found == snapshots_.end()) return "no snapshot before it";
    const ControlSnapshot& snapshot = *found->second;
    auto made = Controller::make(stage_->robot.model, *stage_->shapes, stage_->settings.cycle);
    if (!made) return made.error().message;
    controller_ = *std::move(made);
    if (snapshot.world != 0) {
      if (std::string missing = use_world(snapshot.world); !missing.empty()) return missing;
      controller_->take_world(world_->obstacles);
    }
    const std::size_t size = std::min<std::size_t>(snapshot.size, kMaxSnapshot);
    if (!controller_->load_memory(std::as_bytes(std::span(snapshot.bytes)).first(size), snapshot.layout))
      return "the snapshot before it is of another build of the controller";
    return "";
  }

  std::string use_world(std::uint64_t number) {
    const auto found = worlds_.find(low_half(number));
    if (found == worlds_.end()) return fmt::format("world {} is not in the recording", number);
    auto world = read_world(*found->second, stage_->robot.model);
    if (!world) return world.error().message;
    // the controller may look at the one before until it gets this one
    world_before_ = std::exchange(world_, *std::move(world));
    return "";
  }

  std::string give(const TakenInput& input) {
    InputMessage message;
    if (input.kind == InputKind::World) {
      if (std::string missing = use_world(input.number); !missing.empty()) return missing;
      message.world = &world_->obstacles;
    }
    if (input.kind == InputKind::Segment) {
      const auto found = segments_.find(low_half(input.number));
      if (found == segments_.end()) return fmt::format("segment {} is not in the recording", input.number);
      message.segment = &found->second;
    }
    give_input(*controller_, input, message);
    if (message.segment != nullptr) segments_.erase(low_half(input.number));
    return "";
  }

  void compare(const Cycle& cycle, const ControlOutput& made, const JointCommand& recorded) {
    std::string difference = difference_of(recorded, made.command, stage_->robot.model);
    const auto safety = safeties_.find(cycle.stamp_ns);
    if (difference.empty() && safety != safeties_.end())
      difference = difference_of(safety->second, made.safety, stage_->robot.model);
    if (!difference.empty()) {
      report_.difference = fmt::format("cycle {}: {}", cycle.cycle, difference);
      return;
    }
    if (report_.cycles++ == 0) report_.first_cycle = cycle.cycle;
    report_.last_cycle = cycle.cycle;
  }

  void forget_until(const Cycle& cycle) {
    inputs_.erase(inputs_.begin(), inputs_.upper_bound(cycle.cycle));
    commands_.erase(commands_.begin(), commands_.upper_bound(cycle.cycle));
    snapshots_.erase(snapshots_.begin(), snapshots_.lower_bound(cycle.cycle));
    safeties_.erase(safeties_.begin(), safeties_.upper_bound(cycle.stamp_ns));
    states_.erase(states_.begin(), states_.lower_bound(low_half(cycle.state)));
  }

  ReplayRunOptions options_;
  ReplayedRun report_;
  std::unique_ptr<Stage> stage_;
  std::unique_ptr<WorldInUse> world_;
  std::unique_ptr<WorldInUse> world_before_;
  std::unique_ptr<Controller> controller_;  // none: waits for a snapshot
  std::optional<Cycle> pending_;
  std::map<std::uint64_t, std::unique_ptr<ControlSnapshot>> snapshots_;  // by cycle, as the next two
  std::map<std::uint64_t, std::vector<TakenInput>> inputs_;
  std::map<std::uint64_t, JointCommand> commands_;
  std::map<std::int64_t, Safety> safeties_;     // by stamp
  std::map<std::uint32_t, JointState> states_;  // by number, as the next
  std::map<std::uint32_t, std::unique_ptr<World>> worlds_;
  std::map<std::uint32_t, Segment> segments_;
};

/// One of kChannels in a file.
struct FoundChannel {
  std::string robot;
  std::string_view end;
};

Result<std::map<std::uint16_t, FoundChannel>> find_channels(const recording::McapContents& contents) {
  std::map<std::uint16_t, FoundChannel> found;
  for (const auto& [id, channel] : contents.channels) {
    for (const auto& [end, schema] : kChannels) {
      if (!channel.topic.ends_with(end) || channel.topic.ends_with("device/state")) continue;
      const auto recorded = contents.schemas.find(channel.schema_id);
      if (recorded == contents.schemas.end() || recorded->second.name != schema->name) continue;
      if (channel.encoding != "sinew" || schema_hash(recorded->second.text) != schema->hash)
        return Error{ErrorCode::Mismatch,
                     fmt::format("channel {} was recorded by another version or as JSON; "
                                 "run it through the version that recorded it",
                                 channel.topic)};
      found[id] = {.robot = channel.topic.substr(0, channel.topic.size() - end.size()), .end = end};
    }
  }
  return found;
}

}  // namespace

Result<std::vector<ReplayedRun>> replay_through_controller(const recording::McapReader& reader,
                                                           const ReplayRunOptions& options) {
  const auto channels = find_channels(reader.contents());
  if (!channels) return channels.error();
  std::map<std::string, std::unique_ptr<RunReplay>> robots;
  for (const auto& [id, channel] : *channels)
    if (channel.end == "/cycle") robots[channel.robot] = std::make_unique<RunReplay>(channel.robot, options);

  recording::McapMessages messages(reader);
  while (const auto message = messages.next()) {
    const auto channel = channels->find(message->channel_id);
    if (channel == channels->end()) continue;
    const auto robot = robots.find(channel->second.robot);
    if (robot == robots.end()) continue;
    if (Status taken = robot->second->take(channel->second.end, message->sequence, message->bytes); !taken)
      return taken.error();
  }
  std::vector<ReplayedRun> reports;
  for (const auto& [name, robot] : robots)
    if (robot->has_begun()) reports.push_back(robot->finish());
  if (reports.empty())
    return Error{ErrorCode::NotFound,
                 fmt::format("{} holds no cycles of a controller: record the channels run, snapshot, taken, "
                             "cycle, state, world and processed of a robot, or all of them",
                             reader.name())};
  return reports;
}

}  // namespace sinew
