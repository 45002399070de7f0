// SPDX-License-Identifier: BSD-3-Clause
#include "poses.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>

#include <fmt/format.h>

#include "sinew/kinematics/sample_arms.h"

namespace sinew::bench {
namespace {

constexpr std::array<std::string_view, 7> kPoseColumns = {"px", "py", "pz", "qw", "qx", "qy", "qz"};

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r";
  const std::size_t begin = text.find_first_not_of(kBlank);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlank) - begin + 1);
}

/// The next piece of `rest` up to `separator`, which is taken away with it.
std::string_view take_until(std::string_view& rest, char separator) {
  const std::size_t end = std::min(rest.find(separator), rest.size());
  const std::string_view piece = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return piece;
}

std::vector<std::string> cells_of(std::string_view line) {
  std::vector<std::string> cells;
  const auto count = static_cast<std::size_t>(std::count(line.begin(), line.end(), ',')) + 1;
  for (std::size_t i = 0; i < count; ++i) cells.emplace_back(trimmed(take_until(line, ',')));
  return cells;
}

/// "seed_rand", 3 → the number behind the name, when it is one of that family: 3 of "seed_rand3".
std::optional<std::size_t> number_behind(std::string_view column, std::string_view family) {
  if (!column.starts_with(family)) return std::nullopt;
  column.remove_prefix(family.size());
  std::size_t number = 0;
  const auto end = std::from_chars(column.data(), column.data() + column.size(), number);
  if (end.ec != std::errc() || end.ptr != column.data() + column.size()) return std::nullopt;
  return number;
}

/// Reads one file; knows the line it is at.
class PoseReader {
 public:
  PoseReader(std::string_view name, const SerialChain& chain) : name_(name), chain_(chain) {}

  Result<PoseList> read(std::string_view text) {
    // a mark that some editors put before the first word
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    if (const Status understood = read_header(take_until(text, '\n')); !understood) return understood.error();
    while (!text.empty()) {
      const std::string_view line = trimmed(take_until(text, '\n'));
      ++line_;
      if (line.empty()) continue;
      if (const Status taken = read_row(cells_of(line)); !taken) return taken.error();
    }
    if (poses_.targets.empty()) return refusal("there is no pose after the header");
    return std::move(poses_);
  }

 private:
  Error refusal(std::string_view what) const {
    return {ErrorCode::InvalidInput, fmt::format("{}:{}: {}", name_, line_, what)};
  }
  Error refusal_in(std::string_view column, std::string_view what) const {
    return refusal(fmt::format("column '{}'{}", column, what));
  }

  Status read_header(std::string_view line) {
    header_ = cells_of(line);
    for (std::size_t i = 0; i < header_.size(); ++i) {
      if (!header_[i].empty() && std::count(header_.begin(), header_.end(), header_[i]) > 1)
        return refusal_in(header_[i], " is named twice");
    }
    poses_.joint_count = chain_.size();
    for (const std::string_view name : kPoseColumns) {
      const auto place = place_of(name);
      if (!place) return refusal_in(name, " is missing: the first line must name px,py,pz,qx,qy,qz,qw");
      pose_places_.push_back(*place);
    }
    if (Status found = find_family("q", joint_places_); !found) return found;
    if (Status found = find_family("seed_rand", seed_places_); !found) return found;
    note_unused();
    return Done{};
  }

  std::optional<std::size_t> place_of(std::string_view column) const {
    const auto found = std::find(header_.begin(), header_.end(), column);
    if (found == header_.end()) return std::nullopt;
    return static_cast<std::size_t>(found - header_.begin());
  }

  /// The columns family1 … familyN; all or none of them.
  Status find_family(std::string_view family, std::vector<std::size_t>& places) const {
    bool is_given = false;
    for (const std::string& column : header_) {
      const auto number = number_behind(column, family);
      if (!number) continue;
      is_given = true;
      if (*number < 1 || *number > chain_.size())
        return refusal_in(column, fmt::format(": the chain has {} joints, {}1 to {}{}", chain_.size(), family,
                                              family, chain_.size()));
    }
    for (std::size_t i = 1; is_given && i <= chain_.size(); ++i) {
      const std::string column = fmt::format("{}{}", family, i);
      const auto place = place_of(column);
      if (!place)
        return refusal_in(column, fmt::format(" is missing: the chain has {} joints, {}1 to {}{}",
                                              chain_.size(), family, family, chain_.size()));
      places.push_back(*place);
    }
    return Done{};
  }

