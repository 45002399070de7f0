// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "sinew/web/http.h"

namespace sinew::web {

/// A file of a page, kept in the program. Tables of them are made at build time by tools/embed_files.py.
struct StaticFile {
  std::string_view path;            ///< "/assets/index-B2x4c6d8.js"
  std::string_view type;            ///< "text/javascript; charset=utf-8"
  std::string_view etag;            ///< In quotes: changes with the content.
  std::span<const std::byte> gzip;  ///< The content, compressed.
};

/// The page of the project, from pendant/dist; empty when it could not be built. Programs that serve it link
/// it.
std::span<const StaticFile> pendant_files();

/// Serves files out of a table by their exact names. Nothing of a target is decoded, joined or looked for on
/// a disk, so there are no ways around. A name with a hash in it never changes its content and is kept by
/// browsers; all else is asked for again, and answered with 304 when they have it.
class StaticFiles {
 public:
  /// The table must outlive this.
  explicit StaticFiles(std::span<const StaticFile> files) : files_(files) {}

  /// "/" is "/index.html"; what stands after '?' does not count. Nothing: there is no such file.
  std::optional<HttpAnswer> answer(const HttpRequest& request) const;
  bool is_empty() const { return files_.empty(); }

 private:
  std::span<const StaticFile> files_;
};

}  // namespace sinew::web
