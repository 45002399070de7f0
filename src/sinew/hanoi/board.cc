// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/hanoi/board.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>

#include <fmt/format.h>

#include "sinew/base/fixed_string.h"

namespace sinew {
namespace {

constexpr double kLevelSlack = 0.003;  // [m] a disc this far from where it would lie does not lie there
constexpr double kFlat = 0.985;        // cosine of the tilt: 10 degrees
constexpr std::size_t kMostDiscs = 9;

Pose pose_of(const WorldObject& object) {
  return {.rotation = Quaternion(object.qw, object.qx, object.qy, object.qz),
          .position = Vector3(object.position[0], object.position[1], object.position[2])};
}

// where its upper side is, of a thing that stands upright
Vector3 top_of(const WorldObject& object) {
  const double height = object.kind == ObjectKind::Cylinder ? object.size[1] : object.size[2];
  return pose_of(object) * Vector3(0, 0, 0.5 * height);
}

// The lowest first: each that lies on the one before, or on the peg's place, belongs to the peg.
void stack_up(std::size_t peg, Board& board) {
  std::vector<BoardDisc*> near;
  for (BoardDisc& disc : board.discs)
    if (board.offset(disc, peg) < Board::kCapture) near.push_back(&disc);
  std::ranges::sort(near, {}, [](const BoardDisc* disc) { return disc->bottom(); });
  double level = board.pegs[peg].z();
  for (BoardDisc* disc : near) {
    const bool is_flat = std::abs((disc->X_WO.rotation * Vector3::UnitZ()).z()) > kFlat;
    if (!is_flat || std::abs(disc->bottom() - level) > kLevelSlack) continue;
    disc->is_astray = false;
    level = disc->top();
    board.towers.pegs[peg].push_back(disc->size);
  }
}

}  // namespace

double Board::level(std::size_t peg) const {
  return towers.pegs[peg].empty() ? pegs[peg].z() : disc(towers.pegs[peg].back()).top();
}

double Board::offset(const BoardDisc& disc, std::size_t peg) const {
  return (disc.X_WO.position - pegs[peg]).head<2>().norm();
}

Result<Board> read_board(const World& world) {
  Board board{.stamp_ns = world.stamp_ns};
  std::map<std::string, Vector3> pegs;
  for (const WorldObject& object : objects_of(world)) {
    const std::string name(text_of(object.name));
    if (name.starts_with("peg_")) pegs[name] = top_of(object);
    if (!name.starts_with("disc_") || object.kind != ObjectKind::Cylinder) continue;
    board.discs.push_back({.name = name,
                           .radius = object.size[0],
                           .height = object.size[1],
                           .X_WO = pose_of(object),
                           .is_astray = true});
  }
  for (const auto& [name, top] : pegs) board.pegs.push_back(top);
  if (board.pegs.size() < 2 || board.discs.empty() || board.discs.size() > kMostDiscs)
    return Error{
        ErrorCode::InvalidInput,
        fmt::format("the world shows {} pegs and {} discs; two or more objects named peg_1, peg_2, … "
                    "and one to {} cylinders named disc_1, disc_2, … are a game",
                    board.pegs.size(), board.discs.size(), kMostDiscs)};
  std::ranges::sort(board.discs, {}, &BoardDisc::radius);
  for (std::size_t i = 0; i < board.discs.size(); ++i) board.discs[i].size = static_cast<int>(i) + 1;
  board.towers.pegs.resize(board.pegs.size());
  for (std::size_t peg = 0; peg < board.pegs.size(); ++peg) stack_up(peg, board);
  return board;
}

}  // namespace sinew