  void note_unused() {
    for (std::size_t i = 0; i < header_.size(); ++i) {
      const auto has = [i](const std::vector<std::size_t>& places) {
        return std::find(places.begin(), places.end(), i) != places.end();
      };
      if (!has(pose_places_) && !has(joint_places_) && !has(seed_places_))
        poses_.unused_columns.push_back(header_[i]);
    }
  }

  Status read_row(const std::vector<std::string>& cells) {
    if (cells.size() != header_.size())
      return refusal(
          fmt::format("there are {} columns, but the first line names {}", cells.size(), header_.size()));
    std::vector<double> pose;
    if (Status taken = take(cells, pose_places_, pose); !taken) return taken;
    const Quaternion rotation(pose[3], pose[4], pose[5], pose[6]);
    // as far as rounding in a file goes
    if (std::abs(rotation.norm() - 1.0) > 1e-3)
      return refusal_in(
          "qx", fmt::format(": the quaternion qx,qy,qz,qw has length {:.6g}, not 1", rotation.norm()));
    poses_.targets.push_back({.rotation = rotation.normalized(), .position = {pose[0], pose[1], pose[2]}});
    if (Status taken = take(cells, joint_places_, poses_.joints); !taken) return taken;
    if (!seed_places_.empty()) return take(cells, seed_places_, poses_.seeds);
    const JointVector middle = chain_.middle();
    poses_.seeds.insert(poses_.seeds.end(), middle.begin(), middle.end());
    return Done{};
  }

  Status take(const std::vector<std::string>& cells, const std::vector<std::size_t>& places,
              std::vector<double>& out) const {
    for (const std::size_t place : places) {
      std::string_view cell = cells[place];
      if (cell.starts_with('+')) cell.remove_prefix(1);
      double number = 0.0;
      const auto end = std::from_chars(cell.data(), cell.data() + cell.size(), number);
      const bool is_number = end.ec == std::errc() && end.ptr == cell.data() + cell.size();
      if (!is_number || !std::isfinite(number))
        return refusal_in(header_[place], fmt::format(": '{}' is no finite number", cells[place]));
      out.push_back(number);
    }
    return Done{};
  }

  std::string name_;
  const SerialChain& chain_;
  std::size_t line_ = 1;
  std::vector<std::string> header_;
  std::vector<std::size_t> pose_places_;
  std::vector<std::size_t> joint_places_;
  std::vector<std::size_t> seed_places_;
  PoseList poses_;
};

}  // namespace

void PoseList::shorten(std::size_t count) {
  if (count >= targets.size()) return;
  targets.resize(count);
  seeds.resize(count * joint_count);
  if (!joints.empty()) joints.resize(count * joint_count);
}

PoseList draw_poses(const SerialChain& chain, std::size_t count, std::uint64_t random_seed) {
  PoseList poses{.joint_count = chain.size()};
  arms::Random random{random_seed};
  const JointVector middle = chain.middle();
  for (std::size_t i = 0; i < count; ++i) {
    const std::vector<double> q = arms::draw_joints(random, chain);
    poses.targets.push_back(chain.tool_pose(q));
    poses.joints.insert(poses.joints.end(), q.begin(), q.end());
    poses.seeds.insert(poses.seeds.end(), middle.begin(), middle.end());
  }
  return poses;
}

Result<PoseList> poses_from_text(std::string_view text, std::string_view name, const SerialChain& chain) {
  return PoseReader(name, chain).read(text);
}

Result<PoseList> read_poses(const std::filesystem::path& path, const SerialChain& chain) {
  std::error_code error;
  const bool is_folder = std::filesystem::is_directory(path, error);
  std::ifstream file;
  if (!is_folder) file.open(path);
  if (!file.is_open()) {
    return Error{ErrorCode::NotFound, fmt::format("cannot read the poses of {}: {}", path.string(),
                                                  is_folder ? "it is a folder" : std::strerror(errno))};
  }
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  return poses_from_text(text, path.string(), chain);
}

std::size_t count_strange(const PoseList& poses, const SerialChain& chain) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < poses.targets.size() && !poses.joints.empty(); ++i) {
    const PoseDistance off = distance(chain.tool_pose(poses.joints_of(i)), poses.targets[i]);
    if (off.position > 1e-6 || off.rotation > 1e-6) ++count;
  }
  return count;
}

}  // namespace sinew::bench
