// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/model/new_robot.h"

#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <map>
#include <numbers>
#include <set>

#include <fmt/format.h>

#include "sinew/model/chains.h"
#include "sinew/model/holding_effort.h"
#include "sinew/model/load_robot.h"
#include "sinew/model/srdf.h"
#include "sinew/model/text_input.h"
#include "sinew/model/urdf.h"
#include "sinew/model/urdf_parts.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostCopiedBytes = std::size_t{256} << 20U;  // of a mesh

Status write_file(const fs::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.flush();
  if (file) return Done{};
  return Error{ErrorCode::SystemFailure,
               fmt::format("cannot write {}: {}", path.string(), std::strerror(errno))};
}

// ---- the URDF and its meshes ----

// Copies each mesh into the folder and lets the URDF name the copy.
class MeshMover {
 public:
  MeshMover(fs::path source, fs::path target, const UrdfOptions& options)
      : source_(std::move(source)), target_(std::move(target)), options_(options) {}

  Status move(XmlElement& element) {
    for (XmlAttribute& attribute : element.attributes) {
      if (element.name != "mesh" || attribute.name != "filename") continue;
      if (Status moved = move_file(attribute.value); !moved) return moved;
    }
    for (XmlElement& child : element.children) {
      if (Status moved = move(child); !moved) return moved;
    }
    return Done{};
  }

 private:
  Status move_file(std::string& name) {
    const auto path = urdf::resolve_mesh(trimmed(name), source_, options_);
    if (!path) {
      // who loads the robot later may read more than those who made it: nothing elsewhere stays named
      if (options_.files->is_confined()) name = unused_name(fs::path(trimmed(name)).filename().string());
      return Done{};
    }
    const auto [known, is_new] = moved_.emplace(path->string(), "");
    if (is_new) {
      known->second = unused_name(path->filename().string());
      if (Status copied = copy_file(*path, target_ / known->second); !copied) return copied;
    }
    name = known->second;
    return Done{};
  }

  Status copy_file(const fs::path& from, const fs::path& to) const {
    const auto bytes =
        options_.files->read(from, {.what = "mesh", .most_bytes = kMostCopiedBytes, .remedy = "simplify it"});
    if (!bytes) return bytes.error();
    std::error_code error;
    fs::create_directories(to.parent_path(), error);
    if (error)
      return Error{ErrorCode::SystemFailure,
                   fmt::format("cannot make {}: {}", to.parent_path().string(), error.message())};
    return write_file(to, *bytes);
  }

  std::string unused_name(const std::string& file) {
    std::string name = "meshes/" + file;
    for (int i = 2; !names_.insert(name).second; ++i) name = fmt::format("meshes/{}_{}", i, file);
    return name;
  }

  fs::path source_;
  fs::path target_;
  const UrdfOptions& options_;
  std::map<std::string, std::string> moved_;
  std::set<std::string> names_;
};

// ---- proposals ----

// A name as YAML takes it whatever is in it.
std::string yaml_quoted(std::string_view name) {
  std::string text = "\"";
  for (const char c : name) {
    if (c == '"' || c == '\\') text += '\\';
    text += c;
  }
  return text + "\"";
}

struct Proposal {
  std::string limits;  // lines of robot.yaml
  std::string home;    // entries of its map
  std::vector<Remark> remarks;
};

// What is assumed of a joint that says nothing: a gentle speed, reached in a quarter of a second.
constexpr double kTurnSpeed = 1.0;             // [rad/s]
constexpr double kSlideSpeed = 0.1;            // [m/s]
constexpr double kSpeedsPerSecond = 4.0;       // acceleration by speed [1/s]
constexpr double kJerkPerAcceleration = 10.0;  // [1/s]
constexpr double kSlideRange = 0.1;            // [m]

