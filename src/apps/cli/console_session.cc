// SPDX-License-Identifier: BSD-3-Clause
#include "apps/cli/console_session.h"

#include <algorithm>
#include <ostream>

#include <fmt/format.h>

#include "sinew/base/text.h"
#include "sinew/base/time.h"

#include "apps/cli/command.h"
#include "apps/cli/console_steer.h"
#include "apps/cli/console_verbs.h"
#include "apps/cli/console_world.h"

namespace sinew::cli {
namespace {

std::vector<std::string> arm_names(const RobotModel& model) {
  std::vector<std::string> names;
  for (const Arm& arm : model.arms) names.push_back(arm.name);
  return names;
}

std::vector<std::string> joined(std::vector<std::string> words, const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

// What may follow 'goto': pairs of joint and value.
std::vector<std::string> after_goto(const RobotModel& model, ConsoleWords words) {
  const bool is_filter = words.size() > 1 && words[1] == "filter";
  const std::size_t typed = words.size() - (is_filter ? 2 : 1);
  if (typed % 2 == 1) return {};
  std::vector<std::string> names = joint_names(model);
  if (typed > 0 || is_filter) return names;
  names.emplace_back("filter");
  for (const NamedPosture& posture : model.postures) names.push_back(posture.name);
  return names;
}

}  // namespace

std::vector<std::string> console_words(std::string_view line) {
  std::vector<std::string> words;
  std::string word;
  int depth = 0;
  const auto end_word = [&] {
    if (!word.empty()) words.push_back(std::exchange(word, {}));
  };
  for (const char letter : line) {
    if (letter == '{') ++depth;
    if (letter == '}') --depth;
    const bool is_space = letter == ' ' || letter == '\t' || letter == '\r' || letter == '\n';
    if (is_space && depth <= 0) {
      end_word();
    } else {
      word += letter;
    }
  }
  end_word();
  return words;
}

ConsoleSession::ConsoleSession(RobotLink& robot, std::ostream& out, const ConsoleOptions& options)
    : robot_(robot), out_(out), options_(options) {}

std::string ConsoleSession::prompt() const {
  return fmt::format(">> {}-ach-console$ ", robot_.name());
}

Status ConsoleSession::obey(std::string_view line) {
  const std::vector<std::string> words = console_words(line);
  if (words.empty()) return Done{};
  const auto verbs = ConsoleVerb::all();
  const auto verb = std::ranges::find(verbs, words[0], &ConsoleVerb::name);
  if (verb == verbs.end()) {
    std::vector<std::string> names;
    for (const ConsoleVerb& one : verbs) names.emplace_back(one.name);
    return usage_error(
        fmt::format("there is no command '{}'{}; 'help' lists all", words[0], did_you_mean(words[0], names)));
  }
  if (Status read = robot_.refresh(); !read && verb->needs_robot) return read;
  if (const std::int64_t old_ns = robot_.now().old_ns; old_ns > 0 && verb->needs_robot)
    fmt::print(stderr, "the controller of '{}' has said nothing for {}: what follows is as old\n",
               robot_.name(), duration_text(old_ns));
  return (this->*verb->run)(words);
}

std::vector<std::string> ConsoleSession::candidates(ConsoleWords words) const {
  const RobotModel& model = robot_.model();
  if (words.empty()) {
    std::vector<std::string> names;
    for (const ConsoleVerb& verb : ConsoleVerb::all()) names.emplace_back(verb.name);
    return names;
  }
  const std::string& verb = words[0];
  if (verb == "goto") return after_goto(model, words);
  if (verb == "get" && words.size() == 1) return joined(joint_names(model), {"fk"});
  if (verb == "get" && words.size() == 2 && words[1] == "fk") return arm_names(model);
  if (verb == "ik" && words.size() == 1) return joined(arm_names(model), {"--legacy", "--exact"});
  if (verb == "ik" && words.size() == 2 && words[1].starts_with("--")) return arm_names(model);
  if ((verb == "ik3" || verb == "ik5") && words.size() == 1) return arm_names(model);
  if (verb == "line") return after_line(model, words.subspan(1));
  if (verb == "jog") return after_jog(model, words.subspan(1));
  if (verb == "world") return after_world(words.subspan(1), robot_.world().get());
  if (verb == "override" && words.size() == 1) return {"off"};
  if (verb == "speed" && words.size() == 1) return {"10", "25", "50", "75", "100"};
  return {};
}

}  // namespace sinew::cli
