// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

namespace sinew::cli {

/// What the templates are filled with.
struct LabFacts {
  std::string name;        ///< Of the folder and the program.
  std::string robot;       ///< Name or folder of the robot that is meant.
  std::string instance;    ///< What it is called while it runs, unless it is told otherwise.
  std::string python;      ///< The folder of Sinew's Python package.
  std::string root;        ///< The folder above it; in a clone, where src/ is.
  std::string build;       ///< Where lib/ and generated/ are.
  std::string positions;   ///< "0.0, 1.2": where the joints begin [rad, m].
  std::string velocities;  ///< "0.35, 0.46": how fast they are [rad/s, m/s].
};

/// The program that a student begins with: "controller", "ik", "planner" or "driver"; empty: there is none.
std::string lab_program(std::string_view part, bool is_cpp, const LabFacts& facts);

/// What is added to robot.yaml so that the supervisor starts that part in place of ours; empty: nothing.
std::string lab_processes(std::string_view part);

/// The script that runs it, after building it if it has to be.
std::string lab_run_script(bool is_cpp, const LabFacts& facts);

std::string lab_readme(std::string_view part, bool is_cpp, const LabFacts& facts);

}  // namespace sinew::cli
