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
#include "sinew/model/site.h"
#include "sinew/model/text_input.h"
#include "sinew/motion/program_file.h"
#include "sinew/planning/planning_robot.h"

#include "apps/cli/plan_scene.h"
#include "apps/cli/program_check_robot.h"
#include "apps/cli/robot_choice.h"
#include "apps/cli/torque_remarks.h"

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
  std::string world{};               ///< Where things are as it says, if the program asks for that.
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
             R"({{"file": {}, "ok": {}, "errors": {}, "warnings": {}, "findings": [{}], "actions": {}, "moves": {}, "unseen": {}, "whole": {}, "assumed_world": {}, "cycle_time": {}}})",
             json_text(checked.file), errors == 0, errors, count_of(checked, Severity::Warning), findings,
             checked.report.actions, checked.report.moves, checked.report.unseen, checked.report.is_whole,
             checked.report.assumes_objects ? json_text(checked.world) : "null",
             checked.cycle_time ? fmt::format("{:.6f}", *checked.cycle_time) : "null")
      << "\n";
}

void print_text(const Checked& checked, std::ostream& out) {
  for (const Finding& finding : checked.findings) out << finding_text(finding, checked.files) << "\n";
  if (checked.findings.size() >= language::FindingList::kMostFindings)
    fmt::print(stderr, "{}: there may be more; mend these first\n", checked.file);
  const std::size_t errors = count_of(checked, Severity::Error);
  if (checked.report.assumes_objects)
    fmt::print(
        stderr, "{}: note: {}\n", checked.file,
        assumption_text(checked.world == kSeenNow ? checked.world : fmt::format("'{}'", checked.world)));
  if (errors > 0) return;
  fmt::print(stderr, "{}: no errors; {} moves{}{}\n", checked.file, checked.report.moves,
             checked.report.is_whole ? "" : " seen, and the program goes on without end",
             checked.cycle_time
                 ? fmt::format(", {:.2f} s without what inputs and grippers take", *checked.cycle_time)
                 : "");
}

/// A null arm: what does not depend on a robot.
Result<Checked> check_file(const std::string& file, CheckedArm* arm,
                           const language::CheckOptions& options = {}) {
  auto program = read_program(file);
  if (!program) return program.error();
  const language::ParsedProgram& parsed = program->parsed;
  Checked checked{.file = file, .findings = parsed.findings.all(), .files = parsed.program.file_names()};
  if (parsed.findings.has_errors()) return checked;
  if (arm == nullptr) {
    checked.report = check_program(parsed.program, language::OpenWorld{});
  } else {
    checked.report = check_program(parsed.program, arm->robot(), &arm->judge(), options);
    if (checked.report.is_whole) checked.cycle_time = arm->judge().cycle_time();
  }
  for (const Finding& finding : checked.report.findings.all()) checked.findings.push_back(finding);
  return checked;
}

std::string named_at_head(std::string_view program, std::string_view mark) {
  while (program.starts_with('#')) {
    const std::string_view line = program.substr(0, program.find('\n'));
    if (line.starts_with(mark)) return std::string(trimmed(line.substr(mark.size())));
    program.remove_prefix(std::min(program.size(), line.size() + 1));
  }
  return {};
}

/// The robot to check a program on: as the words say, else as the program does; empty: neither.
Result<std::string> robot_for(const std::string& file, const Words& words) {
  if (words.has("--robot")) return words.text("--robot");
  if (words.has("--urdf")) return words.text("--urdf");
  const auto text = read_program_text(file);
  if (!text) return text.error();
  return robot_named_in(*text);
}

Result<PlanningRobot> load_robot_for(const std::string& name, const Words& words) {
  // a bare URDF says nothing of which links may touch
  auto robot = load_planning_robot({.robot = name,
                                    .arm = words.text("--arm"),
                                    .base = words.text("--base"),
                                    .tip = words.text("--tip"),
                                    .srdf = words.text("--srdf")},
                                   points_of_mesh);
  if (!robot) return robot.error();
  if (words.has("--site")) {
    const auto site = read_text_file(words.text("--site"));
    if (!site) return site.error();
    if (Status fits = apply_site_text(*site, words.text("--site"), robot->chosen.robot.model); !fits)
      return fits.error();
  }
  for (const Remark& remark : robot->chosen.robot.remarks) fmt::print(stderr, "{}\n", remark_text(remark));
  for (const Remark& remark : remarks_on_torque(robot->chosen.robot))
    fmt::print(stderr, "{}\n", remark_text(remark));
  return robot;
}

/// The world to check it in: as the words say, else as the program does; empty: neither.
Result<std::string> world_for(const std::string& file, const Words& words) {
  if (words.has("--world")) return words.text("--world");
  const auto text = read_program_text(file);
  if (!text) return text.error();
  return world_named_in(*text);
}

