// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/picture/canvas.h"

#include <algorithm>
#include <cmath>

namespace sinew::picture {
namespace {

constexpr int kMostPixels = 8192;  // of a side
constexpr int kSamples = 4;        // of an area, along each side of a pixel

int pixels_of(double units, double scale) {
  const double pixels = std::ceil(units * scale);
  return pixels > 1.0 ? static_cast<int>(std::min<double>(pixels, kMostPixels)) : 1;
}

// Parts of a line that are drawn when it is dashed.
std::vector<std::vector<DrawingPoint>> dashes_of(const std::vector<DrawingPoint>& points) {
  constexpr double kDash = 6.0;
  constexpr double kGap = 5.0;
  std::vector<std::vector<DrawingPoint>> dashes{{points.front()}};
  double left = kDash;
  bool is_on = true;
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    DrawingPoint at = points[i];
    const DrawingPoint& end = points[i + 1];
    double length = std::hypot(end.x - at.x, end.y - at.y);
    while (length > left) {
      at = {at.x + (end.x - at.x) * left / length, at.y + (end.y - at.y) * left / length};
      length -= left;
      if (is_on) dashes.back().push_back(at);
      is_on = !is_on;
      if (is_on) dashes.push_back({at});
      left = is_on ? kDash : kGap;
    }
    left -= length;
    if (is_on) dashes.back().push_back(end);
  }
  return dashes;
}

double distance_to_segment(double x, double y, const DrawingPoint& a, const DrawingPoint& b) {
  const double dx = b.x - a.x;
  const double dy = b.y - a.y;
  const double square = dx * dx + dy * dy;
  const double s = square > 0.0 ? std::clamp(((x - a.x) * dx + (y - a.y) * dy) / square, 0.0, 1.0) : 0.0;
  return std::hypot(x - a.x - s * dx, y - a.y - s * dy);
}

// Even-odd rule.
bool is_inside(double x, double y, const std::vector<DrawingPoint>& corners) {
  bool is_in = false;
  for (std::size_t i = 0, j = corners.size() - 1; i < corners.size(); j = i++) {
    const DrawingPoint& a = corners[i];
    const DrawingPoint& b = corners[j];
    if ((a.y > y) != (b.y > y) && x < (b.x - a.x) * (y - a.y) / (b.y - a.y) + a.x) is_in = !is_in;
  }
  return is_in;
}

}  // namespace

Canvas::Canvas(double width, double height, double scale) : scale_(scale) {
  image_.width = pixels_of(width, scale);
  image_.height = pixels_of(height, scale);
  const std::size_t count = static_cast<std::size_t>(image_.width) * static_cast<std::size_t>(image_.height);
  image_.bytes.assign(3 * count, 255);
  cover_.assign(count, 0.0F);
}

Canvas::Bounds Canvas::bounds_of(const std::vector<DrawingPoint>& points, double margin) const {
  DrawingPoint low = points.front();
  DrawingPoint high = points.front();
  for (const DrawingPoint& point : points) {
    low = {std::min(low.x, point.x), std::min(low.y, point.y)};
    high = {std::max(high.x, point.x), std::max(high.y, point.y)};
  }
  const auto within = [](double value, int most) {
    return static_cast<int>(std::clamp(value, 0.0, static_cast<double>(most)));
  };
  return {.left = within(std::floor(low.x - margin), image_.width),
          .top = within(std::floor(low.y - margin), image_.height),
          .right = within(std::ceil(high.x + margin) + 1, image_.width),
          .bottom = within(std::ceil(high.y + margin) + 1, image_.height)};
}

void Canvas::cover_segment(const DrawingPoint& a, const DrawingPoint& b, double radius) {
  const Bounds bounds = bounds_of({a, b}, radius + 1.0);
  for (int y = bounds.top; y < bounds.bottom; ++y) {
    for (int x = bounds.left; x < bounds.right; ++x) {
      const double share = radius + 0.5 - distance_to_segment(x + 0.5, y + 0.5, a, b);
      float& cover = cover_[static_cast<std::size_t>(y) * static_cast<std::size_t>(image_.width) +
                            static_cast<std::size_t>(x)];
      cover = std::max(cover, static_cast<float>(std::clamp(share, 0.0, 1.0)));
    }
  }
}

