// SPDX-License-Identifier: BSD-3-Clause
// sinew lab grade | list | plot
#include "apps/cli/lab_commands.h"

#include <ostream>

#include "apps/cli/plot.h"
#include "apps/cli/program_beside.h"

namespace sinew::cli {
namespace {

// The physics that grading needs stays out of this program.
Status run_grade(const Words& words, std::ostream& /*out*/) {
  return run_program_beside("sinew-lab", lab_grade_command(), words, "grade");
}
Status run_list(const Words& words, std::ostream& /*out*/) {
  return run_program_beside("sinew-lab", lab_list_command(), words, "list");
}

}  // namespace

Command lab_grade_command() {
  return {
      .name = "lab grade",
      .summary = "Run a solution of a laboratory exercise, measure it, and judge",
      .details =
          "Runs without a display and as fast as it goes, asks what the seed says, compares with Sinew's own "
          "kinematics, collision checks and physics, prints a short report, and leaves a picture of the run "
          "and the "
          "same report as JSON in the folder --out. Exits with 0 when the solution passes and 1 when it does "
          "not. The "
          "same seed gives the same result. A solution runs in a process of its own that may use 1 GiB of "
          "memory, "
          "2 s of computing for an answer, and neither processes nor sockets; who grades strangers does it "
          "in a "
          "container all the same.",
      .arguments = {{.name = "LAB",
                     .help = "An exercise: labs/03, 03, or its whole name.",
                     .completion = Completion::File},
                    {.name = "SOLUTION", .help = "The student's file.", .completion = Completion::File}},
      .options = {{.name = "--seed", .value_name = "S", .help = "Of what is asked.", .fallback = "1"},
                  {.name = "--json", .value_name = "", .help = "Print the report as JSON."},
                  {.name = "--out",
                   .value_name = "FOLDER",
                   .help = "Where picture and report go.",
                   .fallback = "lab-results",
                   .completion = Completion::File},
                  {.name = "--picture", .value_name = "KIND", .help = "svg or png.", .fallback = "svg"},
                  {.name = "--patience",
                   .value_name = "S",
                   .help = "How long to wait for an answer [s].",
                   .fallback = "20"}},
      .examples = {"sinew lab grade labs/03 my_ik.py", "sinew lab grade labs/03 my_ik.py --seed 7 --json",
                   "sinew lab grade 01 my_arm.urdf"},
      .run = run_grade};
}

Command lab_list_command() {
  return {.name = "lab list",
          .summary = "List the laboratory exercises",
          .options = {{.name = "--json", .value_name = "", .help = "Print JSON."}},
          .examples = {"sinew lab list"},
          .run = run_list};
}

std::vector<Command> lab_commands() {
  return {lab_list_command(), lab_grade_command(), lab_plot_command()};
}

}  // namespace sinew::cli
