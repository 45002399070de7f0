// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/simulation/mjcf.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>
#include <string_view>

#include <Eigen/Eigenvalues>
#include <fmt/format.h>

#include "sinew/simulation/face_contacts.h"
#include "sinew/simulation/mesh_points.h"
#include "sinew/simulation/prism_contact.h"
#include "sinew/simulation/servo.h"

namespace sinew {
namespace {

constexpr int kPrismSides = kMostPrismSides;
constexpr double kLinkFriction = 0.8;
// of links and objects without a mass of their own
constexpr double kDensity = 500.0;

std::string escaped(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    switch (c) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      default:
        safe += c;
    }
  }
  return safe;
}

std::string pose_text(const Pose& X_AB) {
  const Quaternion R_AB = X_AB.rotation.normalized();
  return fmt::format("pos=\"{} {} {}\" quat=\"{} {} {} {}\"", X_AB.position.x(), X_AB.position.y(),
                     X_AB.position.z(), R_AB.w(), R_AB.x(), R_AB.y(), R_AB.z());
}

std::string colour_text(const Eigen::Vector4d& colour) {
  return fmt::format("rgba=\"{} {} {} {}\"", colour[0], colour[1], colour[2], colour[3]);
}

// The writer collects three parts of the file that MuJoCo wants apart.
class MjcfWriter {
 public:
  MjcfWriter(const Scene& scene, const MjcfOptions& options) : scene_(scene), options_(options) {}

  Mjcf write() {
    for (const SceneRobot& robot : scene_.robots) write_robot(robot);
    for (const SceneObject& object : scene_.objects) write_object(object);
    if (scene_.is_assisted)
      for (const SceneRobot& robot : scene_.robots) write_welds(robot);
    for (const auto& [a, b] : options_.excluded)
      contacts_ += fmt::format("<exclude body1=\"{}\" body2=\"{}\"/>\n", escaped(a), escaped(b));
    return {.text = whole(), .remarks = std::move(remarks_)};
  }

 private:
  // ---- shapes ----

  std::string mesh_of_points(std::span<const Vector3> points, std::string_view kind = "mesh") {
    std::string name = fmt::format("{}{}", kind, mesh_count_++);
    assets_ += fmt::format("<mesh name=\"{}\" vertex=\"", name);
    for (const Vector3& p : points)
      fmt::format_to(std::back_inserter(assets_), "{} {} {} ", p.x(), p.y(), p.z());
    assets_ += "\"/>\n";
    return name;
  }

  std::string prism(double radius, double length) {
    std::vector<Vector3> corners;
    for (int i = 0; i < kPrismSides; ++i) {
      const double angle = 2.0 * std::numbers::pi * i / kPrismSides;
      for (const double end : {-0.5, 0.5})
        corners.emplace_back(radius * std::cos(angle), radius * std::sin(angle), end * length);
    }
    return mesh_of_points(corners, kPrismMesh);
  }

  // MuJoCo moves a mesh to its centre of mass and turns it to its principal axes, and undoes that for the
  // geom.
  std::string geometry_text(const Shape& shape, bool is_visual) {
    switch (shape.kind) {
      case ShapeKind::Box:
        return fmt::format("type=\"box\" size=\"{} {} {}\"", shape.half_extents.x(), shape.half_extents.y(),
                           shape.half_extents.z());
      case ShapeKind::Sphere:
        return fmt::format("type=\"sphere\" size=\"{}\"", shape.radius);
      case ShapeKind::Cylinder:
        if (is_visual)
          return fmt::format("type=\"cylinder\" size=\"{} {}\"", shape.radius, 0.5 * shape.length);
        return fmt::format("type=\"mesh\" mesh=\"{}\"", prism(shape.radius, shape.length));
      case ShapeKind::Mesh:
        break;
    }
    // what is seen of a mesh is its hull too
    const auto points = hull_points_of_file(shape.mesh_path, shape.mesh_scale);
    if (!points || points->size() < 4) return {};
    return fmt::format("type=\"mesh\" mesh=\"{}\"", mesh_of_points(*points));
  }

