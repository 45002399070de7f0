// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/simulation/face_contacts.h"

#include <algorithm>
#include <array>
#include <utility>

#include <mujoco/mujoco.h>

#include "sinew/simulation/prism_contact.h"

namespace sinew {
namespace {

using RotationRows = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

bool is_prism(const mjModel& model, int mesh) {
  const std::string_view name(model.names + model.name_meshadr[mesh]);
  return name.starts_with(kPrismMesh);
}

Prism prism_of_box(const mjModel& model, const mjData& data, int geom) {
  const Eigen::Map<const RotationRows> R_WG(data.geom_xmat + 9 * geom);
  const double* half = model.geom_size + 3 * geom;
  const Vector3 x = half[0] * R_WG.col(0);
  const Vector3 y = half[1] * R_WG.col(1);
  Prism prism{.middle = Vector3::Map(data.geom_xpos + 3 * geom), .axis = R_WG.col(2), .half_height = half[2]};
  prism.sides = 4;
  prism.corners[0] = x + y;
  prism.corners[1] = y - x;
  prism.corners[2] = -x - y;
  prism.corners[3] = x - y;
  return prism;
}

Prism prism_of_mesh(const mjModel& model, const mjData& data, int geom) {
  const int mesh = model.geom_dataid[geom];
  const float* vertex = model.mesh_vert + 3 * static_cast<std::ptrdiff_t>(model.mesh_vertadr[mesh]);
  const Eigen::Map<const RotationRows> R_WG(data.geom_xmat + 9 * geom);
  const auto in_world = [&](const float* v) { return Vector3(R_WG * Vector3(v[0], v[1], v[2])); };
  const Vector3 up = in_world(vertex + 3) - in_world(vertex);
  const double height = up.norm();
  Prism prism{.middle = Vector3::Map(data.geom_xpos + 3 * geom),
              .axis = up / height,
              .half_height = 0.5 * height,
              .sides = static_cast<std::size_t>(model.mesh_vertnum[mesh]) / 2};
  for (std::size_t i = 0; i < prism.sides; ++i) prism.corners[i] = in_world(vertex + 6 * i) + 0.5 * up;
  return prism;
}

/// What MuJoCo would have done, per kind of the first geom; the second is a mesh.
mjfCollision& usual_search(int kind) {
  static std::array<mjfCollision, mjNGEOMTYPES> usual{};
  return usual[static_cast<std::size_t>(kind)];
}

int write_contacts(const PrismContact& found, mjContact* contacts) {
  for (std::size_t i = 0; i < found.count; ++i) {
    mjContact& contact = contacts[i];
    contact.dist = found.points[i].distance;
    Vector3::Map(contact.pos) = found.points[i].place;
    Vector3::Map(contact.frame) = found.normal;
    // MuJoCo chooses the other two axes
    std::fill_n(contact.frame + 3, 6, 0.0);
  }
  return static_cast<int>(found.count);
}

int collide(const mjModel* model, const mjData* data, mjContact* contacts, int a, int b, double margin) {
  const int kind = model->geom_type[a];
  const bool is_known = kind != mjGEOM_MESH || is_prism(*model, model->geom_dataid[a]);
  if (margin != 0.0 || !is_known || !is_prism(*model, model->geom_dataid[b]))
    return usual_search(kind)(model, data, contacts, a, b, margin);
  const Prism second = prism_of_mesh(*model, *data, b);
  if (kind == mjGEOM_PLANE) {
    const Eigen::Map<const RotationRows> R_WG(data->geom_xmat + 9 * a);
    return write_contacts(touch_ground(Vector3::Map(data->geom_xpos + 3 * a), R_WG.col(2), second), contacts);
  }
  const Prism first = kind == mjGEOM_BOX ? prism_of_box(*model, *data, a) : prism_of_mesh(*model, *data, a);
  const auto found = touch_by_faces(first, second);
  return found ? write_contacts(*found, contacts) : usual_search(kind)(model, data, contacts, a, b, margin);
}

}  // namespace

void use_face_contacts() {
  static const bool is_done = [] {
    for (const int kind : {mjGEOM_PLANE, mjGEOM_BOX, mjGEOM_MESH})
      usual_search(kind) = std::exchange(mjCOLLISIONFUNC[kind][mjGEOM_MESH], collide);
    return true;
  }();
  static_cast<void>(is_done);
}

}  // namespace sinew
