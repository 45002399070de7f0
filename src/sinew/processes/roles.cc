// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/processes/roles.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "sinew/base/text.h"
#include "sinew/processes/command_words.h"

namespace sinew::processes {
namespace {

using Settings = std::map<std::string, std::string>;

constexpr std::array<Role, 5> kRoles{{
    {.name = "device", .program = "", .arguments = "", .needed = Needed::WhenReal},
    {.name = "simulator",
     .program = "sinew-simulator",
     .arguments = "--world {world} --robot {robot} --name {name} --space {space} --ready-fd {ready_fd}",
     .needed = Needed::WhenSimulated},
    {.name = "controller",
     .program = "sinew-controller",
     .arguments = "--robot {robot} --site {site} --name {name} --space {space} --driver {driver} --device "
                  "{device} --ready-fd {ready_fd}",
     .when_restarted = "--restarted"},
    {.name = "motion",
     .program = "sinew-motion",
     .arguments = "--robot {robot} --site {site} --name {name} --space {space} --ready-fd {ready_fd}",
     .needed = Needed::WhenBuilt},
    {.name = "web",
     .program = "sinew-web",
     .arguments = "--robot {robot} --name {name} --space {space} --listen {web} --driver {driver} "
                  "--url-api {url_api} --accounts {accounts} --viewers {viewers} --data {web_data} --tls "
                  "{tls} --ready-fd {ready_fd}",
     .needed = Needed::WhenServed},
}};

// keys of `processes:` that name no role
constexpr std::string_view kMake = "make";
constexpr std::string_view kRestart = "restart.";
// a role with this command is left out
constexpr std::string_view kNone = "none";

constexpr std::size_t kMostProcesses = 32;

Error refuse(std::string_view key, std::string_view reason) {
  return {ErrorCode::InvalidInput, fmt::format("robot.yaml, processes: {}: {}", key, reason)};
}

Settings values_of(const RobotWish& wish) {
  return {{"robot", wish.robot},
          {"name", wish.name},
          {"space", wish.space},
          {"site", wish.site},
          {"world", wish.world},
          {"device", wish.device},
          {"driver", wish.is_simulated ? "simulator" : ""},
          {"web", wish.web},
          {"url_api", wish.has_url_api ? "on" : ""},
          {"accounts", wish.has_accounts ? "" : "off"},
          {"viewers", wish.viewers},
          {"web_data", wish.web_data},
          {"tls", wish.has_tls ? "on" : ""},
          {"programs", wish.program_folder},
          {"ready_fd", fmt::format("{}", kReadyDescriptor)}};
}

Result<ProcessPlan> plan_command(const std::string& role, std::string_view command, const RobotWish& wish) {
  const auto words = split_command(command);
  if (!words) return refuse(role, words.error().message);
  auto filled = fill_words(*words, values_of(wish));
  if (!filled) return refuse(role, filled.error().message);
  if (filled->empty()) return refuse(role, "the command is empty");
  return ProcessPlan{.role = role,
                     .words = *std::move(filled),
                     .says_ready = command.find("{ready_fd}") != std::string_view::npos};
}

// Whether a robot such as this one has the role at all.
bool is_wanted(const Role& role, const RobotWish& wish) {
  return (role.needed != Needed::WhenSimulated || wish.is_simulated) &&
         (role.needed != Needed::WhenReal ||
          (!wish.is_simulated && wish.settings.contains(std::string(role.name)))) &&
         (role.needed != Needed::WhenServed || !wish.web.empty());
}

// Our own program for a role; none, with a remark, when it may be left out and is not there.
Result<std::optional<ProcessPlan>> plan_ours(const Role& role, const RobotWish& wish, RobotPlan& plan) {
  const std::string program = fmt::format("{}/{}", wish.program_folder, role.program);
  if (access(program.c_str(), X_OK) != 0) {
    if (role.needed == Needed::WhenBuilt || role.needed == Needed::WhenServed) {
      plan.remarks.push_back(fmt::format("{} is left out: there is no {}", role.name, program));
      return std::optional<ProcessPlan>();
    }
    return Error{ErrorCode::NotFound,
                 fmt::format("the {} cannot be started: there is no {}; build it, or name a program of your "
                             "own in robot.yaml under processes: {}",
                             role.name, program, role.name)};
  }
  auto process = plan_command(std::string(role.name), role.arguments, wish);
  if (!process) return process.error();
  // the folder of our programs may hold blanks
  process->words.insert(process->words.begin(), program);
  if (!role.when_restarted.empty()) process->when_restarted = {std::string(role.when_restarted)};
  return std::optional(*std::move(process));
}

Status add_role(const Role& role, const RobotWish& wish, RobotPlan& plan) {
  if (!is_wanted(role, wish)) return Done{};
  const auto own = wish.settings.find(std::string(role.name));
  if (own != wish.settings.end()) {
    if (own->second == kNone) return Done{};
    auto process = plan_command(own->first, own->second, wish);
    if (!process) return process.error();
    plan.processes.push_back(*std::move(process));
    return Done{};
  }
  auto process = plan_ours(role, wish, plan);
  if (!process) return process.error();
  if (process->has_value()) plan.processes.push_back(**std::move(process));
  return Done{};
}

Result<double> number_between(const std::string& key, const std::string& text, double lowest,
                              double highest) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  // written so that NaN is refused
  const bool is_good =
      error == std::errc() && end == text.data() + text.size() && number >= lowest && number <= highest;
  if (is_good) return number;
  return refuse(key, fmt::format("'{}' is no number from {} to {}", text, lowest, highest));
}

Status read_rule(const std::string& key, const std::string& text, RobotPlan& plan) {
  RestartRules& rules = plan.rules;
  const std::string name = key.substr(kRestart.size());
  const std::array<std::pair<std::string_view, std::int64_t*>, 4> times{
      {{"first_delay", &rules.first_delay_ns},
       {"longest_delay", &rules.longest_delay_ns},
       {"healthy_after", &rules.healthy_after_ns},
       {"ready_within", &plan.ready_within_ns}}};
  for (const auto& [time_name, time_ns] : times) {
    if (name != time_name) continue;
    const auto seconds = number_between(key, text, 0.001, 86400);
    if (!seconds) return seconds.error();
    *time_ns = nanoseconds_from_seconds(*seconds);
    return Done{};
  }
  if (name != "most_quick_deaths") {
    return refuse(key,
                  "there are first_delay, longest_delay, healthy_after, ready_within and most_quick_deaths");
  }
  const auto count = number_between(key, text, 1, 1e6);
  if (!count) return count.error();
  rules.most_quick_deaths = static_cast<std::uint32_t>(*count);
  return Done{};
}

// A name that can stand in file names.
bool is_role_name(std::string_view name) {
  const auto is_allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  };
  return !name.empty() && name.size() <= 32 && std::all_of(name.begin(), name.end(), is_allowed);
}