/// `scene` is filled in and must outlive the arm.
Result<std::unique_ptr<CheckedArm>> arm_for(const ChosenChain& chosen, const Words& words,
                                            const std::string& world_name, PlanScene& scene) {
  auto arm = CheckedArm::make(chosen);
  if (!arm) return arm.error();
  const auto start = words.numbers("--start");
  if (!start) return start.error();
  if (!start->empty()) {
    if (Status started = (*arm)->start_at(*start); !started) return started.error();
  }
  if (world_name.empty()) {
    // as the world that a robot is simulated in unless another is named
    if (Status fits = (*arm)->set_world(floor_alone()); !fits) return fits.error();
    return arm;
  }
  auto world = load_scene(world_name, {.model = &chosen.robot.model, .has_unknown = false});
  if (!world) return world.error();
  scene = *std::move(world);
  if (Status fits = (*arm)->set_world(scene.world); !fits) return fits.error();
  (*arm)->assume(scene.things);
  return arm;
}

Result<Checked> check_on_robot(const std::string& file, const std::string& robot, const Words& words) {
  const auto loaded = load_robot_for(robot, words);
  if (!loaded) return loaded.error();
  const auto world = world_for(file, words);
  if (!world) return world.error();
  PlanScene scene;
  const auto arm = arm_for(loaded->chosen, words, *world, scene);
  if (!arm) return arm.error();
  auto checked = check_file(file, arm->get());
  if (checked) checked->world = *world;
  return checked;
}

Result<Checked> check_without_robot(const std::string& file, const Words& words) {
  if (words.has("--start") || words.has("--world") || words.has("--site"))
    return usage_error("--start, --world and --site need a robot: --robot NAME");
  fmt::print(stderr,
             "{}: no robot is named, so moves are not looked at, and names of tools, points, inputs, outputs "
             "and grippers are taken as they are; --robot NAME, or a line '# robot: NAME' at its head\n",
             file);
  return check_file(file, nullptr);
}

Status run_check(const Words& words, std::ostream& out) {
  std::size_t errors = 0;
  for (const std::string& file : words.arguments()) {
    const auto robot = robot_for(file, words);
    if (!robot) return robot.error();
    const auto checked =
        robot->empty() ? check_without_robot(file, words) : check_on_robot(file, *robot, words);
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

std::string robot_named_in(std::string_view program) {
  return named_at_head(program, "# robot:");
}

std::string world_named_in(std::string_view program) {
  return named_at_head(program, "# world:");
}

Result<std::size_t> count_errors(const std::string& file, const ChainChoice& choice, const RobotPlace& place,
                                 bool as_json) {
  auto chosen = choose_chain(choice);
  if (!chosen) return chosen.error();
  if (!place.site.empty()) {
    if (Status fits = apply_site_text(place.site, kSiteFile, chosen->robot.model); !fits) return fits.error();
  }
  const auto arm = CheckedArm::make(*chosen);
  if (!arm) return arm.error();
  (*arm)->stand_at({place.q_all.begin(), place.q_all.end()});
  if (const Status fits = (*arm)->look_around(place.world, place.seen); !fits) return fits.error();
  auto checked = check_file(file, arm->get(), {.from_line = place.from_line});
  if (!checked) return checked.error();
  checked->world = kSeenNow;
  as_json ? print_json(*checked, std::cout) : print_text(*checked, std::cerr);
  return count_of(*checked, Severity::Error);
}

Command check_command() {
  Command command{
      .name = "check",
      .summary = "Everything that is wrong with a robot program, before it runs",
      .details =
          "Checks syntax, names and types, then walks the program as it would run, from the home posture or "
          "--start. The robot is that of --robot, or of a line '# robot: NAME' at the head of the program: "
          "tools, points, inputs, outputs, grippers and numbers of joints are checked against it, and every "
          "move is planned as it would be run: reach, limits, singularities, collisions with the robot "
          "itself and with the "
          "objects of --world, and how long all takes. On the walk inputs are off and on by turns, waits "
          "succeed, and ON never acts; WHERE something is, is what the world says, and what a gripper closes "
          "on goes along: a note tells so, and without a world the walk ends there with a warning; moves "
          "that the walk does not come by are counted in a warning. "
          "Findings read "
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
                             .help =
                                 "Name of a world or a YAML file: its objects are in the way, but what is "
                                 "'known: false' or asked for by WHERE. A line '# world: NAME' at the "
                                 "head of the program says the same.",
                             .completion = Completion::File});
  command.options.push_back(
      {.name = "--site",
       .value_name = "FILE",
       .help = "What was set up where the robot stands, its site.yaml: narrower limits, bounds.",
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
