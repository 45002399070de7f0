// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/mesh/mesh_remarks.h"

#include <set>
#include <tuple>

#include <fmt/format.h>

#include "sinew/base/text.h"
#include "sinew/mesh/triangle_mesh.h"

namespace sinew {
namespace {

constexpr double kLargestPart = 50.0;   // [m]
constexpr double kSmallestPart = 1e-4;  // [m]

class MeshInspection {
 public:
  MeshInspection(std::string file, const RobotFiles& files) : file_(std::move(file)), files_(files) {}

  void look_at(const Link& link, const Shape& shape, bool is_collision) {
    const Vector3& s = shape.mesh_scale;
    const bool is_new = seen_.emplace(shape.mesh_path, s.x(), s.y(), s.z(), is_collision).second;
    if (shape.kind != ShapeKind::Mesh || shape.mesh_path.empty() || !is_new) return;
    const auto mesh = read_mesh(shape.mesh_path, s, files_);
    if (!mesh) {
      // said once, though both shapes of a link use it
      if (broken_.insert(shape.mesh_path).second)
        remark(mesh.error().message, fmt::format("link '{}' is drawn and checked without it", link.name));
      return;
    }
    const MeshFacts facts = facts_of(*mesh);
    if (!is_collision || sized_.find({shape.mesh_path, s.x()}) == sized_.end())
      look_at_size(link, shape, facts);
    if (is_collision && facts.open_edges > 0) {
      remark(fmt::format("mesh '{}' of link '{}' is not closed: {} open edges", shape.mesh_name, link.name,
                         facts.open_edges),
             "only its surface counts in collisions; close it if its inside matters");
    }
  }

  std::vector<Remark> take() { return std::move(remarks_); }

 private:
  void look_at_size(const Link& link, const Shape& shape, const MeshFacts& facts) {
    sized_.emplace(shape.mesh_path, shape.mesh_scale.x());
    const double extent = (facts.highest - facts.lowest).maxCoeff();
    if (extent > kLargestPart) {
      remark(
          fmt::format("mesh '{}' of link '{}' is {} long", shape.mesh_name, link.name, length_text(extent)),
          "is it in millimetres? then write scale=\"0.001 0.001 0.001\"");
    }
    if (extent < kSmallestPart) {
      remark(fmt::format("mesh '{}' of link '{}' is only {} long", shape.mesh_name, link.name,
                         length_text(extent)),
             "check its scale");
    }
  }

  void remark(std::string what, std::string remedy) {
    remarks_.push_back({.place = {.file = file_}, .what = std::move(what), .remedy = std::move(remedy)});
  }

  std::string file_;
  const RobotFiles& files_;
  std::vector<Remark> remarks_;
  std::set<std::tuple<std::string, double, double, double, bool>> seen_;
  std::set<std::string> broken_;
  std::set<std::pair<std::string, double>> sized_;
};

}  // namespace

std::vector<Remark> remarks_on_meshes(const RobotModel& model, const std::string& file,
                                      const RobotFiles& files) {
  MeshInspection inspection(file, files);
  for (const Link& link : model.links) {
    for (const Shape& shape : link.visuals) inspection.look_at(link, shape, false);
    for (const Shape& shape : link.collisions) inspection.look_at(link, shape, true);
  }
  return inspection.take();
}

}  // namespace sinew
