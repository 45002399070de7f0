// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/base/result.h"

namespace sinew {

/// Where in a file something stands.
struct Place {
  std::string file;
  int line = 0;  ///< From 1; zero: the file as a whole.
};

/// "robot.urdf:12", or "robot.urdf" where there is no line.
std::string place_text(const Place& place);

/// Something odd about a robot that does not keep it from being read.
struct Remark {
  Place place;
  std::string what;    ///< With the value and what was made of it.
  std::string remedy;  ///< What to do about it.
};

/// "robot.urdf:12: what; remedy"
std::string remark_text(const Remark& remark);

/// What a reader of files has to say: the first refusal, after which nothing counts, and remarks.
///
/// Readers go on after a refusal with harmless values and ask has_error() where it matters, so that one file
/// gives one clear error.
class Findings {
 public:
  /// Keeps the first refusal; those that follow from it are dropped.
  void refuse(const Place& place, std::string_view what, std::string_view remedy);

  /// Adds a remark; beyond kMostRemarks they are counted only.
  void remark(const Place& place, std::string what, std::string remedy);

  bool has_error() const { return error_.has_value(); }

  /// The first refusal; asking without one is a bug.
  const Error& error() const;

  /// All remarks; the last says how many were left out.
  std::vector<Remark> take_remarks();

  static constexpr std::size_t kMostRemarks = 500;

 private:
  std::optional<Error> error_;
  std::vector<Remark> remarks_;
  std::size_t dropped_ = 0;
};

}  // namespace sinew
