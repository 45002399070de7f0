// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/picture/image.h"

namespace sinew {

/// sRGB.
struct Colour {
  std::uint8_t red = 0;
  std::uint8_t green = 0;
  std::uint8_t blue = 0;
};

/// A place on a drawing, in its units from the top left: one unit is a pixel at scale 1.
struct DrawingPoint {
  double x = 0.0;
  double y = 0.0;
};

/// How a line looks.
struct Stroke {
  Colour colour;
  double width = 1.5;
  bool is_dashed = false;
};

/// Where a text stands relative to its point, which lies on its baseline.
enum class TextAnchor { Start, Middle, End };

struct TextStyle {
  double size = 13.0;  ///< Of the font: about 1.4 times the height of a capital.
  Colour colour;
  TextAnchor anchor = TextAnchor::Start;
  bool is_upward = false;  ///< Turned by 90 degrees, read from below.
  bool is_bold = false;
};

/// Lines, areas, discs and texts on white, in the order in which they were added; written as SVG, or as
/// pixels by our own means: no display, no font of the system, the same bytes every time. What is not finite
/// is left out.
class Drawing {
 public:
  /// A size of zero is no drawing.
  explicit Drawing(double width = 0.0, double height = 0.0) : width_(width), height_(height) {}

  double width() const { return width_; }
  double height() const { return height_; }
  bool is_empty() const { return elements_.empty(); }

  /// A line through all the points.
  void line(std::vector<DrawingPoint> points, const Stroke& stroke);
  /// What a closed line holds; `opacity` 0 to 1.
  void area(std::vector<DrawingPoint> corners, const Colour& colour, double opacity = 1.0);
  void disc(const DrawingPoint& centre, double radius, const Colour& colour);
  void text(const DrawingPoint& at, std::string words, const TextStyle& style);

  std::string svg() const;
  /// `scale` pixels per unit.
  Image image(double scale = 2.0) const;

  struct Line {
    std::vector<DrawingPoint> points;
    Stroke stroke;
  };
  struct Area {
    std::vector<DrawingPoint> corners;
    Colour colour;
    double opacity = 1.0;
  };
  struct Text {
    DrawingPoint at;
    std::string words;
    TextStyle style;
  };
  using Element = std::variant<Line, Area, Text>;
  const std::vector<Element>& elements() const { return elements_; }

 private:
  double width_;
  double height_;
  std::vector<Element> elements_;
};

/// Writes the drawing as the end of the name says: .svg or .png. Other ends are refused.
Status write_drawing(const Drawing& drawing, const std::filesystem::path& path);

}  // namespace sinew
