// SPDX-License-Identifier: BSD-3-Clause
// sinew-lab: grades solutions of laboratory exercises; 'sinew lab' runs it.
#include <sys/prctl.h>

#include <iostream>
#include <string>
#include <vector>

#include "apps/cli/command.h"
#include "apps/cli/lab_commands.h"
#include "apps/cli/program.h"
#include "apps/lab/report.h"

int main(int count, char** words) {
  // what is right is kept in here: a solution of the same user shall not look into this process
  prctl(PR_SET_DUMPABLE, 0);
  const std::string verb = count > 1 ? words[1] : "";
  sinew::cli::Command command =
      verb == "list" ? sinew::cli::lab_list_command() : sinew::cli::lab_grade_command();
  if (verb != "list" && verb != "grade") {
    std::cerr << "sinew-lab: 'grade' or 'list' is wanted, not '" << verb << "'; see 'sinew lab --help'\n";
    return 2;
  }
  command.run = verb == "list" ? sinew::lab::run_list : sinew::lab::run_grade;
  return sinew::cli::run_program(command, std::vector<std::string>(words + 2, words + count));
}
