// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/simulation/prism_contact.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

namespace sinew {
namespace {

// faces that are less than five degrees from parallel
constexpr double kParallel = 0.996;
// of two faces that would do the first is taken, so that it does not change from step to step [m]
constexpr double kPreferred = 1e-5;
// a corner that is deeper by so much bears, also if it is not among those that span the face [m]
constexpr double kDeeper = 2e-6;
constexpr double kSamePoint = 1e-6;  // [m]
// a polygon of so many corners, clipped by another, has at most twice as many
constexpr std::size_t kMostCorners = 2 * kMostPrismSides;

/// A face of a prism: number `sides` and the next are its ends, those before its sides.
struct Face {
  std::size_t number = 0;
  Vector3 normal = Vector3::UnitZ();  ///< Outwards.
  double offset = 0.0;                ///< [m] Its plane: normal · x = offset.
};

struct Polygon {
  std::array<Vector3, kMostCorners> corners;
  std::size_t count = 0;

  void add(const Vector3& corner) {
    if (count < corners.size()) corners[count++] = corner;
  }
};

Vector3 corner_of(const Prism& prism, std::size_t number) {
  return prism.corners[number % prism.sides];
}

Face face_of(const Prism& prism, std::size_t number) {
  if (number >= prism.sides) {
    const Vector3 normal = number == prism.sides ? prism.axis : Vector3(-prism.axis);
    return {.number = number, .normal = normal, .offset = normal.dot(prism.middle) + prism.half_height};
  }
  const Vector3 along = corner_of(prism, number + 1) - corner_of(prism, number);
  const Vector3 normal = along.cross(prism.axis).normalized();
  return {.number = number, .normal = normal, .offset = normal.dot(prism.middle + prism.corners[number])};
}

// How far the prism reaches against `direction`: the least of direction · x.
double least_along(const Prism& prism, const Vector3& direction) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < prism.sides; ++i) least = std::min(least, direction.dot(prism.corners[i]));
  return direction.dot(prism.middle) + least - prism.half_height * std::abs(direction.dot(prism.axis));
}

struct Separation {
  Face face;
  double distance = -std::numeric_limits<double>::infinity();  ///< [m] Of the other from its plane.
};

// The face of `prism` that `other` is the furthest in front of, or the least behind.
Separation widest_separation(const Prism& prism, const Prism& other) {
  Separation widest;
  for (std::size_t i = 0; i < prism.sides + 2; ++i) {
    const Face face = face_of(prism, i);
    const double distance = least_along(other, face.normal) - face.offset;
    if (distance > widest.distance) widest = {.face = face, .distance = distance};
    // they do not touch, and by how much is not asked
    if (distance > 0.0) break;
  }
  return widest;
}

Face face_against(const Prism& prism, const Vector3& direction) {
  Face best;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < prism.sides + 2; ++i) {
    const Face face = face_of(prism, i);
    const double along = face.normal.dot(direction);
    if (along >= least) continue;
    least = along;
    best = face;
  }
  return best;
}

// Counter-clockwise as seen from outside.
Polygon corners_of(const Prism& prism, std::size_t face) {
  Polygon polygon;
  const Vector3 up = prism.half_height * prism.axis;
  if (face < prism.sides) {
    const Vector3 first = prism.middle + corner_of(prism, face);
    const Vector3 second = prism.middle + corner_of(prism, face + 1);
    for (const Vector3& corner :
         {Vector3(first - up), Vector3(second - up), Vector3(second + up), Vector3(first + up)})
      polygon.add(corner);
    return polygon;
  }
  for (std::size_t i = 0; i < prism.sides; ++i)
    polygon.add(face == prism.sides ? Vector3(prism.middle + prism.corners[i] + up)
                                    : Vector3(prism.middle + prism.corners[prism.sides - 1 - i] - up));
  return polygon;
}

// What of `polygon` is where inwards · x >= offset (Sutherland and Hodgman 1974).
Polygon clipped(const Polygon& polygon, const Vector3& inwards, double offset) {
  Polygon kept;
  for (std::size_t i = 0; i < polygon.count; ++i) {
    const Vector3& from = polygon.corners[i];
    const Vector3& to = polygon.corners[(i + 1) % polygon.count];
    const double begin = inwards.dot(from) - offset;
    const double end = inwards.dot(to) - offset;
    if (begin >= 0.0) kept.add(from);
    if ((begin >= 0.0) != (end >= 0.0)) kept.add(from + (to - from) * (begin / (begin - end)));
  }
  return kept;
}

