// SPDX-License-Identifier: BSD-3-Clause
// sinew bench ik | channels | collision | control | trajectory | plan | simulation | soak | torture | hanoi |
// web
#include "apps/cli/bench_commands.h"

#include <ostream>

#include "apps/cli/channel_commands.h"
#include "apps/cli/plan_command.h"
#include "apps/cli/program_beside.h"
#include "apps/cli/robot_choice.h"

namespace sinew::cli {
namespace {

Command bench_ik_command();

Status run_bench_ik(const Words& words, std::ostream& /*out*/) {
  return run_program_beside("sinew-bench-ik", bench_ik_command(), words);
}

std::vector<Option> bench_ik_options() {
  return {
      {.name = "--all",
       .value_name = "",
       .help = "Every arm of every robot, known arms and drawn ones, instead of one."},
      {.name = "--poses",
       .value_name = "FILE",
       .help = "CSV whose first line names its columns: px py pz qx qy qz qw, perhaps q1… (the joints that "
               "made the pose) and seed_rand1… (where to begin; mid-range without).",
       .completion = Completion::File},
      {.name = "--count",
       .value_name = "N",
       .help = "How many poses to make by forward kinematics within limits, or to take of --poses at most.",
       .fallback = "10000, or all of --poses"},
      {.name = "--seed", .value_name = "S", .help = "Of the random numbers for --count.", .fallback = "1"},
      {.name = "--json", .value_name = "", .help = "Print JSON."},
      {.name = "--csv",
       .value_name = "FILE",
       .help = "Write the rows there, too.",
       .completion = Completion::File},
      {.name = "--fk", .value_name = "", .help = "Forward kinematics with Jacobian in the JSON, too."},
      {.name = "--numerical",
       .value_name = "",
       .help = "A row for the numerical search, too, where there is a closed form."},
      {.name = "--no-kdl", .value_name = "", .help = "Leave KDL out."}};
}

Command bench_ik_command() {
  Command command{
      .name = "bench ik",
      .summary = "Measure inverse kinematics beside KDL's on the same poses",
      .details =
          "Success is an answer within 1e-6 m and 1e-6 rad of the target, as KDL's forward kinematics "
          "judge, and within the limits. Times are in us, for one core with warm caches; what the system "
          "interrupted is measured again, for either solver. KDL's solver is its best: LMA, begun anew from "
          "random postures for 5 ms.",
      .options = chain_options(),
      .examples = {"sinew bench ik --robot ur5e", "sinew bench ik --robot mds --arm left --count 1000 --json",
                   "sinew bench ik --urdf arm.urdf --tip tool0 --poses poses.csv"},
      .run = run_bench_ik,
  };
  const std::vector<Option> own = bench_ik_options();
  command.options.insert(command.options.end(), own.begin(), own.end());
  return command;
}

/// What `sinew channel bench` is, under the name that one looks for first.
Command bench_channels_command() {
  Command command = kChannelBenchCommand;
  command.name = "bench channels";
  command.examples = {"sinew bench channels --quick"};
  return command;
}

const Option kBenchJson{.name = "--json", .value_name = "", .help = "Print JSON."};

Option count_option(std::string_view usual) {
  return {.name = "--count", .value_name = "N", .help = "How many cases of each kind.", .fallback = usual};
}

const Option kBenchCsv{.name = "--csv",
                       .value_name = "FILE",
                       .help = "Write the rows there, too.",
                       .completion = Completion::File};
const Option kBenchSeed{
    .name = "--seed", .value_name = "S", .help = "Of the random numbers.", .fallback = "1"};

Command bench_collision_command();
Command bench_trajectory_command();
Command bench_web_command();

Status run_bench_soak(const Words& words, std::ostream& /*out*/) {
  return run_program_beside("sinew-bench-soak", bench_soak_command(), words);
}
Status run_bench_torture(const Words& words, std::ostream& /*out*/) {
  return run_program_beside("sinew-bench-torture", bench_torture_command(), words);
}
Status run_bench_hanoi(const Words& words, std::ostream& /*out*/) {
  return run_program_beside("sinew-bench-hanoi", bench_hanoi_command(), words);
}
Status run_bench_simulation(const Words& words, std::ostream& /*out*/) {
  return run_program_beside("sinew-bench-simulation", bench_simulation_command(), words);
}

Status run_bench_collision(const Words& words, std::ostream& /*out*/) {
  return run_program_beside("sinew-bench-collision", bench_collision_command(), words);
}
Status run_bench_control(const Words& words, std::ostream& /*out*/) {
  return run_program_beside("sinew-bench-control", bench_control_command(), words);
}
Status run_bench_trajectory(const Words& words, std::ostream& /*out*/) {
  return run_program_beside("sinew-bench-trajectory", bench_trajectory_command(), words);
}

Status run_bench_web(const Words& words, std::ostream& /*out*/) {
  return run_program_beside("sinew-bench-web", bench_web_command(), words);
}

Command bench_web_command() {
  return {
      .name = "bench web",
      .summary = "Measure what watching clients cost the web server",
      .details =
          "Three cases: two clients alone; all; and all, one of whom does not read, which must not delay the "
          "others.",
      .options =
          {{.name = "--seconds", .value_name = "S", .help = "How long each case takes.", .fallback = "20"},
           {.name = "--clients", .value_name = "N", .help = "How many watch.", .fallback = "50"},
           {.name = "--rate", .value_name = "HZ", .help = "Messages a second.", .fallback = "30"},
           {.name = "--bytes", .value_name = "B", .help = "In each message.", .fallback = "2048"},
           kBenchJson},
      .examples = {"sinew bench web", "sinew bench web --seconds 5 --clients 20 --json"},
      .run = run_bench_web};
}

Command bench_collision_command() {
  return {.name = "bench collision",
          .summary = "Measure checks for collision beside FCL's on the same geometry",
          .options = {kBenchJson,
                      count_option("4096"),
                      kBenchSeed,
                      kBenchCsv,
                      {.name = "--no-fcl", .value_name = "", .help = "Leave FCL out."}},
          .examples = {"sinew bench collision", "sinew bench collision --json"},
          .run = run_bench_collision};
}

Command bench_trajectory_command() {
  return {.name = "bench trajectory",
          .summary = "Measure jerk-limited motion: planning, cycles, ways to a stop",
          .options = {kBenchJson, count_option("20000"), kBenchSeed, kBenchCsv},
          .examples = {"sinew bench trajectory"},
          .run = run_bench_trajectory};
}

}  // namespace

Command bench_control_command() {
  return {
      .name = "bench control",
      .summary = "Measure the controller's whole cycle and its wake-up beside cyclictest's",
      .details =
          "MDS moves among 100 things, on a device that does as it is told, in a controller with "
          "all its channels and its recorder, at 1 kHz. cyclictest (Debian's rt-tests) takes turns "
          "with it; where it is missing a line says so.",
      .options =
          {{.name = "--seconds", .value_name = "S", .help = "How long each part takes.", .fallback = "20"},
           {.name = "--objects", .value_name = "N", .help = "Things around the robot.", .fallback = "100"},
           {.name = "--early-wake",
            .value_name = "S",
            .help = "Wake up this much before each cycle, as control.early_wake in robot.yaml does.",
            .fallback = "0"},
           {.name = "--no-cyclictest", .value_name = "", .help = "Leave cyclictest out."},
           {.name = "--csv", .value_name = "", .help = "Print CSV."},
           kBenchJson},
      .examples = {"sinew bench control", "sinew bench control --seconds 60 --csv"},
      .run = run_bench_control};
}

Command bench_simulation_command() {
  return {
      .name = "bench simulation",
      .summary = "Measure how many times faster than real time worlds run",
      .details =
          "Runs each robot in the worlds 'empty' and 'table', mds in 'mds' and scorbot-er3 in 'hanoi', in "
          "lockstep: first the simulator alone, then with the controller and its guard. Times are CPU time "
          "of this process per simulated millisecond: the best tenth of a second, the middle one, the "
          "slowest of a hundred; 'x real' is of the middle one.",
      .options = {{.name = "--world", .value_name = "NAME", .help = "This world only."},
                  {.name = "--robot", .value_name = "NAME", .help = "This robot only."},
                  {.name = "--seconds",
                   .value_name = "S",
                   .help = "Simulated seconds of each row.",
                   .fallback = "5"},
                  kBenchJson,
                  {.name = "--csv", .value_name = "", .help = "Print CSV."}},
      .examples = {"sinew bench simulation --robot mds", "sinew bench simulation --csv"},
      .run = run_bench_simulation};
}

Command bench_soak_command() {
  return {
      .name = "bench soak",
      .summary = "Run a robot for simulated hours under random wishes, and judge it",
      .details =
          "Controller, guard and physics in lockstep, wished at by several programs at once. Every cycle is "
          "judged: no bound on velocity, acceleration or jerk passed in what is sent; no limit and no margin "
          "in what is measured; nothing touched; memory flat. Progress comes on stderr every ten seconds. "
          "Exits with 1 when something was violated, or when two hours took more than twenty minutes.",
      .options = {{.name = "--robot", .value_name = "NAME", .help = "The robot.", .fallback = "mds"},
                  {.name = "--world",
                   .value_name = "NAME",
                   .help = "The world, known to the guard.",
                   .fallback = "empty"},
                  {.name = "--minutes", .value_name = "M", .help = "Simulated minutes.", .fallback = "120"},
                  {.name = "--programs",
                   .value_name = "N",
                   .help = "How many want things at once.",
                   .fallback = "3"},
                  {.name = "--seed", .value_name = "S", .help = "Of the random numbers.", .fallback = "1"},
                  kBenchJson},
      .examples = {"sinew bench soak", "sinew bench soak --minutes 5 --world mds --json"},
      .run = run_bench_soak};
}

Command bench_torture_command() {
  return {
      .name = "bench torture",
      .summary = "Kill the processes of robots that move, one after the other, and judge it",
      .details =
          "ur5e and mds in simulation with all their processes; controller, motion service, simulator, web "
          "process, supervisor, or the program that asked, end by kill -9 at instants that are drawn, in "
          "planned moves, jogs, programs and followings. Judged is from the channels: no joint goes further "
          "than its braking distance from the instant of the death, the others live, all comes back by "
          "itself, nothing moves unasked, nothing is left. Exits with 1 when something was violated.",
      .options = {{.name = "--quick",
                   .value_name = "",
                   .help = "Each role once for each robot, in a situation that is drawn."},
                  {.name = "--rounds",
                   .value_name = "N",
                   .help = "How often each role dies in each situation.",
                   .fallback = "20"},
                  {.name = "--robot", .value_name = "NAME", .help = "ur5e or mds; both unless given."},
                  {.name = "--seed", .value_name = "S", .help = "Of all that is drawn.", .fallback = "1"}},
      .examples = {"sinew bench torture --quick", "sinew bench torture --robot ur5e --seed 7"},
      .run = run_bench_torture};
}

Command bench_hanoi_command() {
  return {.name = "bench hanoi",
          .summary = "Have the simulated SCORBOT move towers there and back, and judge them",
          .details =
              "Each round draws pegs, the discs' offsets, turns, weights and friction, and where the robot "
              "starts; "
              "in lockstep, by friction alone. Solved is a round whose tower stands within 2 mm of the peg's "
              "middle after either way. Progress comes on stderr. Exits with 1 when a round was not solved.",
          .options = {{.name = "--rounds", .value_name = "N", .help = "Round trips.", .fallback = "10"},
                      {.name = "--discs", .value_name = "D", .help = "1 to 6.", .fallback = "3"},
                      {.name = "--seed", .value_name = "S", .help = "Of all that is drawn.", .fallback = "1"},
                      {.name = "--threads",
                       .value_name = "N",
                       .help = "Rounds at a time; 0: one for each core.",
                       .fallback = "0"},
                      {.name = "--assisted",
                       .value_name = "",
                       .help = "The world holds fast what is gripped; 'assisted' counts it."},
                      kBenchJson},
          .examples = {"sinew bench hanoi", "sinew bench hanoi --rounds 100 --json",
                       "sinew bench hanoi --rounds 20 --discs 5"},
          .run = run_bench_hanoi};
}

std::vector<Command> bench_commands() {
  return {bench_ik_command(),         bench_channels_command(),   bench_collision_command(),
          bench_control_command(),    bench_trajectory_command(), bench_plan_command(),
          bench_simulation_command(), bench_soak_command(),       bench_torture_command(),
          bench_hanoi_command(),      bench_web_command()};
}

}  // namespace sinew::cli
