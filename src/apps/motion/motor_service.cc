// SPDX-License-Identifier: BSD-3-Clause
#include "apps/motion/motor_service.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sinew/base/fixed_string.h"
#include "sinew/model/actuation.h"

namespace sinew {
namespace {

constexpr double kNoMove = 1e-12;  // [rad, m]

bool is_about_motors(RequestVerb verb) {
  return verb >= RequestVerb::MotorMove && verb <= RequestVerb::MotorSwitch;
}

bool is_whole(double value, double lowest, double highest) {
  return value >= lowest && value <= highest && std::nearbyint(value) == value;
}

// "8" of "motor_8"
std::string_view digits_of(std::string_view name) {
  std::size_t begin = name.size();
  while (begin > 0 && name[begin - 1] >= '0' && name[begin - 1] <= '9') --begin;
  return name.substr(begin);
}

// The share of its limits that a speed of the box stands for.
double share_of(unsigned speed) {
  return speed == 0 ? 1.0 : static_cast<double>(speed) / 10.0;
}

}  // namespace

MotorService::MotorService(const RobotModel& model, MotionService& motion) : model_(model), motion_(motion) {
  const std::size_t count = model.actuation ? model.actuation->names.size() : 0;
  speeds_.assign(count, 0);
  offsets_.assign(count, 0.0);
}

bool MotorService::take_request(std::uint64_t number, const Request& request, std::int64_t now_ns) {
  if (!is_about_motors(request.verb)) return false;
  Reply reply{.stamp_ns = now_ns, .request = number, .status = ReplyStatus::Done};
  const auto refuse = [&](const Error& error) {
    reply.status = ReplyStatus::Refused;
    set_text(reply.reason, error.message);
    collected_.push_back(reply);
    return true;
  };
  if (request.verb == RequestVerb::MotorMove) {
    const Status moves = move(number, request, now_ns);
    return moves ? true : refuse(moves.error());
  }
  if (request.verb == RequestVerb::MotorSpeed || request.verb == RequestVerb::MotorOffset) {
    if (const Status done = set(request); !done) return refuse(done.error());
    set_text(reply.reason, "set");
  } else {
    const auto told = tell(request);
    if (!told) return refuse(told.error());
    reply.value = told->value;
    set_text(reply.reason, told->words);
  }
  collected_.push_back(reply);
  return true;
}

const std::vector<Reply>& MotorService::step() {
  output_ = std::exchange(collected_, {});
  return output_;
}

Result<std::size_t> MotorService::motor_of(const Request& request) const {
  if (!model_.actuation)
    return Error{ErrorCode::NotFound, "robot.yaml does not say what the motors count: it has no 'actuation'"};
  const std::vector<std::string>& names = model_.actuation->names;
  const std::string wanted = fmt::format("{}", request.number);
  for (std::size_t i = 0; i < names.size(); ++i)
    if (digits_of(names[i]) == wanted) return i;
  return Error{ErrorCode::NotFound,
               fmt::format("there is no motor {}; there are {}", request.number, fmt::join(names, ", "))};
}

std::vector<double> MotorService::counts() const {
  const Eigen::VectorXd counted = actuator_counts(model_, motion_.robot().measured());
  return {counted.data(), counted.data() + counted.size()};
}

bool MotorService::has_switch(std::size_t motor) const {
  // fingers are homed by closing them
  return std::ranges::none_of(model_.grippers, [&](const Gripper& gripper) {
    return std::ranges::any_of(gripper.joints, [&](const GripperJoint& joint) {
      return model_.actuation->coupling(static_cast<Eigen::Index>(motor),
                                        static_cast<Eigen::Index>(joint.position)) != 0.0;
    });
  });
}

Result<MotorService::Told> MotorService::tell(const Request& request) const {
  if (request.verb == RequestVerb::MotorsComplete) {
    const std::uint64_t all =
        model_.positions.empty() ? 0 : ~std::uint64_t{0} >> (kMaxJoints - model_.positions.size());
    const bool is_done = motion_.moving_mask() == 0 && motion_.robot().rests(all);
    return Told{is_done ? 1.0 : 0.0, is_done ? "all motors have arrived" : "motors turn"};
  }
  const auto motor = motor_of(request);
  if (!motor) return motor.error();
  const double counted = counts()[*motor];
  if (request.verb == RequestVerb::MotorPosition)
    return Told{std::nearbyint(counted + offsets_[*motor]),
                fmt::format("{:.0f} counts", counted + offsets_[*motor])};
  if (!has_switch(*motor))
    return Error{ErrorCode::NotFound,
                 fmt::format("motor {} moves fingers and has no home switch", request.number)};
  const bool is_pressed = std::abs(counted) <= kSwitchCounts;
  return Told{is_pressed ? 1.0 : 0.0, is_pressed ? "pressed" : "not pressed"};
}

Status MotorService::set(const Request& request) {
  if (const Status allowed = motion_.allows(text_of(request.who)); !allowed) return allowed;
  const bool is_speed = request.verb == RequestVerb::MotorSpeed;
  if (is_speed && !is_whole(request.value, 0.0, 9.0))
    return Error{ErrorCode::OutOfLimits,
                 fmt::format("speed {} cannot be: 1 is the slowest, 9 fast, 0 the fastest", request.value)};
  if (!is_speed && !is_whole(request.value, -1e6, 1e6))
    return Error{ErrorCode::OutOfLimits,
                 fmt::format("offset {} cannot be: whole counts, -1000000 to 1000000", request.value)};
  if (is_speed && request.number == 0) {
    std::ranges::fill(speeds_, static_cast<unsigned>(request.value));
    return Done{};
  }
  const auto motor = motor_of(request);
  if (!motor) return motor.error();
  if (is_speed)
    speeds_[*motor] = static_cast<unsigned>(request.value);
  else
    offsets_[*motor] = request.value;
  return Done{};
}

// Motors that share joints: turning one moves all of its joints, so that the others keep their counts.
Status MotorService::move(std::uint64_t number, const Request& request, std::int64_t now_ns) {
  const auto motor = motor_of(request);
  if (!motor) return motor.error();
  if (!is_whole(request.value, -kMostCounts, kMostCounts))
    return Error{ErrorCode::OutOfLimits, fmt::format("{} counts cannot be: whole ones, {:.0f} to {:.0f}",
                                                     request.value, -kMostCounts, kMostCounts)};
  if (request.order != RequestOrder::Now)
    return Error{ErrorCode::InvalidInput,
                 "a motor is turned from where it is now: it cannot wait behind others"};
  const auto from = motion_.robot().sent();
  Eigen::VectorXd wanted = actuator_counts(model_, from);
  wanted[static_cast<Eigen::Index>(*motor)] += request.value;
  const Eigen::VectorXd q = joint_positions(model_, {wanted.data(), static_cast<std::size_t>(wanted.size())});
  Request joints{.verb = RequestVerb::MoveJoints, .speed = share_of(speeds_[*motor])};
  joints.stamp_ns = request.stamp_ns;
  joints.hold = request.hold;
  joints.who = request.who;
  for (std::size_t i = 0; i < from.size(); ++i) {
    const double position = q[static_cast<Eigen::Index>(i)];
    if (std::abs(position - from[i]) <= kNoMove) continue;
    joints.joint_mask |= std::uint64_t{1} << i;
    joints.joints[i] = position;
  }
  if (joints.joint_mask == 0) return Error{ErrorCode::InvalidInput, "zero counts turn nothing"};
  motion_.take_request(number, joints, now_ns);
  return Done{};
}

}  // namespace sinew
