// SPDX-License-Identifier: BSD-3-Clause
#include "apps/web/robot_desk.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "sinew/base/fixed_string.h"
#include "sinew/base/text.h"

namespace sinew {
namespace {

constexpr std::int64_t kIdlePause_ns = 20 * kMillisecond_ns;
constexpr std::int64_t kBusyPause_ns = 2 * kMillisecond_ns;
constexpr std::int64_t kBetweenTries_ns = 500 * kMillisecond_ns;

double seconds_since(std::int64_t since_ns, std::int64_t now_ns) {
  return seconds_from_nanoseconds(now_ns - since_ns);
}

template <class Message>
Status put(std::optional<Writer<Message>>& writer, const cli::RobotLink& link, std::string_view channel,
           const Message& message) {
  if (!writer) {
    auto opened = Writer<Message>::open({.name = fmt::format("{}/{}", link.name(), channel),
                                         .space = link.space(),
                                         .sender = link.who(),
                                         .may_create = false});
    if (!opened) return opened.error();
    writer = *std::move(opened);
  }
  const int status = writer->put(message);
  if (status == SINEW_OK) return Done{};
  writer.reset();
  return error_from_status(status, fmt::format("putting on '{}'", channel));
}

}  // namespace

// To look for a robot that is not there takes a while, and everybody asks.
Result<OpenRobot*> RobotDesk::robot() {
  const std::int64_t now_ns = monotonic_now_ns();
  if (refusal_ && now_ns < next_try_ns_) return *refusal_;
  refusal_.reset();
  // a controller that was started anew has read its files anew
  if (robot_ != nullptr && waiting_.empty() && is_another_run()) robot_.reset();
  if (const Status read = robot_ == nullptr ? open() : robot_->link.refresh(); !read) {
    // its channels may be made anew: what is open now leads nowhere then
    if (waiting_.empty()) robot_.reset();
    jog_.reset();
    hold_.reset();
    outputs_.reset();
    trajectory_.reset();
    refusal_ = read.error();
    next_try_ns_ = now_ns + kBetweenTries_ns;
    return *refusal_;
  }
  return robot_.get();
}

bool RobotDesk::is_another_run() {
  Frame<ControlRun> frame;
  return run_ && run_->read_fresh(frame) == SINEW_OK;
}

Status RobotDesk::open() {
  auto link = cli::RobotLink::open(options_.robot);
  if (!link) return link.error();
  run_.reset();
  opened_run_.reset();
  auto run = Reader<ControlRun>::open(
      {.name = fmt::format("{}/run", link->name()), .space = link->space(), .may_create = false});
  if (run) {
    run_ = *std::move(run);
    Frame<ControlRun> frame;
    if (run_->read_newest(frame) == SINEW_OK) opened_run_ = frame.message;
  }
  auto sight = RobotSight::make(link->files().robot);
  if (!sight) return sight.error();
  robot_ = std::make_unique<OpenRobot>(*std::move(link), *std::move(sight), options_.mode);
  ++openings_;
  return Done{};
}

Result<std::uint64_t> RobotDesk::ask(Request request, std::string_view who, std::int64_t now_ns, Over over) {
  if (waiting_.size() >= kMostWaiting)
    return Error{ErrorCode::Full, fmt::format("{} others wait for their motion", kMostWaiting)};
  const auto found = robot();
  if (!found) return found.error();
  set_text(request.who, who);
  const std::int64_t until_ns = now_ns + nanoseconds_from_seconds(request.duration) + kLongestWait_ns;
  const auto number = (*found)->link.ask_motion(request);
  if (!number) return number.error();
  waiting_.push_back({.number = *number, .over = std::move(over), .since_ns = now_ns, .until_ns = until_ns});
  return *number;
}

Status RobotDesk::jog(JogWish wish, std::string_view who, std::int64_t age_ns) {
  const auto found = robot();
  if (!found) return found.error();
  wish.stamp_ns = (*found)->link.robot_time_ns() - age_ns;
  set_text(wish.who, who);
  return put(jog_, (*found)->link, "jog", wish);
}

Status RobotDesk::hold(HoldBeat beat, std::string_view who, std::int64_t age_ns) {
  const auto found = robot();
  if (!found) return found.error();
  beat.stamp_ns = (*found)->link.robot_time_ns() - age_ns;
  set_text(beat.who, who);
  return put(hold_, (*found)->link, "hold", beat);
}

Status RobotDesk::ask_controller(ControlVerb verb, std::string_view who) {
  const auto found = robot();
  if (!found) return found.error();
  return (*found)->link.ask_controller(verb, 0, who);
}

Status RobotDesk::stop(std::string_view who, std::uint64_t press) {
  if (stops_.was_told(who, press)) return Done{};
  Status asked = ask_controller(ControlVerb::Stop, who);
  if (asked) stops_.note_told(who, press);
  return asked;
}

Status RobotDesk::set_outputs(IoCommand command, std::string_view who) {
  const auto found = robot();
  if (!found) return found.error();
  command.stamp_ns = (*found)->link.robot_time_ns();
  set_text(command.who, who);
  return put(outputs_, (*found)->link, "io_command", command);
}

Status RobotDesk::put_trajectory(std::vector<TrajectoryPart> parts) {
  const auto found = robot();
  if (!found) return found.error();
  for (TrajectoryPart& part : parts) {
    part.stamp_ns = (*found)->link.robot_time_ns();
    if (Status taken = put(trajectory_, (*found)->link, "trajectory", part); !taken) return taken;
  }
  return Done{};
}

std::int64_t RobotDesk::look(std::int64_t now_ns) {
  if (waiting_.empty() || robot_ == nullptr) return kIdlePause_ns;
  while (const auto reply = robot_->link.next_reply()) {
    if (reply->status == ReplyStatus::Accepted) continue;
    const auto place = std::ranges::find(waiting_, reply->request, &Waiting::number);
    if (place == waiting_.end()) continue;
    // it may ask for something more
    const Waiting waiting = std::move(*place);
    waiting_.erase(place);
    waiting.over(*reply, seconds_since(waiting.since_ns, now_ns));
  }
  std::vector<Waiting> late;
  std::erase_if(waiting_, [&](Waiting& waiting) {
    if (now_ns < waiting.until_ns) return false;
    late.push_back(std::move(waiting));
    return true;
  });
  for (const Waiting& waiting : late) {
    Reply reply{.request = waiting.number};
    set_text(reply.reason, fmt::format("not over after {}; it may still be moving",
                                       duration_text(now_ns - waiting.since_ns)));
    waiting.over(reply, seconds_since(waiting.since_ns, now_ns));
  }
  return kBusyPause_ns;
}

}  // namespace sinew
