// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/model/load_robot.h"

#include <algorithm>
#include <system_error>

#include <fmt/format.h>

#include "sinew/base/text.h"
#include "sinew/model/srdf.h"
#include "sinew/model/text_input.h"
#include "sinew/model/urdf.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kYamlName = "robot.yaml";
constexpr std::string_view kVariants = "variants";

bool is_robot_folder(const fs::path& folder, const RobotFiles& files) {
  return files.is_file(folder / kYamlName);
}

// The robot.yaml or URDF that is meant.
Result<fs::path> find_robot(std::string_view name, const LoadOptions& options) {
  const RobotFiles& files = *options.files;
  const fs::path path(name);
  if (files.is_file(path)) return path;
  if (is_robot_folder(path, files)) return path / kYamlName;
  if (files.is_file(path / "robot.urdf")) return path / "robot.urdf";
  const bool is_name = !name.empty() && name.find('/') == std::string_view::npos;
  for (const fs::path& folder : options.robot_paths) {
    if (is_name && is_robot_folder(folder / path, files)) return folder / path / kYamlName;
  }
  const std::vector<std::string> names = robot_names(options);
  return Error{ErrorCode::NotFound,
               fmt::format("there is no robot '{}'{}; known: {}; or give the path of its folder or URDF",
                           shown(name), did_you_mean(name, names),
                           names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", ")))};
}

Result<LoadedRobot> load_urdf(const fs::path& path, const LoadOptions& options,
                              const Settings& arguments = {}) {
  auto read = read_urdf(
      path, {.package_paths = options.package_paths, .xacro_arguments = arguments, .files = options.files});
  if (!read) return read.error();
  LoadedRobot robot;
  robot.model = std::move(read->model);
  robot.remarks = std::move(read->remarks);
  robot.urdf = path;
  return robot;
}

// The SRDF adds what URDF and robot.yaml do not say.
Status apply_srdf(const fs::path& file, const LoadOptions& options, LoadedRobot& robot) {
  const auto path = find_srdf(file, robot.model.name, *options.files, options.srdf);
  if (!path) return path.error();
  if (path->empty()) return Done{};
  const auto text = read_text_file(*path, *options.files);
  if (!text) return text.error();
  auto remarks = apply_srdf_text(*text, *path, robot.model);
  if (!remarks) return remarks.error();
  robot.remarks.insert(robot.remarks.end(), remarks->begin(), remarks->end());
  return Done{};
}

Result<YamlNode> read_yaml(const fs::path& path, const RobotFiles& files) {
  const auto text = read_text_file(path, files);
  if (!text) return text.error();
  return parse_yaml(*text, path.string());
}

Result<YamlNode> read_variant(const fs::path& folder, const std::string& variant, const RobotFiles& files) {
  const std::vector<std::string> names = variant_names(folder);
  if (std::find(names.begin(), names.end(), variant) != names.end())
    return read_yaml(folder / kVariants / (variant + ".yaml"), files);
  return Error{ErrorCode::NotFound,
               fmt::format("{} has no variant '{}'{}; it has: {}", folder.filename().string(), shown(variant),
                           did_you_mean(variant, names),
                           names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", ")))};
}

Result<LoadedRobot> load_yaml(const fs::path& path, const std::string& variant, const LoadOptions& options) {
  auto root = read_yaml(path, *options.files);
  if (!root) return root.error();
  if (!variant.empty()) {
    const auto over = read_variant(path.parent_path(), variant, *options.files);
    if (!over) return over.error();
    lay_over(*over, *root);
  }
  auto settings = read_robot_settings(*root);
  if (!settings) return settings.error();
  auto robot = load_urdf(path.parent_path() / settings->urdf, options, settings->xacro);
  if (!robot) return robot.error();
  robot->settings = std::move(*settings);
  if (Status applied = apply_robot_yaml(*root, robot->model); !applied) return applied.error();
  if (Status applied = apply_srdf(path, options, *robot); !applied) return applied.error();
  return robot;
}

// Neighbours touch by design.
void ignore_adjacent(RobotModel& model) {
  for (const Joint& joint : model.joints) {
    const auto is_known = [&](const IgnoredPair& pair) {
      return std::minmax(pair.link_a, pair.link_b) == std::minmax(joint.parent_link, joint.child_link);
    };
    if (std::any_of(model.ignored_pairs.begin(), model.ignored_pairs.end(), is_known)) continue;
    model.ignored_pairs.push_back(
        {.link_a = joint.parent_link, .link_b = joint.child_link, .reason = "adjacent"});
  }
}

}  // namespace

void add_places_above(fs::path folder, LoadOptions& options) {
  std::error_code error;
  // from build/bin up to the clone, or from bin to the prefix
  for (int steps = 0; steps < 4 && folder.has_relative_path(); ++steps, folder = folder.parent_path()) {
    for (const char* place : {"robots", "share/sinew/robots"}) {
      if (fs::is_directory(folder / place, error)) options.robot_paths.push_back(folder / place);
    }
  }
}

LoadOptions usual_places() {
  LoadOptions options{.robot_paths = {"robots"}, .package_paths = {}};
  std::error_code error;
  add_places_above(fs::read_symlink("/proc/self/exe", error).parent_path(), options);
  return options;
}

std::vector<std::string> variant_names(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator entry(folder / kVariants, error), end; !error && entry != end;
       entry.increment(error)) {
    if (entry->path().extension() == ".yaml") names.push_back(entry->path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<std::string> robot_names(const LoadOptions& options) {
  std::vector<std::string> names;
  for (const fs::path& folder : options.robot_paths) {
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
      if (is_robot_folder(entry->path(), *options.files)) names.push_back(entry->path().filename().string());
    }
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

Result<LoadedRobot> load_robot(std::string_view name_or_path, const LoadOptions& options) {
  // a colon within a path's last part names a variant, unless there is a file of that name
  std::error_code error;
  const std::size_t colon = name_or_path.rfind(':');
  const bool has_variant = colon != std::string_view::npos &&
                           name_or_path.find('/', colon) == std::string_view::npos &&
                           !fs::exists(fs::path(name_or_path), error);
  const std::string variant(has_variant ? name_or_path.substr(colon + 1) : std::string_view());
  const auto path = find_robot(name_or_path.substr(0, has_variant ? colon : name_or_path.size()), options);
  if (!path) return path.error();
  const std::string ending = path->extension().string();
  const bool is_yaml = ending == ".yaml" || ending == ".yml";
  if (has_variant && (!is_yaml || variant.empty())) {
    return Error{ErrorCode::InvalidInput,
                 fmt::format("'{}' names no variant: only a robot with a robot.yaml has any, as in mds:isaac",
                             shown(name_or_path))};
  }
  auto robot = is_yaml ? load_yaml(*path, variant, options) : load_urdf(*path, options);
  if (!robot) return robot;
  if (Status applied = is_yaml ? Done{} : apply_srdf(*path, options, *robot); !applied)
    return applied.error();
  robot->variant = variant;
  ignore_adjacent(robot->model);
  return robot;
}

}  // namespace sinew
