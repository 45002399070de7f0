// SPDX-License-Identifier: BSD-3-Clause
#include "apps/lockstep/soak.h"

#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "sinew/model/positions.h"

namespace sinew {
namespace {

constexpr double kPeriod = 1e-3;             // [s]
constexpr double kMeanBetweenWishes = 0.15;  // [s]
constexpr int kBetweenPlaces = 20;           // cycles from one look at distances and contacts to the next
// rounding of differences of positions: of a step, of two, of three
constexpr double kSpeedNoise = 1e-9;
constexpr double kAccelerationNoise = 1e-6;
constexpr double kJerkNoise = 1e-3;
// a servo may be off its reference by this much at a limit [rad, m]
constexpr double kOverrun = 2e-3;
// what memory may grow by and still be flat: pages that had not been touched yet [bytes]
constexpr std::uint64_t kMemorySlack = 4U << 20U;

double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

void keep_worst(SoakExtreme& worst, double share, std::size_t joint, std::int64_t now_ns) {
  if (share > worst.share) worst = {.share = share, .joint = joint, .at_ns = now_ns};
}

}  // namespace

std::uint64_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  std::uint64_t size = 0;
  std::uint64_t resident = 0;
  file >> size >> resident;
  return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

Soak::Soak(Lockstep& lockstep, const SoakOptions& options)
    : lockstep_(lockstep), options_(options), checker_(lockstep.shapes()), random_(options.seed) {
  if (lockstep.shown_world() != nullptr) checker_.set_world(lockstep.shown_world()->obstacles);
  for (std::size_t i = 0; i < options.programs; ++i)
    lockstep.controller().set_source(i, fmt::format("program{}", i), 0);
  report_.nearest = std::numeric_limits<double>::infinity();
  // the controller comes up
  for (int i = 0; i < 10; ++i) lockstep_.step();
  find_home();
  sent_.fill(lockstep_.controller().output().command.position);
  next_wish_ns_ = lockstep_.now_ns();
  note_warm();
}

// Who does not know where it is looks for its switches first, as long as that may take.
void Soak::find_home() {
  constexpr int kMostSteps = 300'000;
  if ((lockstep_.state().fault_bits & kFaultNotHomed) == 0) return;
  lockstep_.controller().take_request({.verb = ControlVerb::Home}, lockstep_.now_ns());
  for (int i = 0; i < kMostSteps && lockstep_.controller().state() != ControlState::Running; ++i)
    lockstep_.step();
}

void Soak::note_warm() {
  report_.resident_begin = resident_bytes();
}

void Soak::finish() {
  report_.resident_end = resident_bytes();
  if (report_.resident_end > report_.resident_begin + kMemorySlack)
    complain(fmt::format("memory grew from {} to {} bytes", report_.resident_begin, report_.resident_end));
}

void Soak::run(std::int64_t duration_ns) {
  const std::int64_t end_ns = lockstep_.now_ns() + duration_ns;
  while (lockstep_.now_ns() < end_ns) {
    if (lockstep_.now_ns() >= next_wish_ns_) wish();
    step();
    judge_command();
    judge_state();
    if (report_.cycles % kBetweenPlaces == 0) judge_places();
  }
}

// One program wants some joints elsewhere: most often soon after the last, at times after a long rest, so
// that long ways are gone as well.
void Soak::wish() {
  const RobotModel& model = lockstep_.model();
  JointReference reference{.stamp_ns = lockstep_.now_ns(), .joint_mask = enabled_mask(model) & random_()};
  for (std::size_t i = 0; i < model.positions.size(); ++i) {
    const JointLimits& limits = model.joints[model.positions[i]].limits;
    const double low = std::max(limits.lower, -10.0);
    const double high = std::min(limits.upper, 10.0);
    reference.position[i] = std::uniform_real_distribution<double>(low, high)(random_);
  }
  if (reference.joint_mask != 0) lockstep_.put(random_() % options_.programs, reference);
  ++report_.references;
  const bool rests = random_() % 20 == 0;
  const double pause = std::exponential_distribution<double>(1.0 / kMeanBetweenWishes)(random_);
  next_wish_ns_ = lockstep_.now_ns() + nanoseconds_from_seconds(rests ? 20.0 * pause : pause);
}

void Soak::step() {
  const double begun = thread_seconds();
  lockstep_.control();
  const double controlled = thread_seconds();
  lockstep_.pass_time();
  report_.physics_s += thread_seconds() - controlled;
  report_.control_s += controlled - begun;
  ++report_.cycles;
  const ControlOutput& output = lockstep_.controller().output();
  std::rotate(sent_.begin(), sent_.begin() + 1, sent_.end());
  sent_.back() = output.command.position;
  if (output.command.held_mask != 0) ++report_.held_cycles;
  if (output.safety.state != ControlState::Running)
    complain(fmt::format("the controller is no longer running: state {}, reason {}",
                         static_cast<int>(output.safety.state), static_cast<int>(output.safety.reason)));
}

void Soak::judge_command() {
  const RobotModel& model = lockstep_.model();
  const std::int64_t now_ns = lockstep_.now_ns();
  for (std::size_t i = 0; i < model.positions.size(); ++i) {
    const JointLimits& limits = model.joints[model.positions[i]].limits;
    const auto p = [&](std::size_t k) { return sent_[k][i]; };
    const double speed = std::abs(p(3) - p(2)) / kPeriod;
    const double acceleration = std::abs(p(3) - 2 * p(2) + p(1)) / (kPeriod * kPeriod);
    const double jerk = std::abs(p(3) - 3 * p(2) + 3 * p(1) - p(0)) / (kPeriod * kPeriod * kPeriod);
    keep_worst(report_.velocity, speed / limits.velocity, i, now_ns);
    keep_worst(report_.acceleration, acceleration / limits.acceleration, i, now_ns);
    keep_worst(report_.jerk, jerk / limits.jerk, i, now_ns);
    const bool is_within = speed <= limits.velocity * (1 + 1e-9) + kSpeedNoise &&
                           acceleration <= limits.acceleration * (1 + 1e-6) + kAccelerationNoise &&
                           jerk <= limits.jerk * (1 + 1e-6) + kJerkNoise;
    if (!is_within)
      complain(fmt::format("joint {} was sent at {} of its velocity, {} of its acceleration, {} of its jerk",
                           i, speed / limits.velocity, acceleration / limits.acceleration,
                           jerk / limits.jerk));
  }
}

void Soak::judge_state() {
  const RobotModel& model = lockstep_.model();
  const JointState& state = lockstep_.state();
  // the state of this cycle answers the command of the last
  const JointArray& sent = sent_[2];
  for (std::size_t i = 0; i < model.positions.size(); ++i) {
    const JointLimits& limits = model.joints[model.positions[i]].limits;
    const double off = std::abs(state.position[i] - sent[i]);
    if (off > report_.worst_tracking) {
      report_.worst_tracking = off;
      report_.worst_tracking_joint = i;
    }
    const double beyond = std::max(state.position[i] - limits.upper, limits.lower - state.position[i]);
    report_.worst_overrun = std::max(report_.worst_overrun, beyond);
    if (beyond > kOverrun) complain(fmt::format("joint {} is {} beyond its limit", i, beyond));
  }
}

void Soak::judge_places() {
  const CheckResult found =
      checker_.nearest({lockstep_.state().position.data(), lockstep_.model().positions.size()});
  report_.nearest = std::min(report_.nearest, found.contact.distance);
  if (found.contact.distance < options_.margin)
    complain(fmt::format("two things are {} m apart", found.contact.distance));
  const std::string prefix = lockstep_.robot_name() + "/";
  for (const Touch& touch : lockstep_.simulation().contacts())
    if (touch.a.starts_with(prefix) || touch.b.starts_with(prefix))
      complain(fmt::format("{} touches {}", touch.a, touch.b));
}

void Soak::complain(std::string what) {
  if (report_.violations.size() >= SoakReport::kMostViolations) return;
  report_.violations.push_back(
      fmt::format("at {:.3f} s: {}", seconds_from_nanoseconds(lockstep_.now_ns()), std::move(what)));
}

}  // namespace sinew
