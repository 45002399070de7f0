// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "ik_rows.h"

namespace sinew::bench {

/// Everything that one run measured.
struct IkReport {
  std::vector<IkRow> rows;
  std::vector<ForwardRow> forward;
};

/// For people.
std::string ik_table_text(const IkReport& report);

/// {"rows": [{"solver", "method", "count", "success", "mean_us", …}]}; with forward kinematics also
/// {"forward": […]}. `with_robot` adds the robot to each row.
std::string ik_json_text(const IkReport& report, bool with_robot);

/// One line for each row, and for forward kinematics with their time in mean_us.
std::string ik_csv_text(const IkReport& report);

}  // namespace sinew::bench
