// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/picture/robot_charts.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include <fmt/format.h>

namespace sinew {
namespace {

constexpr double kDegrees = 180.0 / std::numbers::pi;
constexpr double kMillimetres = 1000.0;
constexpr std::size_t kMostPoints = 2000;  // of a curve: more cannot be seen

// Every how many-th row is drawn, so that a long recording gives a small picture.
std::size_t stride_of(const JointLog& log) {
  return std::max<std::size_t>(1, log.seconds.size() / kMostPoints);
}

ChartCurve curve_of(const JointLog& log, std::size_t position, double factor) {
  ChartCurve curve;
  const std::size_t stride = stride_of(log);
  for (std::size_t row = 0; row < log.seconds.size(); row += stride)
    if (position < log.positions[row].size())
      curve.points.push_back({log.seconds[row], factor * log.positions[row][position]});
  return curve;
}

// More than could be seen [deg, mm].
bool moves(const ChartCurve& curve) {
  constexpr double kSeen = 0.2;
  return std::ranges::any_of(curve.points, [&](const ChartPoint& point) {
    return std::abs(point.y - curve.points.front().y) > kSeen;
  });
}

std::vector<double> chain_positions(const SerialChain& chain, const std::vector<double>& row) {
  std::vector<double> q;
  for (std::size_t i = 0; i < chain.size(); ++i)
    q.push_back(chain.position(i) < row.size() ? row[chain.position(i)] : 0.0);
  return q;
}

ChartPoint seen(const Vector3& point, MapView view) {
  return {kMillimetres * point.x(), kMillimetres * (view == MapView::Top ? point.y() : point.z())};
}

ChartCurve stick_figure(const SerialChain& chain, const std::vector<double>& row, MapView view) {
  std::vector<Pose> joints(chain.joint_count());
  const Pose tool = chain.joint_poses(chain_positions(chain, row), joints);
  ChartCurve curve;
  curve.points.push_back(seen(Vector3::Zero(), view));
  for (const Pose& joint : joints) curve.points.push_back(seen(joint.position, view));
  curve.points.push_back(seen(tool.position, view));
  return curve;
}

// A grid of cells over the slice; each remembers the best dexterity found in it.
struct Cells {
  static constexpr int kAcross = 240;
  double low_x = 0.0;
  double low_z = 0.0;
  double size = 0.0;  ///< [m] Of a cell.
  std::vector<double> best = std::vector<double>(static_cast<std::size_t>(kAcross * kAcross), -1.0);

