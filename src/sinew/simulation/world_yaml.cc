// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/simulation/world_yaml.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sinew/base/text.h"
#include "sinew/model/positions.h"
#include "sinew/model/text_input.h"
#include "sinew/model/yaml_pose.h"
#include "sinew/simulation/mesh_points.h"
#include "sinew/simulation/mjcf.h"
#include "sinew/simulation/tower.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kWorldFile = "world.yaml";

// ---- values ----

double number_or(const YamlNode& map, std::string_view key, double fallback, Findings& findings) {
  const YamlNode* node = entry_of(map, key);
  return node != nullptr ? number_from(*node, findings) : fallback;
}

bool truth_or(const YamlNode& map, std::string_view key, bool fallback, Findings& findings) {
  const YamlNode* node = entry_of(map, key);
  if (node == nullptr) return fallback;
  if (node->text == "true" || node->text == "false") return node->text == "true";
  findings.refuse(node->place, fmt::format("'{}' is '{}'", key, shown(node->text)), "write true or false");
  return fallback;
}

// seconds in the file, whole nanoseconds here
std::int64_t duration_or(const YamlNode& map, std::string_view key, std::int64_t fallback_ns,
                         Findings& findings) {
  const YamlNode* node = entry_of(map, key);
  return node != nullptr ? nanoseconds_from_seconds(number_from(*node, findings)) : fallback_ns;
}

Eigen::Vector4d colour_from(const YamlNode& node, Findings& findings) {
  const Vector3 rgb = vector_from(node, findings);
  if (rgb.minCoeff() < 0.0 || rgb.maxCoeff() > 1.0)
    findings.refuse(node.place, "a colour is three numbers from 0 to 1", "write [red, green, blue]");
  return {rgb.x(), rgb.y(), rgb.z(), 1.0};
}

// ---- objects ----

struct KindRow {
  std::string_view name;
  ObjectKind kind;
};
constexpr std::array kKinds{
    KindRow{"box", ObjectKind::Box},           KindRow{"sphere", ObjectKind::Sphere},
    KindRow{"cylinder", ObjectKind::Cylinder}, KindRow{"plane", ObjectKind::Plane},
    KindRow{"mesh", ObjectKind::Mesh},         KindRow{"height_field", ObjectKind::HeightField},
};

ObjectKind kind_from(const YamlNode& map, Findings& findings) {
  const std::string text = required_entry(map, "kind", findings);
  std::vector<std::string> names;
  for (const KindRow& row : kKinds) {
    if (row.name == text) return row.kind;
    names.emplace_back(row.name);
  }
  findings.refuse(map.place, fmt::format("there is no kind '{}'{}", shown(text), did_you_mean(text, names)),
                  fmt::format("known: {}", fmt::join(names, ", ")));
  return ObjectKind::Box;
}

double required_number(const YamlNode& map, std::string_view key, Findings& findings) {
  if (const YamlNode* node = entry_of(map, key)) return number_from(*node, findings);
  findings.refuse(map.place, fmt::format("'{}' is missing here", key), fmt::format("write '{}: 0.05'", key));
  return 0.0;
}

// rows of equal length, each a list of numbers
HeightGrid grid_from(const YamlNode& node, Findings& findings) {
  HeightGrid grid;
  if (!expect_list(node, findings)) return grid;
  grid.rows = node.children.size();
  for (const YamlNode& row : node.children) {
    if (!expect_list(row, findings)) return grid;
    if (grid.columns == 0) grid.columns = row.children.size();
    if (row.children.size() != grid.columns)
      findings.refuse(
          row.place,
          fmt::format("this row has {} heights, the first has {}", row.children.size(), grid.columns),
          "make them equal");
    for (const YamlNode& height : row.children) grid.heights.push_back(number_from(height, findings));
  }
  return grid;
}

void read_height_field(const YamlNode& map, SceneObject& object, Findings& findings) {
  const YamlNode* size = entry_of(map, "size");
  const YamlNode* heights = entry_of(map, "heights");
  if (size == nullptr || heights == nullptr) {
    findings.refuse(map.place, "a height field has a 'size' and 'heights'",
                    "write 'size: [2, 2, 1], heights: [[0, 0.1], [0, 0.2]]'");
    return;
  }
  object.size = vector_from(*size, findings);
  object.grid = grid_from(*heights, findings);
  for (double& height : object.grid.heights) height *= object.size.z();
}

void read_mesh_object(const YamlNode& map, const fs::path& folder, SceneObject& object, Findings& findings) {
  object.size = Vector3::Ones();
  if (const YamlNode* scale = entry_of(map, "scale")) object.size = vector_from(*scale, findings);
  const std::string file = required_entry(map, "file", findings);
  if (findings.has_error()) return;
  object.file = (folder / file).string();
  auto points = hull_points_of_file(object.file, object.size);
  if (!points)
    findings.refuse(map.place, points.error().message, "give an STL, OBJ or DAE file beside world.yaml");
  else
    object.points = *std::move(points);
}

