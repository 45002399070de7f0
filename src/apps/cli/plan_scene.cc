// SPDX-License-Identifier: BSD-3-Clause
#include "apps/cli/plan_scene.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sinew/base/fixed_string.h"
#include "sinew/base/text.h"
#include "sinew/mesh/mesh_points.h"
#include "sinew/model/load_robot.h"
#include "sinew/model/text_input.h"
#include "sinew/model/yaml_pose.h"
#include "sinew/simulation/tower.h"

namespace sinew::cli {
namespace {

double size_of(const YamlNode& map, std::string_view key, Findings& findings) {
  if (const YamlNode* node = entry_of(map, key)) return sinew::number_from(*node, findings);
  findings.refuse(map.place, fmt::format("'{}' is missing here", key), fmt::format("write '{}: 0.05'", key));
  return 0.0;
}

/// Reads things into a scene.
class SceneReader {
 public:
  SceneReader(const SceneOptions& options, Findings& findings) : options_(options), findings_(findings) {}

  void read_object(const YamlNode& item);
  void read_tower(const YamlNode& tower);
  void add_floor();
  PlanScene take() { return std::move(scene_); }

 private:
  Solid solid_of(const YamlNode& map, Pose& X_LO);
  Solid box_of(const YamlNode& map);
  Solid hull_of(const YamlNode& map);
  Solid field_of(const YamlNode& map, Pose& X_LO);
  std::size_t link_of(const YamlNode& name);
  void read_bearer(const YamlNode& item, Obstacle& object);

