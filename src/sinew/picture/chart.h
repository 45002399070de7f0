// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sinew/picture/drawing.h"

namespace sinew {

/// A number over another, such as a joint's position over time.
struct ChartPoint {
  double x = 0.0;
  double y = 0.0;
};

/// A line through points of a chart. Without a name it has no place in the legend.
struct ChartCurve {
  std::string name;
  std::vector<ChartPoint> points;
  Stroke stroke;
};

/// A part of the plane, such as an obstacle: what a closed line of chart points holds.
struct ChartArea {
  std::vector<ChartPoint> corners;
  Colour colour;
  double opacity = 1.0;
};

/// A dot with words beside it.
struct ChartMark {
  ChartPoint at;
  std::string name;
  Colour colour;
  double radius = 4.5;
};

struct Chart {
  std::string title;
  std::string x_label;
  std::string y_label;
  std::vector<ChartArea> areas;  ///< Drawn first.
  std::vector<ChartCurve> curves;
  std::vector<ChartMark> marks;
  bool is_to_scale = false;  ///< A unit is as long along x as along y, as in a map.
};

/// A part of a drawing.
struct DrawingBox {
  double left = 0.0;
  double top = 0.0;
  double width = 0.0;
  double height = 0.0;
};

/// Draws axes with round numbers, a grid, the curves and a legend into `box`.
void draw_chart(const Chart& chart, const DrawingBox& box, Drawing& drawing);

/// Colours that differ for people who see colours less well, too (after Okabe and Ito 2008), over and over.
Colour series_colour(std::size_t i);

/// The place on a scale from dark blue over green to yellow, for 0 to 1.
Colour scale_colour(double share);

}  // namespace sinew
