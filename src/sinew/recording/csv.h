// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/messages/decode.h"
#include "sinew/messages/schema.h"

namespace sinew::recording {

/// The numbers and texts that a message consists of, each a column: "stamp_ns", "position[0]", "pose.x".
/// Refused when there are more than 10,000.
Result<std::vector<FieldPath>> csv_columns(const Schema& schema);

/// Those among `fields` taken apart into columns, as csv_columns() does for a whole message.
Result<std::vector<FieldPath>> csv_columns(const Schema& schema, std::span<const FieldPath> fields);

/// The names of the columns, with commas between; no end of line.
std::string csv_head(std::span<const FieldPath> columns);

/// The values of one message; those beyond its end are empty. Enumerators by name.
std::string csv_row(const Schema& schema, std::span<const FieldPath> columns,
                    std::span<const std::byte> message);

}  // namespace sinew::recording
