// SPDX-License-Identifier: BSD-3-Clause
// The part of report.h that compares rows.
#include <algorithm>

#include <fmt/format.h>

#include "report.h"

namespace sinew::bench {
namespace {

bool is_same_cell(const Cell& left, const Cell& right) {
  return left.size == right.size && left.readers == right.readers && left.mode == right.mode &&
         left.rate_hz == right.rate_hz;
}

const Row* find_row(const std::vector<Row>& rows, std::string_view system, const Cell& cell) {
  const auto row = std::find_if(rows.begin(), rows.end(), [&](const Row& candidate) {
    return candidate.system == system && is_same_cell(candidate.cell, cell);
  });
  return row == rows.end() ? nullptr : &*row;
}

}  // namespace

double bar_of(WaitMode mode) {
  return mode == WaitMode::Block ? 1.2 : 1.5;
}

void compare_with_limit(std::vector<Row>& rows) {
  for (Row& row : rows) {
    const Row* limit = find_row(rows, "limit", row.cell);
    row.x_limit = limit != nullptr && limit->p50_us > 0 ? row.p50_us / limit->p50_us : 0;
  }
}

std::vector<std::string> where_not_ahead(const std::vector<Row>& rows) {
  std::vector<std::string> sentences;
  for (const Row& peer : rows) {
    const Row* ours = find_row(rows, "sinew", peer.cell);
    if (ours == nullptr || peer.system == "limit" || peer.system == "sinew") continue;
    if (peer.p50_us <= ours->p50_us)
      sentences.push_back(fmt::format("{}: {} takes {:.2f} us, sinew {:.2f} us", cell_text(peer.cell),
                                      peer.system, peer.p50_us, ours->p50_us));
    if (peer.cell.rate_hz == 0 && peer.sent_per_s >= ours->sent_per_s)
      sentences.push_back(fmt::format("{}: {} sends {:.0f} a second, sinew {:.0f}", cell_text(peer.cell),
                                      peer.system, peer.sent_per_s, ours->sent_per_s));
  }
  return sentences;
}

std::vector<std::string> where_over_bar(const std::vector<Row>& rows) {
  std::vector<std::string> sentences;
  for (const Row& row : rows) {
    if (row.system != "sinew" || row.x_limit <= bar_of(row.cell.mode)) continue;
    sentences.push_back(fmt::format("{}: {:.2f} us is {:.2f} x the limit, the bar is {:.1f} x",
                                    cell_text(row.cell), row.p50_us, row.x_limit, bar_of(row.cell.mode)));
  }
  return sentences;
}

}  // namespace sinew::bench
