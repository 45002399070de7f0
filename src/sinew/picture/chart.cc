// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/picture/chart.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "sinew/picture/canvas.h"

namespace sinew {
namespace {

constexpr Colour kInk{40, 44, 52};
constexpr Colour kGrid{226, 229, 234};
constexpr Colour kFrame{140, 146, 156};

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void take(double value) {
    if (!std::isfinite(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  double width() const { return high - low; }
};

// A little more than what is to be seen, never nothing.
Range with_air(Range range) {
  if (range.low > range.high) return {0.0, 1.0};
  const double air = range.width() > 0.0 ? 0.05 * range.width() : std::max(0.5 * std::abs(range.low), 0.5);
  return {range.low - air, range.high + air};
}

// 1, 2 or 5 times a power of ten, so that about `count` of them fit.
double round_step(const Range& range, int count) {
  const double rough = range.width() / count;
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= 0.7 * rough) return factor * power;
  return 10.0 * power;
}

std::string number_text(double value, double step) {
  const int digits = std::clamp(static_cast<int>(std::ceil(-std::log10(step) - 1e-9)), 0, 6);
  const std::string text = fmt::format("{:.{}f}", value, digits);
  return std::abs(value) < 0.5 * std::pow(10.0, -digits) && text.starts_with('-') ? text.substr(1) : text;
}

// Where chart points fall on the drawing.
struct Axes {
  DrawingBox plot;
  Range x;
  Range y;

  DrawingPoint place(const ChartPoint& point) const {
    return {plot.left + plot.width * (point.x - x.low) / x.width(),
            plot.top + plot.height * (y.high - point.y) / y.width()};
  }
};

Axes make_axes(const Chart& chart, const DrawingBox& box) {
  Axes axes;
  const auto take = [&](const ChartPoint& point) {
    axes.x.take(point.x);
    axes.y.take(point.y);
  };
  for (const ChartArea& area : chart.areas) std::ranges::for_each(area.corners, take);
  for (const ChartCurve& curve : chart.curves) std::ranges::for_each(curve.points, take);
  for (const ChartMark& mark : chart.marks) take(mark.at);
  axes.x = with_air(axes.x);
  axes.y = with_air(axes.y);
  axes.plot = {box.left + 58, box.top + 34, box.width - 74, box.height - 78};
  if (!chart.is_to_scale) return axes;
  // the tighter of the two decides, the other shows more
  const double unit = std::max(axes.x.width() / axes.plot.width, axes.y.width() / axes.plot.height);
  const auto widen = [](Range& range, double width) {
    const double middle = 0.5 * (range.low + range.high);
    range = {middle - 0.5 * width, middle + 0.5 * width};
  };
  widen(axes.x, unit * axes.plot.width);
  widen(axes.y, unit * axes.plot.height);
  return axes;
}

void draw_grid(const Axes& axes, Drawing& drawing) {
  const DrawingBox& plot = axes.plot;
  const Stroke fine{.colour = kGrid, .width = 1.0};
  const double x_step = round_step(axes.x, std::max(2, static_cast<int>(plot.width / 80)));
  for (double x = std::ceil(axes.x.low / x_step) * x_step; x <= axes.x.high; x += x_step) {
    const double at = axes.place({x, axes.y.low}).x;
    drawing.line({{at, plot.top}, {at, plot.top + plot.height}}, fine);
    drawing.text({at, plot.top + plot.height + 17}, number_text(x, x_step),
                 {.size = 12, .colour = kInk, .anchor = TextAnchor::Middle});
  }
  const double y_step = round_step(axes.y, std::max(2, static_cast<int>(plot.height / 45)));
  for (double y = std::ceil(axes.y.low / y_step) * y_step; y <= axes.y.high; y += y_step) {
    const double at = axes.place({axes.x.low, y}).y;
    drawing.line({{plot.left, at}, {plot.left + plot.width, at}}, fine);
    drawing.text({plot.left - 7, at + 4}, number_text(y, y_step),
                 {.size = 12, .colour = kInk, .anchor = TextAnchor::End});
  }
}

// The letters of those who show an SVG are wider than ours, bold ones still more.
constexpr double kWider = 1.12;
constexpr double kWiderBold = 1.25;

// Smaller where it would not fit.
double title_size(const Chart& chart, const Axes& axes) {
  constexpr double kSize = 15.0;
  return std::min(kSize, axes.plot.width / std::max(kWiderBold * picture::text_width(chart.title), 1.0));
}

void draw_frame(const Chart& chart, const DrawingBox& box, const Axes& axes, Drawing& drawing) {
  const DrawingBox& plot = axes.plot;
  const double right = plot.left + plot.width;
  const double bottom = plot.top + plot.height;
  drawing.line(
      {{plot.left, plot.top}, {right, plot.top}, {right, bottom}, {plot.left, bottom}, {plot.left, plot.top}},
      {.colour = kFrame, .width = 1.0});
  drawing.text({plot.left, box.top + 22}, chart.title,
               {.size = title_size(chart, axes), .colour = kInk, .is_bold = true});
  drawing.text({plot.left + 0.5 * plot.width, bottom + 36}, chart.x_label,
               {.size = 13, .colour = kInk, .anchor = TextAnchor::Middle});
  drawing.text({box.left + 14, plot.top + 0.5 * plot.height}, chart.y_label,
               {.size = 13, .colour = kInk, .anchor = TextAnchor::Middle, .is_upward = true});
}

// In a row above the plot, to its right end: the first names, as many as fit beside the title, and how many
// there are besides.
void draw_legend(const Chart& chart, const Axes& axes, Drawing& drawing) {
  constexpr double kSize = 12;
  constexpr double kStroke = 38;  // with the gap before the next name
  const auto width_of = [](const std::string& name) { return kWider * picture::text_width(name) * kSize; };
  std::vector<const ChartCurve*> named;
  for (const ChartCurve& curve : chart.curves)
    if (!curve.name.empty()) named.push_back(&curve);
  double room =
      axes.plot.width - kWiderBold * picture::text_width(chart.title) * title_size(chart, axes) - 20;
  const auto rest_words = [&](std::size_t shown) { return fmt::format("and {} more", named.size() - shown); };
  std::size_t shown = 0;
  for (; shown < named.size(); ++shown) {
    const bool is_last = shown + 1 == named.size();
    const double width = width_of(named[shown]->name) + kStroke;
    if (width - 10 + (is_last ? 0.0 : width_of(rest_words(shown + 1)) + 14) > room) break;
    room -= width;
  }
  const double baseline = axes.plot.top - 12;
  double right = axes.plot.left + axes.plot.width;
  const TextStyle style{.size = kSize, .colour = kInk, .anchor = TextAnchor::End};
  if (shown > 0 && shown < named.size()) {
    drawing.text({right, baseline}, rest_words(shown), style);
    right -= width_of(rest_words(shown)) + 14;
  }
  for (std::size_t i = shown; i-- > 0;) {
    const double width = width_of(named[i]->name);
    drawing.text({right, baseline}, named[i]->name, style);
    drawing.line({{right - width - 24, baseline - 4}, {right - width - 6, baseline - 4}},
                 {.colour = named[i]->stroke.colour, .width = 2.5, .is_dashed = named[i]->stroke.is_dashed});
    right -= width + kStroke;
  }
}

bool overlap(const DrawingBox& a, const DrawingBox& b) {
  return a.left < b.left + b.width && b.left < a.left + a.width && a.top < b.top + b.height &&
         b.top < a.top + a.height;
}

// Dots, their names on a side where no other name stands and within the plot, as far as there is one.
void draw_marks(const Chart& chart, const Axes& axes, Drawing& drawing) {
  constexpr double kSize = 12.0;
  std::vector<DrawingBox> taken;
  for (const ChartMark& mark : chart.marks) {
    const DrawingPoint at = axes.place(mark.at);
    drawing.disc(at, mark.radius, mark.colour);
    if (mark.name.empty()) continue;
    const double width = picture::text_width(mark.name) * kSize;
    const auto box_at = [&](int side) {
      return DrawingBox{.left = at.x + (side % 2 == 0 ? 8 : -8 - width),
                        .top = at.y + (side < 2 ? -6 - kSize : 6),
                        .width = width,
                        .height = kSize};
    };
    const auto is_free = [&](const DrawingBox& box) {
      return box.left + width < axes.plot.left + axes.plot.width && box.left > axes.plot.left &&
             box.top > axes.plot.top && box.top + kSize + 3 < axes.plot.top + axes.plot.height &&
             std::ranges::none_of(taken, [&](const DrawingBox& other) { return overlap(box, other); });
    };
    int side = 0;
    while (side < 3 && !is_free(box_at(side))) ++side;
    taken.push_back(box_at(side));
    // so that it can be read where a curve passes
    const DrawingBox& name = taken.back();
    const double right = name.left + width + 1;
    const double bottom = name.top + kSize + 3;
    drawing.area({{name.left - 1, name.top}, {right, name.top}, {right, bottom}, {name.left - 1, bottom}},
                 {255, 255, 255}, 0.8);
    drawing.text({taken.back().left, taken.back().top + kSize}, mark.name, {.size = kSize, .colour = kInk});
  }
}

}  // namespace

void draw_chart(const Chart& chart, const DrawingBox& box, Drawing& drawing) {
  const Axes axes = make_axes(chart, box);
  const auto placed = [&](const std::vector<ChartPoint>& points) {
    std::vector<DrawingPoint> places;
    for (const ChartPoint& point : points) places.push_back(axes.place(point));
    return places;
  };
  draw_grid(axes, drawing);
  for (const ChartArea& area : chart.areas) drawing.area(placed(area.corners), area.colour, area.opacity);
  for (const ChartCurve& curve : chart.curves) drawing.line(placed(curve.points), curve.stroke);
  draw_frame(chart, box, axes, drawing);
  draw_marks(chart, axes, drawing);
  draw_legend(chart, axes, drawing);
}

Colour series_colour(std::size_t i) {
  static constexpr std::array<Colour, 7> kColours{{{0, 114, 178},
                                                   {213, 94, 0},
                                                   {0, 158, 115},
                                                   {204, 121, 167},
                                                   {230, 159, 0},
                                                   {86, 180, 233},
                                                   {90, 90, 90}}};
  return kColours[i % kColours.size()];
}

Colour scale_colour(double share) {
  static constexpr std::array<std::array<double, 3>, 5> kStops{
      {{43, 45, 100}, {44, 96, 140}, {38, 150, 135}, {120, 198, 90}, {245, 225, 60}}};
  const double at = std::clamp(share, 0.0, 1.0) * (kStops.size() - 1);
  const std::size_t i = std::min<std::size_t>(static_cast<std::size_t>(at), kStops.size() - 2);
  const auto mixed = [&](std::size_t c) {
    const double part = at - static_cast<double>(i);
    return static_cast<std::uint8_t>(std::lround(kStops[i][c] + part * (kStops[i + 1][c] - kStops[i][c])));
  };
  return {mixed(0), mixed(1), mixed(2)};
}

}  // namespace sinew