  double& at(int column, int row) { return best[static_cast<std::size_t>(row * kAcross + column)]; }
};

// Uniform in [0, 1): the standard fixes the engine's numbers, but not those of its distributions.
double draw_number(std::mt19937_64& random) {
  return static_cast<double>(random() >> 11U) / 9007199254740992.0;
}

JointVector draw_posture(const SerialChain& chain, std::mt19937_64& random, bool holds_first) {
  JointVector q(static_cast<Eigen::Index>(chain.size()));
  for (std::size_t i = 0; i < chain.size(); ++i) {
    const JointLimits& limits = chain.limits(i);
    const double far = chain.is_revolute(i) ? std::numbers::pi : chain.reach();
    const double low = std::max(limits.lower, -far);
    const double high = std::min(limits.upper, far);
    const double drawn = low + draw_number(random) * (high - low);
    q[static_cast<Eigen::Index>(i)] = holds_first && i == 0 ? std::clamp(0.0, low, high) : drawn;
  }
  return q;
}

Cells sample_cells(const SerialChain& chain, std::uint64_t seed) {
  constexpr int kPostures = 1'000'000;
  const double reach = std::isfinite(chain.reach()) ? chain.reach() : 2.0;
  const Vector3 first = chain.first_joint();
  Cells cells{.low_x = first.x() - reach, .low_z = first.z() - reach, .size = 2.0 * reach / Cells::kAcross};
  std::mt19937_64 random(seed);
  Jacobian jacobian;
  const JointVector middle = chain.middle();
  chain.tool_pose({middle.data(), chain.size()}, jacobian);
  const bool holds_first = chain.is_revolute(0) && std::abs(jacobian(5, 0)) > 1.0 - 1e-6;
  for (int i = 0; i < kPostures; ++i) {
    const JointVector q = draw_posture(chain, random, holds_first);
    const Pose tool = chain.tool_pose({q.data(), chain.size()}, jacobian);
    // an arm that turns about z as a whole reaches all round what it reaches with that joint at zero
    const double x = holds_first
                         ? std::copysign(std::hypot(tool.position.x(), tool.position.y()), tool.position.x())
                         : tool.position.x();
    if (!holds_first && std::abs(tool.position.y()) > cells.size) continue;
    const int column = static_cast<int>((x - cells.low_x) / cells.size);
    const int row = static_cast<int>((tool.position.z() - cells.low_z) / cells.size);
    if (column < 0 || row < 0 || column >= Cells::kAcross || row >= Cells::kAcross) continue;
    const Eigen::Matrix3d spread = jacobian.topRows<3>() * jacobian.topRows<3>().transpose();
    double& best = cells.at(column, row);
    best = std::max(best, std::sqrt(std::max(0.0, spread.determinant())));
  }
  return cells;
}

// A cell that was missed between cells that were hit is a gap of the sample, not of the workspace.
void close_gaps(Cells& cells) {
  const Cells found = cells;
  for (int row = 1; row + 1 < Cells::kAcross; ++row) {
    for (int column = 1; column + 1 < Cells::kAcross; ++column) {
      if (cells.at(column, row) >= 0.0) continue;
      int hit = 0;
      double sum = 0.0;
      for (const auto& [dx, dy] : {std::pair{-1, 0}, {1, 0}, {0, -1}, {0, 1}}) {
        const double near = found.best[static_cast<std::size_t>((row + dy) * Cells::kAcross + column + dx)];
        hit += near >= 0.0 ? 1 : 0;
        sum += std::max(near, 0.0);
      }
      if (hit >= 3) cells.at(column, row) = sum / hit;
    }
  }
}

// Neighbours of one colour in a row become one rectangle.
std::vector<ChartArea> areas_of(Cells& cells) {
  constexpr int kShades = 12;
  const double most = *std::ranges::max_element(cells.best);
  const auto shade = [&](int column, int row) {
    const double value = column < Cells::kAcross ? cells.at(column, row) : -1.0;
    if (value < 0.0) return -1;
    return std::min(kShades - 1, static_cast<int>(kShades * value / std::max(most, 1e-12)));
  };
  std::vector<ChartArea> areas;
  for (int row = 0; row < Cells::kAcross; ++row) {
    for (int begin = 0, end = 1; begin < Cells::kAcross; begin = end++) {
      while (end < Cells::kAcross && shade(end, row) == shade(begin, row)) ++end;
      if (shade(begin, row) < 0) continue;
      const double left = kMillimetres * (cells.low_x + begin * cells.size);
      const double right = kMillimetres * (cells.low_x + (end + 0.04) * cells.size);
      const double low = kMillimetres * (cells.low_z + row * cells.size);
      // a hair of overlap, so that no seams show
      const double high = low + 1.04 * kMillimetres * cells.size;
      areas.push_back({.corners = {{left, low}, {right, low}, {right, high}, {left, high}},
                       .colour = scale_colour((shade(begin, row) + 0.5) / kShades)});
    }
  }
  return areas;
}

// The arm whose joints move most; the first where none does.
const Arm& busiest_arm(const RobotModel& model, const JointLog& log) {
  const Arm* busiest = &model.arms.front();
  double most = 0.0;
  for (const Arm& arm : model.arms) {
    const auto chain = SerialChain::make(model, arm.base_link, arm.tip_link);
    double way = 0.0;
    for (std::size_t i = 0; chain && i < chain->size(); ++i) {
      const ChartCurve curve = curve_of(log, chain->position(i), 1.0);
      const auto [low, high] = std::ranges::minmax_element(curve.points, {}, &ChartPoint::y);
      if (!curve.points.empty()) way += high->y - low->y;
    }
    // noise is no motion
    if (way > most + 0.01) {
      most = way;
      busiest = &arm;
    }
  }
  return *busiest;
}

// Those that move, in colours and by name; where any does, the others grey and behind them.
void dress_curves(Chart& chart) {
  const auto movers =
      std::ranges::stable_partition(chart.curves, [](const ChartCurve& c) { return !moves(c); });
  const bool all_rest = movers.empty();
  std::size_t colour = 0;
  for (ChartCurve& curve : chart.curves) {
    const bool is_grey = !all_rest && !moves(curve);
    if (is_grey) curve.name.clear();
    curve.stroke = {.colour = is_grey ? Colour{205, 209, 215} : series_colour(colour++),
                    .width = is_grey ? 1.0 : 1.8};
  }
}

}  // namespace

std::vector<Chart> joint_charts(const RobotModel& model, const JointLog& log) {
  Chart turning{.title = "joints", .x_label = "time [s]", .y_label = "angle [deg]"};
  Chart sliding{.title = "sliding joints", .x_label = "time [s]", .y_label = "position [mm]"};
  for (std::size_t i = 0; i < model.positions.size(); ++i) {
    const Joint& joint = model.joints[model.positions[i]];
    const bool slides = joint.kind == JointKind::Prismatic;
    ChartCurve curve = curve_of(log, i, slides ? kMillimetres : kDegrees);
    if (slides && !moves(curve)) continue;
    Chart& chart = slides ? sliding : turning;
    curve.name = joint.name;
    chart.curves.push_back(std::move(curve));
  }
  std::vector<Chart> charts;
  for (Chart* chart : {&turning, &sliding}) {
    if (chart->curves.empty()) continue;
    dress_curves(*chart);
    charts.push_back(std::move(*chart));
  }
  return charts;
}

Chart tool_chart(const SerialChain& chain, const JointLog& log, MapView view) {
  const bool is_top = view == MapView::Top;
  Chart chart{.title = is_top ? "tool, from above" : "tool, from the side",
              .x_label = "x [mm]",
              .y_label = is_top ? "y [mm]" : "z [mm]",
              .is_to_scale = true};
  if (log.positions.empty()) return chart;
  for (const auto& [row, colour] : {std::pair{&log.positions.front(), Colour{190, 195, 203}},
                                    {&log.positions.back(), Colour{120, 126, 136}}}) {
    chart.curves.push_back(stick_figure(chain, *row, view));
    chart.curves.back().stroke = {.colour = colour, .width = 5.0};
  }
  ChartCurve way{.name = "way", .points = {}, .stroke = {.colour = series_colour(1), .width = 2.0}};
  const std::size_t stride = stride_of(log);
  for (std::size_t row = 0; row < log.positions.size(); row += stride)
    way.points.push_back(seen(chain.tool_pose(chain_positions(chain, log.positions[row])).position, view));
  const Vector3 end = chain.tool_pose(chain_positions(chain, log.positions.back())).position;
  way.points.push_back(seen(end, view));
  chart.marks.push_back({.at = way.points.front(), .name = "begin", .colour = series_colour(0)});
  chart.marks.push_back({.at = way.points.back(), .name = "end", .colour = series_colour(2)});
  chart.curves.push_back(std::move(way));
  return chart;
}

Chart workspace_chart(const SerialChain& chain, std::uint64_t seed) {
  Chart chart{.title = "where the tool reaches, a slice; bright: and moves well in all directions",
              .x_label = "x [mm]",
              .y_label = "z [mm]",
              .is_to_scale = true};
  Cells cells = sample_cells(chain, seed);
  for (int turn = 0; turn < 2; ++turn) close_gaps(cells);
  chart.areas = areas_of(cells);
  // the arm over it, bright on dark and dark on bright
  const JointVector middle = chain.middle();
  std::vector<double> row(64, 0.0);
  for (std::size_t i = 0; i < chain.size(); ++i)
    row[chain.position(i)] = middle[static_cast<Eigen::Index>(i)];
  for (const auto& [colour, width] : {std::pair{Colour{40, 44, 52}, 7.0}, {Colour{255, 255, 255}, 4.0}}) {
    chart.curves.push_back(stick_figure(chain, row, MapView::Side));
    chart.curves.back().stroke = {.colour = colour, .width = width};
  }
  return chart;
}

Result<Drawing> draw_run(const RobotModel& model, const JointLog& log, const std::string& title,
                         std::span<const PlaceMark> marks) {
  const std::vector<Chart> curves = joint_charts(model, log);
  const bool has_arm = !model.arms.empty();
  const double curves_height = 300.0;
  const double maps_top = 44.0 + curves_height * static_cast<double>(curves.size());
  Drawing drawing(960, maps_top + (has_arm ? 460 : 10));
  drawing.text({20, 32}, title, {.size = 18, .colour = {40, 44, 52}, .is_bold = true});
  double top = 44.0;
  for (const Chart& chart : curves) {
    draw_chart(chart, {.left = 10, .top = top, .width = 940, .height = curves_height}, drawing);
    top += curves_height;
  }
  if (!has_arm) return drawing;
  const Arm& arm = busiest_arm(model, log);
  const auto chain = SerialChain::make(model, arm.base_link, arm.tip_link);
  if (!chain) return chain.error();
  for (const auto& [view, left] : {std::pair{MapView::Side, 10.0}, {MapView::Top, 480.0}}) {
    Chart chart = tool_chart(*chain, log, view);
    if (model.arms.size() > 1) chart.title = fmt::format("{}: {}", arm.name, chart.title);
    for (const PlaceMark& mark : marks)
      chart.marks.push_back({.at = seen(mark.place, view), .name = mark.name, .colour = series_colour(4)});
    draw_chart(chart, {.left = left, .top = maps_top, .width = 470, .height = 450}, drawing);
  }
  return drawing;
}

}  // namespace sinew
