// SPDX-License-Identifier: BSD-3-Clause
#include "apps/cli/recorded_motion.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sinew/base/text.h"
#include "sinew/base/time.h"
#include "sinew/messages/joints.h"
#include "sinew/messages/schemas.h"

namespace sinew::cli {
namespace {

constexpr std::string_view kStateEnd = "/state";

// The channels of a robot that are read, by what they carry; a channel may have several numbers.
struct Ids {
  std::set<std::uint16_t> state;
  std::set<std::uint16_t> processed;
  std::set<std::uint16_t> safety;

  std::set<std::uint16_t> all() const {
    std::set<std::uint16_t> ids = state;
    ids.insert(processed.begin(), processed.end());
    ids.insert(safety.begin(), safety.end());
    return ids;
  }
};

template <class Message>
bool carries(const recording::McapContents& contents, const recording::McapChannel& channel) {
  const auto schema = contents.schemas.find(channel.schema_id);
  return channel.encoding == "sinew" && schema != contents.schemas.end() &&
         schema_hash(schema->second.text) == SchemaOf<Message>::kSchema.hash;
}

// Robots by name: whoever has a state.
std::map<std::string, Ids> robots_in(const recording::McapContents& contents) {
  std::map<std::string, Ids> robots;
  for (const auto& [id, channel] : contents.channels) {
    if (!channel.topic.ends_with(kStateEnd) || channel.topic.ends_with("/device/state")) continue;
    if (!carries<JointState>(contents, channel)) continue;
    robots[channel.topic.substr(0, channel.topic.size() - kStateEnd.size())].state.insert(id);
  }
  for (auto& [name, ids] : robots)
    for (const auto& [id, channel] : contents.channels) {
      if (channel.topic == name + "/processed" && carries<JointCommand>(contents, channel))
        ids.processed.insert(id);
      if (channel.topic == name + "/safety" && carries<Safety>(contents, channel)) ids.safety.insert(id);
    }
  return robots;
}

template <class Message>
std::optional<Message> read_as(std::span<const std::byte> bytes) {
  if (bytes.size() < sizeof(Message)) return std::nullopt;
  Message message;
  std::memcpy(&message, bytes.data(), sizeof(message));
  return message;
}

std::vector<double> first_of(const JointArray& values, std::size_t count) {
  const auto end = values.begin() + static_cast<std::ptrdiff_t>(std::min(count, kMaxJoints));
  return {values.begin(), end};
}

template <class Rows>
void keep_every_second(Rows& rows) {
  std::size_t kept = 0;
  for (std::size_t row = 0; row < rows.size(); row += 2, ++kept)
    if (row != kept) rows[kept] = std::move(rows[row]);
  rows.resize(kept);
}

// Puts the messages of one robot, which come by time, into rows.
class MotionGatherer {
 public:
  explicit MotionGatherer(std::size_t most_rows) : most_rows_(std::max<std::size_t>(most_rows, 2)) {}

  void take(const JointState& state) {
    if (motion_.log.seconds.empty()) first_ns_ = state.stamp_ns;
    // a simulation that was begun anew: its clock goes on from where it was
    else if (state.stamp_ns < last_ns_)
      first_ns_ += state.stamp_ns - last_ns_;
    last_ns_ = state.stamp_ns;
    fault_bits_ = state.fault_bits;
    if (count_++ % stride_ == 0) add_row(state);
  }
  void take(const JointCommand& command) { command_ = command; }
  // safety is told again and again: what counts is what has changed
  void take(const Safety& safety) {
    const auto key = std::tuple(safety.state, safety.reason, safety.held_mask, safety.is_overridden);
    if (std::exchange(safety_key_, key) == key || motion_.marks.size() == RecordedMotion::kMostMarks) return;
    // a device that has fallen silent has no newer state, and the controller tells of that all the same
    const std::int64_t told_ns = count_ == 0 ? last_ns_ : std::max(last_ns_, safety.stamp_ns);
    motion_.marks.push_back(
        {.seconds = seconds_since_first(told_ns), .safety = safety, .fault_bits = fault_bits_});
  }

  RecordedMotion& motion() { return motion_; }

 private:
  double seconds_since_first(std::int64_t now_ns) const {
    return seconds_from_nanoseconds(now_ns - first_ns_);
  }

  void add_row(const JointState& state) {
    motion_.log.seconds.push_back(seconds_since_first(last_ns_));
    motion_.log.positions.push_back(first_of(state.position, state.joint_count));
    const std::size_t told = command_ ? state.joint_count : 0;
    motion_.processed.push_back(command_ ? first_of(command_->position, told) : std::vector<double>{});
    motion_.wanted.push_back(command_ ? first_of(command_->wanted, told) : std::vector<double>{});
    if (motion_.log.seconds.size() < most_rows_) return;
    stride_ *= 2;
    keep_every_second(motion_.log.seconds);
    for (auto* rows : {&motion_.log.positions, &motion_.processed, &motion_.wanted}) keep_every_second(*rows);
  }

  std::size_t most_rows_;
  RecordedMotion motion_;
  std::optional<JointCommand> command_;
  using SafetyKey = std::tuple<ControlState, StopReason, std::uint64_t, std::uint32_t>;
  std::optional<SafetyKey> safety_key_;
  std::size_t count_ = 0;
  std::size_t stride_ = 1;
  std::int64_t first_ns_ = 0;
  std::int64_t last_ns_ = 0;
  std::uint32_t fault_bits_ = 0;
};

RecordedMotion gather(const recording::McapReader& reader, const Ids& ids, std::size_t most_rows) {
  MotionGatherer gatherer(most_rows);
  recording::McapMessages messages(reader, ids.all());
  while (const auto message = messages.next()) {
    if (ids.state.contains(message->channel_id)) {
      if (const auto state = read_as<JointState>(message->bytes)) gatherer.take(*state);
    } else if (ids.processed.contains(message->channel_id)) {
      if (const auto command = read_as<JointCommand>(message->bytes)) gatherer.take(*command);
    } else if (const auto safety = read_as<Safety>(message->bytes)) {
      gatherer.take(*safety);
    }
  }
  return std::move(gatherer.motion());
}

}  // namespace

std::vector<std::string> recorded_robots(const recording::McapContents& contents) {
  std::vector<std::string> names;
  for (const auto& [name, ids] : robots_in(contents)) names.push_back(name);
  return names;
}

Result<RecordedMotion> recorded_motion(const recording::McapReader& reader, const std::string& name,
                                       std::size_t most_rows) {
  const auto robots = robots_in(reader.contents());
  const std::vector<std::string> names = recorded_robots(reader.contents());
  if (robots.empty())
    return Error{ErrorCode::NotFound,
                 fmt::format("{} holds the state of no robot (a channel 'NAME/state'): nothing to draw",
                             reader.name())};
  if (name.empty() && robots.size() > 1)
    return Error{ErrorCode::InvalidInput,
                 fmt::format("{} holds several robots: {}; 'sinew lab plot FILE --name NAME' draws one",
                             reader.name(), fmt::join(names, ", "))};
  const auto found = name.empty() ? robots.begin() : robots.find(name);
  if (found == robots.end())
    return Error{ErrorCode::NotFound,
                 fmt::format("{} holds no robot '{}'{}", reader.name(), name, did_you_mean(name, names))};
  RecordedMotion motion = gather(reader, found->second, most_rows);
  motion.name = found->first;
  if (motion.log.positions.empty())
    return Error{ErrorCode::NotFound, fmt::format("{} holds no message of {}/state: nothing to draw",
                                                  reader.name(), found->first)};
  return motion;
}

}  // namespace sinew::cli
