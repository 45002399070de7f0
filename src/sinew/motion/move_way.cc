// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/motion/move_way.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace sinew {
namespace {

constexpr std::size_t kLengthLooks = 65;  // along a way, for its length
constexpr int kBlendLooks = 32;           // within a blend
constexpr int kBlendAttempts = 8;
constexpr double kLeastToolRate = 0.02;  // metres of the tool by the follower's coordinate
constexpr double kShrink = 0.8;          // of a blend that leaves its ball

using Row = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, kMaxChainJoints + 1, 1>;

// joints and the tool's way at a followed point, with derivatives
struct Station {
  double u = 0.0;
  Row value;
  Row first;
  Row second;
};

// What the second derivative is at three stations: of the polynomial of degree five that has their values and
// first derivatives. The middle one with an error of the fourth order.
struct Seconds {
  Row before;
  Row here;
  Row after;
};

Seconds seconds_of(const Station& a, const Station& b, const Station& c) {
  const double h1 = b.u - a.u;
  const double h2 = c.u - b.u;
  const double all = h1 + h2;
  // value and slope at the ends, as parts of the Taylor series at the middle
  const Row left = (6.0 * (a.value - b.value + h1 * b.first) / h1 - 2.0 * (b.first - a.first)) / h1;
  const Row right = (6.0 * (c.value - b.value - h2 * b.first) / h2 - 2.0 * (c.first - b.first)) / h2;
  const Row third_left =
      6.0 * (2.0 * (a.value - b.value + h1 * b.first) / h1 - (b.first - a.first)) / (h1 * h1);
  const Row third_right =
      -6.0 * (2.0 * (c.value - b.value - h2 * b.first) / h2 - (c.first - b.first)) / (h2 * h2);
  const Row e1 = (right - left) / all;
  const Row e2 = (third_right - third_left) / all;
  const Row fifth = -120.0 * (e1 + (h2 - h1) * e2 / 6.0) / (all * all);
  const Row fourth = 2.0 * e2 - 0.3 * (h2 - h1) * fifth;
  const Row second = left + h1 * h1 * fourth / 12.0 - h1 * h1 * h1 * fifth / 30.0;
  const Row third = third_left + h1 * fourth / 2.0 - 0.15 * h1 * h1 * fifth;
  const auto at = [&](double h) -> Row {
    return second + h * (third + h * (fourth / 2.0 + h * fifth / 6.0));
  };
  return {.before = at(-h1), .here = second, .after = at(h2)};
}

void set_seconds(std::vector<Station>& stations) {
  const std::size_t count = stations.size();
  if (count == 2) {
    Station& a = stations[0];
    Station& b = stations[1];
    const double h = b.u - a.u;
    const Row chord = (b.value - a.value) / h;
    a.second = (6.0 * chord - 4.0 * a.first - 2.0 * b.first) / h;
    b.second = (2.0 * a.first + 4.0 * b.first - 6.0 * chord) / h;
    return;
  }
  for (std::size_t i = 1; i + 1 < count; ++i) {
    const Seconds found = seconds_of(stations[i - 1], stations[i], stations[i + 1]);
    stations[i].second = found.here;
    if (i == 1) stations[0].second = found.before;
    if (i + 2 == count) stations[i + 1].second = found.after;
  }
}

/// Whether the joints move so evenly with the tool that the tool's way can be the path's coordinate: then a
/// constant speed along the path is one of the tool.
bool is_tool_even(const Followed& followed, double length) {
  return std::ranges::all_of(
      followed.points, [&](const FollowedPoint& point) { return point.ds_du * length > kLeastToolRate; });
}

// The points of a followed path; a last one too near to the one before replaces it, because what is made of
// their difference would be rounding.
std::vector<Station> stations_of(const Followed& followed, double length) {
  const bool is_even = is_tool_even(followed, length);
  std::vector<Station> stations;
  for (const FollowedPoint& point : followed.points) {
    const double rate = point.ds_du * length;
    Station station{.u = is_even ? point.s * length : point.u};
    const Eigen::Index joints = point.q.size();
    station.value.resize(joints + 1);
    station.first.resize(joints + 1);
    station.value << point.q, point.s * length;
    station.first << point.dq_du, rate;
    if (is_even) station.first /= rate;
    stations.push_back(station);
  }
  const std::size_t count = stations.size();
  if (count > 2) {
    const double last = stations[count - 1].u - stations[count - 2].u;
    const double before = stations[count - 2].u - stations[count - 3].u;
    if (last < 0.3 * before) stations.erase(stations.end() - 2);
  }
  return stations;
}

Vector3 tool_at(const JointPath& path, double u, const SerialChain& chain) {
  std::array<double, kMaxChainJoints> q{};
  for (std::size_t j = 0; j < chain.size(); ++j) q[j] = path.at(j, u).value;
  return chain.tool_pose({q.data(), chain.size()}).position;
}

// how far the tool is from its path at a coordinate
double off_path(const MoveWay& way, double u, const SerialChain& chain) {
  const double s = way.path.at(way.tool_row(), u).value;
  return (tool_at(way.path, u, chain) - way.tool_path.pose(s).position).norm();
}

}  // namespace

