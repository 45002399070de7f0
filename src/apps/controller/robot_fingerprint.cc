// SPDX-License-Identifier: BSD-3-Clause
#include "apps/controller/robot_fingerprint.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include <fmt/format.h>

#include "sinew/base/hash.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

bool describes_robots(const fs::path& file) {
  static constexpr std::array<std::string_view, 5> kEndings{".urdf", ".xacro", ".srdf", ".yaml", ".yml"};
  return std::ranges::find(kEndings, file.extension().string()) != kEndings.end();
}

void add_descriptions(const fs::path& folder, std::set<fs::path>& files) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored))
    if (entry.is_regular_file(ignored) && describes_robots(entry.path())) files.insert(entry.path());
}

}  // namespace

Result<std::uint64_t> robot_fingerprint(const RobotOnSite& on_site) {
  const LoadedRobot& robot = on_site.robot;
  std::set<fs::path> files;
  const fs::path folder = robot.urdf.parent_path();
  add_descriptions(folder.empty() ? "." : folder, files);
  if (!robot.variant.empty()) add_descriptions(folder / "variants", files);
  for (const Link& link : robot.model.links)
    for (const Shape& shape : link.collisions)
      if (!shape.mesh_path.empty()) files.insert(shape.mesh_path);

  std::uint64_t hash = fnv1a(robot.variant);
  for (const fs::path& path : files) {
    std::ifstream file(path, std::ios::binary);
    const std::string content{std::istreambuf_iterator<char>(file), {}};
    if (!file) return Error{ErrorCode::NotFound, fmt::format("cannot read {}", path.string())};
    // where a robot lies does not matter
    hash = fnv1a(content, fnv1a(path.filename().string(), hash));
  }
  return on_site.site.empty() ? hash : fnv1a(on_site.site, hash);
}

}  // namespace sinew