  void write_shape(const Shape& shape, const std::string& owner, bool is_visual) {
    const std::string geometry = geometry_text(shape, is_visual);
    if (geometry.empty()) {
      remarks_.push_back(fmt::format("{}: the mesh '{}' is left out of the physics", owner, shape.mesh_name));
      return;
    }
    const Eigen::Vector4d colour = shape.colour.value_or(Eigen::Vector4d(0.6, 0.6, 0.63, 1));
    bodies_ += fmt::format("<geom class=\"{}\" {} {} {}/>\n", is_visual ? "seen" : "link", geometry,
                           pose_text(shape.X_LG), colour_text(colour));
  }

  // ---- robots ----

  void write_robot(const SceneRobot& robot) {
    robot_ = &robot;
    write_link(0, robot.X_WB);
    for (const Joint& joint : robot.model.joints) {
      if (joint.mimic) write_mimic(joint);
      if (joint.position != kNone) write_motor(joint);
    }
    for (const IgnoredPair& pair : robot.model.ignored_pairs) {
      if (pair.link_b == kNone) continue;
      contacts_ +=
          fmt::format("<exclude body1=\"{}\" body2=\"{}\"/>\n", named(robot.model.links[pair.link_a].name),
                      named(robot.model.links[pair.link_b].name));
    }
  }

  std::string named(std::string_view part) const { return escaped(robot_->name + "/" + std::string(part)); }

  void write_link(std::size_t index, const Pose& X_PL) {
    const RobotModel& model = robot_->model;
    const Link& link = model.links[index];
    bodies_ += fmt::format("<body name=\"{}\" {}>\n", named(link.name), pose_text(X_PL));
    if (link.parent_joint != kNone) write_joint(model.joints[link.parent_joint]);
    if (link.parent_joint == kNone && robot_->is_free)
      bodies_ += fmt::format("<freejoint name=\"{}\"/>\n", named(""));
    if (link.inertia) write_inertia(*link.inertia);
    for (const Shape& shape : link.collisions) write_shape(shape, named(link.name), false);
    if (options_.with_visuals)
      for (const Shape& shape : link.visuals) write_shape(shape, named(link.name), true);
    for (const std::size_t joint : link.child_joints)
      write_link(model.joints[joint].child_link, model.joints[joint].X_PJ);
    bodies_ += "</body>\n";
  }

  void write_joint(const Joint& joint) {
    if (joint.kind == JointKind::Fixed) return;
    const bool slides = joint.kind == JointKind::Prismatic;
    bodies_ += fmt::format(
        "<joint name=\"{}\" type=\"{}\" axis=\"{} {} {}\" damping=\"{}\" frictionloss=\"{}\" "
        "armature=\"{}\"",
        named(joint.name), slides ? "slide" : "hinge", joint.axis.x(), joint.axis.y(), joint.axis.z(),
        joint.damping, joint.friction, motor_inertia(joint));
    // a mimic is held by its leader
    if (!joint.mimic && std::isfinite(joint.limits.lower) && std::isfinite(joint.limits.upper) &&
        joint.limits.lower < joint.limits.upper)
      bodies_ += fmt::format(" limited=\"true\" range=\"{} {}\"", joint.limits.lower, joint.limits.upper);
    bodies_ += "/>\n";
  }

  void write_inertia(const Inertia& inertia) {
    // what is no possible body gets the inertia of a small ball of its mass
    constexpr double kBallRadius = 0.03;
    const double mass = std::max(inertia.mass, 1e-3);
    Matrix3 about_C = inertia.about_C;
    const Eigen::SelfAdjointEigenSolver<Matrix3> solver(about_C, Eigen::EigenvaluesOnly);
    if (!(solver.eigenvalues().minCoeff() > 1e-9))
      about_C = Matrix3::Identity() * 0.4 * mass * kBallRadius * kBallRadius;
    bodies_ += fmt::format("<inertial pos=\"{} {} {}\" mass=\"{}\" fullinertia=\"{} {} {} {} {} {}\"/>\n",
                           inertia.p_LC.x(), inertia.p_LC.y(), inertia.p_LC.z(), mass, about_C(0, 0),
                           about_C(1, 1), about_C(2, 2), about_C(0, 1), about_C(0, 2), about_C(1, 2));
  }

