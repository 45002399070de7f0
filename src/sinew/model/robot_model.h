// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <Eigen/Core>

#include "sinew/spatial/pose.h"

namespace sinew {

/// Where no joint or link is meant.
inline constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

enum class JointKind {
  Fixed,
  Revolute,
  Continuous,  ///< Revolute without end.
  Prismatic,
};

/// "fixed", "revolute", "continuous" or "prismatic", as URDF has it.
std::string_view joint_kind_text(JointKind kind);

/// What a joint may do. Revolute in rad, prismatic in m, and their derivatives by time. Where a limit is not
/// known, it is infinite; a continuous joint has infinite positions.
struct JointLimits {
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  double velocity = std::numeric_limits<double>::infinity();
  double acceleration = std::numeric_limits<double>::infinity();
  double jerk = std::numeric_limits<double>::infinity();
  double effort = std::numeric_limits<double>::infinity();  ///< [N·m, N]
};

/// A joint that follows another: q = factor * q_of(joint) + offset.
///
/// A follower has no position of its own and is never commanded. Its own limits count through its leader:
/// when a URDF is read, the leader's range and speed are narrowed to what the follower can do, and that is
/// remarked. (Limits of width zero, as many files give followers, say nothing; a continuous leader stays
/// unlimited.) So whoever keeps the limits of the robot's positions keeps them all.
struct Mimic {
  std::size_t joint = kNone;  ///< Into RobotModel::joints; itself no mimic.
  double factor = 1.0;
  double offset = 0.0;  ///< [rad, m]
};

/// A joint J between a parent link P and a child link C. The child's frame is the joint's frame after its
/// motion.
struct Joint {
  std::string name;
  std::vector<std::string> aliases;  ///< Other names that people use for it, such as REP and RightElbowFlex.
  JointKind kind = JointKind::Fixed;
  std::size_t parent_link = kNone;  ///< Into RobotModel::links.
  std::size_t child_link = kNone;   ///< Into RobotModel::links.
  Pose X_PJ;                        ///< Where the joint is in its parent, at position zero.
  Vector3 axis = Vector3::UnitX();  ///< Of unit length, in J.
  JointLimits limits;
  std::optional<Mimic> mimic;
  double damping = 0.0;   ///< [N·m·s/rad, N·s/m]
  double friction = 0.0;  ///< [N·m, N]
  /// False: it has a motor that is not used. It keeps its place among the positions, and everything that
  /// computes treats it like any other joint; but it is not to be commanded, so whoever sends references
  /// leaves it where it is measured to be.
  bool is_enabled = true;
  std::size_t position =
      kNone;  ///< Its place among the robot's joint positions; kNone when fixed or a mimic.
};

enum class ShapeKind { Box, Sphere, Cylinder, Mesh };

/// The shape of a part of a link, in its own frame G: box and mesh around their origin, cylinder along z.
struct Shape {
  ShapeKind kind = ShapeKind::Box;
  Pose X_LG;                               ///< Where it is on its link L.
  Vector3 half_extents = Vector3::Zero();  ///< Box [m].
  double radius = 0.0;                     ///< Sphere, cylinder [m].
  double length = 0.0;                     ///< Cylinder [m].
  std::string mesh_path;                   ///< Mesh: the file, resolved; empty when it is missing.
  std::string mesh_name;                   ///< Mesh: as the URDF names it.
  Vector3 mesh_scale = Vector3::Ones();
  std::optional<Eigen::Vector4d> colour;  ///< Red, green, blue, opacity, 0 to 1; visual shapes only.
};

/// Mass, centre of mass and rotational inertia of a link L about its centre of mass, in axes of L.
struct Inertia {
  double mass = 0.0;                  ///< [kg]
  Vector3 p_LC = Vector3::Zero();     ///< Centre of mass [m].
  Matrix3 about_C = Matrix3::Zero();  ///< [kg·m²]
};

struct Link {
  std::string name;
  std::size_t parent_joint = kNone;  ///< kNone for the root.
  std::vector<std::size_t> child_joints;
  std::optional<Inertia> inertia;
  std::vector<Shape> visuals;
  std::vector<Shape> collisions;
};

/// A frame fixed to a link, such as a tool's tip.
struct ToolFrame {
  std::string name;
  std::size_t link = kNone;
  Pose X_LT;
};

/// A chain of joints that people command as one: base frame B, flange F, perhaps tools.
struct Arm {
  std::string name;
  std::size_t base_link = kNone;
  std::size_t tip_link = kNone;
  std::vector<ToolFrame> tools;
};

/// A place with a name, for programs and people to count from: a user frame U. It stands still.
struct NamedFrame {
  std::string name;
  Pose X_RU;  ///< In the root link R.
};

/// The same as an arm sees it.
struct BaseFrame {
  std::string name;
  Pose X_BU;  ///< In the arm's base B.
};

/// Joint positions under a name; one entry per position of the robot, in order, NaN where the name does not
/// say.
struct NamedPosture {
  std::string name;
  std::vector<double> positions;  ///< [rad, m]
};

/// Between joint positions q and what the device counts: a = K · J_a · q + a0. One row per actuator.
struct Actuation {
  Eigen::VectorXd scale;           ///< K: counts per rad or m at the actuator, gear and encoder included.
  Eigen::MatrixXd coupling;        ///< J_a: n_a × n_q, invertible.
  Eigen::MatrixXd inverse;         ///< J_a⁻¹.
  Eigen::VectorXd offset;          ///< a0 [counts].
  std::vector<std::string> names;  ///< Of the actuators: on a bus, their addresses.
};

/// Two links that are never checked against each other, and why; link_b kNone: link_a stands on the floor.
struct IgnoredPair {
  std::size_t link_a = kNone;
  std::size_t link_b = kNone;
  std::string reason;  ///< "adjacent", "always", "never", or a person's words.
};

enum class WorkspaceKind : std::uint8_t {
  KeepOut,  ///< A box that nothing concerned may enter.
  KeepIn,   ///< A box that nothing concerned may leave.
  Plane,    ///< What is concerned stays on the side to which z points.
};

/// A bound that the robot keeps to wherever it stands, besides the objects of its world.
struct WorkspaceBound {
  std::string name;
  WorkspaceKind kind = WorkspaceKind::KeepOut;
  Pose X_WO;                               ///< In the frame of the root link: the middle of a box.
  Vector3 half_extents = Vector3::Zero();  ///< Of a box [m].
  std::vector<std::size_t> links;          ///< Whose shapes it concerns.
  std::vector<ToolFrame> points;  ///< Points of the robot that it concerns, such as the tips of tools.
  bool concerns_held = false;     ///< Also what a gripper holds.
};

inline constexpr std::size_t kMostWorkspaceBounds = 16;

inline constexpr std::uint32_t kMostDigitalPorts = 64;  ///< Of inputs, and of outputs.
inline constexpr std::uint32_t kMostAnalogPorts = 16;   ///< Of inputs, and of outputs.

/// An input or output of the device under the name that people have for it.
struct IoPort {
  std::string name;
  std::uint32_t number = 0;  ///< The device's, from 0; digital and analog count apart.
  bool is_analog = false;
  bool is_off_at_stop = false;  ///< An output: off, or zero, once the robot is stopped or at fault.
};

/// A joint that moves the fingers of a gripper, and where it is when they are open and closed.
struct GripperJoint {
  std::size_t position = kNone;  ///< Its place among the robot's joint positions.
  double open = 0.0;             ///< [rad, m]
  double closed = 0.0;           ///< [rad, m]
};

/// Something that grips: joints, whose positions go linearly with the opening width, or an output that closes
/// it when it is on.
struct Gripper {
  std::string name;
  std::vector<GripperJoint> joints;                        ///< Empty: it hangs on an output.
  double open_width = 0.0;                                 ///< [m]
  double closed_width = 0.0;                               ///< [m]
  double speed = std::numeric_limits<double>::infinity();  ///< [m/s] Of the width, at most.
  double force = std::numeric_limits<double>::infinity();  ///< [N] At most.
  std::size_t output = kNone;                              ///< Into RobotModel::outputs.
  double time = 0.0;                                       ///< [s] That it takes, with an output.
};

/// Where `joint` is when the gripper is open to `width` [m]; widths beyond its range are those of its ends.
double gripper_position(const Gripper& gripper, const GripperJoint& joint, double width);

/// A switch that a cam of a joint closes, by which the device finds out where that joint is.
struct HomeSwitch {
  std::size_t position = kNone;  ///< The joint's place among the robot's joint positions.
  double edge = 0.0;             ///< [rad, m] Where it closes, coming from below: that is what is looked for.
  double width = 0.0;            ///< [rad, m] It is closed from the edge so far upwards.
  double speed = 0.0;            ///< [rad/s, m/s] Of the search.
  double latch_speed = 0.0;      ///< [rad/s, m/s] When the edge is taken.
};

/// A robot: a tree of links and joints with all that is true of it. Read once, then never changed and shared
/// by all.
struct RobotModel {
  std::string name;
  std::vector<Link> links;    ///< The first is the root.
  std::vector<Joint> joints;  ///< Parents before children.
  std::vector<std::size_t>
      positions;  ///< The joints that have a position of their own, in order: q[i] is joints[positions[i]].
  std::vector<Arm> arms;
  std::vector<NamedPosture> postures;  ///< "home" among them when the robot has one.
  std::vector<NamedFrame> frames;
  std::optional<Actuation> actuation;
  std::vector<IgnoredPair> ignored_pairs;
  std::vector<WorkspaceBound> workspace;  ///< At most kMostWorkspaceBounds.
  std::vector<IoPort> inputs;             ///< Digital ones, then analog ones.
  std::vector<IoPort> outputs;            ///< Likewise.
  std::vector<Gripper> grippers;
  std::vector<HomeSwitch> homing;  ///< In the order of the search; none: the device knows where it is.
};

/// The link, joint (by name or alias) or arm of that name; kNone when there is none.
std::size_t find_link(const RobotModel& model, std::string_view name);
std::size_t find_joint(const RobotModel& model, std::string_view name);
std::size_t find_arm(const RobotModel& model, std::string_view name);

/// The digital or analog port of that name, or of that number in digits; null when there is none.
const IoPort* find_port(const std::vector<IoPort>& ports, std::string_view name, bool is_analog);

/// The joints from `base_link` out to `tip_link`, in order, fixed ones included; nothing when the tip does
/// not hang on the base.
std::optional<std::vector<std::size_t>> joints_between(const RobotModel& model, std::size_t base_link,
                                                       std::size_t tip_link);

/// X_RL of a link in the root link; nothing when joints move it.
std::optional<Pose> fixed_place(const RobotModel& model, std::size_t link);

/// The frames as seen from a base link; none when joints move that.
std::vector<BaseFrame> frames_in(const RobotModel& model, std::size_t base_link);

}  // namespace sinew
