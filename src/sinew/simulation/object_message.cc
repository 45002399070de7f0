// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/simulation/object_message.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>

namespace sinew {
namespace {

template <std::size_t Size>
void copy_text(const std::string& text, std::array<char, Size>& to) {
  std::memcpy(to.data(), text.data(), std::min(text.size(), Size - 1));
}

}  // namespace

WorldObject message_of(const SceneObject& object, const Pose& X_AO) {
  WorldObject message{.kind = object.kind};
  copy_text(object.name, message.name);
  copy_text(object.file, message.file);
  message.position = {X_AO.position.x(), X_AO.position.y(), X_AO.position.z()};
  message.qw = X_AO.rotation.w();
  message.qx = X_AO.rotation.x();
  message.qy = X_AO.rotation.y();
  message.qz = X_AO.rotation.z();
  message.size = {object.size.x(), object.size.y(), object.size.z()};
  return message;
}

WorldObject floor_message(const Pose& X_AW) {
  return message_of({.name = "floor", .kind = ObjectKind::Plane}, X_AW);
}

}  // namespace sinew
