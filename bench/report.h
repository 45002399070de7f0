// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "sinew/base/result.h"

#include "cell.h"

namespace sinew::bench {

/// One line of the answer: a system in a cell. Medians over the rounds, the maximum of all.
struct Row {
  std::string system;
  Cell cell;
  double p50_us = 0;
  double p99_us = 0;
  double max_us = 0;
  double sent_per_s = 0;
  double x_limit = 0;  ///< p50 as a multiple of the limit's; 0: the limit was not measured.
};

/// How long a put of 64 bytes takes while `readers` poll the channel.
struct PutRow {
  int readers = 0;
  double p50_us = 0;
  double p99_us = 0;
};

/// The whole answer.
struct Report {
  std::vector<Row> rows;
  std::vector<PutRow> puts;
  std::vector<std::string> notes;  ///< What was left out or not allowed.
};

/// How many times the limit's median ours may take.
double bar_of(WaitMode mode);

/// Fills in x_limit everywhere.
void compare_with_limit(std::vector<Row>& rows);

/// A sentence for each cell in which a peer's median is not above ours, or it sends more when flat out.
std::vector<std::string> where_not_ahead(const std::vector<Row>& rows);

/// A sentence for each of our rows over its bar.
std::vector<std::string> where_over_bar(const std::vector<Row>& rows);

std::string table_text(const Report& report);
std::string json_text(const Report& report);
std::string csv_text(const Report& report);

}  // namespace sinew::bench