// Roles beyond ours, and everything in the section that is no role.
Status add_setting(const std::string& key, const std::string& text, const RobotWish& wish, RobotPlan& plan) {
  const auto is_it = [&](const Role& role) { return role.name == key; };
  if (key == kMake || std::any_of(kRoles.begin(), kRoles.end(), is_it) || text == kNone) return Done{};
  if (key.starts_with(kRestart)) return read_rule(key, text, plan);
  if (!is_role_name(key)) {
    return refuse(key, "write ROLE: COMMAND, the role a word of letters, digits, '-' and '_', at most 32");
  }
  auto process = plan_command(key, text, wish);
  if (!process) return process.error();
  plan.processes.push_back(*std::move(process));
  return Done{};
}

}  // namespace

std::span<const Role> all_roles() {
  return kRoles;
}

Result<RobotPlan> plan_robot(const RobotWish& wish) {
  RobotPlan plan{.name = wish.name,
                 .robot = wish.robot,
                 .site = wish.site,
                 .folder = wish.folder,
                 .is_simulated = wish.is_simulated,
                 .processes = {},
                 .rules = {},
                 .remarks = {}};
  for (const Role& role : kRoles) {
    if (Status added = add_role(role, wish, plan); !added) return added.error();
  }
  for (const auto& [key, text] : wish.settings) {
    if (Status added = add_setting(key, text, wish, plan); !added) return added.error();
  }
  if (plan.processes.empty() || plan.processes.size() > kMostProcesses) {
    return refuse("roles", fmt::format("{} processes are to run; there must be 1 to {}",
                                       plan.processes.size(), kMostProcesses));
  }
  return plan;
}

Result<std::vector<std::string>> make_command(const RobotWish& wish) {
  const auto found = wish.settings.find(std::string(kMake));
  if (found == wish.settings.end()) return std::vector<std::string>();
  const auto words = split_command(found->second);
  if (!words) return refuse(kMake, words.error().message);
  return fill_words(*words, values_of(wish));
}

}  // namespace sinew::processes