// What a motor must give that the weight of the robot asks nearly all of, or more: the description leaves out
// the spring or the gear that relieves it.
void propose_effort(const Joint& joint, double holding, const std::string& file,
                    std::vector<std::string>& entries, Proposal& proposal) {
  constexpr double kMostShare = 0.8;
  constexpr double kReserve = 1.5;
  if (!std::isfinite(joint.limits.effort) || holding <= kMostShare * joint.limits.effort) return;
  const char* unit = joint.kind == JointKind::Prismatic ? "N" : "N m";
  entries.push_back(fmt::format("effort: {:.4g}", kReserve * holding));
  proposal.remarks.push_back(
      {.place = {.file = file},
       .what =
           fmt::format("joint '{}' may give {:g} {}, and the robot's own weight asks up to {:.4g} {} of it: "
                       "{:.4g} {} is taken, as if a spring relieved it",
                       joint.name, joint.limits.effort, unit, holding, unit, kReserve * holding, unit),
       .remedy = "check masses and effort, and mend 'effort' in robot.yaml"});
}

// `home`: where the SRDF puts it, or NaN. `holding`: what the robot's weight asks of it.
void propose_joint(const Joint& joint, double home, double holding, const std::string& file,
                   Proposal& proposal) {
  std::vector<std::string> entries;
  std::vector<std::string> told;
  const auto propose = [&](const char* name, double value, bool is_told) {
    entries.push_back(fmt::format("{}: {:.6g}", name, value));
    if (is_told) told.push_back(entries.back());
  };
  JointLimits limits = joint.limits;
  const bool slides = joint.kind == JointKind::Prismatic;
  if (joint.kind != JointKind::Continuous && !(std::isfinite(limits.lower) && std::isfinite(limits.upper))) {
    limits.lower = slides ? 0.0 : -std::numbers::pi;
    limits.upper = slides ? kSlideRange : std::numbers::pi;
    propose("lower", limits.lower, true);
    propose("upper", limits.upper, true);
  }
  if (!std::isfinite(limits.velocity)) {
    limits.velocity = slides ? kSlideSpeed : kTurnSpeed;
    propose("velocity", limits.velocity, true);
  }
  // no URDF says these, so a remark on each would tell nothing
  if (!std::isfinite(limits.acceleration)) {
    limits.acceleration = limits.velocity * kSpeedsPerSecond;
    propose("acceleration", limits.acceleration, false);
  }
  if (!std::isfinite(limits.jerk)) propose("jerk", limits.acceleration * kJerkPerAcceleration, false);
  propose_effort(joint, holding, file, entries, proposal);
  if (!entries.empty())
    proposal.limits += fmt::format("  {}: {{{}}}\n", yaml_quoted(joint.name), fmt::join(entries, ", "));
  if (!told.empty()) {
    proposal.remarks.push_back({.place = {.file = file},
                                .what = fmt::format("joint '{}' got {}, which the URDF does not say",
                                                    joint.name, fmt::join(told, ", ")),
                                .remedy = "check it in robot.yaml"});
  }
  const bool has_zero = joint.kind == JointKind::Continuous || (limits.lower <= 0.0 && limits.upper >= 0.0);
  if (std::isnan(home)) home = has_zero ? 0.0 : (limits.lower + limits.upper) / 2.0;
  proposal.home +=
      fmt::format("{}{}: {:.9g}", proposal.home.empty() ? "" : ", ", yaml_quoted(joint.name), home);
}

std::string arms_text(const RobotModel& model, const std::vector<Arm>& arms) {
  std::string text;
  for (const Arm& arm : arms) {
    text += fmt::format(
        "  - {{name: {}, base: {}, tip: {}, tools: [{{name: tool, xyz: [0, 0, 0], rpy: [0, 0, 0]}}]}}\n",
        yaml_quoted(arm.name), yaml_quoted(model.links[arm.base_link].name),
        yaml_quoted(model.links[arm.tip_link].name));
  }
  return text;
}

std::string yaml_text(const RobotModel& model, const std::vector<Arm>& arms, const Proposal& proposal) {
  std::string text = "# Made by 'sinew new'; yours to change.\nurdf: robot.urdf\n";
  if (!arms.empty()) text += "\narms:\n" + arms_text(model, arms);
  if (!proposal.home.empty()) text += fmt::format("\nhome: {{{}}}\n", proposal.home);
  if (!proposal.limits.empty()) {
    text += "\n# proposed: the URDF does not say these, or says what cannot be; rad, m and s\nlimits:\n" +
            proposal.limits;
  }
  return text;
}