ToolPath tool_path_of(const PosePath& path) {
  const double length = path.length();
  return {.X_BT = [&path, length](double s) { return path.pose(s * length); },
          .V_BT =
              [&path, length](double s) {
                const Twist per_metre = path.derivative(s * length);
                return Twist{.linear = per_metre.linear * length, .angular = per_metre.angular * length};
              }};
}

MoveWay way_from(const Followed& followed, const PosePath& tool_path, const SerialChain& chain) {
  MoveWay way{.is_tool = true, .tool_path = tool_path};
  std::vector<Station> stations = stations_of(followed, tool_path.length());
  const std::size_t rows = chain.size() + 2;
  way.path = JointPath(rows);
  if (stations.size() < 2) return way;
  set_seconds(stations);
  std::vector<Coefficients> piece(rows);
  way.path.reserve(stations.size() - 1);
  for (std::size_t i = 0; i + 1 < stations.size(); ++i) {
    const Station& a = stations[i];
    const Station& b = stations[i + 1];
    const double length = b.u - a.u;
    for (std::size_t j = 0; j + 1 < rows; ++j) {
      const auto k = static_cast<Eigen::Index>(j);
      piece[j] = quintic_between({.value = a.value[k], .first = a.first[k], .second = a.second[k]},
                                 {.value = b.value[k], .first = b.first[k], .second = b.second[k]}, length);
    }
    piece[rows - 1] = {a.u, 1.0, 0.0, 0.0, 0.0, 0.0};
    way.path.append(length, piece);
    for (const double share : {0.25, 0.5, 0.75})
      way.deviation = std::max(way.deviation, off_path(way, a.u + share * length, chain));
  }
  return way;
}

namespace {

// the same path with a still tool and the coordinate beside the joints
MoveWay with_rows(const JointPath& joints) {
  MoveWay way{.path = JointPath(joints.joint_count() + 2)};
  std::vector<Coefficients> piece(joints.joint_count() + 2);
  for (std::size_t i = 0; i < joints.piece_count(); ++i) {
    for (std::size_t j = 0; j < joints.joint_count(); ++j) piece[j] = joints.polynomial(i, j);
    piece[joints.joint_count()] = {};
    piece[joints.joint_count() + 1] = {joints.knots()[i], 1.0, 0.0, 0.0, 0.0, 0.0};
    way.path.append(joints.piece_length(i), piece);
  }
  return way;
}

std::vector<double> flat(std::span<const JointVector> points) {
  std::vector<double> all;
  for (const JointVector& q : points) all.insert(all.end(), q.data(), q.data() + q.size());
  return all;
}

}  // namespace

MoveWay way_through(std::span<const JointVector> corners, double radius_share) {
  const auto joints = static_cast<std::size_t>(corners.front().size());
  std::vector<double> radii;
  for (std::size_t i = 1; i + 1 < corners.size(); ++i) {
    const double shorter =
        std::min((corners[i] - corners[i - 1]).norm(), (corners[i + 1] - corners[i]).norm());
    radii.push_back(radius_share * shorter);
  }
  const std::vector<double> positions = flat(corners);
  const auto path = blended_path({.joint_count = joints, .positions = positions}, {.radii = radii});
  // equal corners are no way
  return with_rows(path ? *path : JointPath(joints));
}

