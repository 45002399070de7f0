// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/accounts/role.h"

#include <array>

#include <fmt/format.h>

#include "sinew/base/text.h"

namespace sinew::accounts {
namespace {

constexpr std::array<std::string_view, 4> kRoleWords{"viewer", "operator", "programmer", "expert"};

struct RightRow {
  Right right;
  Role least;
  std::string_view text;
};

// in the order of the enumeration
constexpr std::array<RightRow, 10> kRights{{
    {Right::Watch, Role::Viewer, "watch"},
    {Right::Stop, Role::Viewer, "stop the robot"},
    {Right::Move, Role::Operator, "move the robot"},
    {Right::Teach, Role::Programmer, "change programs, points, frames, tools or objects"},
    {Right::ManageUsers, Role::Expert, "manage users"},
    {Right::ChangeLimits, Role::Expert, "change limits"},
    {Right::OverrideGuard, Role::Expert, "override the guard"},
    {Right::BackUp, Role::Expert, "make or restore backups"},
    {Right::AddRobot, Role::Expert, "add robots"},
    {Right::RestartProcesses, Role::Expert, "restart processes"},
}};

constexpr bool is_in_order() {
  for (std::size_t i = 0; i < kRights.size(); ++i)
    if (kRights[i].right != static_cast<Right>(i)) return false;
  return true;
}
static_assert(is_in_order());

const RightRow& row_of(Right right) {
  const auto i = static_cast<std::size_t>(right);
  SINEW_ASSERT(i < kRights.size());
  return kRights[i];
}

}  // namespace

bool may(Role role, Right right) {
  return role >= row_of(right).least;
}

Role least_role_for(Right right) {
  return row_of(right).least;
}

std::string_view right_text(Right right) {
  return row_of(right).text;
}

std::string_view role_text(Role role) {
  const auto i = static_cast<std::size_t>(role);
  SINEW_ASSERT(i < kRoleWords.size());
  return kRoleWords[i];
}

Result<Role> role_from(std::string_view text) {
  for (std::size_t i = 0; i < kRoleWords.size(); ++i)
    if (kRoleWords[i] == text) return static_cast<Role>(i);
  return Error{ErrorCode::InvalidInput,
               fmt::format("'{}' is no role; there are {}", shown_text(text), fmt::join(kRoleWords, ", "))};
}

}  // namespace sinew::accounts
