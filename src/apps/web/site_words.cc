// SPDX-License-Identifier: BSD-3-Clause
#include "apps/web/site_words.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sinew/base/fixed_string.h"
#include "sinew/base/text.h"
#include "sinew/collision/collision_checker.h"
#include "sinew/collision/workspace.h"
#include "sinew/control/settings.h"
#include "sinew/mesh/mesh_points.h"
#include "sinew/model/site.h"
#include "sinew/model/yaml.h"

#include "apps/web/json_values.h"

namespace sinew {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kFile = "site.yaml";
constexpr double kFarthest = 1000.0;     ///< [m]
constexpr double kMeasuredSlack = 1e-3;  ///< [rad, m] A joint at rest on its limit is within.
constexpr std::size_t kMostLimits = 64;  ///< Joints.
constexpr std::size_t kMostNames = 128;  ///< In a list of links.

struct LimitWord {
  std::string_view key;
  double JointLimits::*member;
};
constexpr std::array<LimitWord, 5> kLimitWords{{{"lower", &JointLimits::lower},
                                                {"upper", &JointLimits::upper},
                                                {"velocity", &JointLimits::velocity},
                                                {"acceleration", &JointLimits::acceleration},
                                                {"jerk", &JointLimits::jerk}}};

struct KindWord {
  std::string_view word;     ///< As the page has it.
  std::string_view section;  ///< As the file has it; in this order.
  WorkspaceKind kind;
};
constexpr std::array<KindWord, 3> kKindWords{{{"keep_out", "keep_out", WorkspaceKind::KeepOut},
                                              {"keep_in", "keep_in", WorkspaceKind::KeepIn},
                                              {"plane", "planes", WorkspaceKind::Plane}}};

std::string yaml_quoted(const std::string& text) {
  return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

// ---- from a page to the file ----

/// An entry of the file, or why there can be none.
struct Entry {
  std::string name;
  std::string section;  ///< Of a bound: "planes".
  std::string line;
  std::string wrong;
};

std::optional<double> finite_number(const Json& value) {
  if (!value.is_number()) return std::nullopt;
  const double number = value.get<double>();
  return std::isfinite(number) ? std::optional(number) : std::nullopt;
}

Entry limits_entry(const std::string& joint, const Json& wish) {
  Entry entry{.name = joint, .section = {}, .line = {}, .wrong = {}};
  if (!wish.is_object()) {
    entry.wrong = "must be an object of limits";
    return entry;
  }
  std::vector<std::string> parts;
  for (const auto& [key, value] : wish.items()) {
    const bool is_known = std::ranges::find(kLimitWords, key, &LimitWord::key) != kLimitWords.end();
    const auto number = finite_number(value);
    if (!is_known)
      entry.wrong = fmt::format(
          "there is no limit '{}'; there are lower, upper, velocity, acceleration, jerk", key.substr(0, 40));
    else if (value.is_null())
      continue;
    else if (!number)
      entry.wrong = fmt::format("'{}' must be a finite number", key);
    else
      parts.push_back(fmt::format("{}: {}", key, *number));
  }
  if (!parts.empty()) entry.line = fmt::format("{}: {{{}}}", yaml_quoted(joint), fmt::join(parts, ", "));
  return entry;
}

void add_vector(const Json& wish, const char* key, std::string_view word, bool is_needed,
                std::vector<std::string>& parts, Entry& entry) {
  const auto found = wish.find(key);
  if (found == wish.end() && !is_needed) return;
  std::vector<double> numbers;
  if (found != wish.end() && found->is_array() && found->size() == 3)
    for (const Json& item : *found)
      if (const auto number = finite_number(item); number && std::abs(*number) <= kFarthest)
        numbers.push_back(*number);
  if (numbers.size() != 3)
    entry.wrong = fmt::format("'{}' must be three numbers, none beyond {}", key, kFarthest);
  else
    parts.push_back(fmt::format("{}: [{}]", word, fmt::join(numbers, ", ")));
}

void add_names(const Json& wish, const char* key, std::vector<std::string>& parts, Entry& entry) {
  const auto found = wish.find(key);
  if (found == wish.end() || found->empty()) return;
  std::vector<std::string> names;
  if (found->is_array() && found->size() <= kMostNames)
    for (const Json& item : *found)
      if (item.is_string()) names.push_back(yaml_quoted(item.get<std::string>()));
  if (!found->is_array() || names.size() != found->size())
    entry.wrong = fmt::format("'{}' must be a list of names, at most {}", key, kMostNames);
  else
    parts.push_back(fmt::format("{}: [{}]", key, fmt::join(names, ", ")));
}

Entry bound_entry(const Json& wish) {
  Entry entry{.name = {}, .section = {}, .line = {}, .wrong = {}};
  const auto text = [&](const char* key) {
    const auto found = wish.is_object() ? wish.find(key) : wish.end();
    return wish.is_object() && found != wish.end() && found->is_string() ? found->get<std::string>() : "";
  };
  entry.name = text("name");
  const auto kind = std::ranges::find(kKindWords, text("kind"), &KindWord::word);
  if (entry.name.find_first_not_of(' ') == std::string::npos) {
    entry.wrong = "a bound needs a name";
  } else if (kind == kKindWords.end()) {
    entry.wrong = "'kind' must be keep_out, keep_in or plane";
  } else {
    const bool is_plane = kind->kind == WorkspaceKind::Plane;
    entry.section = kind->section;
    std::vector<std::string> parts{fmt::format("name: {}", yaml_quoted(entry.name))};
    add_vector(wish, "position", "xyz", true, parts, entry);
    if (is_plane) {
      add_vector(wish, "normal", "normal", true, parts, entry);
    } else {
      add_vector(wish, "rpy", "rpy", false, parts, entry);
      add_vector(wish, "size", "size", true, parts, entry);
    }
    add_names(wish, "of", parts, entry);
    add_names(wish, "except", parts, entry);
    entry.line = fmt::format("- {{{}}}", fmt::join(parts, ", "));
  }
  return entry;
}

std::string file_text(const std::vector<Entry>& limits, const std::vector<Entry>& bounds) {
  std::string text =
      "# What was set up where the robot stands, beside its robot.yaml; SI units. The page 'Set up' writes\n"
      "# this file whole. A robot whose file cannot be read does not start.\n";
  const auto is_said = [](const Entry& entry) { return !entry.line.empty(); };
  text += std::ranges::any_of(limits, is_said) ? "limits:\n" : "limits: {}\n";
  for (const Entry& entry : limits)
    if (is_said(entry)) text += fmt::format("  {}\n", entry.line);
  text += bounds.empty() ? "workspace: {}\n" : "workspace:\n";
  for (const KindWord& kind : kKindWords) {
    if (std::ranges::find(bounds, kind.section, &Entry::section) == bounds.end()) continue;
    text += fmt::format("  {}:\n", kind.section);
    for (const Entry& entry : bounds)
      if (entry.section == kind.section) text += fmt::format("    {}\n", entry.line);
  }
  return text;
}

// Without the place, which is in a file that nobody has seen.
std::string without_place(const std::string& message) {
  const std::size_t end = message.starts_with(kFile) ? message.find(": ") : std::string::npos;
  return end == std::string::npos ? message : message.substr(end + 2);
}

// Each entry by itself, so that all that is wrong is told at once.
void judge(std::string_view about, const std::vector<Entry>& entries, const RobotModel& made,
           std::vector<SiteFinding>& findings) {
  for (const Entry& entry : entries) {
    std::string wrong = entry.wrong;
    if (wrong.empty() && !entry.line.empty()) {
      RobotModel alone = made;
      const std::string text = about == "limits" ? file_text({entry}, {}) : file_text({}, {entry});
      if (Status applied = apply_site_text(text, kFile, alone); !applied)
        wrong = without_place(applied.error().message);
    }
    if (!wrong.empty()) findings.push_back({std::string(about), entry.name.substr(0, 64), wrong});
  }
}

// ---- where the robot is ----

std::string position_words(const Joint& joint, double value) {
  return joint.kind == JointKind::Prismatic ? length_text(value) : angle_text(value);
}

void find_joints_outside(const RobotModel& wanted, std::span<const double> q,
                         std::vector<SiteFinding>& findings) {
  for (std::size_t i = 0; i < std::min(q.size(), wanted.positions.size()); ++i) {
    const Joint& joint = wanted.joints[wanted.positions[i]];
    if (q[i] >= joint.limits.lower - kMeasuredSlack && q[i] <= joint.limits.upper + kMeasuredSlack) continue;
    findings.push_back(
        {"limits", joint.name,
         fmt::format("joint '{}' is at {} now, outside of {} to {}; move it there first", joint.name,
                     position_words(joint, q[i]), position_words(joint, joint.limits.lower),
                     position_words(joint, joint.limits.upper))});
  }
}

// A robot whose links have nothing to do with each other: only bounds count.
RobotModel without_self(const RobotModel& model) {
  RobotModel lonely = model;
  lonely.ignored_pairs.clear();
  for (std::size_t a = 0; a < model.links.size(); ++a)
    for (std::size_t b = a + 1; b < model.links.size(); ++b)
      lonely.ignored_pairs.push_back({.link_a = a, .link_b = b, .reason = "only bounds count"});
  return lonely;
}

std::string too_near_words(const RobotModel& model, const Obstacles& objects, const Contact& contact) {
  const std::string who = contact.object_a != kNone
                              ? std::string(text_of(objects[contact.object_a].name))
                              : fmt::format("link {}", model.links[contact.link_a].name);
  const std::string where = contact.distance < 0.0
                                ? fmt::format("beyond it now, by {}", length_text(-contact.distance))
                                : fmt::format("{} from it now", length_text(contact.distance));
  return fmt::format("{} is {}, and must stay {} away; move the robot first, or put the bound elsewhere", who,
                     where, length_text(contact.margin));
}

// ---- from the file to a page ----

Json limits_json(const JointLimits& limits) {
  Json json = Json::object();
  for (const LimitWord& word : kLimitWords) json[word.key] = finite_or_null(limits.*word.member);
  return json;
}

Json bound_json(const RobotModel& model, const WorkspaceBound& bound, std::string_view source) {
  const RollPitchYaw turn = roll_pitch_yaw(bound.X_WO.rotation);
  Json guards = Json::array();
  for (const std::size_t link : bound.links) guards.push_back(model.links[link].name);
  for (const ToolFrame& point : bound.points) guards.push_back(point.name);
  const auto kind = std::ranges::find(kKindWords, bound.kind, &KindWord::kind);
  return {{"name", bound.name},
          {"kind", kind->word},
          {"source", source},
          {"position", vector_json(bound.X_WO.position)},
          {"rpy", vector_json(Vector3(turn.roll, turn.pitch, turn.yaw))},
          {"size", vector_json(2.0 * bound.half_extents)},
          {"normal", vector_json(bound.X_WO.rotation * Vector3::UnitZ())},
          {"of", Json::array()},
          {"except", Json::array()},
          {"guards", std::move(guards)}};
}

Json names_json(const YamlNode& item, std::string_view key) {
  Json names = Json::array();
  if (const YamlNode* list = entry_of(item, key))
    for (const YamlNode& name : list->children) names.push_back(name.text);
  return names;
}

// The bounds of a file, in the order in which they come into a model.
std::vector<const YamlNode*> bound_nodes(const YamlNode& root) {
  std::vector<const YamlNode*> nodes;
  const YamlNode* workspace = entry_of(root, "workspace");
  for (const KindWord& kind : kKindWords) {
    const YamlNode* list = workspace == nullptr ? nullptr : entry_of(*workspace, kind.section);
    if (list == nullptr) continue;
    for (const YamlNode& item : list->children) nodes.push_back(&item);
  }
  return nodes;
}

}  // namespace

SiteDraft draft_site(const Json& wish, const RobotModel& made) {
  SiteDraft draft{.text = {}, .model = made, .findings = {}};
  std::vector<Entry> limits;
  std::vector<Entry> bounds;
  const auto wished_limits = wish.find("limits");
  const auto wished_bounds = wish.find("bounds");
  if (wished_limits == wish.end() || !wished_limits->is_object() || wished_limits->size() > kMostLimits)
    draft.findings.push_back({"limits", "", "'limits' must be an object, by joint"});
  else
    for (const auto& [joint, limit] : wished_limits->items()) limits.push_back(limits_entry(joint, limit));
  if (wished_bounds == wish.end() || !wished_bounds->is_array() ||
      wished_bounds->size() > kMostWorkspaceBounds)
    draft.findings.push_back(
        {"bounds", "", fmt::format("'bounds' must be a list, at most {}", kMostWorkspaceBounds)});
  else
    for (const Json& bound : *wished_bounds) bounds.push_back(bound_entry(bound));
  judge("limits", limits, made, draft.findings);
  judge("bounds", bounds, made, draft.findings);
  if (!draft.findings.empty()) return draft;
  draft.text = file_text(limits, bounds);
  if (Status applied = apply_site_text(draft.text, kFile, draft.model); !applied)
    draft.findings.push_back({"bounds", "", without_place(applied.error().message)});
  else if (const auto fits = workspace_obstacles(draft.model); !fits)
    draft.findings.push_back({"bounds", "", fits.error().message});
  return draft;
}

Result<std::vector<SiteFinding>> site_conflicts(const LoadedRobot& made, const RobotModel& wanted,
                                                std::span<const double> q) {
  std::vector<SiteFinding> findings;
  find_joints_outside(wanted, q, findings);
  const std::size_t first = made.model.workspace.size();
  if (wanted.workspace.size() <= first) return findings;
  const auto settings = read_control(made.settings.control);
  if (!settings) return settings.error();
  RobotModel lonely = without_self(wanted);
  const auto shapes = RobotShapes::make(lonely, guard_options(*settings, points_of_mesh));
  if (!shapes) return shapes.error();
  CollisionChecker checker(*shapes);
  for (std::size_t i = first; i < wanted.workspace.size(); ++i) {
    lonely.workspace = {wanted.workspace[i]};
    const auto objects = workspace_obstacles(lonely);
    if (!objects) return objects.error();
    checker.set_world(*objects);
    const CheckResult found = checker.nearest(q);
    if (found.verdict == Verdict::TooNear)
      findings.push_back(
          {"bounds", wanted.workspace[i].name, too_near_words(wanted, *objects, found.contact)});
  }
  return findings;
}

Json site_limits_json(const RobotModel& made, const RobotModel& saved, const RobotModel* in_force) {
  Json all = Json::array();
  for (const std::size_t index : made.positions) {
    const Joint& joint = made.joints[index];
    Json site = Json::object();
    for (const LimitWord& word : kLimitWords) {
      const double value = saved.joints[index].limits.*word.member;
      if (value != joint.limits.*word.member) site[word.key] = value;
    }
    all.push_back(
        {{"name", joint.name},
         {"kind", joint_kind_text(joint.kind)},
         {"unit", joint.kind == JointKind::Prismatic ? "m" : "rad"},
         {"is_enabled", joint.is_enabled},
         {"made", limits_json(joint.limits)},
         {"site", std::move(site)},
         {"in_force", in_force == nullptr ? Json(nullptr) : limits_json(in_force->joints[index].limits)}});
  }
  return all;
}

Json site_bounds_json(const RobotModel& made, const RobotModel& saved, std::string_view site) {
  Json all = Json::array();
  for (const WorkspaceBound& bound : made.workspace) all.push_back(bound_json(made, bound, "robot"));
  const auto root = parse_yaml(site, kFile);
  const auto nodes = root ? bound_nodes(*root) : std::vector<const YamlNode*>();
  for (std::size_t i = made.workspace.size(); i < saved.workspace.size(); ++i) {
    Json bound = bound_json(saved, saved.workspace[i], "site");
    if (const std::size_t place = i - made.workspace.size(); place < nodes.size()) {
      bound["of"] = names_json(*nodes[place], "of");
      bound["except"] = names_json(*nodes[place], "except");
    }
    all.push_back(std::move(bound));
  }
  return all;
}

Json site_parts_json(const RobotModel& model) {
  const auto is_moved = [&](std::size_t link) {
    for (std::size_t joint = model.links[link].parent_joint; joint != kNone;
         joint = model.links[model.joints[joint].parent_link].parent_joint)
      if (model.joints[joint].kind != JointKind::Fixed) return true;
    return false;
  };
  Json links = Json::array();
  for (std::size_t link = 0; link < model.links.size(); ++link)
    if (is_moved(link) && !model.links[link].collisions.empty()) links.push_back(model.links[link].name);
  Json tools = Json::array();
  for (const Arm& arm : model.arms) {
    for (const ToolFrame& tool : arm.tools) tools.push_back(tool.name);
    if (arm.tools.empty()) tools.push_back(model.links[arm.tip_link].name);
  }
  return {{"links", std::move(links)}, {"tools", std::move(tools)}};
}

Json findings_json(const std::vector<SiteFinding>& findings) {
  Json list = Json::array();
  for (const SiteFinding& one : findings)
    list.push_back({{"about", one.about}, {"name", one.name}, {"message", one.message}});
  return list;
}

}  // namespace sinew
