// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>

#include <Eigen/Eigenvalues>
#include <fmt/format.h>

#include "sinew/base/text.h"
#include "sinew/model/text_input.h"
#include "sinew/model/urdf_parts.h"

namespace sinew::urdf {
namespace {

std::optional<Eigen::Vector4d> read_colour(const XmlElement& colour, Findings& findings) {
  const std::string text = required_text(colour, "rgba", findings);
  if (findings.has_error()) return std::nullopt;
  const auto numbers = parse_numbers(text, 4);
  if (!numbers || numbers->size() != 4) {
    findings.refuse(colour.place, fmt::format("rgba is '{}', not four numbers", shown(text)),
                    "write red, green, blue and opacity, each from 0 to 1");
    return std::nullopt;
  }
  const Eigen::Vector4d rgba((*numbers)[0], (*numbers)[1], (*numbers)[2], (*numbers)[3]);
  if (rgba.minCoeff() < 0.0 || rgba.maxCoeff() > 1.0) {
    findings.remark(colour.place, fmt::format("rgba is '{}': cut to 0 to 1", shown(text)),
                    "colours in URDF go from 0 to 1, not to 255");
  }
  return rgba.cwiseMax(0.0).cwiseMin(1.0);
}

// A size that must be positive. Zero leaves the shape out with a remark: exporters write it for "none".
double read_size(const XmlElement& element, std::string_view name, Findings& findings) {
  required_text(element, name, findings);
  const double size = number_or(element, name, 0.0, findings);
  if (size < 0.0) {
    findings.refuse(element.place,
                    fmt::format("'{}' of <{}> is {:g}, less than zero", name, element.name, size),
                    "sizes are positive, in metres");
  }
  return size;
}

void read_box(const XmlElement& element, Shape& shape, Findings& findings) {
  required_text(element, "size", findings);
  const Vector3 size = vector_or(element, "size", Vector3::Zero(), findings);
  if (size.minCoeff() < 0.0) {
    findings.refuse(
        element.place,
        fmt::format("'size' of <box> is {:g} {:g} {:g}, less than zero", size.x(), size.y(), size.z()),
        "sizes are positive, in metres");
  }
  shape.kind = ShapeKind::Box;
  shape.half_extents = size / 2.0;
}

void read_mesh(const XmlElement& element, Shape& shape, Reading& reading) {
  Findings& findings = reading.findings;
  shape.kind = ShapeKind::Mesh;
  shape.mesh_name = required_text(element, "filename", findings);
  shape.mesh_scale = vector_or(element, "scale", Vector3::Ones(), findings);
  if ((shape.mesh_scale.array() == 0.0).any()) {
    findings.refuse(element.place, "'scale' of <mesh> has a zero in it",
                    "write \"1 1 1\" for the mesh as it is");
  }
  if (const auto path = resolve_mesh(shape.mesh_name, reading.folder, reading.options)) {
    shape.mesh_path = path->string();
    return;
  }
  findings.remark(element.place, fmt::format("the mesh '{}' is missing", shown(shape.mesh_name)),
                  "put it beside the URDF, or name the folder of its package");
}

bool has_extent(const Shape& shape) {
  switch (shape.kind) {
    case ShapeKind::Box:
      return shape.half_extents.minCoeff() > 0.0;
    case ShapeKind::Sphere:
      return shape.radius > 0.0;
    case ShapeKind::Cylinder:
      return shape.radius > 0.0 && shape.length > 0.0;
    case ShapeKind::Mesh:
      return true;
  }
  return false;
}

std::optional<Shape> read_geometry(const XmlElement& element, Reading& reading) {
  Findings& findings = reading.findings;
  Shape shape;
  if (element.name == "box") {
    read_box(element, shape, findings);
  } else if (element.name == "sphere") {
    shape.kind = ShapeKind::Sphere;
    shape.radius = read_size(element, "radius", findings);
  } else if (element.name == "cylinder") {
    shape.kind = ShapeKind::Cylinder;
    shape.radius = read_size(element, "radius", findings);
    shape.length = read_size(element, "length", findings);
  } else if (element.name == "mesh") {
    read_mesh(element, shape, reading);
  } else {
    findings.remark(element.place,
                    fmt::format("the shape <{}> is not known and left out", shown(element.name)),
                    "use box, sphere, cylinder or mesh");
    return std::nullopt;
  }
  if (findings.has_error() || has_extent(shape)) return shape;
  findings.remark(element.place, fmt::format("<{}> has no extent and is left out", element.name),
                  "give it a size, or remove it");
  return std::nullopt;
}

std::optional<Shape> read_shape(const XmlElement& element, Reading& reading) {
  Findings& findings = reading.findings;
  remark_on_unknown(element, {"origin", "geometry", "material", "verbose", "contact_coefficients"},
                    {"name", "group"}, findings);
  const XmlElement* geometry = child_of(element, "geometry");
  if (geometry == nullptr || geometry->children.empty()) {
    findings.remark(element.place, fmt::format("<{}> has no shape and is left out", element.name),
                    "give it a <geometry> with a box, sphere, cylinder or mesh");
    return std::nullopt;
  }
  auto shape = read_geometry(geometry->children.front(), reading);
  if (!shape) return std::nullopt;
  shape->X_LG = read_origin(element, reading);
  if (const XmlElement* material = child_of(element, "material"); material && element.name == "visual") {
    shape->colour = read_material(*material, reading);
  }
  return shape;
}

// A body's principal moments are positive, and none exceeds the sum of the others.
void check_inertia(const Inertia& inertia, const Place& place, Findings& findings) {
  const Eigen::SelfAdjointEigenSolver<Matrix3> solver(inertia.about_C, Eigen::EigenvaluesOnly);
  const Vector3& moments = solver.eigenvalues();
  const double slack = 1e-6 * moments.cwiseAbs().maxCoeff();
  if (moments[0] < -slack || (moments[0] <= 0.0 && inertia.mass > 0.0)) {
    findings.remark(
        place, fmt::format("the inertia has a principal moment of {:g} kg m^2: no body has that", moments[0]),
        "export it anew, about the centre of mass");
  } else if (moments[2] > moments[0] + moments[1] + slack) {
    findings.remark(
        place,
        fmt::format("the principal moments {:g} {:g} {:g} kg m^2 break the triangle rule: no body has them",
                    moments[0], moments[1], moments[2]),
        "export it anew, about the centre of mass");
  }
}

Matrix3 read_inertia_matrix(const XmlElement& element, Findings& findings) {
  remark_on_unknown(element, {}, {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"}, findings);
  const double ixx = number_or(element, "ixx", 0.0, findings);
  const double ixy = number_or(element, "ixy", 0.0, findings);
  const double ixz = number_or(element, "ixz", 0.0, findings);
  const double iyy = number_or(element, "iyy", 0.0, findings);
  const double iyz = number_or(element, "iyz", 0.0, findings);
  const double izz = number_or(element, "izz", 0.0, findings);
  Matrix3 matrix;
  matrix << ixx, ixy, ixz, ixy, iyy, iyz, ixz, iyz, izz;
  return matrix;
}

void check_mass(double mass, const Place& place, Findings& findings) {
  constexpr double kHeavy = 5000.0;
  if (mass < 0.0) {
    findings.refuse(place, fmt::format("the mass is {:g} kg, less than zero", mass), "masses are positive");
  } else if (mass == 0.0) {
    findings.remark(place, "the mass is zero", "weigh the link, or leave <inertial> out");
  } else if (mass > kHeavy) {
    findings.remark(place, fmt::format("a mass of {:g} kg looks like grams", mass),
                    "URDF counts in kilograms");
  }
}

std::optional<Inertia> read_inertial(const XmlElement& element, Reading& reading) {
  Findings& findings = reading.findings;
  remark_on_unknown(element, {"origin", "mass", "inertia"}, {}, findings);
  const XmlElement* mass = child_of(element, "mass");
  const XmlElement* moments = child_of(element, "inertia");
  if (mass == nullptr || moments == nullptr) {
    findings.remark(
        element.place,
        fmt::format("<inertial> has no <{}> and is left out", mass == nullptr ? "mass" : "inertia"),
        "give it both <mass> and <inertia>");
    return std::nullopt;
  }
  required_text(*mass, "value", findings);
  const Pose X_LI = read_origin(element, reading);
  const Matrix3 R_LI = X_LI.rotation.toRotationMatrix();
  Inertia inertia{.mass = number_or(*mass, "value", 0.0, findings),
                  .p_LC = X_LI.position,
                  .about_C = R_LI * read_inertia_matrix(*moments, findings) * R_LI.transpose()};
  check_mass(inertia.mass, mass->place, findings);
  if (!inertia.about_C.allFinite()) {
    findings.refuse(moments->place, "the inertia is too large to be a number", "inertias are in kg m^2");
  }
  if (!findings.has_error()) check_inertia(inertia, moments->place, findings);
  return inertia;
}

}  // namespace

std::optional<Eigen::Vector4d> read_material(const XmlElement& element, Reading& reading) {
  const std::string* name = attribute_of(element, "name");
  if (const XmlElement* colour = child_of(element, "color")) {
    auto rgba = read_colour(*colour, reading.findings);
    if (rgba && name != nullptr && !name->empty()) reading.colours.insert_or_assign(*name, *rgba);
    return rgba;
  }
  // a texture has no colour to speak of
  if (name == nullptr || child_of(element, "texture") != nullptr) return std::nullopt;
  if (const auto known = reading.colours.find(*name); known != reading.colours.end()) return known->second;
  reading.findings.remark(element.place, fmt::format("the material '{}' is defined nowhere", shown(*name)),
                          "define it with a <color>");
  return std::nullopt;
}

LinkPart read_link(const XmlElement& element, Reading& reading) {
  LinkPart part{.link = {.name = required_text(element, "name", reading.findings)}, .place = element.place};
  remark_on_unknown(element,
                    {"inertial", "visual", "collision", "self_collision_checking", "sensor", "gazebo"},
                    {"name", "type"}, reading.findings);
  if (part.link.name.find_first_of(" \t\n") != std::string::npos) {
    reading.findings.remark(element.place,
                            fmt::format("the name '{}' has blanks in it", shown(part.link.name)),
                            "many programs split names at blanks: use '_'");
  }
  for (const XmlElement& child : element.children) {
    if (reading.findings.has_error()) break;
    if (child.name == "inertial") part.link.inertia = read_inertial(child, reading);
    if (child.name != "visual" && child.name != "collision") continue;
    auto shape = read_shape(child, reading);
    if (shape)
      (child.name == "visual" ? part.link.visuals : part.link.collisions).push_back(std::move(*shape));
  }
  return part;
}

}  // namespace sinew::urdf
