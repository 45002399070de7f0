// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/motion/walked_objects.h"

#include <utility>

#include <fmt/format.h>

#include "sinew/base/text.h"

namespace sinew {
namespace {

double width_of(const language::GripperAction& action) {
  switch (action.kind) {
    case language::GripperKind::Open:
      return std::numeric_limits<double>::infinity();
    case language::GripperKind::Close:
      return 0.0;
    case language::GripperKind::Width:
      break;
  }
  return action.width;
}

}  // namespace

Result<Pose> WalkedObjects::find(std::string_view name, const Pose& X_RF) const {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < objects_.size(); ++i) {
    if (objects_[i].name == name) return i == held_ ? X_RF * X_FO_ : objects_[i].X_RO;
    names.push_back(objects_[i].name);
  }
  return Error{ErrorCode::NotFound,
               fmt::format("there is no object '{}' in the world{}", name, did_you_mean(name, names))};
}

void WalkedObjects::grip(const language::GripperAction& action, const Pose& X_RF, const Pose& X_FT) {
  const double width = width_of(action);
  const bool closes = width < std::exchange(width_, width) || action.kind == language::GripperKind::Close;
  if (closes == (held_ != kNone)) return;
  if (!closes) {
    objects_[held_].X_RO = X_RF * X_FO_;
    held_ = kNone;
    return;
  }
  const Vector3 p_RT = (X_RF * X_FT).position;
  double nearest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < objects_.size(); ++i) {
    const double distance = (objects_[i].X_RO.position - p_RT).norm();
    if (!objects_[i].is_free || distance > objects_[i].reach || distance >= nearest) continue;
    nearest = distance;
    held_ = i;
  }
  if (held_ != kNone) X_FO_ = inverse(X_RF) * objects_[held_].X_RO;
}

}  // namespace sinew
