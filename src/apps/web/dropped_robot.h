// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "sinew/base/result.h"

#include "apps/web/api_call.h"
#include "apps/web/background.h"

namespace sinew {

/// A file that somebody has dropped on the page.
struct DroppedFile {
  std::string path;  ///< "arm_description/meshes/link_1.stl"
  std::string bytes;
};

struct DroppedRobot {
  std::string name;  ///< Of the robot that is to be.
  std::string main;  ///< Which of the files is its URDF or xacro; empty: the only one, or the shortest path.
  std::vector<DroppedFile> files;
};

/// Out of {"name", "main", "files": [{"path", "base64"}]}. Refused: names and paths that lead elsewhere, what
/// is no base64, more than 500 files.
Result<DroppedRobot> dropped_robot_from(const nlohmann::ordered_json& body);

/// Makes `robots`/NAME of it, as 'sinew new' does, and answers with the same report, and for a page with its
/// joints, findings and picture. Its readers see
/// the dropped files and no others of this machine, and the robot that is made names none. Whole or not at
/// all: a robot that cannot be made leaves nothing behind. Takes seconds.
Result<nlohmann::ordered_json> make_dropped_robot(const DroppedRobot& dropped,
                                                  const std::filesystem::path& robots);

/// What dropped robots may take in all.
inline constexpr std::size_t kMostDroppedRobots = 32;
inline constexpr std::uint64_t kMostDroppedBytes = 256U << 20U;

/// The robots that were dropped, with what they take and may take: {"robots": [{"name", "bytes", "changed",
/// "start"}], "bytes", "most_robots", "most_bytes"}.
nlohmann::ordered_json list_dropped_robots(const std::filesystem::path& robots);
/// Refused: a name that is none, or of nobody.
Status delete_dropped_robot(const std::string& name, const std::filesystem::path& robots);

/// GET and POST /api/robots, DELETE /api/robots/{name}. `background` must outlive the rows.
std::vector<ApiRow> dropped_robot_rows(Background& background, const std::filesystem::path& robots);

std::string base64_from_bytes(std::string_view bytes);
/// The bytes of a base64 text; nothing when it is none.
std::optional<std::string> bytes_from_base64(std::string_view text);

}  // namespace sinew
