// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sinew {

/// Writes a URDF from lines such as
///   r shoulder base upper 0,0,0.3 z -1,1 2,50 m=3 s=box:0.1,0.1,0.3@0,0,0.1
/// kind (r, c, p, f, floating, planar), joint, parent, child, place; of joints that move: axis, limits (or
/// "-": no <limit>; "none": one without ends), velocity and effort. Then, as NAME=VALUE: rpy, m (mass of the
/// child, 1 without; "-": no <inertial>), s (its shapes, ';' between them: box:X,Y,Z, cyl:R,L, mesh:FILE,
/// each with
/// @X,Y,Z; "-": none; a small box without), mimic (JOINT,FACTOR,OFFSET), raw (a line of XML by its key).
class Sketch {
 public:
  explicit Sketch(std::string name, std::string root, std::string_view shapes_of_root = "");

  Sketch& add(std::string_view lines);
  /// XML as it is, at the end of the robot.
  Sketch& raw(std::string_view xml);
  /// XML as it is, in each joint that moves.
  Sketch& in_joints(std::string xml);
  std::string text() const;

 private:
  void add_line(const std::vector<std::string>& words);
  void add_link(const std::string& name, std::string_view mass, std::string_view shapes);

  std::string name_;
  std::string in_joints_;
  std::string body_;
};

}  // namespace sinew
