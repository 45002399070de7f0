// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/trajectory/pose_path.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "sinew/trajectory/joint_path.h"

namespace sinew {
namespace {

constexpr double kHalfTurn = 1e-9;      // [rad]
constexpr double kCollinear = 1e-7;     // the sine of an angle
constexpr double kSamePose = 1e-12;     // [m, rad]
constexpr double kSameJunction = 1e-6;  // [m, rad]

// the rotation vector from B to C, in B; of two equally long ways always the same
Vector3 shorter_turn(const Quaternion& R_AB, const Quaternion& R_AC) {
  const Vector3 turn = rotation_vector(R_AB.conjugate() * R_AC);
  if (turn.norm() < std::numbers::pi - kHalfTurn) return turn;
  for (int i = 0; i < 3; ++i) {
    if (std::abs(turn[i]) <= kHalfTurn) continue;
    return turn[i] > 0.0 ? turn : Vector3(-turn);
  }
  return turn;
}

// the angular velocity, in the start's frame, of a rotation vector that changes
Vector3 angular_velocity(const Vector3& turn, const Vector3& change) {
  const double angle = turn.norm();
  const double square = angle * angle;
  const double first = angle < 1e-4 ? 0.5 - square / 24.0 : (1.0 - std::cos(angle)) / square;
  const double second =
      angle < 1e-4 ? 1.0 / 6.0 - square / 120.0 : (angle - std::sin(angle)) / (square * angle);
  const Vector3 across = turn.cross(change);
  return change + first * across + second * turn.cross(across);
}

// how the rotation vector must change for an angular velocity given in the frame that it leads to
Vector3 change_for(const Vector3& turn, const Vector3& velocity) {
  const double angle = turn.norm();
  const double factor =
      angle < 1e-4 ? 1.0 / 12.0 : 1.0 / (angle * angle) - 1.0 / (2.0 * angle * std::tan(angle / 2.0));
  const Vector3 across = turn.cross(velocity);
  return velocity + 0.5 * across + factor * turn.cross(across);
}

Status check_pose(const Pose& pose, std::string_view which) {
  if (is_valid(pose) && pose.position.cwiseAbs().maxCoeff() <= kLargestValue) return Done{};
  return Error{
      ErrorCode::InvalidInput,
      fmt::format(
          "the {} of the path is no pose: position ({}, {}, {}), quaternion of length {}; give numbers "
          "and a quaternion of length 1",
          which, pose.position.x(), pose.position.y(), pose.position.z(), pose.rotation.norm())};
}

Status check_options(const PosePathOptions& options) {
  if (options.turn_length > 0.0 && options.turn_length <= kLargestValue) return Done{};
  return Error{
      ErrorCode::InvalidInput,
      fmt::format("a turn by 1 rad cannot count as {} m; give a length above zero", options.turn_length)};
}

double way_between(const Pose& from, const Pose& to, const PosePathOptions& options) {
  const PoseDistance apart = distance(from, to);
  return std::max(apart.position, options.turn_length * apart.rotation);
}

}  // namespace

const PosePath::Piece& PosePath::piece_at(double s) const {
  const auto after = std::upper_bound(pieces_.begin(), pieces_.end() - 1, s,
                                      [](double at, const Piece& p) { return at < p.end; });
  return *after;
}

Pose PosePath::pose(double s) const {
  if (pieces_.empty()) return resting_;
  const Piece& piece = piece_at(s);
  const double u = std::clamp((s - piece.begin) / (piece.end - piece.begin), 0.0, 1.0);
  const Vector3 turn = u * (piece.turn[0] + u * (piece.turn[1] + u * piece.turn[2]));
  Pose X_AB{.rotation = (piece.R_start * quaternion_from_rotation_vector(turn)).normalized(),
            .position = piece.start + u * (piece.way[0] + u * (piece.way[1] + u * piece.way[2]))};
  if (piece.is_arc) {
    X_AB.position =
        piece.centre + std::cos(u * piece.angle) * piece.to_start + std::sin(u * piece.angle) * piece.across;
  }
  return X_AB;
}

Twist PosePath::derivative(double s) const {
  if (pieces_.empty()) return {};
  const Piece& piece = piece_at(s);
  const double length = piece.end - piece.begin;
  const double u = std::clamp((s - piece.begin) / length, 0.0, 1.0);
  const Vector3 turn = u * (piece.turn[0] + u * (piece.turn[1] + u * piece.turn[2]));
  const Vector3 change = piece.turn[0] + u * (2.0 * piece.turn[1] + 3.0 * u * piece.turn[2]);
  Twist V_AB{.linear = (piece.way[0] + u * (2.0 * piece.way[1] + 3.0 * u * piece.way[2])) / length,
             .angular = piece.R_start * angular_velocity(turn, change) / length};
  if (piece.is_arc) {
    V_AB.linear = (std::cos(u * piece.angle) * piece.across - std::sin(u * piece.angle) * piece.to_start) *
                  (piece.angle / length);
  }
  return V_AB;
}

std::vector<double> PosePath::knots() const {
  std::vector<double> knots = {0.0};
  for (const Piece& piece : pieces_) knots.push_back(piece.end);
  return knots;
}

void PosePath::append(Piece piece, double length) {
  piece.begin = this->length();
  piece.end = piece.begin + length;
  pieces_.push_back(std::move(piece));
}

Result<PosePath> PosePath::line(const Pose& X_AB, const Pose& X_AC, const PosePathOptions& options) {
  if (const Status begin = check_pose(X_AB, "begin"); !begin) return begin.error();
  if (const Status end = check_pose(X_AC, "end"); !end) return end.error();
  if (const Status good = check_options(options); !good) return good.error();
  PosePath path;
  path.resting_ = X_AB;
  const double length = way_between(X_AB, X_AC, options);
  if (length <= kSamePose) return path;
  Piece piece{.R_start = X_AB.rotation, .start = X_AB.position};
  piece.turn[0] = shorter_turn(X_AB.rotation, X_AC.rotation);
  piece.way[0] = X_AC.position - X_AB.position;
  path.append(piece, length);
  return path;
}

Result<PosePath> PosePath::arc(const Pose& X_AB, const Pose& X_AV, const Pose& X_AC,
                               const PosePathOptions& options) {
  if (const Status middle = check_pose(X_AV, "middle"); !middle) return middle.error();
  Result<PosePath> chord = line(X_AB, X_AC, options);
  if (!chord) return chord;
  const Vector3 to_middle = X_AV.position - X_AB.position;
  const Vector3 to_end = X_AC.position - X_AB.position;
  const Vector3 normal = to_middle.cross(to_end);
  const double sine = normal.norm() / std::max(to_middle.norm() * to_end.norm(), 1e-300);
  const double apart = std::min({to_middle.norm(), to_end.norm(), (X_AC.position - X_AV.position).norm()});
  if (apart <= kSamePose || (sine < kCollinear && to_middle.dot(to_end - to_middle) <= 0.0)) {
    return Error{
        ErrorCode::InvalidInput,
        fmt::format("no arc leads from ({:.6g}, {:.6g}, {:.6g}) through ({:.6g}, {:.6g}, {:.6g}) to ({:.6g}, "
                    "{:.6g}, {:.6g}) m: the three must differ, and on a line the second be between; make a "
                    "full circle of two arcs",
                    X_AB.position.x(), X_AB.position.y(), X_AB.position.z(), X_AV.position.x(),
                    X_AV.position.y(), X_AV.position.z(), X_AC.position.x(), X_AC.position.y(),
                    X_AC.position.z())};
  }
  if (sine < kCollinear) return chord;
  // the centre of the circle through three points, from the first
  const Vector3 from_start =
      (to_middle.squaredNorm() * to_end.cross(normal) + to_end.squaredNorm() * normal.cross(to_middle)) /
      (2.0 * normal.squaredNorm());
  Piece piece{.R_start = X_AB.rotation, .start = X_AB.position, .is_arc = true};
  piece.turn[0] = shorter_turn(X_AB.rotation, X_AC.rotation);
  piece.centre = X_AB.position + from_start;
  piece.to_start = -from_start;
  piece.across = normal.normalized().cross(piece.to_start);
  const Vector3 end = to_end - from_start;
  piece.angle = std::atan2(end.dot(piece.across), end.dot(piece.to_start));
  if (piece.angle <= 0.0) piece.angle += 2.0 * std::numbers::pi;
  PosePath path;
  path.resting_ = X_AB;
  path.append(piece, std::max(piece.angle * from_start.norm(), options.turn_length * piece.turn[0].norm()));
  return path;
}

Result<PosePath> PosePath::spline(std::span<const Pose> poses, const PosePathOptions& options) {
  if (const Status good = check_options(options); !good) return good.error();
  std::vector<Pose> different;
  std::vector<double> s;
  for (std::size_t i = 0; i < poses.size(); ++i) {
    if (const Status good = check_pose(poses[i], fmt::format("pose {}", i + 1)); !good) return good.error();
    const double way = different.empty() ? 0.0 : way_between(different.back(), poses[i], options);
    if (!different.empty() && way <= kSamePose) continue;
    s.push_back(different.empty() ? 0.0 : s.back() + way);
    different.push_back(poses[i]);
  }
  const std::size_t count = different.size();
  if (count < 2) {
    return Error{ErrorCode::InvalidInput,
                 fmt::format("a spline needs two different poses; {} of {} are", count, poses.size())};
  }
  std::vector<double> positions;
  for (const Pose& each : different)
    positions.insert(positions.end(), each.position.begin(), each.position.end());
  const auto way = spline_path({.joint_count = 3, .positions = positions}, {.coordinates = s});
  if (!way) return way.error();

  std::vector<Vector3> turns;  // from pose to pose, in the frame of either
  for (std::size_t i = 0; i + 1 < count; ++i) {
    turns.push_back(shorter_turn(different[i].rotation, different[i + 1].rotation));
  }
  // the angular velocity at each pose, in its frame: the mean of those on either side, the shorter piece
  // counting more
  const auto velocity_at = [&](std::size_t i) -> Vector3 {
    if (i == 0) return turns.front() / (s[1] - s[0]);
    if (i + 1 == count) return turns.back() / (s[i] - s[i - 1]);
    const double before = s[i] - s[i - 1];
    const double after = s[i + 1] - s[i];
    return (turns[i - 1] * (after / before) + turns[i] * (before / after)) / (before + after);
  };
  PosePath path;
  path.resting_ = different.front();
  for (std::size_t i = 0; i + 1 < count; ++i) {
    const double h = s[i + 1] - s[i];
    Piece piece{.R_start = different[i].rotation, .start = different[i].position};
    const Vector3 begin = h * velocity_at(i);
    const Vector3 end = change_for(turns[i], h * velocity_at(i + 1));
    piece.turn[0] = begin;
    piece.turn[1] = 3.0 * turns[i] - 2.0 * begin - end;
    piece.turn[2] = begin + end - 2.0 * turns[i];
    double power = h;
    for (std::size_t k = 0; k < 3; ++k, power *= h) {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        piece.way[k][static_cast<Eigen::Index>(axis)] = way->polynomial(i, axis)[k + 1] * power;
      }
    }
    path.append(piece, h);
  }
  return path;
}

Result<PosePath> PosePath::then(const PosePath& next) const {
  const PoseDistance gap = distance(pose(length()), next.pose(0.0));
  if (gap.position > kSameJunction || gap.rotation > kSameJunction) {
    return Error{
        ErrorCode::InvalidInput,
        fmt::format("the next path begins {:.6g} m and {:.6g} rad from where this one ends; at most {:g} is "
                    "rounding",
                    gap.position, gap.rotation, kSameJunction)};
  }
  PosePath path = *this;
  for (const Piece& piece : next.pieces_) path.append(piece, piece.end - piece.begin);
  return path;
}

}  // namespace sinew
