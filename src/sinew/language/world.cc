// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/language/world.h"

#include "sinew/language/keywords.h"

namespace sinew::language {

bool is_base_name(std::string_view name) {
  const std::string word = upper(name);
  return word == "B" || word == "BASE";
}

bool is_tool_name(std::string_view name) {
  const std::string word = upper(name);
  return word == "T" || word == "TOOL";
}

bool is_user_name(std::string_view name) {
  const std::string word = upper(name);
  return word == "U" || word == "USER";
}

bool is_flange_name(std::string_view name) {
  const std::string word = upper(name);
  return word == "F" || word == "FLANGE";
}

}  // namespace sinew::language
