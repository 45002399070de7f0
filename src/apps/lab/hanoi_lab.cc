// SPDX-License-Identifier: BSD-3-Clause
// Lab 08: Towers of Hanoi.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "sinew/base/fixed_string.h"
#include "sinew/base/text.h"
#include "sinew/hanoi/towers.h"

#include "apps/lab/lab_robot.h"
#include "apps/lab/moving_labs.h"
#include "apps/lab/program_file.h"

namespace sinew::lab {
namespace hanoi {
namespace {

constexpr double kMillimetre = 1e-3;
constexpr std::size_t kPegs = 3;
constexpr std::size_t kRiddles = 12;  // solved on paper before one is built
constexpr int kMostDiscs = 6;         // on paper
constexpr double kRadius = 0.336;  // [m] of the pegs from the base's axis, as Southern Arm Control had them
constexpr double kPlaceBound = 0.005;  // [m]
constexpr double kLongest = 600.0;     // [s] of simulated time
constexpr std::size_t kMostMoves = 1000;
/// Edges of the cubes [m], the largest first.
constexpr std::array<double, 3> kCubes{0.040, 0.030, 0.020};

struct Riddle {
  int discs = 3;
  std::size_t source = 0;
  std::size_t target = 2;
};

struct Move {
  std::size_t from = 0;
  std::size_t to = 0;
};

Towers towers_of(const Riddle& riddle) {
  return whole_tower(riddle.discs, kPegs, riddle.source);
}

std::vector<Riddle> draw_riddles(Draws& draws) {
  std::vector<Riddle> riddles;
  for (std::size_t i = 0; i < kRiddles; ++i) {
    const auto source = static_cast<std::size_t>(draws.between(0.0, 3.0));
    const std::size_t target = (source + static_cast<std::size_t>(draws.between(1.0, 3.0))) % kPegs;
    riddles.push_back({1 + static_cast<int>(i) % kMostDiscs, source, target});
  }
  return riddles;
}

std::string call_text(const Riddle& riddle) {
  return fmt::format("hanoi({}, {}, {})", riddle.discs, riddle.source, riddle.target);
}

Result<std::vector<Move>> ask_moves(const Ask& ask, const Riddle& riddle) {
  const std::vector<Value> arguments{static_cast<double>(riddle.discs), static_cast<double>(riddle.source),
                                     static_cast<double>(riddle.target)};
  const auto value = ask("hanoi", arguments);
  if (!value) return value.error();
  const auto rows = rows_from(*value, "hanoi", 0, 2);
  if (!rows) return rows.error();
  std::vector<Move> moves;
  for (const std::vector<double>& row : *rows) {
    for (const double peg : row)
      if (peg != 0.0 && peg != 1.0 && peg != 2.0)
        return Error{ErrorCode::InvalidInput,
                     fmt::format("move {} of {} names peg {:.6g}; there are 0, 1 and 2", moves.size() + 1,
                                 call_text(riddle), peg)};
    moves.push_back({static_cast<std::size_t>(row[0]), static_cast<std::size_t>(row[1])});
  }
  return moves;
}

// What is against the rules, or not solved; empty: all is well.
std::string rule_fault(const Riddle& riddle, const std::vector<Move>& moves) {
  Towers towers = towers_of(riddle);
  const std::string call = call_text(riddle);
  if (moves.size() > kMostMoves) return fmt::format("{} answers {} moves", call, moves.size());
  for (std::size_t i = 0; i < moves.size(); ++i) {
    std::vector<int>& from = towers.pegs[moves[i].from];
    std::vector<int>& to = towers.pegs[moves[i].to];
    if (from.empty())
      return fmt::format("move {} of {} takes from peg {}, where nothing stands", i + 1, call, moves[i].from);
    const int disc = from.back();
    from.pop_back();
    if (!may_lie(towers, disc, moves[i].to))
      return fmt::format("move {} of {} puts disc {} upon disc {}, which is smaller", i + 1, call, disc,
                         to.back());
    to.push_back(disc);
  }
  const std::size_t there = towers.pegs[riddle.target].size();
  if (there != static_cast<std::size_t>(riddle.discs))
    return fmt::format("after {} moves of {}, {} of {} discs are on peg {}", moves.size(), call, there,
                       riddle.discs, riddle.target);
  const std::size_t fewest = (std::size_t{1} << static_cast<unsigned>(riddle.discs)) - 1;
  if (moves.size() > fewest)
    return fmt::format("{} takes {} moves; {} are enough", call, moves.size(), fewest);
  return {};
}

double peg_angle(std::size_t peg) {
  return (0.5 - 0.25 * static_cast<double>(peg)) * std::numbers::pi;
}
double edge_of(int disc) {
  return kCubes[kCubes.size() - static_cast<std::size_t>(disc)];
}
Vector3 place_on(std::size_t peg, double height) {
  return {kRadius * std::cos(peg_angle(peg)), kRadius * std::sin(peg_angle(peg)), height};
}
std::string cube_name(int disc) {
  return fmt::format("disc {}", disc);
}
double height_of(const std::vector<int>& stack) {
  double height = 0.0;
  for (const int disc : stack) height += edge_of(disc);
  return height;
}

std::vector<SceneObject> cubes_of(const Riddle& riddle, Draws& draws) {
  const std::array<Eigen::Vector4d, 3> colours{
      {{0.80, 0.20, 0.15, 1}, {0.20, 0.60, 0.25, 1}, {0.20, 0.35, 0.80, 1}}};
  std::vector<SceneObject> cubes;
  double height = 0.0;
  for (int disc = riddle.discs; disc > 0; --disc) {
    const double edge = edge_of(disc);
    SceneObject cube{.name = cube_name(disc), .kind = ObjectKind::Box};
    cube.X_WO = {.rotation = quaternion_from({.yaw = peg_angle(riddle.source)}),
                 .position = place_on(riddle.source, height + 0.5 * edge)};
    // nobody stacks by the micrometre
    cube.X_WO.position += Vector3(draws.between(-1e-3, 1e-3), draws.between(-1e-3, 1e-3), 0.0);
    cube.size = {edge, edge, edge};
    cube.is_free = true;
    cube.mass = 800.0 * edge * edge * edge;  // wood
    cube.colour = colours[static_cast<std::size_t>(disc - 1)];
    cubes.push_back(cube);
    height += edge;
  }
  return cubes;
}

// The moves as a robot program: over the peg, down, close or open, up.
std::string program_of(const Riddle& riddle, const std::vector<Move>& moves) {
  std::string text = "SPEED 90%\nGRIPPER 65\n";
  const auto go = [&](std::size_t peg, double height, double width) {
    const Vector3 place = place_on(peg, height + 0.001) / kMillimetre;
    text += fmt::format("CALL go({:.4f}, {:.4f}, {:.4f}, {:.4f})\n", place.x(), place.y(), place.z(),
                        width / kMillimetre);
  };
  std::vector<std::vector<int>> pegs = towers_of(riddle).pegs;
  for (const Move& move : moves) {
    const int disc = pegs[move.from].back();
    pegs[move.from].pop_back();
    const double half = 0.5 * edge_of(disc);
    go(move.from, height_of(pegs[move.from]) + half, edge_of(disc) - 0.006);
    go(move.to, height_of(pegs[move.to]) + half, 0.065);
    pegs[move.to].push_back(disc);
  }
  return text +
         "SUB go(x, y, z, width)\n"
         "  place = POSE(x, y, z, 0, 90, ATAN2(y, x))\n"
         "  MOVEJ POSE(x, y, 170, 0, 90, ATAN2(y, x))\n"
         "  MOVEL place [v=120]\n"
         "  GRIPPER width\n"
         "  MOVEL POSE(x, y, 170, 0, 90, ATAN2(y, x))\n"
         "END\n";
}

struct Tower {
  double standing = 0.0;  ///< How many stand where they shall.
  double worst = 0.0;     ///< [m] Off the peg's middle.
};

Tower look_at_tower(LabRobot& robot, const Riddle& riddle) {
  Tower tower;
  double height = 0.0;
  for (int disc = riddle.discs; disc > 0; --disc) {
    const Pose pose = *robot.lockstep().simulation().object_pose(cube_name(disc));
    const Vector3 off = pose.position - place_on(riddle.target, height + 0.5 * edge_of(disc));
    height += edge_of(disc);
    const double aside = std::hypot(off.x(), off.y());
    tower.worst = std::max(tower.worst, aside);
    tower.standing += aside < kPlaceBound && std::abs(off.z()) < 0.002 ? 1.0 : 0.0;
  }
  return tower;
}

// Builds it: three discs, in the simulator.
Result<Grade> grade_building(const Riddle& riddle, const std::vector<Move>& moves, Draws& draws) {
  auto robot = LabRobot::make(cubes_of(riddle, draws));
  if (!robot) return robot.error();
  const auto program = ProgramFile::make(program_of(riddle, moves));
  if (!program) return program.error();
  Request request{.verb = RequestVerb::RunProgram};
  set_text(request.who, "lab");
  set_text(request.text, program->path());
  const auto reply = (*robot)->carry_out(request, kLongest);
  if (!reply) return reply.error();
  const double seconds = (*robot)->seconds();
  (*robot)->pass(1.0);
  const Tower tower = look_at_tower(**robot, riddle);
  const bool stands = tower.standing == riddle.discs && reply->status == ReplyStatus::Done;
  std::vector<PlaceMark> marks;
  for (std::size_t peg = 0; peg < kPegs; ++peg)
    marks.push_back({fmt::format("peg {}", peg), place_on(peg, 0.0)});
  auto picture = draw_run((*robot)->lockstep().model(), (*robot)->log(), "Lab 08: Towers of Hanoi", marks);
  if (!picture) return picture.error();
  return Grade{
      .passed = stands,
      .score = stands ? 100.0 : 50.0,
      .measures = {{"riddles", kRiddles},
                   {"moves", static_cast<double>(moves.size())},
                   {"blocks_standing", tower.standing},
                   {"worst_offset_m", tower.worst},
                   {"collisions", static_cast<double>((*robot)->touched().size())},
                   {"seconds", seconds}},
      .reason =
          stands ? fmt::format("every riddle is solved, and the tower stands within {} after {:.0f} s",
                               length_text(tower.worst), seconds)
                 : fmt::format(
                       "the riddles are solved, but the tower does not stand: {} of {} discs are in place.",
                       tower.standing, riddle.discs),
      .picture = *std::move(picture)};
}

}  // namespace
}  // namespace hanoi

Result<Grade> grade_hanoi(const Ask& ask, std::uint64_t seed) {
  using namespace hanoi;
  Draws draws(seed);
  std::size_t solved = 0;
  std::string fault;
  for (const Riddle& riddle : draw_riddles(draws)) {
    const auto moves = ask_moves(ask, riddle);
    if (!moves) return no_points(moves.error().message);
    const std::string found = rule_fault(riddle, *moves);
    solved += found.empty() ? 1 : 0;
    if (fault.empty()) fault = found;
  }
  if (!fault.empty()) {
    Grade grade = no_points(fault + ".");
    grade.score = 50.0 * static_cast<double>(solved) / kRiddles;
    grade.measures = {{"riddles", kRiddles}, {"riddles_solved", static_cast<double>(solved)}};
    return grade;
  }
  const auto source = static_cast<std::size_t>(draws.between(0.0, 3.0));
  const Riddle riddle{3, source, (source + static_cast<std::size_t>(draws.between(1.0, 3.0))) % kPegs};
  const auto moves = ask_moves(ask, riddle);
  if (!moves) return no_points(moves.error().message);
  if (const std::string again = rule_fault(riddle, *moves); !again.empty()) return no_points(again + ".");
  return grade_building(riddle, *moves, draws);
}

}  // namespace sinew::lab
