// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/kinematics/torque_check.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include <fmt/format.h>

#include "sinew/base/split_mix.h"
#include "sinew/base/text.h"

namespace sinew {
namespace {

constexpr std::size_t kDrawnRuns = 30'000;  // of the inverse dynamics, shared by the postures of all joints
constexpr std::size_t kFewestPostures = 300;
constexpr double kFirstStep = 0.25;  // of a joint's range, when climbing
constexpr double kLastStep = 0.002;

/// Where a position is looked for.
struct Range {
  double lower = 0.0;
  double upper = 0.0;
};

Range range_of(const Joint& joint) {
  const JointLimits& limits = joint.limits;
  if (std::isfinite(limits.lower) && std::isfinite(limits.upper)) return {limits.lower, limits.upper};
  if (joint.kind == JointKind::Prismatic) return {};
  return {-std::numbers::pi, std::numbers::pi};
}

double finite_or_zero(double limit) {
  return std::isfinite(limit) ? limit : 0.0;
}

/// What of a joint's need is asked for.
enum class Need { Holding, Alone, Together };

class TorqueSearch {
 public:
  TorqueSearch(const RobotModel& model, const TorqueCheckOptions& options)
      : model_(model),
        dynamics_(model, options.gravity),
        is_static_(options.is_static),
        random_(options.seed),
        count_(model.positions.size()),
        speed_(count_),
        unit_(count_),
        effort_(count_),
        column_(count_) {
    if (options.payload) {
      const Payload& load = *options.payload;
      dynamics_.set_payload(load.link, load.mass, load.p_LC);
    }
    for (const std::size_t j : model.positions) ranges_.push_back(range_of(model.joints[j]));
    find_relatives();
  }

  JointTorque look_at(std::size_t position) {
    const JointLimits& limits = joint(position).limits;
    JointTorque found{.position = position, .available = limits.effort};
    found.holding = worst_of(Need::Holding, position, &found.worst);
    if (is_static_) return found;
    found.alone = worst_of(Need::Alone, position);
    found.together = worst_of(Need::Together, position);
    found.acceleration = std::max(0.0, -worst_of_acceleration(position));
    return found;
  }

 private:
  using Posture = std::vector<double>;
  using Measure = std::function<double(const Posture&)>;

  const Joint& joint(std::size_t position) const { return model_.joints[model_.positions[position]]; }

  // the positions that change what a joint has to bear: those before it and behind it in the tree
  void find_relatives() {
    relatives_.resize(count_);
    for (std::size_t j = 0; j < model_.joints.size(); ++j) {
      const std::size_t own = position_of(j);
      if (own == kNone) continue;
      for (std::size_t up = model_.links[model_.joints[j].parent_link].parent_joint; up != kNone;
           up = model_.links[model_.joints[up].parent_link].parent_joint) {
        const std::size_t other = position_of(up);
        if (other == kNone || other == own) continue;
        relatives_[own].push_back(other);
        relatives_[other].push_back(own);
      }
      relatives_[own].push_back(own);
    }
    for (std::vector<std::size_t>& each : relatives_) {
      std::ranges::sort(each);
      each.erase(std::unique(each.begin(), each.end()), each.end());
    }
  }

  std::size_t position_of(std::size_t j) const {
    const Joint& joint = model_.joints[j];
    return joint.mimic ? model_.joints[joint.mimic->joint].position : joint.position;
  }

  double worst_of(Need need, std::size_t position, Posture* where = nullptr) {
    return climb(
        position, [&](const Posture& q) { return measure(need, q, position); }, where);
  }

  // the least is the worst
  double worst_of_acceleration(std::size_t position) {
    return climb(position, [&](const Posture& q) {
      const JointLimits& limits = joint(position).limits;
      const double need = measure(Need::Alone, q, position);
      const double inertia = inertia_;
      const double without = need - inertia * finite_or_zero(limits.acceleration);
      return -(kPlannedEffort * limits.effort - without) / std::max(inertia, 1e-9);
    });
  }

  double climb(std::size_t position, const Measure& badness, Posture* where = nullptr) {
    const std::vector<std::size_t>& moved = relatives_[position];
    const std::size_t postures = std::max(kFewestPostures, kDrawnRuns / (count_ * count_));
    Posture worst = drawn();
    double most = badness(worst);
    for (std::size_t i = 1; i < postures; ++i) {
      Posture q = drawn();
      const double bad = badness(q);
      if (bad > most) {
        most = bad;
        worst = std::move(q);
      }
    }
    for (double step = kFirstStep; step >= kLastStep; step *= 0.5)
      while (climb_once(moved, step, badness, worst, most)) {
      }
    if (where != nullptr) *where = worst;
    return most;
  }

