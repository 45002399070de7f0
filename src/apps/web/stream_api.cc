// SPDX-License-Identifier: BSD-3-Clause
#include "apps/web/stream_api.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "sinew/base/time.h"

#include "apps/web/api_needs.h"
#include "apps/web/control_bridge.h"
#include "apps/web/json_values.h"

namespace sinew {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t kBetweenRows_ns = 10 * kMillisecond_ns;
constexpr std::int64_t kNothingRecorded_ns = 100 * kMillisecond_ns;
constexpr double kTolerance = 0.0175;  // [rad, m] between a stream and the points of its program: 1 degree

// What a list says of a stream.
Json facts_json(const Stream& stream) {
  return {{"name", stream.name},
          {"by", stream.by},
          {"recorded", stream.recorded_s},
          {"seconds", rounded(length_of(stream))},
          {"whole", rounded(seconds_of(stream.rows.size()))},
          {"from", rounded(Stream::kPeriod * static_cast<double>(stream.first))},
          {"to", rounded(Stream::kPeriod * static_cast<double>(stream.last))},
          {"joints", stream.joints}};
}

// The joints whose motors are in use: what is recorded.
std::vector<std::size_t> recorded_positions(const RobotModel& model) {
  std::vector<std::size_t> positions;
  for (std::size_t i = 0; i < model.positions.size(); ++i)
    if (model.joints[model.positions[i]].is_enabled) positions.push_back(i);
  return positions;
}

// Where the drives send the robot, which is smooth and is where a hand leads it, too; where they are off,
// what is measured.
std::vector<double> where_now(const cli::RobotLink& link) {
  const cli::RobotSnapshot& now = link.now();
  const JointArray& all = now.processed.is_enabled != 0 ? now.processed.position : now.state.position;
  std::vector<double> q;
  for (const std::size_t position : recorded_positions(link.model())) q.push_back(all[position]);
  return q;
}

Result<std::size_t> row_at(const Json& body, const std::string& key, std::size_t otherwise,
                           std::size_t last) {
  const auto seconds = number_at(body, key, 0.0, 1e6, Stream::kPeriod * static_cast<double>(otherwise));
  if (!seconds) return seconds.error();
  return std::min(last, static_cast<std::size_t>(std::lround(*seconds / Stream::kPeriod)));
}

}  // namespace

void StreamApi::list(const ApiCall& call) const {
  Json streams = Json::array();
  for (const auto& stream : parts_.streams.streams()) streams.push_back(facts_json(*stream));
  Json recording = nullptr;
  if (recorder_.is_recording())
    recording = {{"name", recorder_.stream().name},
                 {"by", recorder_.stream().by},
                 {"seconds", rounded(seconds_of(recorder_.stream().rows.size()))},
                 {"most", rounded(seconds_of(most_rows_of(recorder_.stream().joints.size())))}};
  call.reply(200, {{"streams", std::move(streams)},
                   {"recording", std::move(recording)},
                   {"undo", parts_.streams.undo_count()},
                   {"redo", parts_.streams.redo_count()}});
}

void StreamApi::finish(const ApiCall& call, const Status& status) const {
  status ? list(call) : call.refuse(status.error());
}

void StreamApi::read(const ApiCall& call) const {
  const auto stream = parts_.streams.find(call.names[0]);
  if (!stream) return call.refuse(stream.error());
  Json json = facts_json(**stream);
  json["period"] = Stream::kPeriod;
  Json rows = Json::array();
  for (const std::vector<double>& row : (*stream)->rows) {
    Json& numbers = rows.emplace_back(Json::array());
    for (const double value : row) numbers.push_back(rounded(value));
  }
  json["positions"] = std::move(rows);
  call.reply(200, json);
}

void StreamApi::record(const ApiCall& call) {
  if (recorder_.is_recording())
    return call.refuse(409, fmt::format("'{}' is being recorded already", recorder_.stream().name));
  const auto name = text_at(call.body, "name");
  if (!name) return call.refuse(name.error());
  if (Status valid = parts_.streams.check_new(*name); !valid) return call.refuse(valid.error());
  const auto robot = parts_.robot.robot();
  if (!robot) return call.refuse(503, robot.error().message);
  const RobotModel& model = (*robot)->link.model();
  Stream about{
      .name = *name, .by = call.who.user, .recorded_s = wall_now_ns() / kSecond_ns, .joints = {}, .rows = {}};
  for (const std::size_t position : recorded_positions(model))
    about.joints.push_back(model.joints[model.positions[position]].name);
  recorder_.begin(std::move(about));
  ++begun_;
  look();
  list(call);
}

void StreamApi::end(const ApiCall& call) {
  const auto keeps = truth_at(call.body, "keep", true);
  if (!keeps) return call.refuse(keeps.error());
  if (!recorder_.is_recording()) return call.refuse(409, "nothing is being recorded");
  look();
  // it may have become full with that, and is kept already
  if (!recorder_.is_recording()) return list(call);
  ++begun_;
  Stream stream = recorder_.end();
  if (!*keeps) return list(call);
  if (stream.rows.size() < Stream::kLeastRows)
    return call.refuse(422, fmt::format("'{}' is too short to be kept", stream.name));
  finish(call, parts_.streams.add(std::move(stream)));
}

