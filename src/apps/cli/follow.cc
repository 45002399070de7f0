// SPDX-License-Identifier: BSD-3-Clause
// sinew follow: asks for it, works the clutch with the space bar, and ends it when the person leaves.
#include "apps/cli/follow.h"

#include <unistd.h>

#include <numbers>
#include <optional>
#include <ostream>
#include <string>

#include <fmt/format.h>

#include "sinew/base/fixed_string.h"
#include "sinew/base/time.h"
#include "sinew/messages/jog.h"

#include "apps/cli/robot_link.h"
#include "apps/cli/terminal.h"

namespace sinew::cli {
namespace {

constexpr int kBetweenKeys_ms = 40;
constexpr std::int64_t kClutchLease_ns = 300 * kMillisecond_ns;
constexpr double kLargestScale = 10.0;

/// What FollowMaster is told, a line of YAML.
Result<std::string> task_text(const Words& words) {
  if (!words.has("--master")) return usage_error("say whom to follow: --master NAME");
  const auto scale = words.number("--scale", -kLargestScale, kLargestScale);
  if (!scale) return scale.error();
  const auto rpy = words.numbers("--rpy-deg");
  if (!rpy) return rpy.error();
  if (!rpy->empty() && rpy->size() != 3) return usage_error("--rpy-deg takes three angles");
  std::string text = fmt::format("{{master: {}, scale: {}, what: {}, clutch: {}", words.text("--master"),
                                 *scale, words.has("--joints") ? "joints" : "tool", words.has("--clutch"));
  const double degree = std::numbers::pi / 180.0;
  if (!rpy->empty())
    text += fmt::format(", rpy: [{}, {}, {}]", degree * (*rpy)[0], degree * (*rpy)[1], degree * (*rpy)[2]);
  const auto add = [&](std::string_view option, std::string_view key) {
    if (words.has(option)) text += fmt::format(", {}: {}", key, words.text(option));
  };
  add("--master-model", "model");
  add("--master-arm", "master_arm");
  add("--master-tool", "master_tool");
  return text + "}";
}

/// Says every few milliseconds whether the clutch is engaged; when it no longer does, it is not.
class ClutchHand {
 public:
  static Result<ClutchHand> open(const RobotLink& robot) {
    auto writer = Writer<Clutch>::open({.name = robot.name() + "/clutch",
                                        .space = robot.space(),
                                        .sender = robot.who(),
                                        .may_create = false});
    if (!writer) return writer.error();
    return ClutchHand(*std::move(writer));
  }

  void toggle() { is_engaged_ = !is_engaged_; }
  bool is_engaged() const { return is_engaged_; }
  void say(const RobotLink& robot) {
    Clutch clutch{
        .stamp_ns = robot.robot_time_ns(), .lease_ns = kClutchLease_ns, .is_engaged = is_engaged_ ? 1U : 0U};
    set_text(clutch.who, robot.who());
    static_cast<void>(writer_.put(clutch));
  }