void Canvas::lay(const Bounds& bounds, const Colour& colour, double opacity) {
  for (int y = bounds.top; y < bounds.bottom; ++y) {
    for (int x = bounds.left; x < bounds.right; ++x) {
      const std::size_t i =
          static_cast<std::size_t>(y) * static_cast<std::size_t>(image_.width) + static_cast<std::size_t>(x);
      const double share = std::exchange(cover_[i], 0.0F) * opacity;
      if (share <= 0.0) continue;
      std::uint8_t* pixel = &image_.bytes[3 * i];
      const std::uint8_t wanted[] = {colour.red, colour.green, colour.blue};
      for (int c = 0; c < 3; ++c)
        pixel[c] = static_cast<std::uint8_t>(std::lround(pixel[c] + share * (wanted[c] - pixel[c])));
    }
  }
}

void Canvas::stroke(const std::vector<DrawingPoint>& points, const Stroke& stroke) {
  std::vector<DrawingPoint> scaled;
  for (const DrawingPoint& point : points) scaled.push_back({point.x * scale_, point.y * scale_});
  // thinner than a pixel: paler, as a screen would show it
  const double radius = std::max(0.5 * stroke.width * scale_, 0.4);
  for (std::size_t i = 0; i + 1 < scaled.size(); ++i) cover_segment(scaled[i], scaled[i + 1], radius);
  lay(bounds_of(scaled, radius + 1.0), stroke.colour, std::min(1.0, stroke.width * scale_));
}

void Canvas::draw(const Drawing::Line& line) {
  if (!line.stroke.is_dashed) return stroke(line.points, line.stroke);
  for (const auto& dash : dashes_of(line.points)) stroke(dash, line.stroke);
}

void Canvas::draw(const Drawing::Area& area) {
  std::vector<DrawingPoint> corners;
  for (const DrawingPoint& corner : area.corners) corners.push_back({corner.x * scale_, corner.y * scale_});
  const Bounds bounds = bounds_of(corners, 1.0);
  for (int y = bounds.top; y < bounds.bottom; ++y) {
    for (int x = bounds.left; x < bounds.right; ++x) {
      int inside = 0;
      for (int i = 0; i < kSamples; ++i)
        for (int k = 0; k < kSamples; ++k)
          inside += is_inside(x + (i + 0.5) / kSamples, y + (k + 0.5) / kSamples, corners) ? 1 : 0;
      cover_[static_cast<std::size_t>(y) * static_cast<std::size_t>(image_.width) +
             static_cast<std::size_t>(x)] = static_cast<float>(inside) / (kSamples * kSamples);
    }
  }
  lay(bounds, area.colour, area.opacity);
}

void Canvas::draw(const Drawing::Text& text) {
  const TextStyle& style = text.style;
  const double width = text_width(text.words) * style.size;
  const double shift = style.anchor == TextAnchor::Start    ? 0.0
                       : style.anchor == TextAnchor::Middle ? -0.5 * width
                                                            : -width;
  const Stroke pen{.colour = style.colour, .width = style.size * (style.is_bold ? 0.115 : 0.075)};
  for (const auto& points : text_strokes(text.words)) {
    std::vector<DrawingPoint> placed;
    for (const DrawingPoint& point : points) {
      const double along = shift + point.x * style.size;
      const double up = point.y * style.size;
      placed.push_back(style.is_upward ? DrawingPoint{text.at.x - up, text.at.y - along}
                                       : DrawingPoint{text.at.x + along, text.at.y - up});
    }
    stroke(placed, pen);
  }
}

}  // namespace sinew::picture
