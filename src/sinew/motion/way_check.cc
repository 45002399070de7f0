// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/motion/way_check.h"

#include <algorithm>
#include <vector>

#include "sinew/collision/contact_text.h"
#include "sinew/motion/straight_way.h"

namespace sinew {
namespace {

constexpr double kLookEvery = 0.02;  // [s]

void put_on_way(const WayToCheck& way, double time, Posture& q) {
  std::size_t k = 0;
  for (std::size_t i = 0; i < q.size(); ++i)
    if ((way.joint_mask >> i & 1) != 0) q[i] = way.trajectory.at(k++, time).value;
}

/// How far a joint may be off the straight line between two samples: an eighth of its acceleration times the
/// time between them squared.
Posture slack_of(const RobotModel& model, const WayToCheck& way) {
  const std::vector<AxisLimits> limits = limits_of(model, way.joint_mask);
  Posture slack(way.others.size(), 0.0);
  std::size_t k = 0;
  for (std::size_t i = 0; i < slack.size(); ++i)
    if ((way.joint_mask >> i & 1) != 0) slack[i] = limits[k++].acceleration * kLookEvery * kLookEvery / 8.0;
  return slack;
}

}  // namespace

std::optional<WayConflict> first_conflict(const RobotModel& model, RouteFinder& room, const WayToCheck& way) {
  const Posture slack = slack_of(model, way);
  Posture q0(way.others.begin(), way.others.end());
  Posture q1 = q0;
  put_on_way(way, way.from, q0);
  for (double time = way.from; time < way.trajectory.length();) {
    const double next = std::min(time + kLookEvery, way.trajectory.length());
    put_on_way(way, next, q1);
    const CheckResult found = room.sweep_guarded(q0, q1, {.slack = slack, .may_leave = true});
    if (found.verdict == Verdict::TooNear) {
      const Contact& contact = found.contact;
      return WayConflict{.time = time,
                         .words = too_near_sentence({.a = room.name_of(contact.link_a, contact.object_a),
                                                     .b = room.name_of(contact.link_b, contact.object_b),
                                                     .distance = contact.distance,
                                                     .margin = contact.margin})};
    }
    std::swap(q0, q1);
    time = next;
  }
  return std::nullopt;
}

}  // namespace sinew
