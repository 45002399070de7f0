// SPDX-License-Identifier: BSD-3-Clause
#include <system_error>

#include "sinew/model/urdf_parts.h"

namespace sinew::urdf {
namespace {

namespace fs = std::filesystem;

std::optional<fs::path> file_at(const fs::path& path, const RobotFiles& files) {
  if (!files.is_file(path)) return std::nullopt;
  return path.lexically_normal();
}

// package://NAME/rest lies in a search path, or in a folder above the URDF that holds NAME or is NAME.
std::optional<fs::path> file_of_package(const fs::path& name_and_rest, const fs::path& folder,
                                        const UrdfOptions& options) {
  for (const fs::path& packages : options.package_paths) {
    if (auto found = file_at(packages / name_and_rest, *options.files)) return found;
  }
  const fs::path package = *name_and_rest.begin();
  const fs::path rest = name_and_rest.lexically_relative(package);
  std::error_code error;
  fs::path above = fs::absolute(folder.empty() ? "." : folder, error).lexically_normal();
  for (int steps = 0; !error && steps < 64; ++steps) {
    if (auto found = file_at(above / name_and_rest, *options.files)) return found;
    if (above.filename() == package) {
      if (auto found = file_at(above / rest, *options.files)) return found;
    }
    if (above == above.parent_path()) break;
    above = above.parent_path();
  }
  // a robot's folder that was copied without its package
  return file_at(folder / rest, *options.files);
}

}  // namespace

std::optional<fs::path> resolve_mesh(std::string_view name, const fs::path& folder,
                                     const UrdfOptions& options) {
  constexpr std::string_view kPackage = "package://";
  constexpr std::string_view kModel = "model://";
  constexpr std::string_view kFile = "file://";
  for (const std::string_view scheme : {kPackage, kModel}) {
    if (!name.starts_with(scheme)) continue;
    const fs::path rest(name.substr(scheme.size()));
    if (rest.empty() || rest.is_absolute()) return std::nullopt;
    return file_of_package(rest, folder, options);
  }
  if (name.starts_with(kFile)) name.remove_prefix(kFile.size());
  const fs::path path(name);
  return file_at(path.is_absolute() ? path : folder / path, *options.files);
}

}  // namespace sinew::urdf