Polygon shared_part(const Polygon& reference, const Vector3& normal, Polygon incident) {
  for (std::size_t i = 0; i < reference.count && incident.count > 0; ++i) {
    const Vector3& from = reference.corners[i];
    const Vector3 along = reference.corners[(i + 1) % reference.count] - from;
    const Vector3 inwards = normal.cross(along);
    const double offset = inwards.dot(from);
    const auto is_inside = [&](const Vector3& corner) { return inwards.dot(corner) >= offset; };
    if (!std::ranges::all_of(std::span(incident.corners.data(), incident.count), is_inside))
      incident = clipped(incident, inwards, offset);
  }
  return incident;
}

// The corners of `shared` that are behind the face; one on an edge may be among them twice, and counts once.
std::size_t points_behind(const Face& face, const Polygon& shared,
                          std::array<PrismContact::Point, kMostCorners>& points) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < shared.count; ++i) {
    const double distance = face.normal.dot(shared.corners[i]) - face.offset;
    const Vector3 place = shared.corners[i] - 0.5 * distance * face.normal;
    const auto is_same = [&](const PrismContact::Point& known) {
      return (known.place - place).squaredNorm() < kSamePoint * kSamePoint;
    };
    if (distance > 0.0 ||
        std::any_of(points.begin(), points.begin() + static_cast<std::ptrdiff_t>(count), is_same))
      continue;
    points[count++] = {.place = place, .distance = distance};
  }
  return count;
}

std::size_t furthest(std::span<const PrismContact::Point> points, const Vector3& direction) {
  const auto found = std::ranges::max_element(
      points, {}, [&](const PrismContact::Point& point) { return direction.dot(point.place); });
  return static_cast<std::size_t>(found - points.begin());
}

// Those furthest out in four directions that are fast to the body, so that they stay the same ones, and the
// deepest: a disc tips over its rim, not over the side of a square in it.
void choose_points(std::span<const PrismContact::Point> points, const Vector3& direction,
                   PrismContact& contact) {
  contact.count = 0;
  const auto take = [&](const PrismContact::Point& point) { contact.points[contact.count++] = point; };
  if (points.size() <= contact.points.size()) {
    for (const PrismContact::Point& point : points) take(point);
    return;
  }
  const Vector3 across = contact.normal.cross(direction);
  std::array<bool, kMostCorners> is_chosen{};
  double deepest = 0.0;
  for (const Vector3& outwards : {direction, across, Vector3(-direction), Vector3(-across)}) {
    const std::size_t best = furthest(points, outwards);
    if (std::exchange(is_chosen[best], true)) continue;
    deepest = std::min(deepest, points[best].distance);
    take(points[best]);
  }
  const auto bearing = std::ranges::min_element(points, {}, &PrismContact::Point::distance);
  if (bearing->distance < deepest - kDeeper) take(*bearing);
}

}  // namespace

std::optional<PrismContact> touch_by_faces(const Prism& a, const Prism& b) {
  const Separation of_a = widest_separation(a, b);
  if (of_a.distance > 0.0) return PrismContact{};
  const Separation of_b = widest_separation(b, a);
  if (of_b.distance > 0.0) return PrismContact{};
  const bool is_a = of_a.distance + kPreferred >= of_b.distance;
  const Prism& reference = is_a ? a : b;
  const Prism& incident = is_a ? b : a;
  const Face& face = is_a ? of_a.face : of_b.face;
  const Face against = face_against(incident, face.normal);
  if (against.normal.dot(face.normal) > -kParallel) return std::nullopt;

  const Polygon incident_corners = corners_of(incident, against.number);
  const Polygon shared = shared_part(corners_of(reference, face.number), face.normal, incident_corners);
  std::array<PrismContact::Point, kMostCorners> points;
  const std::size_t count = points_behind(face, shared, points);
  if (count == 0) return std::nullopt;
  PrismContact contact{.normal = is_a ? face.normal : Vector3(-face.normal)};
  const Vector3 outwards = incident_corners.corners[0] - incident_corners.corners[incident_corners.count / 2];
  choose_points({points.data(), count}, outwards, contact);
  return contact;
}

PrismContact touch_ground(const Vector3& ground, const Vector3& normal, const Prism& prism) {
  PrismContact contact{.normal = normal};
  std::array<PrismContact::Point, kMostCorners> points;
  std::size_t count = 0;
  const Vector3 up = prism.half_height * prism.axis;
  for (std::size_t i = 0; i < prism.sides; ++i) {
    for (const Vector3& end : {Vector3(-up), up}) {
      const Vector3 corner = prism.middle + prism.corners[i] + end;
      const double distance = normal.dot(corner - ground);
      if (distance > 0.0) continue;
      points[count++] = {.place = corner - 0.5 * distance * normal, .distance = distance};
    }
  }
  choose_points({points.data(), count}, prism.corners[0] - corner_of(prism, prism.sides / 2), contact);
  return contact;
}

}  // namespace sinew