 private:
  explicit ClutchHand(Writer<Clutch> writer) : writer_(std::move(writer)) {}
  Writer<Clutch> writer_;
  bool is_engaged_ = false;
};

/// The newest answer; nothing: none has come.
std::optional<Reply> newest_reply(RobotLink& robot, std::uint64_t number) {
  std::optional<Reply> newest;
  while (const auto reply = robot.next_reply(number)) newest = *reply;
  return newest;
}

Status outcome_of(const Reply& reply) {
  if (reply.status == ReplyStatus::Done) return Done{};
  return Error{ErrorCode::Interrupted, std::string(text_of(reply.reason))};
}

// Until the person leaves, or the motion service has ended it.
Status watch(RobotLink& robot, std::uint64_t number, std::optional<ClutchHand>& clutch, std::ostream& out) {
  const SignalWatch signals;
  std::optional<Screen> screen;
  if (clutch) screen.emplace();
  std::string shown;
  while (!signals.has_come()) {
    if (Status fresh = robot.refresh(); !fresh) return fresh;
    const int key = screen ? screen->key(kBetweenKeys_ms) : 0;
    if (!screen) usleep(1000 * kBetweenKeys_ms);
    if (key == 'q') break;
    if (clutch && key == ' ') clutch->toggle();
    if (clutch) clutch->say(robot);
    if (const auto reply = newest_reply(robot, number)) {
      if (reply->status != ReplyStatus::Accepted) return outcome_of(*reply);
      shown = text_of(reply->reason);
      if (!screen) out << shown << "; Ctrl-C ends it\n" << std::flush;
    }
    if (screen)
      out << fmt::format("\r{}: clutch {}; space: clutch, q: leave \x1b[K", shown,
                         clutch->is_engaged() ? "engaged" : "released")
          << std::flush;
  }
  const auto stopped = robot.ask_motion({.verb = RequestVerb::Stop});
  return stopped ? Status(Done{}) : stopped.error();
}

Status run_follow(const Words& words, std::ostream& out) {
  const auto text = task_text(words);
  if (!text) return text.error();
  if (words.has("--clutch") && !is_at_terminal())
    return usage_error("--clutch needs a terminal: its key is the space bar; programs put 'clutch' messages");
  auto robot = RobotLink::open({.robot = words.argument(0),
                                .space = words.text("--space"),
                                .model = words.text("--model"),
                                .who = "follow"});
  if (!robot) return robot.error();
  Request request{.verb = RequestVerb::FollowMaster};
  set_text(request.text, *text);
  if (text->size() >= request.text.size()) return usage_error("the names are too long together");
  set_text(request.arm, words.text("--arm"));
  set_text(request.tool, words.text("--tool"));
  std::optional<ClutchHand> clutch;
  if (words.has("--clutch")) {
    auto hand = ClutchHand::open(*robot);
    if (!hand) return hand.error();
    clutch = *std::move(hand);
  }
  const auto number = robot->ask_motion(request);
  if (!number) return number.error();
  return watch(*robot, *number, clutch, out);
}

}  // namespace

const Command kFollowCommand{
    .name = "follow",
    .summary = "Let one robot's tool or joints follow another's",
    .details =
        "From where both are: the follower goes the master's way, scaled, as long as this command runs. "
        "With --clutch the space bar engages and releases: released, the follower stands, and engaged "
        "again it goes on from where both are then. A master that falls silent ends it, smoothly.",
    .arguments = {{.name = "ROBOT", .help = "That follows; a running robot."}},
    .options =
        {{.name = "--master", .value_name = "NAME", .help = "Whom to follow: a robot of the same space."},
         {.name = "--scale", .value_name = "S", .help = "Of the master's way.", .fallback = "1"},
         {.name = "--joints", .value_name = "", .help = "Joints follow joints, not the tool the tool."},
         {.name = "--clutch", .value_name = "", .help = "Stand until the space bar engages."},
         {.name = "--arm", .value_name = "ARM", .help = "That follows, where the robot has several."},
         {.name = "--tool", .value_name = "TOOL", .help = "Of the follower; else its flange."},
         {.name = "--master-arm", .value_name = "ARM", .help = "To follow, where the master has several."},
         {.name = "--master-tool", .value_name = "TOOL", .help = "Of the master; else its flange."},
         {.name = "--rpy-deg",
          .value_name = "ANGLES",
          .help = "How the master's base lies in the follower's: roll, pitch, yaw [deg].",
          .most_values = 3},
         {.name = "--master-model",
          .value_name = "ROBOT",
          .help = "The master's model by name or path, where its own name does not tell."},
         {.name = "--model",
          .value_name = "ROBOT",
          .help = "The follower's model, where its own name does not tell."}},
    .examples = {"sinew follow yarc-industrial --master panda --scale 2 --clutch"},
    .run = run_follow,
};

}  // namespace sinew::cli
