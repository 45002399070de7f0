// SPDX-License-Identifier: BSD-3-Clause
// sinew check | format | language
#include "apps/cli/program_check.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>

#include <fmt/format.h>

#include "sinew/language/check.h"
#include "sinew/language/formatter.h"
#include "sinew/language/highlighting.h"
#include "sinew/language/parser.h"
#include "sinew/mesh/mesh_points.h"
#include "sinew/messages/decode.h"
#include "sinew/motion/program_file.h"
#include "sinew/planning/planning_robot.h"

#include "apps/cli/plan_scene.h"
#include "apps/cli/program_check_robot.h"
#include "apps/cli/robot_choice.h"

namespace sinew::cli {
namespace {

using language::Finding;
using language::Severity;

struct Checked {
  std::string file;
  std::vector<Finding> findings;
  std::vector<std::string> files;
  language::CheckReport report;
  std::optional<double> cycle_time;  ///< [s]
};

std::size_t count_of(const Checked& checked, Severity severity) {
  return static_cast<std::size_t>(std::count_if(checked.findings.begin(), checked.findings.end(),
                                                [&](const Finding& f) { return f.severity == severity; }));
}

void print_json(const Checked& checked, std::ostream& out) {
  std::string findings;
  for (const Finding& finding : checked.findings) {
    findings +=
        fmt::format(R"({}{{"file": {}, "line": {}, "column": {}, "severity": "{}", "text": {}}})",
                    findings.empty() ? "" : ", ", json_text(checked.files[finding.place.file]),
                    finding.place.line, finding.place.column,
                    finding.severity == Severity::Error ? "error" : "warning", json_text(finding.text));
  }
  const std::size_t errors = count_of(checked, Severity::Error);
  out << fmt::format(
             R"({{"file": {}, "ok": {}, "errors": {}, "warnings": {}, "findings": [{}], "actions": {}, "moves": {}, "whole": {}, "cycle_time": {}}})",
             json_text(checked.file), errors == 0, errors, count_of(checked, Severity::Warning), findings,
             checked.report.actions, checked.report.moves, checked.report.is_whole,
             checked.cycle_time ? fmt::format("{:.6f}", *checked.cycle_time) : "null")
      << "\n";
}

void print_text(const Checked& checked, std::ostream& out) {
  for (const Finding& finding : checked.findings) out << finding_text(finding, checked.files) << "\n";
  if (checked.findings.size() >= language::FindingList::kMostFindings)
    fmt::print(stderr, "{}: there may be more; mend these first\n", checked.file);
  const std::size_t errors = count_of(checked, Severity::Error);
  if (errors > 0) return;
  fmt::print(stderr, "{}: no errors; {} moves{}{}\n", checked.file, checked.report.moves,
             checked.report.is_whole ? "" : " seen, and the program goes on without end",
             checked.cycle_time
                 ? fmt::format(", {:.2f} s without what inputs and grippers take", *checked.cycle_time)
                 : "");
}

Result<Checked> check_file(const std::string& file, const std::vector<double>& start,
                           const ChosenChain* chosen, const std::string& world_name = {}) {
  auto program = read_program(file);
  if (!program) return program.error();
  const language::ParsedProgram& parsed = program->parsed;
  Checked checked{.file = file, .findings = parsed.findings.all(), .files = parsed.program.file_names()};
  if (parsed.findings.has_errors()) return checked;
  if (chosen == nullptr) {
    checked.report = check_program(parsed.program, language::OpenWorld{});
  } else {
    const auto arm = CheckedArm::make(*chosen);
    if (!arm) return arm.error();
    if (!start.empty()) {
      if (Status started = (*arm)->start_at(start); !started) return started.error();
    }
    if (!world_name.empty()) {
      const auto world = load_scene_of(world_name, chosen->robot.model.name);
      if (!world) return world.error();
      if (Status fits = (*arm)->set_world(*world); !fits) return fits.error();
    }
    checked.report = check_program(parsed.program, (*arm)->robot(), &(*arm)->judge());
    if (checked.report.is_whole) checked.cycle_time = (*arm)->judge().cycle_time();
  }
  for (const Finding& finding : checked.report.findings.all()) checked.findings.push_back(finding);
  return checked;
}

Status run_check(const Words& words, std::ostream& out) {
  std::optional<ChosenChain> chosen;
  if (words.has("--robot") || words.has("--urdf")) {
    // a bare URDF says nothing of which links may touch
    auto robot = load_planning_robot({.robot = words.text(words.has("--robot") ? "--robot" : "--urdf"),
                                      .arm = words.text("--arm"),
                                      .base = words.text("--base"),
                                      .tip = words.text("--tip")},
                                     points_of_mesh);
    if (!robot) return robot.error();
    for (const Remark& remark : robot->chosen.robot.remarks) fmt::print(stderr, "{}\n", remark_text(remark));
    chosen.emplace(std::move(robot->chosen));
  } else if (words.has("--start") || words.has("--world")) {
    return usage_error("--start and --world need a robot: --robot NAME");
  }
  const auto start = words.numbers("--start");
  if (!start) return start.error();
  std::size_t errors = 0;
  for (const std::string& file : words.arguments()) {
    const auto checked = check_file(file, *start, chosen ? &*chosen : nullptr, words.text("--world"));
    if (!checked) return checked.error();
    words.has("--json") ? print_json(*checked, out) : print_text(*checked, out);
    errors += count_of(*checked, Severity::Error);
  }
  if (errors == 0) return Done{};
  return Error{ErrorCode::Damaged, fmt::format("{} error{}", errors, errors == 1 ? "" : "s")};
}

// whole or not at all
Status replace_file(const std::string& path, const std::string& text) {
  const std::string draft = path + ".formatted";
  std::ofstream file(draft, std::ios::binary);
  file << text;
  file.close();
  std::error_code error;
  if (file) std::filesystem::permissions(draft, std::filesystem::status(path).permissions(), error);
  if (file) std::filesystem::rename(draft, path, error);
  if (file && !error) return Done{};
  std::filesystem::remove(draft, error);
  return Error{ErrorCode::SystemFailure, fmt::format("cannot write {}: is its folder writable?", path)};
}

Status format_one(const std::string& file, const Words& words, std::ostream& out) {
  const auto text = read_program_text(file);
  if (!text) return text.error();
  const language::ParsedProgram parsed = language::parse_program(*text, file);
  for (const Finding& finding : parsed.findings.all())
    out << finding_text(finding, parsed.program.file_names()) << "\n";
  if (parsed.findings.has_errors())
    return Error{ErrorCode::Damaged, fmt::format("{} has errors and is left as it is", file)};
  const std::string formatted = language::format_file(parsed.program.files[0].statements);
  if (words.has("--check")) {
    if (formatted == *text) return Done{};
    return Error{ErrorCode::Mismatch,
                 fmt::format("{0} is not formatted; 'sinew format {0} --write' does it", file)};
  }
  if (words.has("--write")) return formatted == *text ? Status(Done{}) : replace_file(file, formatted);
  out << formatted;
  return Done{};
}

Status run_format(const Words& words, std::ostream& out) {
  if (words.has("--write") && words.has("--check")) return usage_error("give --write or --check, not both");
  for (const std::string& file : words.arguments()) {
    if (Status done = format_one(file, words, out); !done) return done;
  }
  return Done{};
}

Status run_language(const Words& words, std::ostream& out) {
  const std::string what = words.argument(0);
  if (what == "textmate") {
    out << language::textmate_grammar();
  } else if (what == "words") {
    out << language::word_table_json();
  } else if (what == "table") {
    out << language::word_table_markdown();
  } else {
    return usage_error(fmt::format("there is no '{}' to print; there are textmate, words and table", what));
  }
  return Done{};
}

}  // namespace

Result<std::size_t> count_errors(const std::string& file, const ChainChoice& choice,
                                 std::span<const double> q_all, bool as_json) {
  const auto chosen = choose_chain(choice);
  if (!chosen) return chosen.error();
  std::vector<double> start;
  for (std::size_t i = 0; i < chosen->chain.size(); ++i) start.push_back(q_all[chosen->chain.position(i)]);
  const auto checked = check_file(file, start, &*chosen);
  if (!checked) return checked.error();
  as_json ? print_json(*checked, std::cout) : print_text(*checked, std::cerr);
  return count_of(*checked, Severity::Error);
}

Command check_command() {
  Command command{
      .name = "check",
      .summary = "Everything that is wrong with a robot program, before it runs",
      .details =
          "Checks syntax, names and types, then walks the program as it would run, from the home posture or "
          "--start. "
          "With a robot, tools, points and numbers of joints are checked as well, and every move is planned "
          "as "
          "it would be run: reach, limits, singularities, collisions with the robot itself and with the "
          "objects of --world, and how long all takes. On the walk inputs are off and on by turns, waits "
          "succeed, and ON never acts. Findings read "
          "FILE:LINE:COLUMN: error|warning: text; it exits with 0 when there is no error.",
      .arguments = {{.name = "FILE",
                     .help = "A program; its name ends in .prog.",
                     .completion = Completion::File,
                     .is_repeated = true}},
      .options = chain_options(),
      .examples = {"sinew check programs/listing_4.prog --robot yarc-industrial",
                   "sinew check programs/pick_and_place.prog --robot ur5e --world table",
                   "sinew check weld.prog --json --robot ur5e --start 0 -1.57 1.57 0 0 0"},
      .run = run_check,
  };
  // the program says which tool it moves
  std::erase_if(command.options, [](const Option& option) { return option.name == "--tool"; });
  command.options.push_back({.name = "--start",
                             .value_name = "Q…",
                             .help = "Where the joints are at first, in rad and m; home unless given.",
                             .most_values = 64});
  command.options.push_back({.name = "--world",
                             .value_name = "WORLD",
                             .help = "Name of a world or a YAML file: its objects are in the way.",
                             .completion = Completion::File});
  command.options.push_back(
      {.name = "--json", .value_name = "", .help = "Print JSON, a line for each file."});
  return command;
}

Command format_command() {
  return {
      .name = "format",
      .summary = "Write a robot program in the one way to write it",
      .details =
          "Prints the program unless told to write it back. Numbers, names and comments stay as they are.",
      .arguments = {{.name = "FILE",
                     .help = "A program; its name ends in .prog.",
                     .completion = Completion::File,
                     .is_repeated = true}},
      .options = {{.name = "--write", .value_name = "", .help = "Write it back into the file."},
                  {.name = "--check",
                   .value_name = "",
                   .help = "Only tell, by the exit code, whether it is formatted."}},
      .examples = {"sinew format weld.prog --write", "sinew format programs/listing_4.prog --check"},
      .run = run_format,
  };
}

const Command kLanguageCommand{
    .name = "language",
    .summary = "Print the words of the robot language, for editors",
    .arguments = {{.name = "WHAT", .help = "textmate (a grammar), words (JSON) or table (Markdown)."}},
    .examples = {"sinew language textmate > sinew.tmLanguage.json"},
    .run = run_language,
};

}  // namespace sinew::cli
