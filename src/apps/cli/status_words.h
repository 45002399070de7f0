// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>

#include "sinew/messages/safety.h"

#include "apps/supervisor/wire.h"

namespace sinew::cli {

/// The controller's state and its reason in words; a number that names none is "unknown".
std::string_view state_text(ControlState state);
std::string_view reason_text(StopReason reason);

/// "lost, watchdog": what a device complains of in JointState::fault_bits; empty when it does not.
std::string faults_text(std::uint32_t fault_bits);

/// The table of `sinew status` for people.
void print_status(const supervisor::Json& status, std::ostream& out);

}  // namespace sinew::cli
