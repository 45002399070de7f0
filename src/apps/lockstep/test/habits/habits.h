// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <string>
#include <vector>

namespace sinew {

/// A robot's description of our own making that has the habits of a kind of public ones, and what must come
/// of it. Figures and shapes are invented; names of links and joints are as such files have them.
struct Habit {
  std::string name;
  std::string text;
  std::size_t commanded = 0;  ///< Joints that must be commanded.
  std::string base{};         ///< Of the first arm that is found; empty: none must be.
  std::string tip{};
  std::vector<std::string> says{};             ///< Parts of remarks that must be made.
  std::map<std::string, std::string> still{};  ///< Joints that need not move by themselves, and why.
  std::string file = name + ".urdf";
};

/// Arms and grippers.
std::vector<Habit> habits_of_arms();
/// What walks, drives or has several arms, and hands.
std::vector<Habit> habits_of_bodies();
/// All of them.
std::vector<Habit> all_habits();

}  // namespace sinew
