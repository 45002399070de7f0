// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/lab/lab_pictures.h"

namespace sinew::lab {
namespace {

constexpr Colour kInk{40, 44, 52};
constexpr Colour kRight{0, 158, 115};
constexpr Colour kWrong{204, 51, 17};

Chart miss_chart(std::span<const Miss> misses, int up, const std::string& title) {
  constexpr double kMillimetres = 1000.0;
  constexpr double kLongest = 0.15;  // [m] of a line: one answer far away must not shrink all others
  Chart chart{
      .title = title, .x_label = "x [mm]", .y_label = up == 2 ? "z [mm]" : "y [mm]", .is_to_scale = true};
  for (const Miss& miss : misses) {
    const ChartPoint at{kMillimetres * miss.wanted.x(), kMillimetres * miss.wanted[up]};
    chart.marks.push_back({.at = at, .name = {}, .colour = miss.is_right ? kRight : kWrong, .radius = 3.0});
    if (miss.is_right || !miss.got.allFinite()) continue;
    const Vector3 off = miss.got - miss.wanted;
    const Vector3 shown = miss.wanted + off * std::min(1.0, kLongest / std::max(off.norm(), 1e-9));
    chart.curves.push_back({.points = {at, {kMillimetres * shown.x(), kMillimetres * shown[up]}},
                            .stroke = {.colour = kWrong, .width = 1.2}});
  }
  return chart;
}

void draw_title(const std::string& title, Drawing& drawing) {
  drawing.text({20, 32}, title, {.size = 18, .colour = kInk, .is_bold = true});
}

}  // namespace

Drawing draw_misses(std::span<const Miss> misses, const std::string& title) {
  Drawing drawing(960, 500);
  draw_title(title, drawing);
  draw_chart(miss_chart(misses, 2, "from the side"), {.left = 10, .top = 44, .width = 470, .height = 450},
             drawing);
  draw_chart(miss_chart(misses, 1, "from above"), {.left = 480, .top = 44, .width = 470, .height = 450},
             drawing);
  return drawing;
}

Drawing draw_charts(std::span<const Chart> charts, const std::string& title) {
  constexpr double kHeight = 290.0;
  Drawing drawing(960, 50 + kHeight * static_cast<double>(charts.size()));
  draw_title(title, drawing);
  double top = 44.0;
  for (const Chart& chart : charts) {
    draw_chart(chart, {.left = 10, .top = top, .width = 940, .height = kHeight}, drawing);
    top += kHeight;
  }
  return drawing;
}

ChartCurve bound_curve(const std::string& name, double begin, double end, double y) {
  return {.name = name,
          .points = {{begin, y}, {end, y}},
          .stroke = {.colour = kWrong, .width = 1.2, .is_dashed = true}};
}

}  // namespace sinew::lab