  void write_mimic(const Joint& joint) {
    const Joint& leader = robot_->model.joints[joint.mimic->joint];
    equalities_ += fmt::format(
        "<joint joint1=\"{}\" joint2=\"{}\" polycoef=\"{} {} 0 0 0\" solref=\"0.004 1\" "
        "solimp=\"0.99 0.999 0.0001\"/>\n",
        named(joint.name), named(leader.name), joint.mimic->offset, joint.mimic->factor);
  }

  // between each hand and each thing that it could hold, all off
  void write_welds(const SceneRobot& robot) {
    robot_ = &robot;
    std::vector<std::size_t> hands;
    for (const Gripper& gripper : robot.model.grippers)
      for (const GripperJoint& moved : gripper.joints)
        hands.push_back(robot.model.joints[robot.model.positions[moved.position]].parent_link);
    std::ranges::sort(hands);
    hands.erase(std::unique(hands.begin(), hands.end()), hands.end());
    for (const std::size_t hand : hands)
      for (const SceneObject& object : scene_.objects)
        if (object.is_free)
          equalities_ +=
              fmt::format("<weld body1=\"{}\" body2=\"{}\" active=\"false\" solref=\"0.004 1\"/>\n",
                          named(robot.model.links[hand].name), escaped(object.name));
  }

  void write_motor(const Joint& joint) {
    motors_ += fmt::format("<motor name=\"{0}\" joint=\"{0}\"/>\n", named(joint.name));
  }

  // ---- objects ----

  std::string object_geometry(const SceneObject& object) {
    const Vector3& size = object.size;
    switch (object.kind) {
      case ObjectKind::Box:
        return fmt::format("type=\"box\" size=\"{} {} {}\"", 0.5 * size.x(), 0.5 * size.y(), 0.5 * size.z());
      case ObjectKind::Sphere:
        return fmt::format("type=\"sphere\" size=\"{}\"", size.x());
      case ObjectKind::Cylinder:
        return fmt::format("type=\"mesh\" mesh=\"{}\"", prism(size.x(), size.y()));
      case ObjectKind::Plane:
        return "type=\"plane\" size=\"0 0 0.1\"";
      case ObjectKind::Mesh:
        return fmt::format("type=\"mesh\" mesh=\"{}\"", mesh_of_points(object.points));
      case ObjectKind::HeightField:
        break;
    }
    return fmt::format("type=\"hfield\" hfield=\"{}\"", height_field(object));
  }

  // the heights themselves are put in after loading: MJCF of this version takes them from files only
  std::string height_field(const SceneObject& object) {
    const double highest = std::ranges::max(object.grid.heights);
    assets_ += fmt::format("<hfield name=\"{}\" nrow=\"{}\" ncol=\"{}\" size=\"{} {} {} 0.1\"/>\n",
                           escaped(object.name), object.grid.rows, object.grid.columns, 0.5 * object.size.x(),
                           0.5 * object.size.y(), std::max(highest, 1e-3));
    return escaped(object.name);
  }

  void write_object(const SceneObject& object) {
    const std::string geometry = object_geometry(object);
    const std::string name = escaped(object.name);
    bodies_ += fmt::format("<body name=\"{}\" {}>\n", name, pose_text(object.X_WO));
    if (object.is_free) bodies_ += fmt::format("<freejoint name=\"{}\"/>\n", name);
    bodies_ += fmt::format(
        "<geom class=\"thing\" {} mass=\"{}\" friction=\"{} 0.005 0.0001\" {}/>\n</body>\n", geometry,
        object.is_free ? object.mass : 1.0, object.friction, colour_text(object.colour));
  }

