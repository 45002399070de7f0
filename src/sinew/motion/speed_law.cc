// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/motion/speed_law.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "sinew/trajectory/path_timing.h"

namespace sinew {
namespace {

constexpr std::array kBlends{1.0 / 3.0, 0.5, 0.25, 1.0 / 6.0, 0.1};
constexpr std::array kRamps{0.1, 0.25, 0.5};  // of a blend
constexpr std::size_t kMomentsPerPiece = 8;   // of the law
constexpr double kLeastRate = 1e-9;

// The acceleration rises in a ramp, stays, falls in a ramp; then the same downwards.
SpeedLaw rounded_lspb(double blend, double ramp_share) {
  const double ramp = ramp_share * blend;
  const double speed = 1.0 / (1.0 - blend);
  const double jerk = speed / ((blend - ramp) * ramp);
  SpeedLaw law{JointCurve(1)};
  AxisState state;
  const auto add = [&](double time, double of_jerk) {
    if (!(time > 1e-12)) return;
    const Coefficients piece{state.position, state.velocity, state.acceleration / 2.0, of_jerk / 6.0};
    law.curve.append(time, std::span(&piece, 1));
    state = advance(state, of_jerk, time);
  };
  const double even = blend - 2.0 * ramp;
  add(ramp, jerk);
  add(even, 0.0);
  add(ramp, -jerk);
  add(1.0 - 2.0 * blend, 0.0);
  add(ramp, -jerk);
  add(even, 0.0);
  add(ramp, jerk);
  return law;
}

// where `row` of the path comes to `value`
double coordinate_of(const JointCurve& path, std::size_t row, double value, double from) {
  double low = from;
  double high = path.length();
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    (path.at(row, middle).value < value ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

}  // namespace

std::span<const SpeedLaw> lspb_shapes() {
  static const std::vector<SpeedLaw> shapes = [] {
    std::vector<SpeedLaw> all;
    for (const double blend : kBlends)
      for (const double ramp : kRamps) all.push_back(rounded_lspb(blend, ramp));
    return all;
  }();
  return shapes;
}

std::span<const SpeedLaw> quintic_shapes() {
  static const std::vector<SpeedLaw> shapes = [] {
    SpeedLaw law{JointCurve(1)};
    const Coefficients piece{0.0, 0.0, 0.0, 10.0, -15.0, 6.0};
    law.curve.append(1.0, std::span(&piece, 1));
    return std::vector<SpeedLaw>{law};
  }();
  return shapes;
}

Trajectory along_by_law(const JointCurve& path, std::size_t row, const SpeedLaw& law) {
  const double begin = path.at(row, 0.0).value;
  const double length = path.at(row, path.length()).value - begin;
  // where the law's pieces and the path's meet, and between
  std::vector<double> times;
  for (std::size_t i = 0; i < law.curve.piece_count(); ++i)
    for (std::size_t k = 0; k < kMomentsPerPiece; ++k)
      times.push_back(law.curve.knots()[i] +
                      law.curve.piece_length(i) * static_cast<double>(k) / kMomentsPerPiece);
  times.push_back(law.curve.length());
  for (std::size_t i = 1; i < path.piece_count(); ++i) {
    const double share = (path.at(row, path.knots()[i]).value - begin) / length;
    times.push_back(coordinate_of(law.curve, 0, share, 0.0));
  }
  std::sort(times.begin(), times.end());
  std::vector<PathMoment> moments;
  double u = 0.0;
  for (const double time : times) {
    const CurvePoint wanted = law.curve.at(0, time);
    u = coordinate_of(path, row, begin + length * wanted.value, u);
    const CurvePoint there = path.at(row, u);
    const double rate = std::max(there.first, kLeastRate);
    const double speed = length * wanted.first / rate;
    const double acceleration = (length * wanted.second - there.second * speed * speed) / rate;
    moments.push_back({time, u, speed, acceleration, acceleration});
  }
  moments.front().s = 0.0;
  moments.back().s = path.length();
  return follow_path(path, moments, 1e-5);
}

}  // namespace sinew
