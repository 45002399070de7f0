// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Inside the room: a drawing as pixels.

#include <string_view>
#include <vector>

#include "sinew/picture/drawing.h"

namespace sinew::picture {

/// Pixels that lines, areas and texts are laid upon, their edges smooth.
class Canvas {
 public:
  /// White; `scale` pixels per unit.
  Canvas(double width, double height, double scale);

  void draw(const Drawing::Line& line);
  void draw(const Drawing::Area& area);
  void draw(const Drawing::Text& text);

  Image image() && { return std::move(image_); }

 private:
  struct Bounds {
    int left = 0;
    int top = 0;
    int right = 0;  ///< Exclusive, as is the bottom.
    int bottom = 0;
  };
  Bounds bounds_of(const std::vector<DrawingPoint>& points, double margin) const;
  void cover_segment(const DrawingPoint& a, const DrawingPoint& b, double radius);
  void lay(const Bounds& bounds, const Colour& colour, double opacity);
  void stroke(const std::vector<DrawingPoint>& points, const Stroke& stroke);

  Image image_;
  double scale_;
  std::vector<float> cover_;  ///< Of what is being drawn: the share of each pixel, 0 to 1.
};

/// A line of text as strokes in units of its size: x to the right, y up from the baseline. Characters other
/// than printable ASCII are shown as a box.
std::vector<std::vector<DrawingPoint>> text_strokes(std::string_view words);

/// How wide a line of text is, in units of its size.
double text_width(std::string_view words);

}  // namespace sinew::picture
