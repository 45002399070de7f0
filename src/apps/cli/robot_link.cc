// SPDX-License-Identifier: BSD-3-Clause
#include "apps/cli/robot_link.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sinew/base/fixed_string.h"
#include "sinew/base/text.h"
#include "sinew/base/time.h"
#include "sinew/channels/inspect.h"
#include "sinew/processes/run_folder.h"

#include "apps/supervisor/presence.h"
#include "apps/supervisor/wire.h"

namespace sinew::cli {
namespace {

/// Silent for longer: look whether the controller lives at all.
constexpr std::int64_t kSilence_ns = 500 * kMillisecond_ns;
/// A controller says what it does in every cycle: what is older than this is not what is.
constexpr std::int64_t kOld_ns = kSecond_ns;
constexpr std::string_view kState = "/state";

bool has_living_writer(const channels::ChannelInfo& info) {
  return std::ranges::any_of(info.writers, [](const auto& w) { return w.life != channels::Life::Dead; });
}

std::string how_to_start(const std::string& robot) {
  return fmt::format("start it with 'sinew start {} --sim'", robot.empty() ? "ROBOT" : robot);
}

// The robot that is meant, or why none can be.
Result<std::string> choose_robot(const RobotLink::Options& options) {
  const auto running = running_robots(options.space);
  if (options.robot.empty()) {
    if (running.size() == 1) return running.front();
    if (running.empty())
      return Error{ErrorCode::NotFound,
                   fmt::format("no robot runs in the space '{}'; {}", options.space, how_to_start(""))};
    return Error{ErrorCode::NotFound,
                 fmt::format("several robots run: {}; choose one with --robot", fmt::join(running, ", "))};
  }
  if (std::ranges::find(running, options.robot) != running.end()) return options.robot;
  const std::string others = running.empty() ? "" : fmt::format("; running: {}", fmt::join(running, ", "));
  return Error{ErrorCode::NotFound,
               fmt::format("robot '{}' does not run in the space '{}'{}{}; {}", options.robot, options.space,
                           did_you_mean(options.robot, running), others, how_to_start(options.robot))};
}

// What 'sinew start' was given, or the robot's own name.
void fill_model(RobotLink::Options& options) {
  if (!options.model.empty() && !options.site.empty()) return;
  const auto folder = supervisor::folder_in_use(options.space);
  const auto saved = folder ? supervisor::load_plan(folder->plan_of(options.robot)) : folder.error();
  if (saved && options.site.empty()) options.site = saved->plan.site;
  if (options.model.empty()) options.model = saved ? saved->plan.robot : options.robot;
}

// Whose robot it is not may not read what its owner has set up; its controller keeps to it all the same.
bool is_secret(const std::string& file) {
  return !file.empty() && access(file.c_str(), R_OK) != 0 && errno == EACCES;
}

Result<RobotOnSite> load_model(const RobotLink::Options& options) {
  auto robot = load_robot_on_site(options.model, is_secret(options.site) ? "" : options.site);
  if (robot) return robot;
  return Error{robot.error().code,
               fmt::format("{} (of the running robot '{}'; --model says which model it has)",
                           robot.error().message, options.robot)};
}

template <class Message>
Result<Reader<Message>> open_reader(const std::string& space, const std::string& channel) {
  return Reader<Message>::open({.name = channel, .space = space, .may_create = false});
}

bool is_same_input(const TakenInput& a, const TakenInput& b) {
  if (a.kind != b.kind) return false;
  if (a.kind != InputKind::Reference)
    return a.request.stamp_ns == b.request.stamp_ns && a.request.verb == b.request.verb &&
           a.request.who == b.request.who;
  return a.reference.stamp_ns == b.reference.stamp_ns && a.reference.joint_mask == b.reference.joint_mask &&
         a.reference.smoothing == b.reference.smoothing && a.reference.position == b.reference.position;
}

Error gone(const std::string& robot) {
  return {ErrorCode::Gone, fmt::format("the controller of '{}' has ended; 'sinew status' tells more", robot)};
}

}  // namespace

std::vector<std::string> running_robots(const std::string& space) {
  std::vector<std::string> names;
  const auto listing = channels::list_channels(space);
  if (!listing) return names;
  for (const channels::ChannelInfo& info : listing->channels) {
    if (!info.name.ends_with(kState) || info.message_name != "JointState" || !has_living_writer(info))
      continue;
    const std::string robot = info.name.substr(0, info.name.size() - kState.size());
    // others may write states too; only a controller says `safety`
    const auto has_safety =
        std::ranges::any_of(listing->channels, [&](const auto& c) { return c.name == robot + "/safety"; });
    if (has_safety) names.push_back(robot);
  }
  return names;
}

std::string RobotLink::fmt_channel(const std::string& robot, std::string_view name) {
  return fmt::format("{}/{}", robot, name);
}

RobotLink::RobotLink(Options options, RobotOnSite robot, Reader<JointState> state,
                     Reader<JointCommand> processed, Reader<Safety> safety)
    : options_(std::move(options)),
      robot_(std::make_unique<RobotOnSite>(std::move(robot))),
      state_(std::move(state)),
      processed_(std::move(processed)),
      safety_(std::move(safety)),
      snapshot_(std::make_unique<RobotSnapshot>()),
      clock_(options_.robot, options_.space) {}

bool RobotLink::is_paused() {
  clock_.look();
  return clock_.rate(monotonic_now_ns()) == 0.0;
}

Result<RobotLink> RobotLink::open(const Options& options) {
  Options chosen = options;
  const auto robot = choose_robot(options);
  if (!robot) return robot.error();
  chosen.robot = *robot;
  fill_model(chosen);
  auto model = load_model(chosen);
  if (!model) return model.error();
  auto state = open_reader<JointState>(chosen.space, fmt_channel(*robot, "state"));
  if (!state) return state.error();
  auto processed = open_reader<JointCommand>(chosen.space, fmt_channel(*robot, "processed"));
  if (!processed) return processed.error();
  auto safety = open_reader<Safety>(chosen.space, fmt_channel(*robot, "safety"));
  if (!safety) return safety.error();
  RobotLink link(std::move(chosen), *std::move(model), *std::move(state), *std::move(processed),
                 *std::move(safety));
  if (Status read = link.refresh(); !read) return read.error();
  const std::size_t joints = link.model().positions.size();
  if (link.now().state.joint_count != joints)
    return Error{ErrorCode::Mismatch,
                 fmt::format("robot '{}' has {} joints, the model '{}' {}; --model says which model it has",
                             link.name(), link.now().state.joint_count, link.model().name, joints)};
  return link;
}

Status RobotLink::refresh() {
  const std::int64_t deadline_ns = monotonic_now_ns() + 10 * kSilence_ns;
  while (true) {
    Frame<JointState> state;
    Frame<JointCommand> processed;
    Frame<Safety> safety;
    const bool is_read = state_.read_newest(state) == SINEW_OK &&
                         processed_.read_newest(processed) == SINEW_OK &&
                         safety_.read_newest(safety) == SINEW_OK;
    const bool is_silent = !is_read || monotonic_now_ns() - processed.info.stamp_ns > kSilence_ns;
    if (is_silent && !is_controller_there()) return gone(options_.robot);
    if (is_read) {
      const std::int64_t age_ns = monotonic_now_ns() - processed.info.stamp_ns;
      snapshot_->old_ns = age_ns > kOld_ns && !is_paused() ? age_ns : 0;
      snapshot_->state = state.message;
      snapshot_->processed = processed.message;
      snapshot_->safety = safety.message;
      read_health();
      return Done{};
    }
    // a controller that has just begun
    if (!options_.waits || monotonic_now_ns() > deadline_ns)
      return Error{ErrorCode::TimedOut,
                   fmt::format("the controller of '{}' says nothing: is its device there?", options_.robot)};
    static_cast<void>(safety_.wait(monotonic_now_ns() + 20 * kMillisecond_ns));
  }
}

// To look takes a while, and those who ask again and again are told what was seen last.
bool RobotLink::is_controller_there() {
  const std::int64_t now_ns = monotonic_now_ns();
  if (now_ns >= next_look_ns_) {
    was_there_ = channels::is_written(options_.space, channel("processed"));
    next_look_ns_ = now_ns + kSilence_ns;
  }
  return was_there_;
}

void RobotLink::read_health() {
  if (!health_) {
    auto opened = open_reader<Health>(options_.space, channel("health"));
    if (!opened) return;
    health_ = *std::move(opened);
  }
  Frame<Health> frame;
  // the channel is shared by all processes of the robot
  while (health_->read_next(frame) == SINEW_OK)
    if (text_of(frame.message.process_name) == "controller") snapshot_->health = frame.message;
}

Status RobotLink::put_reference(JointReference reference) {
  if (!reference_) {
    auto opened = Writer<JointReference>::open(
        {.name = channel("ref/" + options_.who), .space = options_.space, .sender = options_.who});
    if (!opened) return opened.error();
    reference_ = *std::move(opened);
  }
  reference.stamp_ns = robot_time_ns();
  watch_inputs();
  put_ = {.kind = InputKind::Reference, .reference = reference};
  const int status = reference_->put(reference);
  if (status == SINEW_OK) return Done{};
  return error_from_status(status, "putting a reference");
}

Status RobotLink::ask_controller(ControlVerb verb, std::int64_t lease_ns, std::string_view who) {
  const bool is_override = verb == ControlVerb::Override || verb == ControlVerb::Enforce;
  const std::string_view where = verb == ControlVerb::Stop ? "stop" : (is_override ? "override" : "command");
  auto writer = Writer<ControlRequest>::open(
      {.name = channel(where), .space = options_.space, .sender = options_.who, .may_create = false});
  if (!writer) return writer.error();
  ControlRequest request{.stamp_ns = robot_time_ns(), .lease_ns = lease_ns, .verb = verb};
  set_text(request.who, who.empty() ? options_.who : who);
  watch_inputs();
  put_ = {.kind = is_override ? InputKind::Override : InputKind::Request, .request = request};
  const int status = writer->put(request);
  if (status == SINEW_OK) return Done{};
  return error_from_status(status, fmt::format("asking on the channel '{}'", where));
}

// From now on; whether what comes is ours is looked at later.
void RobotLink::watch_inputs() {
  put_cycle_.reset();
  taken_.reset();
  auto opened = Reader<TakenInput>::open(
      {.name = channel("taken"), .space = options_.space, .may_create = false}, SINEW_START_NOW);
  if (opened) taken_ = *std::move(opened);
}

std::optional<std::uint64_t> RobotLink::taken_cycle() {
  Frame<TakenInput> frame;
  while (taken_ && taken_->read_next(frame) == SINEW_OK)
    if (!put_cycle_ && is_same_input(frame.message, put_)) put_cycle_ = frame.message.cycle;
  // what is in hand now may have begun before it was put
  if (!taken_ && !put_cycle_) put_cycle_ = snapshot_->processed.cycle + 2;
  return put_cycle_;
}

bool RobotLink::has_motion_service() const {
  return channels::is_written(options_.space, channel("reply"));
}

Result<std::uint64_t> RobotLink::ask_motion(Request request) {
  if (!has_motion_service())
    return Error{ErrorCode::NotFound,
                 fmt::format("no motion service runs for '{}'; 'sinew start' starts one", options_.robot)};
  if (!reply_) {
    auto opened = Reader<Reply>::open(
        {.name = channel("reply"), .space = options_.space, .may_create = false}, SINEW_START_NOW);
    if (!opened) return opened.error();
    reply_ = *std::move(opened);
  }
  if (!request_) {
    auto opened = Writer<Request>::open(
        {.name = channel("request"), .space = options_.space, .sender = options_.who, .may_create = false});
    if (!opened) return opened.error();
    request_ = *std::move(opened);
  }
  request.stamp_ns = robot_time_ns();
  if (text_of(request.who).empty()) set_text(request.who, options_.who);
  std::uint64_t number = 0;
  const int status = request_->put(request, &number);
  if (status == SINEW_OK) return number;
  return error_from_status(status, "asking the motion service");
}

std::optional<Reply> RobotLink::next_reply(std::uint64_t number) {
  while (auto reply = next_reply())
    if (reply->request == number) return reply;
  return std::nullopt;
}

std::optional<Reply> RobotLink::next_reply() {
  Frame<Reply> frame;
  if (!reply_ || reply_->read_next(frame) != SINEW_OK) return std::nullopt;
  return frame.message;
}

std::optional<MotionState> RobotLink::motion_state() const {
  auto reader = open_reader<MotionState>(options_.space, channel("motion"));
  Frame<MotionState> frame{};
  if (!reader || reader->read_newest(frame) != SINEW_OK) return std::nullopt;
  return frame.message;
}

Status RobotLink::put_jog(JogWish wish) {
  if (!has_motion_service())
    return Error{ErrorCode::NotFound,
                 fmt::format("no motion service runs for '{}'; 'sinew start' starts one", options_.robot)};
  auto writer = Writer<JogWish>::open(
      {.name = channel("jog"), .space = options_.space, .sender = options_.who, .may_create = false});
  if (!writer) return writer.error();
  set_text(wish.who, options_.who);
  const int status = writer->put(wish);
  if (status == SINEW_OK) return Done{};
  return error_from_status(status, "jogging");
}

std::optional<JogState> RobotLink::jog_state() const {
  auto reader = open_reader<JogState>(options_.space, channel("jogging"));
  Frame<JogState> frame{};
  if (!reader || reader->read_newest(frame) != SINEW_OK) return std::nullopt;
  return frame.message;
}

std::unique_ptr<World> RobotLink::newest_world(std::string_view name) const {
  auto reader = open_reader<World>(options_.space, channel(name));
  auto frame = std::make_unique<Frame<World>>();
  if (!reader || reader->read_newest(*frame) != SINEW_OK) return nullptr;
  return std::make_unique<World>(frame->message);
}

std::unique_ptr<World> RobotLink::world() const {
  return newest_world("world");
}

std::unique_ptr<World> RobotLink::seen_world() const {
  return newest_world("world_truth");
}

}  // namespace sinew::cli
