// SPDX-License-Identifier: BSD-3-Clause
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <ostream>
#include <vector>

#include <fmt/format.h>

#include "apps/cli/bench_commands.h"
#include "apps/cli/channel_commands.h"
#include "apps/cli/command.h"
#include "apps/cli/console.h"
#include "apps/cli/demo.h"
#include "apps/cli/doctor.h"
#include "apps/cli/follow.h"
#include "apps/cli/hanoi.h"
#include "apps/cli/kinematics_commands.h"
#include "apps/cli/lab_commands.h"
#include "apps/cli/lab_new.h"
#include "apps/cli/model_commands.h"
#include "apps/cli/plan_command.h"
#include "apps/cli/program_check.h"
#include "apps/cli/program_run.h"
#include "apps/cli/read.h"
#include "apps/cli/record_commands.h"
#include "apps/cli/sim.h"
#include "apps/cli/sim_control.h"
#include "apps/cli/start_stop_commands.h"
#include "apps/cli/web_commands.h"

namespace sinew::cli {
namespace {

Status run_completion(const Words& words, std::ostream& out) {
  const auto script = completion_script(words.argument(0));
  if (!script) return script.error();
  out << *script;
  return Done{};
}

Status write_page(const std::filesystem::path& path, const std::string& text) {
  std::ofstream file(path);
  file << text;
  file.flush();
  if (file) return Done{};
  return Error{ErrorCode::SystemFailure,
               fmt::format("cannot write {}: {}", path.string(), std::strerror(errno))};
}

Status write_all_pages(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    return Error{ErrorCode::SystemFailure,
                 fmt::format("cannot make {}: {}", folder.string(), error.message())};
  if (Status written = write_page(folder / "sinew.1", manual_page_of_sinew()); !written) return written;
  for (const Command& command : all_commands()) {
    if (Status written = write_page(folder / (page_name(command) + ".1"), manual_page(command)); !written)
      return written;
  }
  return Done{};
}

Status run_man(const Words& words, std::ostream& out) {
  if (words.has("--out")) return write_all_pages(words.text("--out"));
  if (words.arguments().empty()) {
    out << manual_page_of_sinew();
    return Done{};
  }
  const FoundCommand found = find_command(words.arguments());
  if (found.command == nullptr || found.word_count != words.arguments().size()) {
    return Error{ErrorCode::InvalidInput, fmt::format("there is no command '{}'; 'sinew --help' lists all",
                                                      fmt::join(words.arguments(), " "))};
  }
  out << manual_page(*found.command);
  return Done{};
}

const Command kCompletionCommand{
    .name = "completion",
    .summary = "Print a script that teaches the shell to complete 'sinew'",
    .arguments = {{.name = "SHELL", .help = "bash or zsh."}},
    .examples = {"source <(sinew completion bash)"},
    .run = run_completion,
};

const Command kManCommand{
    .name = "man",
    .summary = "Print a manual page, or write all of them",
    .arguments = {{.name = "COMMAND",
                   .help = "Such as 'channel echo'; none: sinew itself.",
                   .is_optional = true,
                   .is_repeated = true}},
    .options = {{.name = "--out",
                 .value_name = "FOLDER",
                 .help = "Write every page into this folder.",
                 .completion = Completion::File}},
    .examples = {"sinew man channel echo | man -l -", "sinew man --out share/man/man1"},
    .run = run_man,
};

}  // namespace

std::span<const Option> common_options() {
  static const std::vector<Option> kOptions{
      {.name = "--space",
       .value_name = "NAME",
       .help = "The system that is meant; others are not touched.",
       .fallback = "default"},
      {.name = "--help", .value_name = "", .help = "Show this text."},
  };
  return kOptions;
}

std::span<const Command> all_commands() {
  static const std::vector<Command> kCommands = [] {
    std::vector<Command> commands{kDemoCommand};
    for (const Command& command : start_stop_commands()) commands.push_back(command);
    commands.push_back(kConsoleCommand);
    commands.push_back(kReadCommand);
    commands.push_back(kFollowCommand);
    commands.push_back(hanoi_command());
    for (const Command& command :
         {kModelCommand, kNewCommand, fk_command(), ik_command(), plan_command(), sim_command()})
      commands.push_back(command);
    for (const Command& command : {check_command(), run_command(), format_command(), kLanguageCommand})
      commands.push_back(command);
    for (const Command& command : sim_control_commands()) commands.push_back(command);
    for (const Command& command : web_commands()) commands.push_back(command);
    for (const Command& command : channel_commands()) commands.push_back(command);
    for (const Command& command : bench_commands()) commands.push_back(command);
    commands.push_back(kLabNewCommand);
    for (const Command& command : lab_commands()) commands.push_back(command);
    commands.push_back(kRecordCommand);
    commands.push_back(kReplayCommand);
    commands.push_back(kDoctorCommand);
    commands.push_back(kCompletionCommand);
    commands.push_back(kManCommand);
    return commands;
  }();
  return kCommands;
}

}  // namespace sinew::cli