namespace {

// The monotone spline has a second derivative that jumps, which no controller can follow at speed. With the
// same slopes, but none beyond 5/4 of its neighbours', and without second derivatives at the points, a
// quintic is monotone as well: the Bernstein coefficients of its slope are m0, m0, 5d - 2(m0 + m1), m1, m1.
JointPath without_jumps(const JointPath& monotone) {
  JointPath path(monotone.joint_count());
  const auto slope_of = [&](std::size_t piece, std::size_t j) {
    const double length = monotone.piece_length(piece);
    return (evaluate(monotone.polynomial(piece, j), length).value - monotone.polynomial(piece, j)[0]) /
           length;
  };
  const auto at_knot = [&](std::size_t knot, std::size_t j) {
    const double slope = monotone.at(j, monotone.knots()[knot]).first;
    double bound = 1e9;
    if (knot > 0) bound = std::min(bound, 1.25 * std::abs(slope_of(knot - 1, j)));
    if (knot < monotone.piece_count()) bound = std::min(bound, 1.25 * std::abs(slope_of(knot, j)));
    return CurvePoint{.value = monotone.at(j, monotone.knots()[knot]).value,
                      .first = std::clamp(slope, -bound, bound)};
  };
  std::vector<Coefficients> piece(monotone.joint_count());
  for (std::size_t i = 0; i < monotone.piece_count(); ++i) {
    for (std::size_t j = 0; j < piece.size(); ++j)
      piece[j] = quintic_between(at_knot(i, j), at_knot(i + 1, j), monotone.piece_length(i));
    path.append(monotone.piece_length(i), piece);
  }
  return path;
}

}  // namespace

Result<MoveWay> way_along_spline(std::span<const JointVector> points, bool is_monotone) {
  const std::vector<double> positions = flat(points);
  const auto path =
      spline_path({.joint_count = static_cast<std::size_t>(points.front().size()), .positions = positions},
                  {.kind = is_monotone ? SplineKind::Monotone : SplineKind::Natural});
  if (!path) return path.error();
  return with_rows(is_monotone ? without_jumps(*path) : *path);
}

namespace {

/// How far the tool goes along a way, at evenly spaced coordinates.
class ToolLengths {
 public:
  ToolLengths(const JointPath& path, const SerialChain& chain) : length_(path.length()) {
    Vector3 last = tool_at(path, 0.0, chain);
    for (std::size_t k = 1; k < kLengthLooks; ++k) {
      const Vector3 next = tool_at(path, coordinate(static_cast<double>(k)), chain);
      sums_.push_back(sums_.back() + (next - last).norm());
      last = next;
    }
  }

  double all() const { return sums_.back(); }

  // the coordinate at which the tool has come `way` [m]
  double at(double way) const {
    const auto after = std::upper_bound(sums_.begin(), sums_.end(), way);
    if (after == sums_.begin()) return 0.0;
    if (after == sums_.end()) return length_;
    const auto k = static_cast<double>(after - sums_.begin()) - 1.0;
    const double before = *(after - 1);
    return coordinate(k + (way - before) / std::max(*after - before, 1e-12));
  }

 private:
  double coordinate(double k) const { return length_ * k / static_cast<double>(kLengthLooks - 1); }

