// SPDX-License-Identifier: BSD-3-Clause
#include "apps/cli/console_verbs.h"

#include <array>
#include <bit>
#include <ostream>

#include <fmt/format.h>

#include "sinew/base/fixed_string.h"
#include "sinew/base/text.h"
#include "sinew/base/time.h"
#include "sinew/control/safety_text.h"
#include "sinew/model/positions.h"

#include "apps/cli/command.h"
#include "apps/cli/console_world.h"
#include "apps/cli/motion_words.h"
#include "apps/cli/read.h"
#include "apps/cli/read_view.h"

namespace sinew::cli {
namespace {

constexpr std::int64_t kControllerAnswers_ns = 3 * kSecond_ns;
constexpr double kLongestOverride = 600.0;  // [s] as the controller bounds it

// The goal of a named posture, for the joints whose motors are in use and that it speaks of.
JointGoal goal_from_posture(const RobotModel& model, const NamedPosture& posture) {
  JointGoal goal;
  const std::uint64_t enabled = enabled_mask(model);
  for (std::size_t i = 0; i < model.positions.size() && i < posture.positions.size(); ++i) {
    const double position = posture.positions[i];
    if ((enabled >> i & 1) == 0 || position != position) continue;
    goal.mask |= std::uint64_t{1} << i;
    goal.position[i] = position;
  }
  return goal;
}

// Pairs of joint and value; "30 deg" may be two words.
Result<JointGoal> goal_from_pairs(const RobotModel& model, ConsoleWords words) {
  JointGoal goal;
  for (std::size_t k = 0; k < words.size();) {
    const auto position = joint_to_move(model, words[k]);
    if (!position) return position.error();
    if (k + 1 == words.size())
      return usage_error(fmt::format("where to? 'goto {} VALUE', in rad, or as in 30deg", words[k]));
    std::string value = words[k + 1];
    k += 2;
    if (k < words.size() && (words[k] == "deg" || words[k] == "mm")) value += words[k++];
    const auto target = position_from(model.joints[model.positions[*position]], value);
    if (!target) return target.error();
    goal.mask |= std::uint64_t{1} << *position;
    goal.position[*position] = *target;
  }
  return goal;
}

}  // namespace

std::span<const ConsoleVerb> ConsoleVerb::all() {
  using Session = ConsoleSession;
  static const std::array<ConsoleVerb, 25> kVerbs{{
      {"goto", "goto [filter] JOINT VALUE … | goto POSTURE",
       "move joints, in rad or as in 30deg; filter: by the first-order filter", &Session::move},
      {"get", "get JOINT | get fk ARM", "where a joint is, or an arm's tool", &Session::get},
      {"ik", "ik [--legacy] [--exact] ARM DOF P1 … PN",
       "bring a tool to x y z [m] roll pitch yaw [rad], the first DOF of them, within 0.1 mm and 0.1 deg "
       "unless "
       "it must be exact; null leaves one free",
       &Session::reach},
      {"ik3", "ik3 ARM X Y Z", "as 'ik ARM 3 …'", &Session::reach_three},
      {"ik5", "ik5 ARM X Y Z RX RY", "as 'ik ARM 5 …'", &Session::reach_five},
      {"line", "line [by] [ARM] X Y Z [ROLL PITCH YAW] [in tool|FRAME] [with TOOL] [at SPEED] | line POSTURE",
       "straight line of the tool, in m and rad or as in 50mm and 30deg; by: as a difference; without angles "
       "it keeps how it is turned; SPEED in m/s or as in 30%",
       &Session::line},
      {"jog", "jog JOINT BY | jog [ARM] [tool|FRAME] x|y|z|rx|ry|rz BY [with TOOL] [at PERCENT]",
       "one step of a joint or of the tool, as in 'jog elbow -5deg' and 'jog tool z 10mm'", &Session::jog},
      {"zeroall", "zeroall", "all joints to zero, or to the limit nearest to it", &Session::zero_all},
      {"stop", "stop", "brake now and stand; also while a command waits, as the space bar and Ctrl-C do then",
       &Session::stop},
      {"reset", "reset", "after a stop, hold or mended fault: run again", &Session::reset},
      {"home", "home",
       "let the device look for its references, and wait until it has found them; 'goto home' is the posture",
       &Session::home},
      {"override", "override SECONDS | override off", "switch the guard off for so long; it is recorded",
       &Session::override_guard},
      {"take", "take", "take control: from now on motion obeys you alone, and what others had under way ends",
       &Session::take_control},
      {"leave", "leave", "leave control: motion obeys whoever asks", &Session::leave_control},
      {"pause", "pause", "planned motions slow down to a stop on their way, and wait", &Session::pause},
      {"resume", "resume", "they go on", &Session::resume},
      {"speed", "speed PERCENT", "planned motions run at 1 to 100 % of their speed, also those under way",
       &Session::set_speed},
      {"motion", "motion", "what the motion service does: owner, queue, progress, speed",
       &Session::show_motion},
      {"world",
       "world add KIND NAME … | world add {…} | world move NAME X Y Z | world remove NAME | world list",
       "objects that the robot must not touch: box NAME LONG WIDE HIGH X Y Z, mesh NAME FILE X Y Z, field "
       "NAME "
       "FILE LONG WIDE UNIT X Y Z, …; or as in {name: table, box: [1, 0.6, 0.05], at: [0.5, 0, 0.2]}",
       &Session::world},
      {"watch", "watch", "the live table; q leaves it", &Session::watch},
      {"status", "status", "what the robot is doing, and why not", &Session::status},
      {"help", "help", "this list", &Session::help, false},
      {"?", "?", "this list", &Session::help, false},
      {"exit", "exit", "leave", &Session::leave, false},
      {"quit", "quit", "leave", &Session::leave, false},
  }};
  return kVerbs;
}

Status ConsoleSession::move(ConsoleWords words) {
  words = words.subspan(1);
  const RobotModel& model = robot_.model();
  const bool is_filtered = !words.empty() && words[0] == "filter";
  if (is_filtered) words = words.subspan(1);
  if (words.empty()) return usage_error("which joint, and where to? 'goto JOINT VALUE', in rad");
  if (words.size() == 1 && find_joint(model, words[0]) == kNone) {
    for (const NamedPosture& posture : model.postures)
      if (posture.name == words[0]) return go(goal_from_posture(model, posture));
  }
  auto goal = goal_from_pairs(model, words);
  if (!goal) return goal.error();
  if (is_filtered) goal->smoothing = Smoothing::FirstOrder;
  return go(*goal);
}

Status ConsoleSession::get(ConsoleWords words) {
  if (words.size() == 3 && words[1] == "fk") return get_pose(words[2]);
  if (words.size() != 2) return usage_error("'get JOINT', or 'get fk ARM'");
  const auto position = joint_to_look_at(robot_.model(), words[1]);
  if (!position) return position.error();
  const Joint& joint = robot_.model().joints[robot_.model().positions[*position]];
  const std::string_view unit = joint.kind == JointKind::Prismatic ? "m" : "rad";
  out_ << fmt::format("{}  State =  {:.5f}  {}\n", joint.name, robot_.now().state.position[*position], unit)
       << fmt::format("{}  Ref   =  {:.5f}  {}\n", joint.name, robot_.now().processed.wanted[*position],
                      unit);
  return Done{};
}

Status ConsoleSession::zero_all(ConsoleWords) {
  const RobotModel& model = robot_.model();
  JointGoal goal{.mask = enabled_mask(model)};
  for (std::size_t i = 0; i < model.positions.size(); ++i) {
    const Joint& joint = model.joints[model.positions[i]];
    if ((goal.mask >> i & 1) == 0 || (joint.limits.lower <= 0.0 && joint.limits.upper >= 0.0)) continue;
    goal.position[i] = joint.limits.lower > 0.0 ? joint.limits.lower : joint.limits.upper;
    out_ << fmt::format("{} goes to its limit {}\n", joint.name, position_text(joint, goal.position[i]));
  }
  return go(goal);
}

Status ConsoleSession::wait_for(bool (*is_so)(const RobotSnapshot&), std::string_view what) {
  const std::int64_t deadline_ns = monotonic_now_ns() + kControllerAnswers_ns;
  while (monotonic_now_ns() < deadline_ns) {
    if (Status read = robot_.refresh(); !read) return read;
    if (is_so(robot_.now())) return Done{};
    const timespec pause{.tv_sec = 0, .tv_nsec = 20 * kMillisecond_ns};
    nanosleep(&pause, nullptr);
  }
  return Error{ErrorCode::TimedOut,
               fmt::format("{}: {}", what,
                           safety_text(robot_.now().safety, &robot_.model(), robot_.now().state.fault_bits))};
}

Status ConsoleSession::stop(ConsoleWords) {
  if (Status asked = robot_.ask_controller(ControlVerb::Stop); !asked) return asked;
  return wait_for_stop();
}

Status ConsoleSession::wait_for_stop() {
  const auto has_stopped = [](const RobotSnapshot& now) {
    return now.safety.state == ControlState::Stopped || now.safety.state == ControlState::Faulted;
  };
  return wait_for(has_stopped, "the controller does not stop");
}

Status ConsoleSession::reset(ConsoleWords) {
  if (Status asked = robot_.ask_controller(ControlVerb::Reset); !asked) return asked;
  return wait_for([](const RobotSnapshot& now) { return now.safety.state == ControlState::Running; },
                  "it does not run yet");
}

Status ConsoleSession::home(ConsoleWords) {
  return move_with_dots(~std::uint64_t{0},
                        [this](const Patience* patience) { return home_joints(robot_, patience); });
}

Status ConsoleSession::override_guard(ConsoleWords words) {
  if (words.size() != 2) return usage_error("'override SECONDS', or 'override off'");
  if (words[1] == "off") return robot_.ask_controller(ControlVerb::Enforce);
  const auto seconds = number_from(words[1]);
  if (!seconds) return seconds.error();
  if (!(*seconds > 0.0) || *seconds > kLongestOverride)
    return usage_error(fmt::format("override takes over 0 to {:.0f} s, not {}", kLongestOverride, words[1]));
  if (Status asked = robot_.ask_controller(ControlVerb::Override, nanoseconds_from_seconds(*seconds)); !asked)
    return asked;
  out_ << fmt::format("the guard is off for {} s: nothing keeps the robot from touching things\n", words[1]);
  return Done{};
}

Status ConsoleSession::world(ConsoleWords words) {
  const std::string verb = words.size() > 1 ? words[1] : "";
  if (words.size() == 2 && verb == "list") return list_world();
  if ((verb != "add" && verb != "move" && verb != "remove") || (verb == "remove" && words.size() != 3))
    return usage_error("'world add …', 'world move NAME X Y Z', 'world remove NAME', or 'world list'");
  const auto now = robot_.world();
  auto text = verb == "add"    ? object_line_from(words.subspan(2))
              : verb == "move" ? moved_line_from(now ? *now : World{}, words.subspan(2))
                               : Result<std::string>(words[2]);
  if (!text) return text.error();
  Request request{.verb = verb == "remove" ? RequestVerb::RemoveObject : RequestVerb::AddObject};
  if (text->size() >= request.text.size())
    return usage_error(fmt::format("that is {} letters long; {} fit", text->size(), request.text.size() - 1));
  set_text(request.text, *text);
  return ask_at_once(request);
}

Status ConsoleSession::list_world() {
  const auto world = robot_.world();
  const std::size_t count = world ? std::min<std::size_t>(world->object_count, kMaxObjects) : 0;
  if (count == 0) out_ << "the world is empty\n";
  for (std::size_t i = 0; i < count; ++i) out_ << object_row(world->objects[i]) << "\n";
  return Done{};
}

Status ConsoleSession::watch(ConsoleWords) {
  return read_live(robot_, {}, out_);
}

Status ConsoleSession::status(ConsoleWords) {
  const auto lines = view_lines(robot_, {.columns = 200});
  for (std::size_t i = 0; i < 3 && i < lines.size(); ++i) out_ << lines[i] << "\n";
  const std::string refusal = refusal_sentence(robot_.now().safety, &robot_.model());
  if (!refusal.empty()) out_ << "last refusal: " << refusal << "\n";
  if (!robot_.has_motion_service()) {
    out_ << "no motion service runs\n";
    return Done{};
  }
  const auto motion = robot_.motion_state();
  out_ << "the motion service runs" << (motion ? ": " + motion_words(*motion) : "") << "\n";
  return Done{};
}

Status ConsoleSession::help(ConsoleWords) {
  for (const ConsoleVerb& verb : ConsoleVerb::all())
    if (verb.name != "?") out_ << fmt::format("  {}\n      {}\n", verb.usage, verb.help);
  return Done{};
}

Status ConsoleSession::leave(ConsoleWords) {
  is_over_ = true;
  return Done{};
}

}  // namespace sinew::cli
