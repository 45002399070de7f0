// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "sinew/messages/schema.h"

namespace sinew::recording {

/// A JSON Schema of what json_of() in messages/decode.h makes of a message.
std::string json_schema_of(const Schema& schema);

}  // namespace sinew::recording
