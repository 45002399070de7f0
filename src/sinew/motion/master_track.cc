// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/motion/master_track.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/time.h"

namespace sinew {
namespace {

constexpr double kTrackRate = 50.0;                          // [1/s] of the filter: 8 Hz
constexpr double kLongestGap = 0.1;                          // [s] between samples
constexpr double kJump = 0.05;                               // [rad, m] beyond twice what the joint can do
constexpr std::int64_t kFurthest_ns = 20 * kMillisecond_ns;  // beyond the last sample

}  // namespace

MasterTrack::MasterTrack(const RobotModel& model) : model_(model) {
  for (const std::size_t joint : model.positions) {
    const double velocity = model.joints[joint].limits.velocity;
    fastest_.push_back(std::isfinite(velocity) ? velocity : 1.0);
  }
}

bool MasterTrack::is_sound(const JointState& state) const {
  if (state.joint_count != model_.positions.size() || state.stamp_ns <= 0) return false;
  // false for NaN
  return std::all_of(state.position.begin(), state.position.begin() + state.joint_count,
                     [](double position) { return is_usable(position); });
}

void MasterTrack::begin(const JointState& state) {
  joints_.assign(state.joint_count, {});
  for (std::size_t i = 0; i < joints_.size(); ++i) joints_[i].position = state.position[i];
}

bool MasterTrack::has_jumped(const JointState& state, double time) const {
  if (!(time > 0.0 && time <= kLongestGap)) return true;
  for (std::size_t i = 0; i < joints_.size(); ++i)
    if (std::abs(state.position[i] - joints_[i].position) > kJump + 2.0 * fastest_[i] * time) return true;
  return false;
}

// A polynomial of second degree with fading memory (critically damped α-β-γ), for any time between samples.
void MasterTrack::add(const JointState& state, double time) {
  const double keep = std::exp(-kTrackRate * time);
  const double forget = 1.0 - keep;
  const double by_position = 1.0 - keep * keep * keep;
  const double by_velocity = 1.5 * forget * forget * (1.0 + keep) / time;
  const double by_acceleration = forget * forget * forget / (time * time);
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    AxisState& joint = joints_[i];
    joint = advance(joint, 0.0, time);
    const double miss = state.position[i] - joint.position;
    joint.position += by_position * miss;
    joint.velocity += by_velocity * miss;
    joint.acceleration += by_acceleration * miss;
  }
}

MasterTrack::News MasterTrack::take(const JointState& state, std::int64_t came_ns) {
  if (!is_sound(state) || (is_known() && state.stamp_ns == stamp_ns_)) return News::None;
  const double time =
      is_known() ? 1e-9 * (static_cast<double>(state.stamp_ns) - static_cast<double>(stamp_ns_)) : 0.0;
  const bool is_anew = !is_known() || has_jumped(state, time);
  stamp_ns_ = state.stamp_ns;
  came_ns_ = came_ns;
  if (is_anew) {
    begin(state);
    return News::Jumped;
  }
  add(state, time);
  return News::Moved;
}

std::vector<AxisState> MasterTrack::at(std::int64_t now_ns, std::int64_t ahead_ns) const {
  const std::int64_t since_ns = std::clamp<std::int64_t>(now_ns - came_ns_, 0, kFurthest_ns);
  const double beyond = 1e-9 * static_cast<double>(since_ns + ahead_ns);
  std::vector<AxisState> joints = joints_;
  for (AxisState& joint : joints) joint = advance(joint, 0.0, beyond);
  return joints;
}

}  // namespace sinew
