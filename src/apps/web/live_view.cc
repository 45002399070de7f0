// SPDX-License-Identifier: BSD-3-Clause
#include "apps/web/live_view.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <span>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sinew/base/fixed_string.h"
#include "sinew/base/time.h"
#include "sinew/control/safety_text.h"
#include "sinew/model/positions.h"

#include "apps/cli/motion_words.h"
#include "apps/web/json_values.h"

namespace sinew {
namespace {

using Json = nlohmann::ordered_json;

template <std::size_t N>
std::string_view word_in(const std::array<std::string_view, N>& words, std::uint32_t number) {
  return number < N ? words[number] : "unknown";
}

/// Opened when it is there; who writes it may come later.
template <class Message>
Reader<Message>* opened(std::optional<Reader<Message>>& reader, const cli::RobotLink& link,
                        std::string_view channel) {
  if (!reader) {
    auto found = Reader<Message>::open(
        {.name = fmt::format("{}/{}", link.name(), channel), .space = link.space(), .may_create = false});
    if (!found) return nullptr;
    reader = *std::move(found);
  }
  return &*reader;
}

Json numbers_json(const JointArray& values, std::size_t count) {
  Json numbers = Json::array();
  for (std::size_t i = 0; i < count; ++i) numbers.push_back(rounded(values[i]));
  return numbers;
}

Json text_or_null(std::string_view text) {
  return text.empty() ? Json(nullptr) : Json(text);
}

// A device without a bus says zero.
Json load_or_null(const Health& health) {
  return health.bus_load > 0.0 ? Json(rounded(health.bus_load)) : Json(nullptr);
}

Json ports_json(const std::vector<IoPort>& ports, std::uint64_t mask, std::uint64_t values,
                std::uint32_t analog_mask, std::span<const double> analog) {
  Json all = Json::object();
  for (const IoPort& port : ports) {
    const bool is_known =
        port.is_analog ? (analog_mask >> port.number & 1U) != 0 : (mask >> port.number & 1U) != 0;
    if (!is_known) continue;
    all[port.name] =
        port.is_analog ? Json(rounded(analog[port.number])) : Json((values >> port.number & 1U) != 0);
  }
  return all;
}

bool take_fresh(Reader<World>* reader, std::unique_ptr<Frame<World>>& kept) {
  if (reader == nullptr) return false;
  auto frame = std::make_unique<Frame<World>>();
  if (reader->read_fresh(*frame) != SINEW_OK) return false;
  kept = std::move(frame);
  return true;
}

std::string name_of(const WorldObject& object) {
  return std::string(text_of(object.name));
}

Json place_json(const WorldObject& object) {
  return {{"p", vector_json(object.position)},
          {"q", {rounded(object.qw), rounded(object.qx), rounded(object.qy), rounded(object.qz)}}};
}

Json object_json(const WorldObject& object, std::string_view source) {
  constexpr std::array<std::string_view, 6> kKinds{"box",   "sphere", "cylinder",
                                                   "plane", "mesh",   "height_field"};
  Json json{{"name", name_of(object)},
            {"kind", word_in(kKinds, static_cast<std::uint32_t>(object.kind))},
            {"source", source},
            {"link", object.attached != 0 ? Json(text_of(object.link)) : Json(nullptr)}};
  json.update(place_json(object));
  json["size"] = vector_json(object.size);
  json["margin"] = object.margin;
  return json;
}

}  // namespace

std::string_view word_of(JogPhase phase) {
  constexpr std::array<std::string_view, 5> kWords{"idle", "moving", "slowed", "stopped", "refused"};
  return word_in(kWords, static_cast<std::uint32_t>(phase));
}

std::string_view word_of(JogReason reason) {
  constexpr std::array<std::string_view, 11> kWords{"none",        "silent",    "joint limit", "speed limit",
                                                    "singularity", "collision", "interrupted", "busy",
                                                    "not allowed", "bad wish",  "not ready"};
  return word_in(kWords, static_cast<std::uint32_t>(reason));
}

std::string_view word_of(ProgramPhase phase) {
  constexpr std::array<std::string_view, 7> kWords{"none",    "running", "paused", "at breakpoint",
                                                   "stepped", "ended",   "failed"};
  return word_in(kWords, static_cast<std::uint32_t>(phase));
}

Json LiveView::frame() {
  look_at_world();
  const cli::RobotSnapshot& now = link_.now();
  const std::size_t count = link_.model().positions.size();
  Json json{{"op", "live"},
            {"t", seconds_from_nanoseconds(now.state.stamp_ns)},
            {"q", numbers_json(now.state.position, count)},
            {"r", numbers_json(now.processed.position, count)},
            {"tools", tools_json()},
            {"safety", safety_json()},
            {"motion", motion_json()},
            {"jog", jog_json()},
            {"near", nearest_json()},
            {"io", io_json()},
            {"grippers", grippers_json()},
            {"objects", seen_json()},
            {"world", world_number_}};
  if (now.health)
    json["health"] = {{"busy_p99_us", static_cast<double>(now.health->busy_p99_ns) * 1e-3},
                      {"wake_p99_us", static_cast<double>(now.health->wake_p99_ns) * 1e-3},
                      {"cycles", now.health->cycles},
                      {"late_cycles", now.health->late_cycles},
                      {"refusals", now.health->refusals},
                      {"bus_load", load_or_null(*now.health)},
                      {"is_realtime", now.health->is_realtime != 0}};
  return json;
}

Json LiveView::tools_json() const {
  Json tools = Json::object();
  for (const RobotSight::ArmNow& arm :
       sight_.arms({link_.now().state.position.data(), link_.model().positions.size()})) {
    Json tool = pose_json(arm.X_BT);
    tool["tool"] = arm.tool;
    tool["singular"] = rounded(arm.smallest_singular_value);
    tools[std::string(arm.name)] = std::move(tool);
  }
  return tools;
}

Json LiveView::safety_json() const {
  const Safety& safety = link_.now().safety;
  const RobotModel& model = link_.model();
  Json held = Json::array();
  for (std::size_t i = 0; i < model.positions.size(); ++i)
    if ((safety.held_mask >> i & 1U) != 0) held.push_back(model.joints[model.positions[i]].name);
  Json json{
      {"state", state_text(safety.state)},
      {"reason", reason_text(safety.reason)},
      {"text", safety_text(safety, &model, link_.now().state.fault_bits)},
      {"who", text_or_null(text_of(safety.who))},
      {"since", seconds_from_nanoseconds(safety.since_ns)},
      {"held", std::move(held)},
      {"is_overridden", safety.is_overridden != 0},
      {"recording", text_or_null(std::filesystem::path(text_of(safety.recording)).filename().string())}};
  if (!text_of(safety.link_a).empty()) {
    json["link_a"] = text_of(safety.link_a);
    json["link_b"] = text_of(safety.link_b);
    json["distance"] = rounded(safety.distance);
    json["margin"] = rounded(safety.margin);
    json["point_a"] = vector_json(safety.point_a);
    json["point_b"] = vector_json(safety.point_b);
  }
  return json;
}

Json LiveView::motion_json() const {
  const auto motion = link_.motion_state();
  if (!motion) return nullptr;
  const std::filesystem::path program = std::string(text_of(motion->program));
  return {{"phase", cli::phase_word(motion->phase)},
          {"request", motion->request},
          {"progress", rounded(motion->progress)},
          {"remaining", rounded(motion->remaining)},
          {"override", rounded(motion->override_share)},
          {"queue_length", motion->queue_length},
          {"owner", text_or_null(text_of(motion->owner))},
          {"program",
           {{"name", text_or_null(program.filename().string())},
            {"phase", word_of(motion->program_phase)},
            {"line", motion->program_line},
            {"request", motion->program_request},
            {"message", text_or_null(text_of(motion->program_message))}}}};
}

Json LiveView::jog_json() {
  Frame<JogState> jog;
  Reader<JogState>* reader = opened(jogging_, link_, "jogging");
  if (reader == nullptr || reader->read_newest(jog) != SINEW_OK) return nullptr;
  return {{"phase", word_of(jog.message.phase)}, {"reason", word_of(jog.message.reason)},
          {"share", rounded(jog.message.share)}, {"who", text_or_null(text_of(jog.message.who))},
          {"wish", jog.message.wish_ns},         {"words", text_of(jog.message.words)}};
}

Json LiveView::nearest_json() {
  const auto near = sight_.nearest({link_.now().state.position.data(), link_.model().positions.size()});
  if (!near) return nullptr;
  return {{"a", near->a},
          {"b", near->b},
          {"distance", rounded(near->contact.distance)},
          {"margin", rounded(near->contact.margin)},
          {"point_a", vector_json(near->contact.point_a)},
          {"point_b", vector_json(near->contact.point_b)}};
}

Json LiveView::io_json() {
  Frame<IoState> io;
  Reader<IoState>* reader = opened(io_, link_, "io");
  if (reader == nullptr || reader->read_newest(io) != SINEW_OK) return nullptr;
  const RobotModel& model = link_.model();
  const IoState& now = io.message;
  return {{"inputs",
           ports_json(model.inputs, now.input_mask, now.inputs, now.analog_input_mask, now.analog_inputs)},
          {"outputs", ports_json(model.outputs, now.output_mask, now.outputs, now.analog_output_mask,
                                 now.analog_outputs)}};
}

Json LiveView::grippers_json() const {
  Json grippers = Json::object();
  for (const Gripper& gripper : link_.model().grippers) {
    if (gripper.joints.empty()) continue;
    const GripperJoint& joint = gripper.joints.front();
    grippers[gripper.name] =
        rounded(gripper_width(gripper, joint, link_.now().state.position[joint.position]));
  }
  return grippers;
}

void LiveView::look_at_world() {
  if (take_fresh(opened(world_reader_, link_, "world"), told_)) {
    ++world_number_;
    // what cannot be understood stops the robot, and is told by its safety
    static_cast<void>(sight_.look_at(told_->message));
  }
  const std::uint32_t seen_before = seen_ != nullptr ? seen_->message.object_count : 0;
  take_fresh(opened(truth_reader_, link_, "world_truth"), seen_);
  if (seen_ != nullptr && seen_->message.object_count != seen_before) ++world_number_;
}

// Where things are that a simulated world moves.
Json LiveView::seen_json() const {
  Json places = Json::object();
  if (seen_ == nullptr) return places;
  for (const WorldObject& object : objects_of(seen_->message)) places[name_of(object)] = place_json(object);
  return places;
}

Json LiveView::world_json() const {
  Json objects = Json::array();
  const std::span<const WorldObject> seen =
      seen_ != nullptr ? objects_of(seen_->message) : std::span<const WorldObject>{};
  for (const WorldObject& object : seen) objects.push_back(object_json(object, "seen"));
  if (told_ == nullptr) return objects;
  for (const WorldObject& object : objects_of(told_->message)) {
    const bool is_seen =
        std::ranges::any_of(seen, [&](const WorldObject& o) { return name_of(o) == name_of(object); });
    if (!is_seen) objects.push_back(object_json(object, "told"));
  }
  return objects;
}

}  // namespace sinew
