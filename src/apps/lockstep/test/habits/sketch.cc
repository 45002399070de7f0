// SPDX-License-Identifier: BSD-3-Clause
#include "apps/lockstep/test/habits/sketch.h"

#include <map>
#include <sstream>

#include <fmt/format.h>

#include "sinew/base/assert.h"

namespace sinew {
namespace {

std::vector<std::string> split(std::string_view text, char at) {
  std::vector<std::string> parts;
  std::string part;
  std::istringstream in{std::string(text)};
  while (std::getline(in, part, at))
    if (!part.empty()) parts.push_back(part);
  return parts;
}

// "1,2,3" as URDF writes it.
std::string blanks(std::string text) {
  for (char& c : text)
    if (c == ',') c = ' ';
  return text;
}

std::string axis_of(const std::string& word) {
  const std::map<std::string, std::string> known{{"x", "1 0 0"},   {"y", "0 1 0"},   {"z", "0 0 1"},
                                                 {"-x", "-1 0 0"}, {"-y", "0 -1 0"}, {"-z", "0 0 -1"}};
  const auto found = known.find(word);
  return found == known.end() ? blanks(word) : found->second;
}

std::string shape_text(const std::string& shape) {
  const std::size_t at = shape.find('@');
  const std::string place = at == std::string::npos ? "0 0 0" : blanks(shape.substr(at + 1));
  const std::string what = shape.substr(0, at);
  const std::string figures = what.substr(what.find(':') + 1);
  std::string geometry = fmt::format("<box size=\"{}\"/>", blanks(figures));
  if (what.starts_with("mesh:")) geometry = fmt::format("<mesh filename=\"{}\"/>", figures);
  if (what.starts_with("cyl:")) {
    const auto numbers = split(figures, ',');
    geometry = fmt::format("<cylinder radius=\"{}\" length=\"{}\"/>", numbers.at(0), numbers.at(1));
  }
  std::string text;
  for (const char* kind : {"visual", "collision"})
    text +=
        fmt::format("    <{0}><origin xyz=\"{1}\"/><geometry>{2}</geometry></{0}>\n", kind, place, geometry);
  return text;
}

std::string limit_text(const std::string& limits, const std::string& velocity_and_effort) {
  if (limits == "-") return {};
  const auto most = split(velocity_and_effort, ',');
  std::string ends;
  if (limits != "none") {
    const auto both = split(limits, ',');
    ends = fmt::format("lower=\"{}\" upper=\"{}\" ", both.at(0), both.at(1));
  }
  return fmt::format("    <limit {}velocity=\"{}\" effort=\"{}\"/>\n", ends, most.at(0), most.at(1));
}

std::string type_of(const std::string& kind) {
  const std::map<std::string, std::string> types{
      {"r", "revolute"}, {"c", "continuous"}, {"p", "prismatic"}, {"f", "fixed"}};
  const auto found = types.find(kind);
  return found == types.end() ? kind : found->second;
}

// '~' stands for a blank within a name
std::string with_blanks(std::string word) {
  for (char& c : word)
    if (c == '~') c = ' ';
  return word;
}

}  // namespace

Sketch::Sketch(std::string name, std::string root, std::string_view shapes_of_root) : name_(std::move(name)) {
  add_link(root, shapes_of_root == "-" ? "-" : "10", shapes_of_root);
}

void Sketch::add_link(const std::string& name, std::string_view mass, std::string_view shapes) {
  body_ += fmt::format("  <link name=\"{}\">\n", name);
  if (mass != "-") {
    const std::string moment = mass == "0" ? "0" : fmt::format("{:g}", 0.003 * std::stod(std::string(mass)));
    body_ += fmt::format(
        "    <inertial><mass value=\"{0}\"/><inertia ixx=\"{1}\" iyy=\"{1}\" izz=\"{1}\" ixy=\"0\" ixz=\"0\" "
        "iyz=\"0\"/></inertial>\n",
        mass, moment);
  }
  const std::string all(shapes.empty() ? "box:0.03,0.03,0.03" : shapes);
  if (all != "-")
    for (const std::string& shape : split(all, ';')) body_ += shape_text(shape);
  body_ += "  </link>\n";
}

Sketch& Sketch::add(std::string_view lines) {
  for (const std::string& line : split(lines, '\n')) {
    const auto words = split(line, ' ');
    if (!words.empty()) add_line(words);
  }
  return *this;
}

void Sketch::add_line(const std::vector<std::string>& words) {
  const bool moves = words.at(0) == "r" || words.at(0) == "c" || words.at(0) == "p";
  const std::size_t fixed_words = moves ? 8 : 5;
  SINEW_ASSERT(words.size() >= fixed_words);
  std::map<std::string, std::string> more;
  for (std::size_t i = fixed_words; i < words.size(); ++i) {
    const std::size_t equals = words[i].find('=');
    more[words[i].substr(0, equals)] = words[i].substr(equals + 1);
  }
  add_link(with_blanks(words[3]),
           more.contains("m") ? more["m"]
           : moves            ? "1"
                              : "-",
           more.contains("s") ? more["s"]
           : moves            ? ""
                              : "-");
  body_ += fmt::format("  <joint name=\"{}\" type=\"{}\">\n", with_blanks(words[1]), type_of(words[0]));
  body_ += fmt::format("    <parent link=\"{}\"/><child link=\"{}\"/><origin xyz=\"{}\" rpy=\"{}\"/>\n",
                       with_blanks(words[2]), with_blanks(words[3]), blanks(words[4]),
                       more.contains("rpy") ? blanks(more["rpy"]) : "0 0 0");
  if (moves) {
    body_ += fmt::format("    <axis xyz=\"{}\"/>\n{}{}", axis_of(words[5]), limit_text(words[6], words[7]),
                         in_joints_);
  }
  if (more.contains("mimic")) {
    const auto parts = split(more["mimic"], ',');
    body_ += fmt::format("    <mimic joint=\"{}\" multiplier=\"{}\" offset=\"{}\"/>\n", parts.at(0),
                         parts.at(1), parts.at(2));
  }
  body_ += "  </joint>\n";
}

Sketch& Sketch::raw(std::string_view xml) {
  body_ += xml;
  return *this;
}

Sketch& Sketch::in_joints(std::string xml) {
  in_joints_ = std::move(xml);
  return *this;
}

std::string Sketch::text() const {
  return "<?xml version=\"1.0\" ?>\n<robot name=\"" + name_ + "\">\n" + body_ + "</robot>\n";
}

}  // namespace sinew
