// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/motion/tool_length.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace sinew {
namespace {

constexpr double kTurnLength = 0.005;   // [m/rad]
constexpr double kRateAccuracy = 3e-5;  // of the new coordinate, between stations
constexpr int kMostHalvings = 7;
constexpr double kStandsStill = 1e-4;  // of the mean rate
constexpr double kSlopeStep = 1e-5;    // of the run, for the rate's derivative
// Gauss' three points on 0 to 1
constexpr std::array<double, 3> kGaussAt{0.1127016653792583, 0.5, 0.8872983346207417};
constexpr std::array<double, 3> kGaussWeight{5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0};

/// How fast the new coordinate grows for a posture and its derivative.
double growth(const SerialChain& chain, std::span<const double> q, const JointVector& slope) {
  Jacobian jacobian;
  chain.tool_pose(q, jacobian);
  return std::sqrt((jacobian.topRows<3>() * slope).squaredNorm() +
                   kTurnLength * kTurnLength * slope.squaredNorm());
}

/// A place on the run with derivatives by the new coordinate.
struct Station {
  double from = 0.0;  // the old coordinate
  double to = 0.0;    // the new one
  std::vector<CurvePoint> rows;
};

class Relabelling {
 public:
  Relabelling(const WayRun& run, const SerialChain& chain) : run_(run), chain_(chain) {}

  std::optional<WayRun> go();

 private:
  std::vector<double> bounds() const;
  double rate(double u) const;
  std::optional<Station> station(double u, double to) const;
  bool append(const Station& a, double u, int halvings);
  bool is_even(std::span<const Coefficients> piece, double length) const;
  double relabelled(double u) const;

  const WayRun& run_;
  const SerialChain& chain_;
  double least_rate_ = 0.0;
  JointPath path_;
  std::vector<Station> stations_;
};

// knots, and where a section becomes another
std::vector<double> Relabelling::bounds() const {
  std::vector<double> all(run_.path.knots().begin(), run_.path.knots().end());
  for (const WayRun::Section& section : run_.sections) all.push_back(section.end);
  std::sort(all.begin(), all.end());
  const double least = 1e-9 * run_.path.length();
  std::vector<double> apart{all.front()};
  for (const double u : all)
    if (u > apart.back() + least) apart.push_back(u);
  apart.back() = run_.path.length();
  return apart;
}

double Relabelling::rate(double u) const {
  std::array<double, kMaxChainJoints> q{};
  JointVector slope(static_cast<Eigen::Index>(chain_.size()));
  for (std::size_t j = 0; j < chain_.size(); ++j) {
    const CurvePoint point = run_.path.at(j, u);
    q[j] = point.value;
    slope[static_cast<Eigen::Index>(j)] = point.first;
  }
  return growth(chain_, {q.data(), chain_.size()}, slope);
}

std::optional<Station> Relabelling::station(double u, double to) const {
  const double all = run_.path.length();
  const double r = rate(u);
  if (!(r > least_rate_)) return std::nullopt;
  const double low = std::max(0.0, u - kSlopeStep * all);
  const double high = std::min(all, u + kSlopeStep * all);
  const double r_slope = (rate(high) - rate(low)) / (high - low);
  Station here{.from = u, .to = to, .rows = std::vector<CurvePoint>(run_.path.joint_count())};
  run_.path.sample(u, std::span<CurvePoint>(here.rows));
  for (CurvePoint& row : here.rows) {
    row.second = (row.second - row.first * r_slope / r) / (r * r);
    row.first /= r;
  }
  return here;
}

// Whether the new coordinate grows by one along a piece of it.
bool Relabelling::is_even(std::span<const Coefficients> piece, double length) const {
  std::array<double, kMaxChainJoints> q{};
  JointVector slope(static_cast<Eigen::Index>(chain_.size()));
  for (const double share : {0.2, 0.5, 0.8}) {
    for (std::size_t j = 0; j < chain_.size(); ++j) {
      const CurvePoint point = evaluate(piece[j], share * length);
      q[j] = point.value;
      slope[static_cast<Eigen::Index>(j)] = point.first;
    }
    if (std::abs(growth(chain_, {q.data(), chain_.size()}, slope) - 1.0) > kRateAccuracy) return false;
  }
  return true;
}

// Appends what leads from `a` to the old coordinate `u`, in as many parts as it needs; false where the run
// stands still.
bool Relabelling::append(const Station& a, double u, int halvings) {
  const double step = u - a.from;
  double length = 0.0;
  for (std::size_t k = 0; k < kGaussAt.size(); ++k)
    length += kGaussWeight[k] * step * rate(a.from + kGaussAt[k] * step);
  const std::optional<Station> b = station(u, a.to + length);
  if (!b || !(length > 0.0)) return false;
  const std::size_t rows = a.rows.size();
  std::vector<Coefficients> piece(rows);
  for (std::size_t j = 0; j + 1 < rows; ++j) piece[j] = quintic_between(a.rows[j], b->rows[j], length);
  piece[rows - 1] = {a.to, 1.0, 0.0, 0.0, 0.0, 0.0};
  if (halvings < kMostHalvings && !is_even(piece, length)) {
    const Station begin = a;  // stations move when one is added
    return append(begin, begin.from + step / 2.0, halvings + 1) && append(stations_.back(), u, halvings + 1);
  }
  path_.append(length, piece);
  stations_.push_back(*b);
  return true;
}

// the new coordinate of an old one that is a station
double Relabelling::relabelled(double u) const {
  const auto nearest = std::ranges::min_element(
      stations_, {}, [&](const Station& station) { return std::abs(station.from - u); });
  return nearest->to;
}

std::optional<WayRun> Relabelling::go() {
  const std::vector<double> all = bounds();
  double sum = 0.0;
  for (std::size_t i = 0; i + 1 < all.size(); ++i)
    sum += (all[i + 1] - all[i]) * rate(0.5 * (all[i] + all[i + 1]));
  least_rate_ = kStandsStill * sum / run_.path.length();
  path_ = JointPath(run_.path.joint_count());
  const auto first = station(0.0, 0.0);
  if (!first) return std::nullopt;
  stations_ = {*first};
  for (std::size_t i = 1; i < all.size(); ++i)
    if (!append(Station(stations_.back()), all[i], 0)) return std::nullopt;
  WayRun result{.path = path_, .is_by_tool_length = true, .sections = run_.sections};
  for (WayRun::Section& section : result.sections)
    for (double* u : {&section.begin, &section.end, &section.pure_begin, &section.pure_end})
      *u = relabelled(*u);
  return result;
}

}  // namespace

std::optional<WayRun> by_tool_length(const WayRun& run, const SerialChain& chain) {
  if (run.path.piece_count() == 0) return std::nullopt;
  return Relabelling(run, chain).go();
}

double tool_rate_by_length(const WayRun& run, double u) {
  const std::size_t joints = run.path.joint_count() - 2;
  double turn = 0.0;
  for (std::size_t j = 0; j < joints; ++j) {
    const double slope = run.path.at(j, u).first;
    turn += slope * slope;
  }
  return std::sqrt(std::max(0.0, 1.0 - kTurnLength * kTurnLength * turn));
}

}  // namespace sinew
