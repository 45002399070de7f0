// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/picture/drawing.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <numbers>

#include <fmt/format.h>

#include "sinew/picture/canvas.h"

namespace sinew {
namespace {

bool is_finite(const DrawingPoint& point) {
  return std::isfinite(point.x) && std::isfinite(point.y);
}

std::string colour_text(const Colour& colour) {
  return fmt::format("#{:02x}{:02x}{:02x}", colour.red, colour.green, colour.blue);
}

// Bytes that are no ASCII text of ours never reach a file that others parse.
std::string escaped(std::string_view words) {
  std::string out;
  for (const char c : words) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else if (c >= ' ' && c <= '~')
      out += c;
    else
      out += '?';
  }
  return out;
}

std::string points_text(const std::vector<DrawingPoint>& points) {
  std::string out;
  for (const DrawingPoint& point : points)
    out += fmt::format("{}{:.2f},{:.2f}", out.empty() ? "" : " ", point.x, point.y);
  return out;
}

std::string svg_of(const Drawing::Line& line) {
  return fmt::format(
      "<polyline fill=\"none\" stroke=\"{}\" stroke-width=\"{:.2f}\" stroke-linejoin=\"round\" "
      "stroke-linecap=\"round\"{} points=\"{}\"/>\n",
      colour_text(line.stroke.colour), line.stroke.width,
      line.stroke.is_dashed ? " stroke-dasharray=\"6 5\"" : "", points_text(line.points));
}

std::string svg_of(const Drawing::Area& area) {
  return fmt::format("<polygon fill=\"{}\"{} points=\"{}\"/>\n", colour_text(area.colour),
                     area.opacity < 1.0 ? fmt::format(" fill-opacity=\"{:.2f}\"", area.opacity) : "",
                     points_text(area.corners));
}

std::string svg_of(const Drawing::Text& text) {
  constexpr const char* kAnchors[] = {"start", "middle", "end"};
  const std::string turned =
      text.style.is_upward ? fmt::format(" transform=\"rotate(-90 {:.2f} {:.2f})\"", text.at.x, text.at.y)
                           : "";
  return fmt::format(
      "<text x=\"{:.2f}\" y=\"{:.2f}\" font-size=\"{:.1f}\" fill=\"{}\" text-anchor=\"{}\"{}{}>{}</text>\n",
      text.at.x, text.at.y, text.style.size, colour_text(text.style.colour),
      kAnchors[static_cast<int>(text.style.anchor)], text.style.is_bold ? " font-weight=\"bold\"" : "",
      turned, escaped(text.words));
}

}  // namespace

void Drawing::line(std::vector<DrawingPoint> points, const Stroke& stroke) {
  std::erase_if(points, [](const DrawingPoint& point) { return !is_finite(point); });
  if (points.size() > 1) elements_.emplace_back(Line{std::move(points), stroke});
}

void Drawing::area(std::vector<DrawingPoint> corners, const Colour& colour, double opacity) {
  std::erase_if(corners, [](const DrawingPoint& point) { return !is_finite(point); });
  if (corners.size() > 2) elements_.emplace_back(Area{std::move(corners), colour, opacity});
}

void Drawing::disc(const DrawingPoint& centre, double radius, const Colour& colour) {
  constexpr int kCorners = 24;
  std::vector<DrawingPoint> corners;
  for (int i = 0; i < kCorners; ++i) {
    const double angle = 2.0 * std::numbers::pi * i / kCorners;
    corners.push_back({centre.x + radius * std::cos(angle), centre.y + radius * std::sin(angle)});
  }
  area(std::move(corners), colour);
}

void Drawing::text(const DrawingPoint& at, std::string words, const TextStyle& style) {
  if (is_finite(at) && !words.empty()) elements_.emplace_back(Text{at, std::move(words), style});
}

std::string Drawing::svg() const {
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" "
      "height=\"{1:.0f}\" "
      "font-family=\"Helvetica, Arial, sans-serif\">\n<rect width=\"100%\" height=\"100%\" "
      "fill=\"#ffffff\"/>\n",
      width_, height_);
  for (const Element& element : elements_)
    out += std::visit([](const auto& part) { return svg_of(part); }, element);
  return out + "</svg>\n";
}

Image Drawing::image(double scale) const {
  picture::Canvas canvas(width_, height_, scale);
  for (const Element& element : elements_) std::visit([&](const auto& part) { canvas.draw(part); }, element);
  return std::move(canvas).image();
}

Status write_drawing(const Drawing& drawing, const std::filesystem::path& path) {
  if (path.extension() == ".png") return write_png(drawing.image(), path);
  if (path.extension() != ".svg")
    return Error{ErrorCode::InvalidInput,
                 fmt::format("'{}' ends neither in .svg nor in .png: pictures are written as one of them",
                             path.string())};
  std::ofstream file(path);
  file << drawing.svg();
  file.flush();
  if (file) return Done{};
  return Error{ErrorCode::SystemFailure,
               fmt::format("cannot write {}: {}", path.string(), std::strerror(errno))};
}

}  // namespace sinew
