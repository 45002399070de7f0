// SPDX-License-Identifier: BSD-3-Clause
#include "apps/cli/collision_pairs.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>

#include <fmt/format.h>

#include "sinew/base/text.h"
#include "sinew/collision/collision_checker.h"
#include "sinew/collision/ignored_pairs.h"
#include "sinew/control/settings.h"
#include "sinew/mesh/mesh_points.h"
#include "sinew/model/positions.h"

namespace sinew::cli {
namespace {

std::string quoted_name(const std::string& name) {
  std::string text = "\"";
  for (const char c : name) {
    if (c == '"' || c == '\\') text += '\\';
    text += c;
  }
  return text + "\"";
}

/// A bar on a terminal; nothing elsewhere.
class ProgressBar {
 public:
  ~ProgressBar() {
    if (is_terminal_ && shown_ >= 0) std::fputs("\r\x1b[K", stderr);
  }
  void show(double done) {
    constexpr int kWidth = 40;
    const int filled = static_cast<int>(done * kWidth);
    if (!is_terminal_ || filled == shown_) return;
    shown_ = filled;
    const std::string bar = std::string(static_cast<std::size_t>(filled), '#') +
                            std::string(static_cast<std::size_t>(kWidth - filled), '.');
    std::fputs(fmt::format("\rpairs that need no check [{}]", bar).c_str(), stderr);
    std::fflush(stderr);
  }

 private:
  bool is_terminal_ = isatty(STDERR_FILENO) == 1;
  int shown_ = -1;
};

// The guard's margin where the robot stands at home: two links that are nearer than that would keep it there.
Status fit_margin(NewRobot& robot, const MeshPoints& points, std::string& yaml) {
  const auto shapes = RobotShapes::make(robot.model, {.mesh_points = points});
  if (!shapes) return shapes.error();
  const CheckResult at_home = CollisionChecker(*shapes).nearest(starting_positions(robot.model));
  const RobotControl usual;
  // so that a step from there is not the last
  constexpr double kRoom = 1e-3;
  const double apart = at_home.contact.distance;
  const bool is_free = apart > usual.margin + usual.tracking_allowance + kRoom;
  if (at_home.verdict == Verdict::InvalidInput || at_home.contact.link_b == kNone || is_free) return Done{};
  const double margin = std::clamp(0.5 * apart - usual.tracking_allowance, 0.0, usual.margin);
  const std::string pair = fmt::format(
      "'{}' and '{}' are {} apart at home", shown_text(robot.model.links[at_home.contact.link_a].name),
      shown_text(robot.model.links[at_home.contact.link_b].name), length_text(apart));
  yaml += fmt::format("\n# {}\ncontrol: {{margin: {:.6f}}}\n", pair, margin);
  robot.remarks.push_back(
      {.place = {.file = (robot.folder / "robot.yaml").string()},
       .what =
           fmt::format("{}, so the guard keeps {} besides {} for tracking instead of {}", pair,
                       length_text(margin), length_text(usual.tracking_allowance), length_text(usual.margin)),
       .remedy =
           "choose a home where they are further apart, and remove 'margin' from 'control' in robot.yaml"});
  return Done{};
}

}  // namespace

std::string ignored_pairs_yaml(const RobotModel& model, std::size_t first) {
  std::string text;
  for (std::size_t i = first; i < model.ignored_pairs.size(); ++i) {
    const IgnoredPair& pair = model.ignored_pairs[i];
    text += fmt::format("  - {{a: {}, b: {}, reason: {}}}\n", quoted_name(model.links[pair.link_a].name),
                        quoted_name(model.links[pair.link_b].name), quoted_name(pair.reason));
  }
  return text.empty() ? text : "\n# pairs of links that need no check for collision\nignored_pairs:\n" + text;
}

Status add_ignored_pairs(NewRobot& robot, const RobotFiles& files, std::size_t samples) {
  const auto points = [&files](const Shape& shape) { return points_of_mesh_in(files, shape); };
  const auto shapes = RobotShapes::make(robot.model, {.mesh_points = points});
  if (!shapes) return shapes.error();
  const std::string file = (robot.folder / "robot.yaml").string();
  for (const std::string& text : shapes->missing()) {
    robot.remarks.push_back({.place = {.file = (robot.folder / "robot.urdf").string()},
                             .what = text,
                             .remedy = "give it a box, sphere or cylinder as <collision>"});
  }
  ProgressBar bar;
  PairSearch found =
      find_ignored_pairs(*shapes, {.samples = samples, .progress = [&](double done) { bar.show(done); }});
  const std::size_t first = robot.model.ignored_pairs.size();
  robot.model.ignored_pairs.insert(robot.model.ignored_pairs.end(), found.ignored.begin(),
                                   found.ignored.end());
  std::string text = ignored_pairs_yaml(robot.model, first);
  if (Status fitted = fit_margin(robot, points, text); !fitted) return fitted.error();
  std::ofstream yaml(file, std::ios::binary | std::ios::app);
  yaml << text;
  yaml.flush();
  if (yaml) return Done{};
  return Error{ErrorCode::SystemFailure, fmt::format("cannot write {}: {}", file, std::strerror(errno))};
}

}  // namespace sinew::cli
