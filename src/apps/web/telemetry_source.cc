// SPDX-License-Identifier: BSD-3-Clause
#include "apps/web/telemetry_source.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "sinew/base/fixed_string.h"
#include "sinew/control/safety_text.h"
#include "sinew/picture/picture.h"

#include "apps/cli/motion_words.h"
#include "apps/web/version.h"

namespace sinew {
namespace {

std::vector<double> numbers(const JointArray& values, std::size_t count) {
  return {values.begin(), values.begin() + static_cast<std::ptrdiff_t>(std::min(count, values.size()))};
}

viewers::Alarm alarm_of(const Safety& safety) {
  if (safety.state == ControlState::Stopped || safety.state == ControlState::Faulted)
    return viewers::Alarm::Error;
  const bool is_well = safety.state == ControlState::Running && safety.held_mask == 0;
  return is_well && safety.is_overridden == 0 ? viewers::Alarm::None : viewers::Alarm::Warning;
}

viewers::SafetyNote safety_note(const cli::RobotLink& link) {
  const Safety& safety = link.now().safety;
  return {.alarm = alarm_of(safety),
          .state = std::string(state_text(safety.state)),
          .reason = std::string(reason_text(safety.reason)),
          .text = safety_text(safety, &link.model(), link.now().state.fault_bits),
          .who = std::string(text_of(safety.who))};
}

viewers::MotionNote motion_note(const std::optional<MotionState>& motion) {
  if (!motion) return {.phase = "unknown"};
  const bool has_program =
      motion->program_phase != ProgramPhase::None && motion->program_phase != ProgramPhase::Ended;
  const std::filesystem::path program = std::string(text_of(motion->program));
  return {.phase = std::string(cli::phase_word(motion->phase)),
          .progress = motion->progress,
          .remaining = motion->remaining,
          .override_share = motion->override_share,
          .queue_length = motion->queue_length,
          .program = has_program ? program.filename().string() : "",
          .program_line = motion->program_line};
}

// each link in the one that carries it; the root stands in the world
std::vector<viewers::LinkPose> link_tree(const RobotModel& model, std::span<const double> q) {
  const std::vector<Pose> X_WL = link_poses(model, q);
  std::vector<viewers::LinkPose> tree{
      {.parent = std::string(viewers::kWorldFrame), .child = model.links.front().name}};
  for (const Joint& joint : model.joints)
    tree.push_back({.parent = model.links[joint.parent_link].name,
                    .child = model.links[joint.child_link].name,
                    .X_PC = inverse(X_WL[joint.parent_link]) * X_WL[joint.child_link]});
  return tree;
}

}  // namespace

viewers::RobotFacts viewer_facts(const cli::RobotLink& link, std::string urdf) {
  viewers::RobotFacts facts{.name = link.name(),
                            .version = std::string(kProgramVersion),
                            .run = fmt::format("{}-{}", link.name(), link.robot_time_ns()),
                            .description = std::move(urdf)};
  for (const std::size_t joint : link.model().positions)
    facts.joints.push_back(link.model().joints[joint].name);
  return facts;
}

bool TelemetrySource::read(WorldChannel& channel, const cli::RobotLink& link, std::string_view name) {
  if (!channel.reader) {
    auto opened = Reader<World>::open(
        {.name = fmt::format("{}/{}", link.name(), name), .space = link.space(), .may_create = false});
    if (!opened) return false;
    channel.reader = *std::move(opened);
  }
  auto frame = std::make_unique<Frame<World>>();
  if (channel.reader->read_fresh(*frame) != SINEW_OK) return false;
  const bool is_other = channel.newest == nullptr ||
                        channel.newest->message.object_count != frame->message.object_count ||
                        std::memcmp(&channel.newest->message.objects, &frame->message.objects,
                                    sizeof frame->message.objects) != 0;
  channel.newest = std::move(frame);
  return is_other;
}

// Where a simulator says that things are counts more than where motion was told they are.
void TelemetrySource::look_at_world(const cli::RobotLink& link) {
  const bool is_told_anew = read(told_, link, "world");
  const bool is_seen_anew = read(seen_, link, "world_truth");
  if (!is_told_anew && !is_seen_anew) return;
  telemetry_.world_number += 1;
  telemetry_.objects.clear();
  for (const WorldChannel* channel : {&seen_, &told_}) {
    if (channel->newest == nullptr) continue;
    for (const WorldObject& object : objects_of(channel->newest->message)) {
      const bool is_known = std::ranges::any_of(telemetry_.objects, [&](const WorldObject& known) {
        return text_of(known.name) == text_of(object.name);
      });
      if (!is_known) telemetry_.objects.push_back(object);
    }
  }
}

void TelemetrySource::reopen() {
  wall_ahead_ns_.reset();
  told_ = {};
  seen_ = {};
}

const viewers::Telemetry& TelemetrySource::look(const cli::RobotLink& link, std::int64_t wall_ns) {
  const cli::RobotSnapshot& now = link.now();
  const std::size_t count = link.model().positions.size();
  if (!wall_ahead_ns_) wall_ahead_ns_ = wall_ns - now.state.stamp_ns;
  telemetry_.stamp_ns = now.state.stamp_ns + *wall_ahead_ns_;
  telemetry_.number += 1;
  telemetry_.position = numbers(now.state.position, count);
  telemetry_.velocity = numbers(now.state.velocity, count);
  telemetry_.reference = numbers(now.processed.position, count);
  telemetry_.links = link_tree(link.model(), telemetry_.position);
  telemetry_.safety = safety_note(link);
  telemetry_.motion = motion_note(link.motion_state());
  look_at_world(link);
  return telemetry_;
}

}  // namespace sinew