  double length_;
  std::vector<double> sums_{0.0};
};

// appends path from `begin` to `end`, its last two rows counted on
void append_part(const JointPath& from, double begin, double end, double tool_offset, JointPath& path) {
  const std::size_t rows = from.joint_count();
  std::vector<Coefficients> piece(rows);
  for (std::size_t i = 0; i < from.piece_count(); ++i) {
    const double start = std::max(begin, from.knots()[i]);
    const double stop = std::min(end, from.knots()[i + 1]);
    if (!(stop - start > 1e-9 * from.length())) continue;
    for (std::size_t j = 0; j < rows; ++j) piece[j] = shifted(from.polynomial(i, j), start - from.knots()[i]);
    piece[rows - 2][0] += tool_offset;
    piece[rows - 1] = {path.length(), 1.0, 0.0, 0.0, 0.0, 0.0};
    path.append(stop - start, piece);
  }
}

/// A quintic from one way to the next, about the corner between them.
struct Blend {
  std::vector<Coefficients> piece;
  double length = 0.0;    // of the coordinate
  double way = 0.0;       // of the tool [m]
  double farthest = 0.0;  // of the tool from the corner [m]
};

Blend blend_between(const MoveWay& a, double leave, const MoveWay& b, double enter,
                    const SerialChain& chain) {
  const std::size_t rows = a.path.joint_count();
  Blend blend{.piece = std::vector<Coefficients>(rows), .length = a.path.length() - leave + enter};
  for (std::size_t j = 0; j < chain.size(); ++j)
    blend.piece[j] = quintic_between(a.path.at(j, leave), b.path.at(j, enter), blend.length);
  const Vector3 corner = tool_at(a.path, a.path.length(), chain);
  Vector3 last = tool_at(a.path, leave, chain);
  std::array<double, kMaxChainJoints> q{};
  for (int k = 0; k <= kBlendLooks; ++k) {
    for (std::size_t j = 0; j < chain.size(); ++j)
      q[j] = evaluate(blend.piece[j], blend.length * k / kBlendLooks).value;
    const Vector3 p = chain.tool_pose({q.data(), chain.size()}).position;
    blend.way += (p - last).norm();
    blend.farthest = std::max(blend.farthest, (p - corner).norm());
    last = p;
  }
  return blend;
}

// the rule for overlaps
std::vector<double> allowed_radii(std::span<const double> radii, std::span<const ToolLengths> lengths) {
  std::vector<double> allowed(radii.begin(), radii.end());
  const auto asked = [&](std::size_t corner) { return corner < radii.size() ? radii[corner] : 0.0; };
  for (std::size_t way = 0; way < lengths.size(); ++way) {
    const double before = way == 0 ? 0.0 : asked(way - 1);
    const double sum = before + asked(way);
    if (sum <= lengths[way].all()) continue;
    const double factor = lengths[way].all() / sum;
    if (way > 0) allowed[way - 1] = std::min(allowed[way - 1], factor * radii[way - 1]);
    if (way < radii.size()) allowed[way] = std::min(allowed[way], factor * radii[way]);
  }
  return allowed;
}

}  // namespace

WayRun whole_run(const MoveWay& way) {
  const double length = way.path.length();
  return {.path = way.path, .sections = {{.end = length, .pure_end = length}}};
}

WayRun join_ways(std::span<const MoveWay> ways, std::span<const double> radii, const SerialChain& chain) {
  std::vector<ToolLengths> lengths;
  for (const MoveWay& way : ways) lengths.emplace_back(way.path, chain);
  const std::vector<double> allowed = allowed_radii(radii, lengths);
  WayRun run{.path = JointPath(ways.front().path.joint_count())};
  double enter = 0.0;
  double tool_offset = 0.0;
  double begin = 0.0;
  for (std::size_t i = 0; i < ways.size(); ++i) {
    const MoveWay& way = ways[i];
    WayRun::Section section{
        .way = i, .begin = begin, .pure_begin = run.path.length(), .tool_offset = tool_offset};
    if (i + 1 == ways.size()) {
      append_part(way.path, enter, way.path.length(), tool_offset, run.path);
      section.pure_end = section.end = run.path.length();
      run.sections.push_back(section);
      break;
    }
    const MoveWay& next = ways[i + 1];
    double radius = allowed[i];
    double leave = 0.0;
    double next_enter = 0.0;
    Blend blend;
    for (int attempt = 0; attempt < kBlendAttempts; ++attempt, radius *= kShrink) {
      leave = lengths[i].at(lengths[i].all() - radius);
      next_enter = lengths[i + 1].at(radius);
      blend = blend_between(way, leave, next, next_enter, chain);
      if (blend.farthest <= radii[i] * (1.0 + 1e-6)) break;
    }
    append_part(way.path, enter, leave, tool_offset, run.path);
    section.pure_end = run.path.length();
    // the tool's way counts on, by as much as it goes in the blend
    const std::size_t row = way.tool_row();
    CurvePoint from = way.path.at(row, leave);
    from.value += tool_offset;
    CurvePoint to = next.path.at(row, next_enter);
    tool_offset = from.value + blend.way - to.value;
    to.value += tool_offset;
    blend.piece[row] = quintic_between(from, to, blend.length);
    blend.piece.back() = {run.path.length(), 1.0, 0.0, 0.0, 0.0, 0.0};
    run.path.append(blend.length, blend.piece);
    section.end = begin = section.pure_end + 0.5 * blend.length;
    run.sections.push_back(section);
    enter = next_enter;
  }
  return run;
}

}  // namespace sinew