std::int64_t StreamApi::look() {
  if (!recorder_.is_recording()) return kNothingRecorded_ns;
  const auto robot = parts_.robot.robot();
  if (robot) recorder_.take((*robot)->link.now().state.stamp_ns, where_now((*robot)->link));
  if (recorder_.is_recording() && !recorder_.is_full()) return kBetweenRows_ns;
  // no more fits, or the robot was started anew: what there is, is kept
  ++begun_;
  Stream stream = recorder_.end();
  if (const Status kept = parts_.streams.add(std::move(stream)); !kept)
    fmt::print(stderr, "web: {}\n", kept.error().message);
  return kNothingRecorded_ns;
}

// Where it begins and ends, and what it is called; all of it is kept.
void StreamApi::change(const ApiCall& call) {
  const auto known = parts_.streams.find(call.names[0]);
  if (!known) return call.refuse(known.error());
  Stream stream = **known;
  const std::size_t end = stream.rows.size() - 1;
  const auto name = text_at(call.body, "name", stream.name);
  const auto first = row_at(call.body, "from", stream.first, end);
  const auto last = row_at(call.body, "to", stream.last, end);
  if (!name) return call.refuse(name.error());
  if (!first) return call.refuse(first.error());
  if (!last) return call.refuse(last.error());
  stream.name = *name;
  stream.first = *first;
  stream.last = *last;
  finish(call, parts_.streams.change(call.names[0], std::move(stream)));
}

void StreamApi::run(const ApiCall& call) {
  const auto stream = parts_.streams.find(call.names[0]);
  if (!stream) return call.refuse(stream.error());
  const auto robot = parts_.robot.robot();
  if (!robot) return call.refuse(503, robot.error().message);
  // to find a pace within the limits takes a while
  const auto work = [this, call, stream = *stream, model = (*robot)->link.model()]() -> Background::Delivery {
    return [this, call, replay = replay_of(*stream, model)] {
      replay ? begin_replay(call, *replay) : call.refuse(replay.error());
    };
  };
  const auto dropped = [call] { call.refuse(409, "asked again meanwhile"); };
  if (!parts_.background.start(fmt::format("replay {}", call.who.user), work, dropped))
    call.refuse(503, "too much is being looked at");
}

// To its begin as any move goes, by the way that is free, then along it.
void StreamApi::begin_replay(const ApiCall& asked, const StreamReplay& replay) {
  ApiCall call = asked;
  call.now_ns = monotonic_now_ns();
  const auto speed = number_at(call.body, "speed", 0.001, 1.0, 0.3);
  if (!speed) return call.refuse(speed.error());
  const Request approach{.verb = RequestVerb::MoveJoints,
                         .speed = *speed,
                         .joint_mask = replay.joint_mask,
                         .joints = replay.begin};
  if (replay.points.points.empty()) return parts_.motion.ask(call, approach);
  const std::string who = ControlBridge::name_of(call.who.user);
  // a number that no earlier process of this name has used
  trajectories_ = std::max<std::uint64_t>(trajectories_ + 1, static_cast<std::uint64_t>(wall_now_ns()));
  const Status put = parts_.robot.put_trajectory(parts_of(replay.points, who, trajectories_));
  if (!put) return call.refuse(503, put.error().message);
  parts_.motion.ask(call, {.verb = RequestVerb::Trajectory, .number = trajectories_}, approach);
}

void StreamApi::make_program(const ApiCall& call) {
  const auto stream = parts_.streams.find(call.names[0]);
  if (!stream) return call.refuse(stream.error());
  const auto name = text_at(call.body, "program", (*stream)->name + ".prog");
  if (!name) return call.refuse(name.error());
  const auto tolerance = number_at(call.body, "tolerance", 1e-4, 0.5, kTolerance);
  if (!tolerance) return call.refuse(tolerance.error());
  const auto robot = parts_.robot.robot();
  if (!robot) return call.refuse(503, robot.error().message);
  const auto program = program_of(**stream, (*robot)->link.model(), *tolerance);
  if (!program) return call.refuse(program.error());
  if (Status written = parts_.programs.write(*name, program->text); !written)
    return call.refuse(written.error());
  call.reply(200, {{"program", *name}, {"points", program->points}});
}

ApiRow StreamApi::turn(std::string_view path, Status (StreamStore::*way)()) {
  return {"POST", path, needs::kTeach,
          [this, way](const ApiCall& call) { finish(call, (parts_.streams.*way)()); }};
}

std::vector<ApiRow> StreamApi::rows() {
  using needs::kMove;
  using needs::kTeach;
  using needs::kWatch;
  return {
      {"GET", "/api/streams", kWatch, [this](const ApiCall& call) { list(call); }},
      {"POST", "/api/streams/record", kTeach, [this](const ApiCall& call) { record(call); }},
      {"POST", "/api/streams/end", kTeach, [this](const ApiCall& call) { end(call); }},
      turn("/api/streams/undo", &StreamStore::undo),
      turn("/api/streams/redo", &StreamStore::redo),
      {"GET", "/api/streams/{name}", kWatch, [this](const ApiCall& call) { read(call); }},
      {"PUT", "/api/streams/{name}", kTeach, [this](const ApiCall& call) { change(call); }},
      {"DELETE", "/api/streams/{name}", kTeach,
       [this](const ApiCall& call) { finish(call, parts_.streams.remove(call.names[0])); }},
      {"POST", "/api/streams/{name}/run", kMove, [this](const ApiCall& call) { run(call); }},
      {"POST", "/api/streams/{name}/program", kTeach, [this](const ApiCall& call) { make_program(call); }}};
}

}  // namespace sinew
