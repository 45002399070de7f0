// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/messages/world.h"

/// What the console's verb `world` is told, and tells.
namespace sinew::cli {

/// The line that asks the motion service for an object, from the words after `world add`: such a line itself,
/// or KIND NAME, FILE and SIZES as the kind has them, X Y Z [m], ROLL PITCH YAW [rad], then pairs of scale,
/// margin or link and their value. A file is named from the root.
Result<std::string> object_line_from(std::span<const std::string> words);

/// The same for an object that is there already, from the words after `world move`: NAME X Y Z and, unless it
/// stays turned as it is, ROLL PITCH YAW.
Result<std::string> moved_line_from(const World& world, std::span<const std::string> words);

/// A line for people.
std::string object_row(const WorldObject& object);

std::vector<std::string> object_names(const World& world);

/// What may come after the words `world` and others; `world` may be null.
std::vector<std::string> after_world(std::span<const std::string> words, const World* world);

}  // namespace sinew::cli