void read_size(const YamlNode& map, const fs::path& folder, SceneObject& object, Findings& findings) {
  switch (object.kind) {
    case ObjectKind::Box:
      if (const YamlNode* size = entry_of(map, "size"))
        object.size = vector_from(*size, findings);
      else
        findings.refuse(map.place, "a box has a 'size'", "write its three sides: 'size: [0.1, 0.1, 0.1]'");
      return;
    case ObjectKind::Sphere:
      object.size.x() = required_number(map, "radius", findings);
      return;
    case ObjectKind::Cylinder:
      object.size.x() = required_number(map, "radius", findings);
      object.size.y() = required_number(map, "length", findings);
      return;
    case ObjectKind::HeightField:
      read_height_field(map, object, findings);
      return;
    case ObjectKind::Mesh:
      read_mesh_object(map, folder, object, findings);
      return;
    case ObjectKind::Plane:
      return;
  }
}

void read_object(const YamlNode& item, const fs::path& folder, Scene& scene, Findings& findings) {
  if (!expect_map(item,
                  {"name", "kind", "xyz", "rpy", "rpy_deg", "size", "radius", "length", "heights", "file",
                   "scale", "mass", "friction", "colour", "known"},
                  findings))
    return;
  SceneObject object{.name = required_entry(item, "name", findings), .kind = kind_from(item, findings)};
  object.X_WO = pose_from(item, findings);
  object.friction = number_or(item, "friction", object.friction, findings);
  // what has a mass can move
  if (const YamlNode* mass = entry_of(item, "mass")) {
    object.is_free = true;
    object.mass = number_from(*mass, findings);
  }
  object.is_known = truth_or(item, "known", true, findings);
  if (const YamlNode* colour = entry_of(item, "colour")) object.colour = colour_from(*colour, findings);
  if (!findings.has_error()) read_size(item, folder, object, findings);
  if (findings.has_error()) return;
  if (const Status checked = check_object(object); !checked)
    findings.refuse(item.place, checked.error().message, "see docs/reference/world_yaml.md");
  scene.objects.push_back(std::move(object));
}

void read_tower(const YamlNode& node, std::optional<int> discs, Scene& scene, Findings& findings) {
  if (!expect_map(node, {"discs", "pegs"}, findings)) return;
  TowerOptions tower;
  tower.discs = discs.value_or(static_cast<int>(number_or(node, "discs", tower.discs, findings)));
  if (const YamlNode* pegs = entry_of(node, "pegs"); pegs != nullptr && expect_list(*pegs, findings))
    for (const YamlNode& peg : pegs->children) tower.pegs.push_back(vector_from(peg, findings));
  if (findings.has_error()) return;
  if (const Status added = add_tower(tower, scene); !added)
    findings.refuse(node.place, added.error().message, "see docs/reference/world_yaml.md");
}

// ---- robots ----

void read_robot(const YamlNode& item, const WorldPlaces& places, Scene& scene, Findings& findings) {
  if (!expect_map(item, {"model", "name", "xyz", "rpy", "rpy_deg", "posture", "base"}, findings)) return;
  const std::string model = required_entry(item, "model", findings);
  if (findings.has_error()) return;
  const YamlNode* name = entry_of(item, "name");
  const YamlNode* posture = entry_of(item, "posture");
  auto robot = scene_robot(model, name != nullptr ? text_from(*name, findings) : model,
                           posture != nullptr ? text_from(*posture, findings) : "", places.robots);
  if (!robot) {
    findings.refuse(item.place, robot.error().message, "'sinew model ROBOT' shows a robot");
    return;
  }
  robot->X_WB = pose_from(item, findings);
  const YamlNode* base = entry_of(item, "base");
  const std::string base_text = base != nullptr ? text_from(*base, findings) : "fixed";
  if (base_text != "fixed" && base_text != "free")
    findings.refuse(base->place, fmt::format("'base' is '{}'", shown(base_text)), "write fixed or free");
  robot->is_free = base_text == "free";
  scene.robots.push_back(*std::move(robot));
}

void read_noise(const YamlNode& node, SensorNoise& noise, Findings& findings) {
  if (!expect_map(node, {"position", "velocity"}, findings)) return;
  noise.position = number_or(node, "position", 0.0, findings);
  noise.velocity = number_or(node, "velocity", 0.0, findings);
}

void read_seed(const YamlNode& node, Scene& scene, Findings& findings) {
  constexpr double kMostSeed = 9007199254740992.0;  // the whole numbers that a double holds
  const double seed = number_from(node, findings);
  if (seed < 0.0 || seed > kMostSeed || seed != std::floor(seed))
    findings.refuse(node.place, fmt::format("the seed is {}", shown(node.text)),
                    "write a whole number from 0");
  else
    scene.seed = static_cast<std::uint64_t>(seed);
}

bool is_world_folder(const fs::path& folder) {
  std::error_code error;
  return fs::is_regular_file(folder / kWorldFile, error);
}

