// SPDX-License-Identifier: BSD-3-Clause
#include "apps/cli/plan_scene.h"

#include <array>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sinew/base/fixed_string.h"
#include "sinew/base/text.h"
#include "sinew/model/load_robot.h"
#include "sinew/model/text_input.h"
#include "sinew/model/yaml_pose.h"

namespace sinew::cli {
namespace {

double size_of(const YamlNode& map, std::string_view key, Findings& findings) {
  if (const YamlNode* node = entry_of(map, key)) return sinew::number_from(*node, findings);
  findings.refuse(map.place, fmt::format("'{}' is missing here", key), fmt::format("write '{}: 0.05'", key));
  return 0.0;
}

Solid solid_of_object(const YamlNode& map, Findings& findings) {
  const std::string kind = required_entry(map, "kind", findings);
  if (findings.has_error()) return {};
  if (kind == "sphere") return make_sphere(size_of(map, "radius", findings));
  if (kind == "cylinder")
    return make_cylinder(size_of(map, "radius", findings), size_of(map, "length", findings));
  if (kind == "plane") return make_plane();
  if (kind == "box") {
    const YamlNode* size = entry_of(map, "size");
    if (size != nullptr) return make_box(0.5 * vector_from(*size, findings));
    findings.refuse(map.place, "a box has a 'size'", "write its three sides: 'size: [0.1, 0.1, 0.1]'");
    return {};
  }
  const std::vector<std::string> known{"box", "sphere", "cylinder", "plane"};
  findings.refuse(map.place,
                  fmt::format("no kind '{}' among obstacles{}", shown(kind), did_you_mean(kind, known)),
                  fmt::format("known: {}", fmt::join(known, ", ")));
  return {};
}

void read_obstacle(const YamlNode& item, Obstacles& world, Findings& findings) {
  if (!expect_map(item,
                  {"name", "kind", "xyz", "rpy", "rpy_deg", "size", "radius", "length", "margin", "mass",
                   "friction", "colour"},
                  findings)) {
    return;
  }
  Obstacle object;
  const std::string name = required_entry(item, "name", findings);
  if (name.size() >= object.name.size()) {
    findings.refuse(item.place, fmt::format("the name '{}' is too long", shown(name)),
                    fmt::format("at most {} bytes", object.name.size() - 1));
  }
  set_text(object.name, name);
  object.X_LO = pose_from(item, findings);
  if (const YamlNode* margin = entry_of(item, "margin"))
    object.margin = sinew::number_from(*margin, findings);
  object.solid = solid_of_object(item, findings);
  if (findings.has_error()) return;
  if (const auto added = world.add(object); !added) {
    findings.refuse(item.place, added.error().message, "see docs/reference/world_yaml.md");
  }
}

}  // namespace

Result<Obstacles> obstacles_from_yaml(const YamlNode& root) {
  Findings findings;
  Obstacles world;
  if (!expect_map(root, {"robots", "objects", "gravity", "time_step", "watchdog", "seed", "noise", "floor"},
                  findings)) {
    return findings.error();
  }
  if (const YamlNode* floor = entry_of(root, "floor"); floor != nullptr && floor->text == "true") {
    Obstacle plane{.solid = make_plane()};
    set_text(plane.name, "floor");
    (void)world.add(plane);
  }
  const YamlNode* objects = entry_of(root, "objects");
  if (objects != nullptr && expect_list(*objects, findings)) {
    for (const YamlNode& item : objects->children) {
      if (!findings.has_error()) read_obstacle(item, world, findings);
    }
  }
  if (findings.has_error()) return findings.error();
  return world;
}

namespace {

// where a world's file is; as it was given when there is none
std::filesystem::path file_of_world(const std::string& name_or_path) {
  namespace fs = std::filesystem;
  std::vector<fs::path> candidates{name_or_path, fs::path(name_or_path) / "world.yaml",
                                   fs::path("worlds") / name_or_path / "world.yaml"};
  for (const fs::path& robots : usual_places().robot_paths)
    candidates.push_back(robots.parent_path() / "worlds" / name_or_path / "world.yaml");
  std::error_code error;
  for (const fs::path& candidate : candidates)
    if (fs::is_regular_file(candidate, error)) return candidate;
  return name_or_path;
}

// where the world has the first robot of that model; the origin when it has none
Pose place_of_robot(const YamlNode& root, std::string_view model, Findings& findings) {
  const YamlNode* robots = entry_of(root, "robots");
  if (robots == nullptr) return {};
  for (const YamlNode& robot : robots->children) {
    const YamlNode* entry = entry_of(robot, "model");
    if (entry != nullptr && entry->text == model) return pose_from(robot, findings);
  }
  return {};
}

}  // namespace

Result<Obstacles> load_scene_of(const std::string& name_or_path, std::string_view model) {
  const std::filesystem::path path = file_of_world(name_or_path);
  const auto text = read_text_file(path);
  if (!text) return text.error();
  const auto root = parse_yaml(*text, path.string());
  if (!root) return root.error();
  const auto world = obstacles_from_yaml(*root);
  if (!world) return world.error();
  Findings findings;
  const Pose X_WR = place_of_robot(*root, model, findings);
  if (findings.has_error()) return findings.error();
  Obstacles around;
  for (Obstacle object : world->objects()) {
    object.X_LO = inverse(X_WR) * object.X_LO;
    if (const auto added = around.add(object); !added) return added.error();
  }
  return around;
}

Result<Obstacles> load_scene(const std::filesystem::path& path) {
  const auto text = read_text_file(path);
  if (!text) return text.error();
  const auto root = parse_yaml(*text, path.string());
  if (!root) return root.error();
  return obstacles_from_yaml(*root);
}

}  // namespace sinew::cli