  bool climb_once(const std::vector<std::size_t>& moved, double step, const Measure& badness, Posture& worst,
                  double& most) const {
    // what rounding makes of it is no progress
    constexpr double kProgress = 1e-6;
    bool is_higher = false;
    for (const std::size_t i : moved) {
      const Range& range = ranges_[i];
      for (const double side : {-1.0, 1.0}) {
        const double before = worst[i];
        worst[i] = std::clamp(before + side * step * (range.upper - range.lower), range.lower, range.upper);
        const double bad = badness(worst);
        if (bad > most + kProgress * std::abs(most)) {
          most = bad;
          is_higher = true;
        } else {
          worst[i] = before;
        }
      }
    }
    return is_higher;
  }

  Posture drawn() {
    Posture q;
    for (const Range& range : ranges_) q.push_back(random_.between(range.lower, range.upper));
    return q;
  }

  double measure(Need need, const Posture& q, std::size_t i) {
    const Joint& own = joint(i);
    const double speed = need == Need::Alone ? finite_or_zero(own.limits.velocity) : 0.0;
    std::ranges::fill(speed_, 0.0);
    speed_[i] = speed;
    dynamics_.compute({.q = q, .v = speed_, .a = {}}, effort_);
    const double needed = std::abs(effort_[i]) + own.friction + own.damping * speed;
    if (need == Need::Holding) return needed;
    std::ranges::fill(unit_, 0.0);
    unit_[i] = 1.0;
    dynamics_.compute_inertial({.q = q, .v = {}, .a = unit_}, column_);
    inertia_ = column_[i];
    if (need == Need::Alone) return needed + inertia_ * finite_or_zero(own.limits.acceleration);
    double sum = needed;
    for (std::size_t k = 0; k < count_; ++k)
      if (joint(k).is_enabled) sum += std::abs(column_[k]) * finite_or_zero(joint(k).limits.acceleration);
    return sum;
  }

  const RobotModel& model_;
  InverseDynamics dynamics_;
  bool is_static_;
  SplitMix random_;
  std::size_t count_;
  std::vector<Range> ranges_;
  std::vector<std::vector<std::size_t>> relatives_;
  std::vector<double> speed_;
  std::vector<double> unit_;
  std::vector<double> effort_;
  std::vector<double> column_;  ///< Of the inertia matrix.
  double inertia_ = 0.0;        ///< Of the joint last measured, in its posture.
};

bool is_moved(const RobotModel& model, std::size_t link) {
  for (std::size_t up = model.links[link].parent_joint; up != kNone;
       up = model.links[model.joints[up].parent_link].parent_joint)
    if (model.joints[up].kind != JointKind::Fixed) return true;
  return false;
}

std::string effort_text(const Joint& joint, double effort) {
  return fmt::format("{:.3g} {}", effort, joint.kind == JointKind::Prismatic ? "N" : "N·m");
}

std::string acceleration_text(const Joint& joint, double acceleration) {
  if (joint.kind == JointKind::Prismatic) return fmt::format("{:.3g} m/s²", acceleration);
  return fmt::format("{:.3g} deg/s²", acceleration * 180.0 / std::numbers::pi);
}

std::string posture_text(const RobotModel& model, const std::vector<double>& q) {
  // of many joints it would be no help
  constexpr std::size_t kMostShown = 8;
  if (q.size() > kMostShown) return {};
  std::string text = ", worst at";
  for (std::size_t i = 0; i < q.size(); ++i) {
    const bool slides = model.joints[model.positions[i]].kind == JointKind::Prismatic;
    text += " " + (slides ? length_text(q[i]) : angle_text(q[i]));
  }
  return text;
}

bool cannot_hold(const JointTorque& torque) {
  return torque.holding > torque.available;
}

std::optional<TorqueRemark> remark_on(const RobotModel& model, const JointTorque& torque) {
  const Joint& joint = model.joints[model.positions[torque.position]];
  const std::string has = effort_text(joint, torque.available);
  if (cannot_hold(torque))
    return TorqueRemark{
        .cannot_hold = true,
        .what = fmt::format("'{}' needs {} to hold the robot and has {}{}", joint.name,
                            effort_text(joint, torque.holding), has, posture_text(model, torque.worst)),
        .remedy = "correct its effort, the masses, or its range"};
  if (torque.alone > torque.available)
    return TorqueRemark{
        .what = fmt::format("'{}' needs {} at its limits of speed and acceleration and has {}", joint.name,
                            effort_text(joint, torque.alone), has),
        .remedy = fmt::format("at full speed it can reach {}: lower its acceleration",
                              acceleration_text(joint, torque.acceleration))};
  if (torque.together > torque.available)
    return TorqueRemark{.what = fmt::format("'{}' needs {} when all joints accelerate at once, and has {}",
                                            joint.name, effort_text(joint, torque.together), has),
                        .remedy = "lower the accelerations, or correct its effort"};
  return std::nullopt;
}

}  // namespace

bool is_effort_known(const JointLimits& limits) {
  return limits.effort > 0.0 && std::isfinite(limits.effort);
}

std::vector<std::string> unweighed_links(const RobotModel& model) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < model.links.size(); ++i) {
    const Link& link = model.links[i];
    const bool has_shape = !link.collisions.empty() || !link.visuals.empty();
    if (has_shape && (!link.inertia || link.inertia->mass <= 0.0) && is_moved(model, i))
      names.push_back(link.name);
  }
  return names;
}

