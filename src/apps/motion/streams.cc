// SPDX-License-Identifier: BSD-3-Clause
#include "apps/motion/streams.h"

#include <utility>

#include <fmt/format.h>

#include "sinew/base/fixed_string.h"
#include "sinew/base/time.h"
#include "sinew/model/load_robot.h"
#include "sinew/motion/follow_text.h"

namespace sinew {
namespace {

constexpr std::uint32_t kGroupMayJog = 0660;
constexpr std::uint32_t kWishesKept = 64;
constexpr int kMostWishes = 64;        // looked at in one step
constexpr int kMostMasterStates = 64;  // taken in one step

}  // namespace

Result<std::unique_ptr<Streams>> Streams::open(const std::string& robot, const std::string& space,
                                               const RobotModel& model, MotionService& service,
                                               MotionChannels& channels) {
  const auto place = [&](const char* name, std::uint32_t mode = 0) {
    return ChannelPlace{
        .name = robot + "/" + name, .space = space, .sender = "motion", .depth = kWishesKept, .mode = mode};
  };
  // what was wished for before this service began is looked at once, for keys that are held
  auto jog = Reader<JogWish>::open(place("jog", kGroupMayJog), SINEW_START_OLDEST);
  if (!jog) return jog.error();
  auto clutch = Reader<Clutch>::open(place("clutch", kGroupMayJog));
  if (!clutch) return clutch.error();
  auto jogging = Writer<JogState>::open(place("jogging"));
  if (!jogging) return jogging.error();
  return std::unique_ptr<Streams>(
      new Streams(space, model, service, channels, *std::move(jog), *std::move(clutch), *std::move(jogging)));
}

Streams::Streams(std::string space, const RobotModel& model, MotionService& service, MotionChannels& channels,
                 Reader<JogWish> jog, Reader<Clutch> clutch, Writer<JogState> jogging)
    : space_(std::move(space)),
      service_(service),
      channels_(channels),
      jog_(std::move(jog)),
      clutch_(std::move(clutch)),
      jogging_(std::move(jogging)),
      jogger_(model, service.room()),
      follower_(model, service.room()) {
  jogger_.set_permission(
      [this](std::string_view who, std::uint64_t joint_mask) { return may_jog(who, joint_mask); });
  const std::int64_t now_ns = monotonic_now_ns();
  while (jog_.read_next(wish_) == SINEW_OK)
    jogger_.take_old_wish(wish_.message, now_ns - wish_.info.stamp_ns);
}

Status Streams::may_jog(std::string_view who, std::uint64_t joint_mask) const {
  if (const Status allowed = service_.allows(who); !allowed) return allowed;
  if ((service_.moving_mask() & joint_mask) != 0)
    return Error{ErrorCode::Denied, "a request moves these joints; stop it first"};
  if ((follower_.joint_mask() & joint_mask) != 0)
    return Error{ErrorCode::Denied, "these joints follow a master; stop that first"};
  return Done{};
}

bool Streams::take_request(std::uint64_t number, const Request& request, std::int64_t now_ns) {
  // one that takes nothing over, because it is refused or has control already, ends nothing
  const std::string_view who = text_of(request.who);
  const bool takes_over = request.verb == RequestVerb::TakeControl && !who.empty() && who != service_.owner();
  if (request.verb == RequestVerb::Stop || takes_over) {
    stop(fmt::format("stopped by request {} of '{}'", number, who));
    return false;
  }
  if (request.verb != RequestVerb::FollowMaster) return false;
  if (const Status begun = begin_following(number, request, now_ns); !begun)
    answer(number, begun.error().message, now_ns);
  return true;
}

Status Streams::begin_following(std::uint64_t number, const Request& request, std::int64_t now_ns) {
  if (request.hold != 0)
    return Error{ErrorCode::InvalidInput, "following has its clutch, and cannot be tied to a key besides"};
  auto task = follow_task_from_text(text_of(request.text));
  if (!task) return task.error();
  if (task->arm.empty()) task->arm = text_of(request.arm);
  if (task->tool.empty()) task->tool = text_of(request.tool);
  if (const Status allowed = service_.allows(text_of(request.who)); !allowed) return allowed;
  if (follower_.is_busy())
    return Error{ErrorCode::Denied,
                 fmt::format("request {} follows a master already; stop it first", follower_.number())};
  auto master = load_robot(task->model);
  if (!master)
    return Error{master.error().code, fmt::format("master '{}': {}; say which robot it is with 'model'",
                                                  task->master, master.error().message)};
  auto state = Reader<JointState>::open(
      {.name = task->master + "/state", .space = space_, .sender = "motion", .may_create = false});
  if (!state)
    return Error{ErrorCode::NotFound,
                 fmt::format("master '{}' does not run in space '{}': start it first", task->master, space_)};
  master_ = std::make_unique<LoadedRobot>(*std::move(master));
  master_state_ = *std::move(state);
  const Status begun = follower_.begin(number, *task, master_->model, now_ns);
  const std::uint64_t taken = service_.moving_mask() | jogger_.joint_mask();
  if (begun && (follower_.joint_mask() & taken) != 0)
    follower_.stop(ReplyStatus::Refused, "its joints are being moved; stop that first");
  return begun;
}

void Streams::answer(std::uint64_t number, const std::string& why, std::int64_t now_ns) {
  Reply reply{.stamp_ns = now_ns, .request = number, .status = ReplyStatus::Refused};
  set_text(reply.reason, why);
  static_cast<void>(channels_.reply.put(reply));
}

void Streams::stop(const std::string& why) {
  jogger_.stop();
  follower_.stop(ReplyStatus::Aborted, why);
}

std::optional<MotionPhase> Streams::phase() const {
  if (follower_.is_busy()) return MotionPhase::Following;
  if (jogger_.is_busy()) return MotionPhase::Jogging;
  return std::nullopt;
}

void Streams::take_wishes(std::int64_t now_ns) {
  for (int i = 0; i < kMostWishes && jog_.read_next(wish_) == SINEW_OK; ++i)
    jogger_.take_wish(wish_.message, service_.robot(), now_ns);
  while (clutch_.read_next(clutch_frame_) == SINEW_OK) follower_.take_clutch(clutch_frame_.message, now_ns);
}

void Streams::take_master(std::int64_t now_ns) {
  if (!follower_.is_busy() || !master_state_) return;
  const std::int64_t monotonic_ns = monotonic_now_ns();
  for (int i = 0; i < kMostMasterStates && master_state_->read_next(master_frame_) == SINEW_OK; ++i)
    follower_.take_master(master_frame_.message, now_ns - (monotonic_ns - master_frame_.info.stamp_ns));
}

void Streams::step(std::int64_t now_ns) {
  take_wishes(now_ns);
  take_master(now_ns);
  const JogOutput& jogged = jogger_.step(service_.robot(), now_ns);
  put(jogged.segments, jogged.reference);
  if (jogged.state) static_cast<void>(jogging_.put(*jogged.state));
  const FollowOutput& followed = follower_.step(service_.robot(), now_ns);
  put(followed.segments, followed.reference);
  for (const Reply& reply : followed.replies) static_cast<void>(channels_.reply.put(reply));
}

void Streams::put(const std::vector<Segment>& segments, const std::optional<JointReference>& reference) {
  if (reference) static_cast<void>(channels_.reference.put(*reference));
  for (const Segment& segment : segments) static_cast<void>(channels_.segments.put(segment));
}

}  // namespace sinew