Status prepare_folder(const fs::path& folder, bool may_replace) {
  std::error_code error;
  if (!may_replace && fs::exists(folder / "robot.yaml", error)) {
    return Error{
        ErrorCode::AlreadyExists,
        fmt::format("{} holds a robot already; name another folder, or say --replace", folder.string())};
  }
  fs::create_directories(folder, error);
  if (!error) return Done{};
  return Error{ErrorCode::SystemFailure, fmt::format("cannot make {}: {}", folder.string(), error.message())};
}

// What is left of xacro would be expanded by whoever loads the robot, with his freedom.
void remove_xacro(XmlElement& element) {
  static constexpr std::string_view kXacro = "xacro:";
  std::erase_if(element.attributes, [](const XmlAttribute& attribute) {
    return attribute.name == "xmlns:xacro" || attribute.name.starts_with(kXacro);
  });
  std::erase_if(element.children, [](const XmlElement& child) { return child.name.starts_with(kXacro); });
  for (XmlElement& child : element.children) remove_xacro(child);
}

// ---- arms ----

std::string list_of_links(const RobotModel& model, const std::vector<std::size_t>& links) {
  constexpr std::size_t kMost = 8;
  std::string text;
  for (std::size_t i = 0; i < std::min(links.size(), kMost); ++i)
    text += fmt::format("{}'{}'", i == 0 ? "" : ", ", model.links[links[i]].name);
  return text + (links.size() > kMost ? fmt::format(" and {} more", links.size() - kMost) : "");
}

// What was chosen of a chain's ends, why, and what else there is.
Remark remark_on_chain(const RobotModel& model, const FoundChain& chain, bool is_longest,
                       const std::string& file) {
  const Arm& arm = chain.arm;
  std::string what =
      fmt::format("arm '{}' goes from '{}' to '{}' by {} joints that are driven: {}{}", arm.name,
                  model.links[arm.base_link].name, model.links[arm.tip_link].name, chain.joints,
                  is_longest ? "the longest chain there is, and " : "", chain.why);
  if (!chain.sides.empty()) {
    std::vector<std::string> names;
    for (const std::size_t j : chain.sides) names.push_back(fmt::format("'{}'", model.joints[j].name));
    what += fmt::format("; what begins with {} branches off it", fmt::join(names, ", "));
  }
  std::string remedy = "to choose otherwise, change its base and tip in robot.yaml";
  if (!chain.other_tips.empty()) remedy += "; other tips: " + list_of_links(model, chain.other_tips);
  if (!chain.other_bases.empty()) remedy += "; other bases: " + list_of_links(model, chain.other_bases);
  return {.place = {.file = file}, .what = std::move(what), .remedy = std::move(remedy)};
}

// The arms of the SRDF, or else those that the tree seems to have.
std::vector<Arm> choose_arms(const RobotModel& model, const std::string& file, std::vector<Remark>& remarks) {
  std::vector<Arm> arms = model.arms;
  for (Arm& arm : arms) {
    remarks.push_back({.place = {.file = file},
                       .what = fmt::format("arm '{}' goes from '{}' to '{}', as the SRDF has it", arm.name,
                                           model.links[arm.base_link].name, model.links[arm.tip_link].name),
                       .remedy = "to choose otherwise, change its base and tip in robot.yaml"});
    // its end effectors come from the SRDF each time
    arm.tools = {{.name = "tool", .link = arm.tip_link, .X_LT = {}}};
  }
  if (!arms.empty()) return arms;
  for (FoundChain& chain : look_for_chains(model)) {
    remarks.push_back(remark_on_chain(model, chain, arms.empty(), file));
    arms.push_back(std::move(chain.arm));
  }
  return arms;
}

// Puts the SRDF into the model and answers its text; empty: there is none.
Result<std::string> read_srdf(const fs::path& urdf, const NewRobotOptions& options, ReadRobot& robot) {
  const auto path = find_srdf(urdf, robot.model.name, *options.files, options.srdf);
  if (!path) return path.error();
  if (path->empty()) return std::string();
  auto text = read_text_file(*path, *options.files);
  if (!text) return text;
  auto remarks = apply_srdf_text(*text, *path, robot.model);
  if (!remarks) return remarks.error();
  robot.remarks.insert(robot.remarks.end(), remarks->begin(), remarks->end());
  return text;
}

