// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "apps/web/api_call.h"
#include "apps/web/background.h"

namespace sinew {

/// What backups are made of and restored to; the background must outlive the rows.
struct BackupParts {
  std::string robot;           ///< Its name.
  std::string model;           ///< Whose robot.yaml goes along.
  std::filesystem::path data;  ///< Its folder.
  Background& background;
  /// Called when the folder has been replaced; answers what people should know.
  std::function<std::vector<std::string>()> restored;
};

/// GET /api/backup, POST /api/restore: for experts.
std::vector<ApiRow> backup_rows(const BackupParts& parts);

/// Where a backup is sent to, which may be larger than other bodies.
inline constexpr std::string_view kRestoreTarget = "/api/restore";

/// GET /api/openapi.json: what there is, in the words of OpenAPI 3.1.
/// `cookie`: the name of the one that holds a session.
std::vector<ApiRow> openapi_rows(std::string_view cookie);
/// The text of openapi.json.
std::string_view openapi_text();

}  // namespace sinew
