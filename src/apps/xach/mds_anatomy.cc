// SPDX-License-Identifier: BSD-3-Clause
#include "apps/xach/mds_anatomy.h"

#include <charconv>
#include <fstream>
#include <iterator>
#include <numbers>

#include <fmt/format.h>

#include "sinew/model/yaml.h"

namespace sinew {
namespace {

constexpr std::uint16_t kAddresses = 100;  // as many as the structs have places

Result<std::uint16_t> address_from(const std::string& name) {
  std::uint16_t address = 0;
  const bool is_hex = name.starts_with("0x");
  const char* begin = name.data() + (is_hex ? 2 : 0);
  const auto [end, error] = std::from_chars(begin, name.data() + name.size(), address, is_hex ? 16 : 10);
  if (error == std::errc{} && end == name.data() + name.size() && address < kAddresses) return address;
  return Error{
      ErrorCode::InvalidInput,
      fmt::format("actuator '{}' is no address from 0x00 to 0x63: the structs of MDS-Ach have {} places",
                  name, kAddresses)};
}

double number_of(const YamlNode& item, std::string_view key, double fallback, Findings& findings) {
  const YamlNode* entry = entry_of(item, key);
  return entry == nullptr ? fallback : number_from(*entry, findings);
}

Result<MdsMotor> read_motor(const YamlNode& item, const RobotModel& model, Findings& findings) {
  const auto address = address_from(required_entry(item, "name", findings));
  if (!address) return address.error();
  const YamlNode* joints = entry_of(item, "joints");
  if (joints == nullptr || joints->children.size() != 1)
    return Error{ErrorCode::InvalidInput, "an actuator that moves several joints has no place in MDS-Ach"};
  const std::size_t index = find_joint(model, joints->children[0].key);
  if (index == kNone || model.joints[index].position == kNone)
    return Error{ErrorCode::NotFound, fmt::format("there is no joint '{}'", joints->children[0].key)};
  const Joint& joint = model.joints[index];
  MdsMotor motor{.address = *address,
                 .position = joint.position,
                 .name = joint.name,
                 .short_name = joint.aliases.empty() ? joint.name : joint.aliases.front(),
                 .is_enabled = joint.is_enabled,
                 .encoder = number_of(item, "encoder", 0.0, findings),
                 .gear = number_of(item, "gear", 0.0, findings),
                 .ticks = number_of(item, "ticks", 1.0, findings),
                 .direction = number_of(item, "direction", 1.0, findings),
                 .range = joint.limits.upper - joint.limits.lower};
  const double counts_per_rad = motor.encoder * motor.gear * motor.ticks / (2.0 * std::numbers::pi);
  const double counts = number_of(item, "offset_counts", 0.0, findings);
  if (counts_per_rad > 0.0) motor.offset = counts / counts_per_rad;
  return motor;
}

}  // namespace

Result<std::vector<MdsMotor>> read_anatomy(const LoadedRobot& robot) {
  const auto file = robot.urdf.parent_path() / "robot.yaml";
  std::ifstream stream(file);
  const std::string text((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
  const auto root = parse_yaml(text, file.string());
  if (!root) return root.error();
  const YamlNode* actuation = entry_of(*root, "actuation");
  const YamlNode* actuators = actuation == nullptr ? nullptr : entry_of(*actuation, "actuators");
  if (actuators == nullptr)
    return Error{
        ErrorCode::NotFound,
        fmt::format("{} names no actuators: MDS-Ach's programs need their addresses", file.string())};
  Findings findings;
  std::vector<MdsMotor> motors;
  for (const YamlNode& item : actuators->children) {
    auto motor = read_motor(item, robot.model, findings);
    if (!motor)
      return Error{motor.error().code, fmt::format("{}: {}", place_text(item.place), motor.error().message)};
    motors.push_back(*std::move(motor));
  }
  if (findings.has_error()) return findings.error();
  return motors;
}

}  // namespace sinew