double home_of(const RobotModel& model, std::size_t position) {
  for (const NamedPosture& posture : model.postures)
    if (posture.name == "home") return posture.positions[position];
  return std::numeric_limits<double>::quiet_NaN();
}

Status write_robot(XmlElement root, const fs::path& urdf, const fs::path& folder, const UrdfOptions& options,
                   const std::string& yaml) {
  remove_xacro(root);
  if (Status moved = MeshMover(urdf.parent_path(), folder, options).move(root); !moved) return moved;
  if (Status written = write_file(folder / "robot.urdf", xml_text(root)); !written) return written;
  return write_file(folder / "robot.yaml", yaml);
}

void append(std::vector<Remark>& remarks, std::vector<Remark> more) {
  remarks.insert(remarks.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

std::vector<std::string> moving_links(const RobotModel& model, bool (*lacks)(const Link&)) {
  std::vector<std::string> names;
  for (const Joint& joint : model.joints) {
    const Link& link = model.links[joint.child_link];
    if (joint.kind != JointKind::Fixed && lacks(link)) names.push_back(link.name);
  }
  return names;
}

}  // namespace

std::vector<Remark> remarks_on_gaps(const RobotModel& model, const std::string& file) {
  std::vector<Remark> remarks;
  const auto remark = [&](std::string what, std::string remedy) {
    remarks.push_back({.place = {.file = file}, .what = std::move(what), .remedy = std::move(remedy)});
  };
  if (const auto names = moving_links(model, [](const Link& link) { return !link.inertia; });
      !names.empty()) {
    remark(fmt::format("links without a mass: {}", fmt::join(names, ", ")), "simulation needs <inertial>");
  }
  if (const auto names = moving_links(model, [](const Link& link) { return link.collisions.empty(); });
      !names.empty()) {
    remark(fmt::format("links without a shape to collide with: {}", fmt::join(names, ", ")),
           "give them <collision>, or they pass through everything");
  }
  if (model.positions.empty()) remark("no joint moves", "is it the right file?");
  return remarks;
}

Result<NewRobot> make_robot_folder(const fs::path& urdf, const fs::path& folder,
                                   const NewRobotOptions& options) {
  const UrdfOptions urdf_options{.package_paths = options.package_paths,
                                 .xacro_arguments = options.xacro_arguments,
                                 .files = options.files};
  auto xml = read_robot_xml(urdf, urdf_options);
  if (!xml) return xml.error();
  auto read = read_urdf_tree(xml->root, urdf, urdf_options);
  if (!read) return read.error();
  const auto srdf = read_srdf(urdf, options, *read);
  if (!srdf) return srdf.error();
  if (Status ready = prepare_folder(folder, options.may_replace); !ready) return ready.error();

  Proposal proposal;
  const RobotModel& model = read->model;
  const std::vector<Arm> arms = choose_arms(model, urdf.string(), proposal.remarks);
  const std::vector<double> holding = holding_efforts(model);
  for (std::size_t i = 0; i < model.positions.size(); ++i)
    propose_joint(model.joints[model.positions[i]], home_of(model, i), holding[i], urdf.string(), proposal);
  const std::string yaml = yaml_text(model, arms, proposal);
  if (Status written = write_robot(std::move(xml->root), urdf, folder, urdf_options, yaml); !written)
    return written.error();
  if (!srdf->empty()) {
    if (Status written = write_file(folder / "robot.srdf", *srdf); !written) return written.error();
  }

  // what was made must load
  auto loaded = load_robot(
      folder.string(), {.robot_paths = {}, .package_paths = options.package_paths, .files = options.files});
  if (!loaded) return loaded.error();
  NewRobot robot{.model = std::move(loaded->model), .remarks = std::move(xml->remarks), .folder = folder};
  append(robot.remarks, std::move(read->remarks));
  append(robot.remarks, std::move(proposal.remarks));
  append(robot.remarks, remarks_on_gaps(robot.model, urdf.string()));
  if (robot.model.arms.empty()) {
    robot.remarks.push_back({.place = {.file = urdf.string()},
                             .what = "no chain of three joints or more was found",
                             .remedy = "write the arms into robot.yaml if there are any"});
  }
  return robot;
}

}  // namespace sinew
