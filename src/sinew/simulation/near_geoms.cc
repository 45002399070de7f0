// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/simulation/near_geoms.h"

#include <algorithm>
#include <cmath>
#include <span>

#include <mujoco/mujoco.h>

namespace sinew {
namespace {

// Wide enough that a hand at 1.5 m/s is looked at every 16 ms, and narrow enough that few are near.
constexpr double kSkin = 0.05;
// So near a thing that rests is woken: at up to 10 m/s before it is touched.
constexpr double kWakes = 0.01;
constexpr double kLeft = 0.015;

Vector3 middle_of(const mjData& data, int geom) {
  return Vector3::Map(data.geom_xpos + 3 * geom);
}

Matrix3 axes_of(const mjData& data, int geom) {
  using RowMajor = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;
  return Eigen::Map<const RowMajor>(data.geom_xmat + 9 * geom);
}

Vector3 in_frame_of(const mjData& data, int geom, const Vector3& p_W) {
  return axes_of(data, geom).transpose() * (p_W - middle_of(data, geom));
}

// What has no bounding ball is a plane, or a height field: those are taken to be everywhere.
bool has_ball(const mjModel& model, int geom) {
  return model.geom_rbound[geom] > 0.0;
}

// At most the distance of `geom` from the bounding ball of `other`.
double distance_from_ball(const mjModel& model, const mjData& data, int geom, int other) {
  const Vector3 p_GO = in_frame_of(data, geom, middle_of(data, other));
  const double radius = model.geom_rbound[other];
  if (model.geom_type[geom] == mjGEOM_PLANE) return p_GO.z() - radius;
  if (model.geom_type[geom] == mjGEOM_BOX)
    return (p_GO.cwiseAbs() - Vector3::Map(model.geom_size + 3 * geom)).cwiseMax(0.0).norm() - radius;
  return has_ball(model, geom) ? p_GO.norm() - radius - model.geom_rbound[geom] : 0.0;
}

// Whether two shapes are surely more than `distance` apart.
bool are_apart(const mjModel& model, const mjData& data, int a, int b, double distance) {
  if (has_ball(model, a) && has_ball(model, b)) {
    const double far = distance + model.geom_rbound[a] + model.geom_rbound[b];
    if ((middle_of(data, a) - middle_of(data, b)).squaredNorm() > far * far) return true;
  }
  return (has_ball(model, b) && distance_from_ball(model, data, a, b) > distance) ||
         (has_ball(model, a) && distance_from_ball(model, data, b, a) > distance);
}

bool is_excluded(const mjModel& model, int body_a, int body_b) {
  const std::span<const int> excluded(model.exclude_signature, static_cast<std::size_t>(model.nexclude));
  const int signature = ((std::min(body_a, body_b) + 1) << 16) + std::max(body_a, body_b) + 1;
  return std::ranges::find(excluded, signature) != excluded.end();
}

// As MuJoCo's own rules say, or more.
bool may_touch(const mjModel& model, int a, int b) {
  if ((model.geom_contype[a] & model.geom_conaffinity[b]) == 0 &&
      (model.geom_contype[b] & model.geom_conaffinity[a]) == 0)
    return false;
  const int weld_a = model.body_weldid[model.geom_bodyid[a]];
  const int weld_b = model.body_weldid[model.geom_bodyid[b]];
  if (weld_a == weld_b) return false;
  const int parent_a = model.body_weldid[model.body_parentid[weld_a]];
  const int parent_b = model.body_weldid[model.body_parentid[weld_b]];
  if (weld_a != 0 && weld_b != 0 && (weld_a == parent_b || weld_b == parent_a)) return false;
  return !is_excluded(model, model.geom_bodyid[a], model.geom_bodyid[b]);
}

}  // namespace

NearGeoms::NearGeoms(const mjModel_& model) {
  const auto count = static_cast<std::size_t>(model.ngeom);
  for (int a = 0; a < model.ngeom; ++a) {
    masks_.push_back({.contype = model.geom_contype[a], .conaffinity = model.geom_conaffinity[a]});
    for (int b = a + 1; b < model.ngeom; ++b)
      if (may_touch(model, a, b)) pairs_.push_back({.a = a, .b = b});
  }
  seen_.resize(count, {.middle = Vector3::Constant(std::nan(""))});
  // of all but boxes only the bounding ball counts, whichever way they are turned
  for (std::size_t i = 0; i < count; ++i)
    if (model.geom_type[i] == mjGEOM_BOX) seen_[i].reach = model.geom_rbound[i];
  is_near_.resize(count, 1);
  was_near_.resize(count, 1);
  rests_.resize(count, 0);
  watched_.reserve(pairs_.size());
}

bool NearGeoms::is_outdated(const mjData_& data) const {
  constexpr double kMoved = 0.5 * kSkin;
  for (std::size_t i = 0; i < seen_.size(); ++i) {
    const Seen& seen = seen_[i];
    const auto geom = static_cast<int>(i);
    double moved = (middle_of(data, geom) - seen.middle).norm();
    // a point at distance 1 moves by 2 sin(angle / 2), and the norm of the difference is sqrt(2) times that
    if (seen.reach > 0.0) moved += seen.reach * std::sqrt(0.5) * (axes_of(data, geom) - seen.axes).norm();
    // what is no number has moved
    if (!(moved < kMoved)) return true;
  }
  return false;
}

bool NearGeoms::moves(const mjModel_& model, int geom) const {
  return model.body_weldid[model.geom_bodyid[geom]] != 0 && rests_[static_cast<std::size_t>(geom)] == 0;
}

// Two of which one rests do not; who moves is watched.
bool NearGeoms::takes_part(const mjModel_& model, const mjData_& data, const Pair& pair) {
  const bool rests_a = rests_[static_cast<std::size_t>(pair.a)] != 0;
  const bool rests_b = rests_[static_cast<std::size_t>(pair.b)] != 0;
  if (!rests_a && !rests_b) {
    const bool is_known =
        is_near_[static_cast<std::size_t>(pair.a)] != 0 && is_near_[static_cast<std::size_t>(pair.b)] != 0;
    return !is_known && !are_apart(model, data, pair.a, pair.b, kSkin);
  }
  const Pair watched = rests_a ? pair : Pair{.a = pair.b, .b = pair.a};
  if (moves(model, watched.b) && !are_apart(model, data, pair.a, pair.b, kSkin)) watched_.push_back(watched);
  return false;
}

bool NearGeoms::update(mjModel_& model, const mjData_& data) {
  std::swap(is_near_, was_near_);
  std::ranges::fill(is_near_, 0);
  watched_.clear();
  for (const Pair& pair : pairs_) {
    if (!takes_part(model, data, pair)) continue;
    is_near_[static_cast<std::size_t>(pair.a)] = 1;
    is_near_[static_cast<std::size_t>(pair.b)] = 1;
  }
  bool is_news = false;
  for (std::size_t i = 0; i < seen_.size(); ++i) {
    seen_[i].middle = middle_of(data, static_cast<int>(i));
    seen_[i].axes = axes_of(data, static_cast<int>(i));
    const bool is_near = is_near_[i] != 0;
    model.geom_contype[i] = is_near ? masks_[i].contype : 0;
    model.geom_conaffinity[i] = is_near ? masks_[i].conaffinity : 0;
    is_news |= is_near && was_near_[i] == 0;
  }
  return is_news;
}

int NearGeoms::find_approached(const mjModel_& model, const mjData_& data) const {
  for (const Pair& pair : watched_)
    if (!are_apart(model, data, pair.a, pair.b, kWakes)) return pair.a;
  return -1;
}

bool NearGeoms::is_approached(const mjModel_& model, const mjData_& data, int geom,
                              std::span<const char> is_calm) const {
  for (const Pair& pair : pairs_) {
    if (pair.a != geom && pair.b != geom) continue;
    const int other = pair.a == geom ? pair.b : pair.a;
    if (!moves(model, other) || is_calm[static_cast<std::size_t>(model.geom_bodyid[other])] != 0) continue;
    if (!are_apart(model, data, pair.a, pair.b, kLeft)) return true;
  }
  return false;
}

}  // namespace sinew