TorqueCheck check_torques(const RobotModel& model, const TorqueCheckOptions& options) {
  TorqueCheck check{.joints = {}, .unweighed = unweighed_links(model), .motorless = {}};
  TorqueSearch search(model, options);
  for (std::size_t i = 0; i < model.positions.size(); ++i) {
    const Joint& joint = model.joints[model.positions[i]];
    if (!joint.is_enabled) continue;
    if (!is_effort_known(joint.limits))
      check.motorless.push_back(i);
    else if (check.unweighed.empty())
      check.joints.push_back(search.look_at(i));
  }
  return check;
}

std::vector<TorqueRemark> torque_remarks(const RobotModel& model, const TorqueCheck& check) {
  std::vector<TorqueRemark> remarks;
  if (!check.unweighed.empty())
    remarks.push_back({.what = fmt::format("torque is not checked: no mass is given of {}",
                                           fmt::join(check.unweighed, ", ")),
                       .remedy = "give them <inertial>"});
  std::vector<std::string> names;
  for (const std::size_t i : check.motorless) names.push_back(model.joints[model.positions[i]].name);
  if (!names.empty())
    remarks.push_back(
        {.what = fmt::format("torque is not checked of {}: no effort is given", fmt::join(names, ", ")),
         .remedy = "write effort=… into <limit>, or under limits: in robot.yaml"});
  for (const JointTorque& torque : check.joints)
    if (auto remark = remark_on(model, torque)) remarks.push_back(*std::move(remark));
  return remarks;
}

Payload payload_at_tip(const RobotModel& model, std::size_t arm, double mass) {
  const Arm& carrier = model.arms[arm];
  if (carrier.tools.empty()) return {.link = carrier.tip_link, .mass = mass};
  const ToolFrame& tool = carrier.tools.front();
  return {.link = tool.link, .mass = mass, .p_LC = tool.X_LT.position};
}

Payload payload_at_flange(const SerialChain& flange, const RobotModel& model, double mass,
                          const Vector3& p_FC) {
  const JointVector q = flange.middle();
  std::vector<Pose> X_BJ(flange.joint_count());
  const Pose X_BF = flange.joint_poses({q.data(), flange.size()}, X_BJ);
  const std::size_t last = flange.moving_joint(flange.joint_count() - 1);
  return {.link = model.joints[last].child_link, .mass = mass, .p_LC = inverse(X_BJ.back()) * (X_BF * p_FC)};
}

std::string too_heavy_sentence(const RobotModel& model, const Payload& payload) {
  const TorqueCheck with = check_torques(model, {.payload = payload, .is_static = true});
  if (std::ranges::none_of(with.joints, cannot_hold)) return {};
  const TorqueCheck without = check_torques(model, {.is_static = true});
  for (std::size_t i = 0; i < with.joints.size(); ++i) {
    const JointTorque& torque = with.joints[i];
    const Joint& joint = model.joints[model.positions[torque.position]];
    if (cannot_hold(torque) && !cannot_hold(without.joints[i]))
      return fmt::format("'{}' needs {} to hold it and has {}{}", joint.name,
                         effort_text(joint, torque.holding), effort_text(joint, torque.available),
                         posture_text(model, torque.worst));
  }
  return {};
}

}  // namespace sinew