  const SceneOptions& options_;
  Findings& findings_;
  PlanScene scene_;
};

Solid SceneReader::box_of(const YamlNode& map) {
  const YamlNode* size = entry_of(map, "size");
  if (size != nullptr) return make_box(0.5 * vector_from(*size, findings_));
  findings_.refuse(map.place, "a box has a 'size'", "write its three sides: 'size: [0.1, 0.1, 0.1]'");
  return {};
}

// The convex hull of a mesh, in few points, never smaller.
Solid SceneReader::hull_of(const YamlNode& map) {
  Shape shape{.kind = ShapeKind::Mesh};
  const std::string file = required_entry(map, "file", findings_);
  if (const YamlNode* scale = entry_of(map, "scale")) shape.mesh_scale = vector_from(*scale, findings_);
  if (findings_.has_error()) return {};
  shape.mesh_path = (options_.folder / file).string();
  const std::vector<Vector3> points = points_of_mesh(shape);
  if (points.empty()) {
    findings_.refuse(map.place, fmt::format("no points could be read from {}", shape.mesh_path),
                     "give an STL, OBJ or DAE file beside the scene");
    return {};
  }
  SimpleHull hull = simplify_hull(points);
  scene_.hulls.push_back(std::move(hull.points));
  return make_hull(scene_.hulls.back(), hull.rounding);
}

// Around its middle, as in a world; a field of ours begins at its corner.
Solid SceneReader::field_of(const YamlNode& map, Pose& X_LO) {
  const YamlNode* size = entry_of(map, "size");
  const YamlNode* rows = entry_of(map, "heights");
  if (size == nullptr || rows == nullptr || !expect_list(*rows, findings_) || rows->children.size() < 2) {
    findings_.refuse(map.place, "a height field has a 'size' and 'heights'",
                     "write 'size: [2, 2, 1], heights: [[0, 0.1], [0, 0.2]]'");
    return {};
  }
  const Vector3 extent = vector_from(*size, findings_);
  std::vector<double> heights;
  for (const YamlNode& row : rows->children) {
    if (!expect_list(row, findings_)) return {};
    if (row.children.size() < 2 || row.children.size() != rows->children.front().children.size()) {
      findings_.refuse(row.place, "rows of heights have two numbers or more, all equally many",
                       "make them equal");
      return {};
    }
    for (const YamlNode& height : row.children)
      heights.push_back(extent.z() * sinew::number_from(height, findings_));
  }
  if (findings_.has_error()) return {};
  const std::size_t columns = rows->children.front().children.size();
  const Eigen::Vector2d cell(extent.x() / static_cast<double>(columns - 1),
                             extent.y() / static_cast<double>(rows->children.size() - 1));
  auto field = HeightField::make(columns, rows->children.size(), cell, heights);
  if (!field) {
    findings_.refuse(map.place, field.error().message, "see docs/reference/world_yaml.md");
    return {};
  }
  scene_.fields.push_back(*std::move(field));
  X_LO = X_LO * Pose{.position = {-0.5 * extent.x(), -0.5 * extent.y(), 0.0}};
  return make_height_field(scene_.fields.back());
}

Solid SceneReader::solid_of(const YamlNode& map, Pose& X_LO) {
  const std::string kind = required_entry(map, "kind", findings_);
  if (findings_.has_error()) return {};
  if (kind == "sphere") return make_sphere(size_of(map, "radius", findings_));
  if (kind == "cylinder")
    return make_cylinder(size_of(map, "radius", findings_), size_of(map, "length", findings_));
  if (kind == "plane") return make_plane();
  if (kind == "box") return box_of(map);
  if (kind == "mesh") return hull_of(map);
  if (kind == "height_field") return field_of(map, X_LO);
  const std::vector<std::string> known{"box", "sphere", "cylinder", "plane", "mesh", "height_field"};
  findings_.refuse(map.place,
                   fmt::format("no kind '{}' among obstacles{}", shown(kind), did_you_mean(kind, known)),
                   fmt::format("known: {}", fmt::join(known, ", ")));
  return {};
}

std::size_t SceneReader::link_of(const YamlNode& name) {
  const std::size_t link = options_.model == nullptr ? kNone : find_link(*options_.model, name.text);
  if (link != kNone && link < kMaxCheckedLinks) return link;
  findings_.refuse(name.place, fmt::format("the robot has no link '{}'", shown(name.text)),
                   "'sinew model' lists its links");
  return kNone;
}

// What carries it may touch it.
void SceneReader::read_bearer(const YamlNode& item, Obstacle& object) {
  if (const YamlNode* names = entry_of(item, "may_touch"); names && expect_list(*names, findings_)) {
    for (const YamlNode& name : names->children) {
      if (const std::size_t link = link_of(name); link != kNone) object.may_touch.set(link);
    }
  }
  const YamlNode* bearer = entry_of(item, "link");
  if (bearer == nullptr) return;
  object.link = link_of(*bearer);
  if (object.link != kNone) object.may_touch.set(object.link);
}

void SceneReader::read_object(const YamlNode& item) {
  if (!expect_map(item,
                  {"name", "kind", "xyz", "rpy", "rpy_deg", "size", "radius", "length", "heights", "file",
                   "scale", "margin", "link", "may_touch", "mass", "friction", "colour", "known"},
                  findings_)) {
    return;
  }
  Obstacle object;
  const std::string name = required_entry(item, "name", findings_);
  if (name.size() >= object.name.size()) {
    findings_.refuse(item.place, fmt::format("the name '{}' is too long", shown(name)),
                     fmt::format("at most {} bytes", object.name.size() - 1));
  }
  set_text(object.name, name);
  object.X_LO = pose_from(item, findings_);
  if (const YamlNode* margin = entry_of(item, "margin"))
    object.margin = sinew::number_from(*margin, findings_);
  read_bearer(item, object);
  object.solid = solid_of(item, object.X_LO);
  if (findings_.has_error()) return;
  if (object.link == kNone) {
    const BoundingBall ball = ball_around(object.solid);
    scene_.things.push_back({.name = name,
                             .X_RO = pose_from(item, findings_),
                             .reach = ball.centre.norm() + ball.radius,
                             .is_free = entry_of(item, "mass") != nullptr});
  }
  const YamlNode* known = entry_of(item, "known");
  if (!options_.has_unknown && known != nullptr && known->text == "false") return;
  if (const auto added = scene_.world.add(object); !added) {
    findings_.refuse(item.place, added.error().message, "see docs/reference/world_yaml.md");
  }
}

// Pegs and discs as the simulator puts them up.
void SceneReader::read_tower(const YamlNode& tower) {
  const YamlNode* pegs = entry_of(tower, "pegs");
  if (pegs == nullptr || !expect_list(*pegs, findings_) || pegs->children.empty()) return;
  std::vector<Vector3> places;
  for (const YamlNode& peg : pegs->children) places.push_back(vector_from(peg, findings_));
  const YamlNode* count = entry_of(tower, "discs");
  const double discs = count == nullptr ? TowerOptions{}.discs : number_from(*count, findings_);
  for (std::size_t peg = 0; peg < places.size(); ++peg)
    scene_.things.push_back({.name = fmt::format("peg_{}", peg + 1),
                             .X_RO = {.position = places[peg] + Vector3(0, 0, 0.5 * kTowerPlateHeight)}});
  double middle = places.front().z() + kTowerPlateHeight + 0.5 * kTowerDiscHeight;
  for (int size = static_cast<int>(std::clamp(discs, 0.0, 1.0 * kMostTowerDiscs)); size > 0; --size) {
    scene_.things.push_back({.name = fmt::format("disc_{}", size),
                             .X_RO = {.position = {places.front().x(), places.front().y(), middle}},
                             .reach = std::hypot(tower_disc_radius(size), 0.5 * kTowerDiscHeight),
                             .is_free = true});
    middle += kTowerDiscHeight;
  }
}

void SceneReader::add_floor() {
  scene_.world = floor_alone();
}

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

Result<PlanScene> scene_from_yaml(const YamlNode& root, const SceneOptions& options) {
  Findings findings;
  if (!expect_map(root,
                  {"robots", "objects", "gravity", "time_step", "watchdog", "seed", "noise", "floor", "tower",
                   "assisted"},
                  findings)) {
    return findings.error();
  }
  SceneReader reader(options, findings);
  const YamlNode* floor = entry_of(root, "floor");
  if (floor == nullptr ? options.has_floor : floor->text == "true") reader.add_floor();
  const YamlNode* objects = entry_of(root, "objects");
  if (objects != nullptr && expect_list(*objects, findings)) {
    for (const YamlNode& item : objects->children) {
      if (!findings.has_error()) reader.read_object(item);
    }
  }
  if (const YamlNode* tower = entry_of(root, "tower")) reader.read_tower(*tower);
  if (findings.has_error()) return findings.error();
  return reader.take();
}

Result<PlanScene> load_scene(const std::string& name_or_path, SceneOptions options) {
  const std::filesystem::path path = file_of_world(name_or_path);
  const auto text = read_text_file(path);
  if (!text) return text.error();
  const auto root = parse_yaml(*text, path.string());
  if (!root) return root.error();
  options.folder = path.parent_path();
  auto scene = scene_from_yaml(*root, options);
  if (!scene || options.model == nullptr) return scene;
  Findings findings;
  const Pose X_RW = inverse(place_of_robot(*root, options.model->name, findings));
  if (findings.has_error()) return findings.error();
  const std::bitset<kMaxCheckedLinks> still = still_links(*options.model);
  Obstacles around;
  for (Obstacle object : scene->world.objects()) {
    if (object.link == kNone) {
      object.X_LO = X_RW * object.X_LO;
      object.may_touch |= still;
    }
    if (const auto added = around.add(object); !added) return added.error();
  }
  scene->world = around;
  for (WalkedObject& thing : scene->things) thing.X_RO = X_RW * thing.X_RO;
  return scene;
}

Obstacles floor_alone() {
  Obstacle plane{.solid = make_plane()};
  set_text(plane.name, "floor");
  Obstacles world;
  static_cast<void>(world.add(plane));
  return world;
}

std::bitset<kMaxCheckedLinks> still_links(const RobotModel& model) {
  std::bitset<kMaxCheckedLinks> still;
  for (std::size_t link = 0; link < std::min(model.links.size(), kMaxCheckedLinks); ++link) {
    bool is_still = true;
    for (std::size_t joint = model.links[link].parent_joint; joint != kNone && is_still;
         joint = model.links[model.joints[joint].parent_link].parent_joint)
      is_still = model.joints[joint].kind == JointKind::Fixed;
    still[link] = is_still;
  }
  return still;
}

}  // namespace sinew::cli
