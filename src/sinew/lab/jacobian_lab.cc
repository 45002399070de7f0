// SPDX-License-Identifier: BSD-3-Clause
// Lab 04: the Jacobian, and joint speeds from it.
#include <algorithm>
#include <cmath>
#include <numbers>

#include <Eigen/LU>
#include <fmt/format.h>

#include "sinew/base/text.h"
#include "sinew/lab/arm_angles.h"
#include "sinew/lab/kinematics_labs.h"
#include "sinew/lab/lab_pictures.h"
#include "sinew/lab/suspicion.h"
#include "sinew/picture/robot_charts.h"

namespace sinew::lab {
namespace speeds {
namespace {

constexpr std::size_t kPostures = 40;
constexpr double kJacobianBound = 1e-4;  // [m, rad] per rad
constexpr double kStep = 0.01;           // [s]
constexpr double kSpeed = 0.18;          // [m/s] of the hand, more than the joints can everywhere
constexpr double kPathBound = 1e-3;      // [m] off the straight line
constexpr double kArrived = 2e-3;        // [m]
constexpr double kLongest = 30.0;        // [s]

using Matrix = Eigen::Matrix<double, 6, 5>;

Matrix jacobian_at(const SerialChain& chain, std::span<const double> q) {
  Jacobian jacobian;
  chain.tool_pose(q, jacobian);
  return jacobian;
}

struct Postures {
  std::vector<std::vector<double>> q;
  std::vector<Matrix> answers;
};

std::vector<Suspicion> suspicions_of(const SerialChain& chain, const Postures& postures) {
  std::vector<Suspicion> list;
  const auto add = [&](std::string words, std::function<Matrix(const Matrix&, const Pose&)> spoil) {
    list.push_back({std::move(words), [&chain, &postures, spoil = std::move(spoil)](std::size_t i) {
                      const Pose tool = chain.tool_pose(postures.q[i]);
                      const Matrix spoilt = spoil(jacobian_at(chain, postures.q[i]), tool);
                      return (spoilt - postures.answers[i]).cwiseAbs().maxCoeff() <
                             kJacobianBound * (1.0 + spoilt.cwiseAbs().maxCoeff());
                    }});
  };
  for (Eigen::Index j = 0; j < 5; ++j)
    add(fmt::format("the sign of the column of '{}' is wrong", kArmJoints[static_cast<std::size_t>(j)]),
        [j](Matrix m, const Pose&) {
          m.col(j) = -m.col(j);
          return m;
        });
  add("the lengths are in millimetres; metres are wanted", [](Matrix m, const Pose&) {
    m.topRows<3>() *= 1000.0;
    return m;
  });
  add("it is per degree; per radian is wanted",
      [](const Matrix& m, const Pose&) { return Matrix(m * (std::numbers::pi / 180.0)); });
  add("the rows of turning come first; those of the grip point are wanted first",
      [](const Matrix& m, const Pose&) {
        Matrix turned;
        turned << m.bottomRows<3>(), m.topRows<3>();
        return turned;
      });
  add("it is in the axes of the hand; those of the base are wanted", [](Matrix m, const Pose& tool) {
    const Matrix3 R_TB = tool.rotation.conjugate().toRotationMatrix();
    m.topRows<3>() = R_TB * m.topRows<3>();
    m.bottomRows<3>() = R_TB * m.bottomRows<3>();
    return m;
  });
  return list;
}

// Asks for all postures; worst is the largest entry that is off.
Result<double> ask_jacobians(const SerialChain& chain, const Ask& ask, Draws& draws, Postures& postures) {
  double worst = 0.0;
  for (std::size_t i = 0; i < kPostures; ++i) {
    postures.q.push_back(draw_joints(chain, draws));
    const std::vector<Value> arguments{Value(std::span<const double>(postures.q.back()))};
    const auto value = ask("jacobian", arguments);
    if (!value) return value.error();
    const auto rows = rows_from(*value, "jacobian", 6, 5);
    if (!rows) return rows.error();
    Matrix answer;
    for (Eigen::Index row = 0; row < 6; ++row)
      for (Eigen::Index column = 0; column < 5; ++column)
        answer(row, column) = (*rows)[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)];
    postures.answers.push_back(answer);
    worst = std::max(worst, (answer - jacobian_at(chain, postures.q.back())).cwiseAbs().maxCoeff());
  }
  return worst;
}

std::string jacobian_fault(const SerialChain& chain, const Postures& postures, double worst) {
  std::vector<std::size_t> wrong;
  for (std::size_t i = 0; i < kPostures; ++i)
    if ((postures.answers[i] - jacobian_at(chain, postures.q[i])).cwiseAbs().maxCoeff() > kJacobianBound)
      wrong.push_back(i);
  const std::string why = explanation(suspicions_of(chain, postures), wrong);
  return fmt::format(
      "jacobian() is wrong at {} of {} postures, by {:.3g} at most. {}", wrong.size(), kPostures, worst,
      why.empty() ? fmt::format("For example at q = ({:.4f}).", fmt::join(postures.q[wrong.front()], ", "))
                  : fmt::format("It looks as if {}.", why));
}

struct Line {
  std::vector<double> start;
  Vector3 from = Vector3::Zero();
  Vector3 to = Vector3::Zero();
  double pitch = 0.0;  ///< Of the hand: the sum of shoulder, elbow and pitch, which stays.
};

// A way that an outstretched arm can go: the hand points down, from one side to the other.
Line draw_line(const SerialChain& chain, Draws& draws) {
  Line line{.start = {draws.between(-0.6, -0.3), draws.between(0.8, 1.0), draws.between(-1.5, -1.3), 0.0,
                      draws.between(-1, 1)}};
  line.pitch = draws.between(-1.4, -1.0);
  line.start[3] = line.pitch - line.start[1] - line.start[2];
  line.from = chain.tool_pose(line.start).position;
  line.to =
      line.from + Vector3(draws.between(0.0, 0.04), draws.between(0.22, 0.28), draws.between(-0.05, 0.05));
  return line;
}

struct Ride {
  double path_error = 0.0;   ///< [m]
  double pitch_error = 0.0;  ///< [rad]
  double peak_share = 0.0;   ///< Of a joint's speed limit.
  std::size_t peak_joint = 0;
  double seconds = 0.0;
  double best_seconds = 0.0;  ///< With our own sums.
  bool has_arrived = false;
  JointLog log;
};

// The fastest joint speeds along `direction` with the hand's pitch and roll kept, up to `speed`.
Eigen::Matrix<double, 5, 1> best_speeds(const SerialChain& chain, std::span<const double> q,
                                        const Vector3& v) {
  Eigen::Matrix<double, 5, 5> system = Eigen::Matrix<double, 5, 5>::Zero();
  system.topRows<3>() = jacobian_at(chain, q).topRows<3>();
  system.row(3) << 0, 1, 1, 1, 0;
  system(4, 4) = 1.0;
  Eigen::Matrix<double, 5, 1> wanted;
  wanted << v, 0, 0;
  Eigen::Matrix<double, 5, 1> speeds = system.partialPivLu().solve(wanted);
  double share = 0.0;
  for (std::size_t i = 0; i < chain.size(); ++i)
    share = std::max(share, std::abs(speeds[static_cast<Eigen::Index>(i)]) / chain.limits(i).velocity);
  return share > 1.0 ? Eigen::Matrix<double, 5, 1>(speeds / share) : speeds;
}

using Speeds = std::function<Result<std::vector<double>>(const std::vector<double>& q, const Vector3& v)>;

Result<Ride> ride(const SerialChain& chain, const Line& line, const Speeds& speeds) {
  Ride ride;
  std::vector<double> q = line.start;
  const Vector3 along = (line.to - line.from).normalized();
  for (; ride.seconds < kLongest; ride.seconds += kStep) {
    const Vector3 at = chain.tool_pose(q).position;
    ride.log.seconds.push_back(ride.seconds);
    ride.log.positions.push_back(q);
    const Vector3 off = at - line.from;
    ride.path_error = std::max(ride.path_error, (off - along * off.dot(along)).norm());
    ride.pitch_error = std::max(ride.pitch_error, std::abs(q[1] + q[2] + q[3] - line.pitch));
    const Vector3 left = line.to - at;
    ride.has_arrived = left.norm() < kArrived;
    if (ride.has_arrived || ride.path_error > 0.2) break;
    const auto answer = speeds(q, left.normalized() * kSpeed);
    if (!answer) return answer.error();
    for (std::size_t i = 0; i < q.size(); ++i) {
      const double share = std::abs((*answer)[i]) / chain.limits(i).velocity;
      if (share > ride.peak_share) {
        ride.peak_share = share;
        ride.peak_joint = i;
      }
      q[i] += kStep * (*answer)[i];
    }
  }
  return ride;
}

std::string ride_fault(const Ride& ride) {
  if (ride.peak_share > 1.001)
    return fmt::format(
        "joint_speeds() drives '{}' at {:.0f} % of its speed limit: slow all joints down alike",
        kArmJoints[ride.peak_joint], 100.0 * ride.peak_share);
  if (ride.path_error > kPathBound)
    return fmt::format("joint_speeds() leads the hand {} off the straight line; {} are allowed",
                       length_text(ride.path_error), length_text(kPathBound));
  if (ride.pitch_error > 0.01)
    return fmt::format("joint_speeds() tilts the hand by {}; its pitch shall stay",
                       angle_text(ride.pitch_error));
  if (!ride.has_arrived)
    return fmt::format("joint_speeds() does not bring the hand to the end within {:.0f} s", kLongest);
  if (ride.seconds > 1.05 * ride.best_seconds + 0.1)
    return fmt::format("joint_speeds() takes {:.1f} s for a way that the joints allow in {:.1f} s",
                       ride.seconds, ride.best_seconds);
  return {};
}

Drawing ride_picture(const SerialChain& chain, const Line& line, const Ride& ride) {
  Drawing drawing(960, 500);
  drawing.text({20, 32}, "Lab 04: the hand on a straight line",
               {.size = 18, .colour = {40, 44, 52}, .is_bold = true});
  for (const auto& [view, left] : {std::pair{MapView::Side, 10.0}, {MapView::Top, 480.0}}) {
    Chart chart = tool_chart(chain, ride.log, view);
    const int up = view == MapView::Top ? 1 : 2;
    chart.curves.push_back(
        {.name = "wanted",
         .points = {{1000 * line.from.x(), 1000 * line.from[up]}, {1000 * line.to.x(), 1000 * line.to[up]}},
         .stroke = {.colour = {40, 44, 52}, .width = 1.2, .is_dashed = true}});
    draw_chart(chart, {.left = left, .top = 44, .width = 470, .height = 450}, drawing);
  }
  return drawing;
}

Grade grade_ride(const SerialChain& chain, const Ask& ask, Draws& draws) {
  const Line line = draw_line(chain, draws);
  const auto best =
      ride(chain, line, [&](const std::vector<double>& q, const Vector3& v) -> Result<std::vector<double>> {
        const auto speeds = best_speeds(chain, q, v);
        return std::vector<double>(speeds.begin(), speeds.end());
      });
  auto ridden =
      ride(chain, line, [&](const std::vector<double>& q, const Vector3& v) -> Result<std::vector<double>> {
        const std::vector<Value> arguments{Value(std::span<const double>(q)),
                                           Value(std::span<const double>(v.data(), 3))};
        const auto value = ask("joint_speeds", arguments);
        if (!value) return value.error();
        return numbers_from(*value, "joint_speeds", kArmJoints);
      });
  if (!ridden) return no_points(ridden.error().message);
  ridden->best_seconds = best->seconds;
  const std::string fault = ride_fault(*ridden);
  return {.passed = fault.empty(),
          .score = fault.empty() ? 100.0 : 50.0,
          .measures = {{"path_error_m", ridden->path_error},
                       {"pitch_error_rad", ridden->pitch_error},
                       {"peak_share_of_speed_limit", ridden->peak_share},
                       {"seconds", ridden->seconds},
                       {"best_seconds", ridden->best_seconds}},
          .reason = fault.empty()
                        ? fmt::format("the Jacobian is right, and the hand keeps to its line within {}",
                                      length_text(ridden->path_error))
                        : "The Jacobian is right, but " + fault + ".",
          .picture = ride_picture(chain, line, *ridden)};
}

}  // namespace
}  // namespace speeds

Grade grade_jacobian(const SerialChain& chain, const Ask& ask, std::uint64_t seed) {
  using namespace speeds;
  Draws draws(seed);
  Postures postures;
  const auto worst = ask_jacobians(chain, ask, draws, postures);
  if (!worst) return no_points(worst.error().message);
  Grade grade;
  if (*worst > kJacobianBound) {
    grade = no_points(jacobian_fault(chain, postures, *worst));
  } else {
    grade = grade_ride(chain, ask, draws);
  }
  grade.measures.insert(grade.measures.begin(), {"worst_jacobian_error", *worst});
  return grade;
}

}  // namespace sinew::lab
