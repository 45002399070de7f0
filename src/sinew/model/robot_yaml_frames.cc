// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sinew/base/text.h"
#include "sinew/model/robot_yaml_parts.h"
#include "sinew/model/text_input.h"

namespace sinew::robot_yaml {
namespace {

/// What programs and the console mean by themselves.
constexpr std::array<std::string_view, 8> kTaken = {"b", "base", "t", "tool", "u", "user", "f", "flange"};

struct Entry {
  const YamlNode* node = nullptr;
  std::string name;
  std::string parent;  // a frame or a link; empty: the root link
  Pose X_PU;
};

bool is_taken(const std::string& name) {
  std::string lower = name;
  for (char& letter : lower) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  return std::ranges::find(kTaken, lower) != kTaken.end();
}

// as a program can write it
bool is_word(const std::string& name) {
  const auto is_letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  return !name.empty() && is_letter(name.front()) && std::ranges::all_of(name, [&](char c) {
    return is_letter(c) || std::isdigit(static_cast<unsigned char>(c)) != 0;
  });
}

const Entry* find_entry(const std::vector<Entry>& entries, const std::string& name) {
  const auto found = std::ranges::find(entries, name, &Entry::name);
  return found == entries.end() ? nullptr : &*found;
}

void check_name(const Entry& entry, const std::vector<Entry>& before, const RobotModel& model,
                Findings& findings) {
  const std::string shown_name = shown(entry.name);
  if (!is_word(entry.name)) {
    findings.refuse(entry.node->place, fmt::format("'{}' is no name for a frame", shown_name),
                    "use letters, digits and _, a letter first, so that programs can write it");
  } else if (is_taken(entry.name)) {
    findings.refuse(
        entry.node->place, fmt::format("a frame cannot be called '{}'", shown_name),
        fmt::format("choose another name than {}: they mean something already", fmt::join(kTaken, ", ")));
  } else if (find_entry(before, entry.name) != nullptr) {
    findings.refuse(entry.node->place, fmt::format("frame '{}' stands twice", shown_name),
                    "give each its own name");
  } else if (find_link(model, entry.name) != kNone) {
    findings.refuse(entry.node->place, fmt::format("a link is called '{}' as well", shown_name),
                    "give the frame another name, so that 'in' is clear");
  }
}

// X_RP of what an entry is given in; refused: nobody knows it, or joints move it
std::optional<Pose> place_of_link(const Entry& entry, const std::vector<Entry>& entries,
                                  const RobotModel& model, Findings& findings) {
  if (entry.parent.empty()) return Pose{};
  const std::size_t link = find_link(model, entry.parent);
  if (link == kNone) {
    std::vector<std::string> known;
    for (const Entry& other : entries) known.push_back(other.name);
    for (const Link& other : model.links) known.push_back(other.name);
    findings.refuse(entry.node->place,
                    fmt::format("frame '{}' is in '{}', which is no frame and no link{}", shown(entry.name),
                                shown(entry.parent), did_you_mean(entry.parent, known)),
                    "name another frame, or a link that no joint moves");
    return std::nullopt;
  }
  const auto X_RL = fixed_place(model, link);
  if (!X_RL)
    findings.refuse(
        entry.node->place,
        fmt::format("frame '{}' is in link '{}', which joints move", shown(entry.name), shown(entry.parent)),
        "a frame stands still: name a link that no joint moves, or make it a tool of an arm");
  return X_RL;
}

// X_RU by way of all that it is given in
std::optional<Pose> place_of(const Entry& entry, const std::vector<Entry>& entries, const RobotModel& model,
                             Findings& findings) {
  Pose X_PU = entry.X_PU;
  std::vector<std::string> way{entry.name};
  const Entry* at = &entry;
  while (const Entry* parent = find_entry(entries, at->parent)) {
    way.push_back(parent->name);
    if (way.size() > entries.size()) {
      findings.refuse(
          entry.node->place,
          fmt::format("frame '{}' is given in a circle: {}", shown(entry.name), fmt::join(way, " in ")),
          "let one of them be in a link, or leave 'in' out for the root link");
      return std::nullopt;
    }
    X_PU = parent->X_PU * X_PU;
    at = parent;
  }
  const auto X_RP = place_of_link(*at, entries, model, findings);
  return X_RP ? std::optional(*X_RP * X_PU) : std::nullopt;
}

}  // namespace

void read_frames(const YamlNode& node, RobotModel& model, Findings& findings) {
  if (!expect_list(node, findings)) return;
  std::vector<Entry> entries;
  for (const YamlNode& item : node.children) {
    if (!expect_map(item, {"name", "in", "xyz", "rpy", "rpy_deg"}, findings)) return;
    Entry entry{
        .node = &item, .name = required_entry(item, "name", findings), .X_PU = pose_from(item, findings)};
    if (const YamlNode* parent = entry_of(item, "in")) entry.parent = text_from(*parent, findings);
    if (findings.has_error()) return;
    check_name(entry, entries, model, findings);
    entries.push_back(std::move(entry));
  }
  for (const Entry& entry : entries) {
    if (findings.has_error()) return;
    if (const auto X_RU = place_of(entry, entries, model, findings))
      model.frames.push_back({.name = entry.name, .X_RU = *X_RU});
  }
}

}  // namespace sinew::robot_yaml