  // ---- the file ----

  std::string whole() const {
    std::string text = "<mujoco model=\"sinew\">\n";
    text +=
        "<compiler angle=\"radian\" balanceinertia=\"true\" boundmass=\"0.0001\" boundinertia=\"1e-8\"/>\n";
    text += fmt::format(
        "<option timestep=\"{}\" gravity=\"{} {} {}\" cone=\"elliptic\" impratio=\"10\" "
        "noslip_iterations=\"3\"><flag multiccd=\"enable\"/></option>\n",
        seconds_from_nanoseconds(scene_.time_step_ns), scene_.gravity.x(), scene_.gravity.y(),
        scene_.gravity.z());
    text += "<size njmax=\"1500\" nconmax=\"400\"/>\n";
    text += fmt::format(
        "<default><geom condim=\"4\" solref=\"0.004 1\" solimp=\"0.98 0.995 0.001\" friction=\"{} 0.005 "
        "0.0001\" density=\"{}\"/>"
        "<default class=\"link\"><geom group=\"3\"/></default>"
        "<default class=\"thing\"><geom group=\"0\"/></default>"
        "<default class=\"seen\"><geom group=\"1\" contype=\"0\" conaffinity=\"0\" mass=\"0\"/></default>"
        "</default>\n",
        kLinkFriction, kDensity);
    if (options_.with_visuals) text += visual_part();
    text += "<asset>\n" + assets_ + "</asset>\n<worldbody>\n";
    if (scene_.has_floor) text += floor_part();
    text += bodies_ + "</worldbody>\n<contact>\n" + contacts_ + "</contact>\n";
    text += "<equality>\n" + equalities_ + "</equality>\n<actuator>\n" + motors_ + "</actuator>\n</mujoco>\n";
    return text;
  }

  static std::string visual_part() {
    return "<visual><global offwidth=\"1920\" offheight=\"1080\"/><quality shadowsize=\"2048\"/>"
           "<headlight ambient=\"0.35 0.35 0.35\" diffuse=\"0.45 0.45 0.45\" specular=\"0.1 0.1 0.1\"/>"
           "<map znear=\"0.01\" zfar=\"50\"/></visual>\n"
           "<asset><texture name=\"sky\" type=\"skybox\" builtin=\"gradient\" rgb1=\"0.75 0.82 0.9\" "
           "rgb2=\"0.95 0.96 0.98\" width=\"256\" height=\"256\"/>"
           "<texture name=\"floor\" type=\"2d\" builtin=\"checker\" rgb1=\"0.62 0.64 0.66\" "
           "rgb2=\"0.72 0.74 0.76\" width=\"256\" height=\"256\"/>"
           "<material name=\"floor\" texture=\"floor\" texrepeat=\"2 2\" texuniform=\"true\"/></asset>\n";
  }

  std::string floor_part() const {
    std::string text;
    if (options_.with_visuals)
      text +=
          "<light pos=\"2 -2 5\" dir=\"-0.35 0.35 -0.87\" directional=\"true\" diffuse=\"0.6 0.6 0.6\"/>\n";
    text += "<geom name=\"floor\" type=\"plane\" size=\"0 0 0.1\" friction=\"1 0.005 0.0001\"";
    return text + (options_.with_visuals ? " material=\"floor\"/>\n" : "/>\n");
  }

  const Scene& scene_;
  MjcfOptions options_;
  const SceneRobot* robot_ = nullptr;
  int mesh_count_ = 0;
  std::string assets_;
  std::string bodies_;
  std::string contacts_;
  std::string equalities_;
  std::string motors_;
  std::vector<std::string> remarks_;
};

}  // namespace

Result<Mjcf> write_mjcf(const Scene& scene, const MjcfOptions& options) {
  if (Status checked = check_scene(scene); !checked) return checked.error();
  return MjcfWriter(scene, options).write();
}

}  // namespace sinew
