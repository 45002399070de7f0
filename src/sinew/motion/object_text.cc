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
constexpr KindWord kKindWords[] = {
    {"box", ObjectKind::Box, 3},           {"sphere", ObjectKind::Sphere, 1},
    {"cylinder", ObjectKind::Cylinder, 2}, {"plane", ObjectKind::Plane, 0},
    {"mesh", ObjectKind::Mesh, 0},         {"field", ObjectKind::HeightField, 0}};

constexpr std::string_view kExample = "as in {name: table, box: [1, 0.6, 0.05], at: [0.5, 0, 0.2]}";

void read_three(const YamlNode& node, WorldObject& object, Findings& findings) {
  const Vector3 size = vector_from(node, findings);
  std::copy_n(size.data(), 3, object.size.begin());
}

// The file of a mesh or a field, and what belongs to it.
void read_file(const YamlNode& root, const YamlNode& node, WorldObject& object, Findings& findings) {
  const std::string file = text_from(node, findings);
  if (file.empty() || file.front() != '/' || file.size() >= object.file.size())
    findings.refuse(node.place,
                    fmt::format("the file '{}' must be named from the root, in 2 to {} letters", file,
                                object.file.size() - 1),
                    "as in mesh: /home/me/table.stl");
  set_text(object.file, file);
  const YamlNode* scale = entry_of(root, "scale");
  const YamlNode* size = entry_of(root, "size");
  if (object.kind == ObjectKind::Mesh) {
    object.size = {1.0, 1.0, 1.0};
    if (scale != nullptr && scale->children.empty()) object.size.fill(number_from(*scale, findings));
    if (scale != nullptr && !scale->children.empty()) read_three(*scale, object, findings);
  } else if (size != nullptr) {
    read_three(*size, object, findings);
  }
  if ((object.kind == ObjectKind::Mesh ? size : scale) != nullptr ||
      (object.kind == ObjectKind::HeightField && size == nullptr))
    findings.refuse(root.place, "a mesh has a scale, a field has a size",
                    "as in {name: hill, field: /home/me/hill.txt, size: [2, 3, 1]}");
}

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
    if (word.kind == ObjectKind::Mesh || word.kind == ObjectKind::HeightField)
      read_file(root, *node, object, findings);
  }
  if (count != 1)
    findings.refuse(
        root.place,
        fmt::format("an object has one of box, sphere, cylinder, plane, mesh, field, not {}", count),
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
  if (expect_map(*root,
                 {"name", "box", "sphere", "cylinder", "plane", "mesh", "field", "scale", "size", "at", "rpy",
                  "link", "margin"},
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
