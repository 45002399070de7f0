// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/motion/object_text.h"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "sinew/base/fixed_string.h"
#include "sinew/base/text.h"
#include "sinew/model/yaml.h"

namespace sinew {
namespace {

struct KindWord {
  std::string_view word;
  ObjectKind kind;
  std::size_t sizes;  // numbers that follow
};
constexpr KindWord kKindWords[] = {{"box", ObjectKind::Box, 3},
                                   {"sphere", ObjectKind::Sphere, 1},
                                   {"cylinder", ObjectKind::Cylinder, 2},
                                   {"plane", ObjectKind::Plane, 0}};

constexpr std::string_view kExample = "as in {name: table, box: [1, 0.6, 0.05], at: [0.5, 0, 0.2]}";

void read_sizes(const YamlNode& node, const KindWord& word, WorldObject& object, Findings& findings) {
  object.kind = word.kind;
  if (word.sizes == 0) return;
  if (word.sizes == 1) {
    object.size[0] = number_from(node, findings);
    return;
  }
  if (!expect_list(node, findings)) return;
  if (node.children.size() != word.sizes) {
    findings.refuse(node.place,
                    fmt::format("{} takes {} numbers, not {}", word.word, word.sizes, node.children.size()),
                    kExample);
    return;
  }
  for (std::size_t i = 0; i < word.sizes; ++i) object.size[i] = number_from(node.children[i], findings);
}

void read_shape(const YamlNode& root, WorldObject& object, Findings& findings) {
  int count = 0;
  for (const KindWord& word : kKindWords) {
    const YamlNode* node = entry_of(root, word.word);
    if (node == nullptr) continue;
    ++count;
    read_sizes(*node, word, object, findings);
  }
  if (count != 1)
    findings.refuse(root.place,
                    fmt::format("an object has one of box, sphere, cylinder, plane, not {}", count),
                    kExample);
}

void read_place(const YamlNode& root, WorldObject& object, Findings& findings) {
  if (const YamlNode* at = entry_of(root, "at")) {
    const Vector3 position = vector_from(*at, findings);
    std::copy_n(position.data(), 3, object.position.begin());
  }
  if (const YamlNode* rpy = entry_of(root, "rpy")) {
    const Vector3 angles = vector_from(*rpy, findings);
    const Quaternion rotation = quaternion_from({.roll = angles.x(), .pitch = angles.y(), .yaw = angles.z()});
    object.qw = rotation.w();
    object.qx = rotation.x();
    object.qy = rotation.y();
    object.qz = rotation.z();
  }
  if (const YamlNode* link = entry_of(root, "link")) {
    set_text(object.link, text_from(*link, findings));
    object.attached = 1;
  }
  if (const YamlNode* margin = entry_of(root, "margin")) object.margin = number_from(*margin, findings);
}

// A name that fits where it is shown.
void read_name(const YamlNode& root, WorldObject& object, Findings& findings) {
  const std::string name = required_entry(root, "name", findings);
  if (name.size() > 31)
    findings.refuse(root.place, fmt::format("the name '{}…' is longer than 31 bytes", name.substr(0, 31)),
                    "choose a shorter one");
  set_text(object.name, name);
}

auto find_object(World& world, std::string_view name) {
  const auto end = world.objects.begin() + world.object_count;
  return std::find_if(world.objects.begin(), end,
                      [&](const WorldObject& object) { return text_of(object.name) == name; });
}

}  // namespace

Result<WorldObject> object_from_text(std::string_view text) {
  const auto root = parse_yaml(text, "object");
  if (!root) return root.error();
  Findings findings;
  WorldObject object;
  if (expect_map(*root, {"name", "box", "sphere", "cylinder", "plane", "at", "rpy", "link", "margin"},
                 findings)) {
    read_name(*root, object, findings);
    read_shape(*root, object, findings);
    read_place(*root, object, findings);
  }
  if (findings.has_error()) return findings.error();
  return object;
}

Result<bool> put_object(World& world, const WorldObject& object) {
  const auto known = find_object(world, text_of(object.name));
  if (known != world.objects.begin() + world.object_count) {
    *known = object;
    return true;
  }
  if (world.object_count >= kMaxObjects)
    return Error{ErrorCode::Full,
                 fmt::format("the world holds {} objects already; remove one first", kMaxObjects)};
  world.objects[world.object_count++] = object;
  return false;
}

Status take_object(World& world, std::string_view name) {
  const auto end = world.objects.begin() + world.object_count;
  const auto known = find_object(world, name);
  if (known == end) {
    std::vector<std::string> names;
    for (auto object = world.objects.begin(); object != end; ++object)
      names.emplace_back(text_of(object->name));
    return Error{ErrorCode::NotFound,
                 fmt::format("there is no object '{}'{}; there {}", name, did_you_mean(name, names),
                             names.empty() ? "are none" : fmt::format("are {}", fmt::join(names, ", ")))};
  }
  std::move(known + 1, end, known);
  world.objects[--world.object_count] = {};
  return Done{};
}

}  // namespace sinew
