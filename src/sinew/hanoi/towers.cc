// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/hanoi/towers.h"

#include <algorithm>
#include <functional>
#include <set>
#include <string>

namespace sinew {
namespace {

std::string key_of(const Towers& towers) {
  std::string key;
  for (const std::vector<int>& peg : towers.pegs) {
    for (const int disc : peg) key += static_cast<char>('0' + disc);
    key += '|';
  }
  return key;
}

bool is_solved(const Towers& towers, std::size_t goal) {
  for (std::size_t peg = 0; peg < towers.pegs.size(); ++peg)
    if (peg != goal && !towers.pegs[peg].empty()) return false;
  return std::ranges::is_sorted(towers.pegs[goal], std::greater<>());
}

Towers after(Towers towers, const TowerMove& move) {
  towers.pegs[move.from].pop_back();
  towers.pegs[move.to].push_back(move.disc);
  return towers;
}

std::vector<TowerMove> moves_from(const Towers& towers) {
  std::vector<TowerMove> moves;
  for (std::size_t from = 0; from < towers.pegs.size(); ++from) {
    if (towers.pegs[from].empty()) continue;
    const int disc = towers.pegs[from].back();
    for (std::size_t to = 0; to < towers.pegs.size(); ++to)
      if (to != from && may_lie(towers, disc, to)) moves.push_back({.disc = disc, .from = from, .to = to});
  }
  return moves;
}

struct Reached {
  Towers towers;
  std::size_t before = 0;  ///< Into the list of all that were reached.
  TowerMove by;
};

std::vector<TowerMove> way_to(const std::vector<Reached>& reached, std::size_t last) {
  std::vector<TowerMove> way;
  for (; last != 0; last = reached[last].before) way.push_back(reached[last].by);
  std::ranges::reverse(way);
  return way;
}

}  // namespace

Towers whole_tower(int disc_count, std::size_t peg_count, std::size_t peg) {
  Towers towers{.pegs = std::vector<std::vector<int>>(peg_count)};
  for (int disc = disc_count; disc > 0; --disc) towers.pegs[peg].push_back(disc);
  return towers;
}

bool may_lie(const Towers& towers, int disc, std::size_t peg) {
  return towers.pegs[peg].empty() || towers.pegs[peg].back() > disc;
}

// Breadth first: six discs on three pegs have 729 places to be in.
std::optional<std::vector<TowerMove>> shortest_way(const Towers& from, std::size_t goal) {
  std::vector<Reached> reached{{.towers = from, .by = {}}};
  std::set<std::string> known{key_of(from)};
  for (std::size_t next = 0; next < reached.size(); ++next) {
    if (is_solved(reached[next].towers, goal)) return way_to(reached, next);
    for (const TowerMove& move : moves_from(reached[next].towers)) {
      Towers towers = after(reached[next].towers, move);
      if (!known.insert(key_of(towers)).second) continue;
      reached.push_back({.towers = std::move(towers), .before = next, .by = move});
    }
  }
  return std::nullopt;
}

std::optional<std::size_t> best_peg_for(int disc, const Towers& others, std::size_t goal) {
  std::optional<std::size_t> best;
  std::size_t shortest = 0;
  for (std::size_t peg = 0; peg < others.pegs.size(); ++peg) {
    if (!may_lie(others, disc, peg)) continue;
    Towers towers = others;
    towers.pegs[peg].push_back(disc);
    const auto way = shortest_way(towers, goal);
    if (!way || (best && way->size() >= shortest)) continue;
    best = peg;
    shortest = way->size();
  }
  return best;
}

}  // namespace sinew