Result<fs::path> find_world(std::string_view name, const WorldPlaces& places) {
  std::error_code error;
  const fs::path path(name);
  if (fs::is_regular_file(path, error)) return path;
  if (is_world_folder(path)) return path / kWorldFile;
  const bool is_name = !name.empty() && name.find('/') == std::string_view::npos;
  for (const fs::path& folder : places.world_paths)
    if (is_name && is_world_folder(folder / path)) return folder / path / kWorldFile;
  const std::vector<std::string> names = world_names(places);
  return Error{ErrorCode::NotFound,
               fmt::format("there is no world '{}'{}; known: {}; or give the path of its folder", shown(name),
                           did_you_mean(name, names),
                           names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", ")))};
}

}  // namespace

WorldPlaces usual_world_places() {
  WorldPlaces places{.world_paths = {"worlds"}, .robots = usual_places()};
  std::error_code error;
  fs::path above = fs::read_symlink("/proc/self/exe", error).parent_path();
  // from build/bin up to the clone, or from bin to the prefix
  for (int steps = 0; steps < 4 && above.has_relative_path(); ++steps, above = above.parent_path()) {
    for (const char* place : {"worlds", "share/sinew/worlds"})
      if (fs::is_directory(above / place, error)) places.world_paths.push_back(above / place);
  }
  return places;
}

std::vector<std::string> world_names(const WorldPlaces& places) {
  std::vector<std::string> names;
  for (const fs::path& folder : places.world_paths) {
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
      if (is_world_folder(entry->path())) names.push_back(entry->path().filename().string());
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

Result<SceneRobot> scene_robot(std::string_view model, std::string_view name, std::string_view posture,
                               const LoadOptions& options) {
  auto loaded = load_robot(model, options);
  if (!loaded) return loaded.error();
  SceneRobot robot{.name = std::string(name), .model = std::move(loaded->model)};
  robot.start = starting_positions(robot.model);
  if (posture.empty()) return robot;
  std::vector<std::string> names;
  for (const NamedPosture& known : robot.model.postures) {
    names.push_back(known.name);
    if (known.name != posture) continue;
    for (std::size_t i = 0; i < known.positions.size(); ++i)
      if (std::isfinite(known.positions[i])) robot.start[i] = known.positions[i];
    return robot;
  }
  return Error{ErrorCode::NotFound,
               fmt::format("robot '{}' has no posture '{}'{}; known: {}", model, shown(posture),
                           did_you_mean(posture, names), fmt::join(names, ", "))};
}

Result<Scene> scene_from_yaml(const YamlNode& root, const fs::path& folder, const WorldPlaces& places) {
  Findings findings;
  Scene scene{.name = folder.filename().string()};
  if (!expect_map(root,
                  {"robots", "objects", "gravity", "time_step", "watchdog", "seed", "noise", "floor", "tower",
                   "assisted"},
                  findings))
    return findings.error();
  if (const YamlNode* gravity = entry_of(root, "gravity")) scene.gravity = vector_from(*gravity, findings);
  scene.time_step_ns = duration_or(root, "time_step", scene.time_step_ns, findings);
  scene.watchdog_ns = duration_or(root, "watchdog", scene.watchdog_ns, findings);
  scene.has_floor = truth_or(root, "floor", true, findings);
  scene.is_assisted = truth_or(root, "assisted", false, findings);
  if (const YamlNode* seed = entry_of(root, "seed")) read_seed(*seed, scene, findings);
  if (const YamlNode* noise = entry_of(root, "noise")) read_noise(*noise, scene.noise, findings);
  if (const YamlNode* robots = entry_of(root, "robots"); robots != nullptr && expect_list(*robots, findings))
    for (const YamlNode& item : robots->children) read_robot(item, places, scene, findings);
  if (const YamlNode* objects = entry_of(root, "objects");
      objects != nullptr && expect_list(*objects, findings))
    for (const YamlNode& item : objects->children) read_object(item, folder, scene, findings);
  const YamlNode* tower = entry_of(root, "tower");
  if (tower != nullptr) read_tower(*tower, places.discs, scene, findings);
  if (tower == nullptr && places.discs)
    findings.refuse(root.place, "this world has no tower whose discs could be counted",
                    "take the world hanoi, or write 'tower:'");
  if (findings.has_error()) return findings.error();
  if (Status checked = check_scene(scene); !checked)
    return Error{checked.error().code, fmt::format("{}: {}", root.place.file, checked.error().message)};
  return scene;
}

Result<Scene> load_world(std::string_view name_or_path, const WorldPlaces& places) {
  const auto path = find_world(name_or_path, places);
  if (!path) return path.error();
  const auto text = read_text_file(*path);
  if (!text) return text.error();
  const auto root = parse_yaml(*text, path->string());
  if (!root) return root.error();
  return scene_from_yaml(*root, path->parent_path(), places);
}

}  // namespace sinew
