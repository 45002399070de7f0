// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/processes/restart_rules.h"

namespace sinew::processes {

// Which processes a robot needs. The contract between them and the supervisor:
//
//  ready    A process that was given `--ready-fd N` writes the line "ready" to descriptor N as soon as it
//  does
//           its work. The descriptor is a plain file: writing it never blocks and never fails because nobody
//           listens. A stand-in whose command does not mention {ready_fd} is ready when it has lived for
//           kSettle_ns. Later lines "note: TEXT" tell people what is worth knowing; status shows the last.
//  log      stdout and stderr go to one file per process. A write that fails (full disk) must not end it.
//  end      On SIGTERM it brings its work to a safe end (the controller brakes, then leaves) and exits. What
//           is left of its session after that, or after the time of grace, is killed.
//  again    A controller started anew after a death is told `--restarted`, and comes up held.
//  folder   The working folder is the robot's.

/// The descriptor on which a process says that it is ready.
inline constexpr int kReadyDescriptor = 3;

/// How long a process without a ready line must live to count as ready.
inline constexpr std::int64_t kSettle_ns = 200 * kMillisecond_ns;

enum class Needed {
  Always,
  WhenBuilt,
  WhenSimulated,
  WhenServed,
  WhenReal,  ///< Where the robot is not simulated and robot.yaml names a program for it: we have none.
};

/// One part of a running robot.
struct Role {
  std::string_view name;
  std::string_view program;
  /// Words of its command line. {robot} {site} {name} {space} {world} {driver} {device} {web} {url_api}
  /// {accounts} {viewers} {web_data} {tls} {programs} {ready_fd} stand for values; where one is empty, its
  /// word and the option before it are left out.
  std::string_view arguments;
  Needed needed = Needed::Always;
  std::string_view when_restarted = {};  ///< Word added when it is started anew after a death.
};

/// The roles in the order of their start; they end in the reverse order.
std::span<const Role> all_roles();

/// What is to run, as a person asks for it.
struct RobotWish {
  std::string robot;           ///< Path of its folder, robot.yaml or URDF.
  std::string folder;          ///< Working folder of its processes.
  std::string name;            ///< Prefix of its channels.
  std::string space;           ///< Space that the channels are in.
  std::string site{};          ///< File of what was set up where it stands; need not be there.
  std::string world;           ///< For the simulator; empty: its own choice.
  std::string device;          ///< For the controller: where the device is; "-": as robot.yaml says.
  std::string web;             ///< ADDRESS:PORT of its web process; empty: none.
  bool has_url_api = false;    ///< Whether URLs may move it, also a real device or from the network.
  bool has_accounts = true;    ///< False: on a loopback address, who started it may do everything.
  std::string viewers{};       ///< Other sites whose pages may watch, "https://a.example,…"; empty: none.
  bool has_tls = false;        ///< Whether the web process speaks TLS.
  std::string web_data{};      ///< Where it keeps users, programs and points; empty: its own choice.
  std::string program_folder;  ///< Where our programs are.
  bool is_simulated = true;
  std::map<std::string, std::string> settings;  ///< The section `processes:` of robot.yaml.
};

/// One process to run.
struct ProcessPlan {
  std::string role;
  std::vector<std::string> words;           ///< Command line, program first.
  std::vector<std::string> when_restarted;  ///< Added to it after a death.
  bool says_ready = true;                   ///< False: ready when it has lived for kSettle_ns.

  friend bool operator==(const ProcessPlan&, const ProcessPlan&) = default;
};

/// A robot's processes in the order of their start.
struct RobotPlan {
  std::string name;
  std::string robot;   ///< As in RobotWish.
  std::string site{};  ///< As in RobotWish.
  std::string folder;  ///< Working folder of all.
  bool is_simulated = true;
  std::vector<ProcessPlan> processes;
  RestartRules rules;
  std::int64_t ready_within_ns = 30 * kSecond_ns;
  std::vector<std::string> remarks;  ///< What was left out, and why.
};

/// The processes that `wish` needs: ours, those of `processes:` in their place, and those that it adds.
Result<RobotPlan> plan_robot(const RobotWish& wish);

/// The command `make:` of `processes:` in words; none when the robot has no programs of its own.
Result<std::vector<std::string>> make_command(const RobotWish& wish);

}  // namespace sinew::processes
