// SPDX-License-Identifier: BSD-3-Clause
#include "report.h"

#include <iterator>
#include <string_view>

#include <fmt/format.h>

namespace sinew::bench {
namespace {

std::string rate_text(double per_s) {
  if (per_s >= 1e6) return fmt::format("{:.2f} M/s", per_s / 1e6);
  return fmt::format("{:.1f} k/s", per_s / 1e3);
}

void append_lines(std::string& text, std::string_view title, const std::vector<std::string>& lines) {
  text += fmt::format("\n{}\n", title);
  for (const std::string& line : lines) text += fmt::format("  {}\n", line);
}

void append_verdict(std::string& text, const Report& report) {
  const std::vector<std::string> behind = where_not_ahead(report.rows);
  append_lines(
      text, behind.empty() ? "sinew is ahead of every peer measured." : "Where sinew is not ahead:", behind);
  const std::vector<std::string> over = where_over_bar(report.rows);
  append_lines(text,
               over.empty() ? "sinew is within its bars: 1.2 x the limit blocking, 1.5 x spinning."
                            : "Where sinew is over its bars (1.2 x the limit blocking, 1.5 x spinning):",
               over);
  if (!report.notes.empty()) append_lines(text, "Notes:", report.notes);
}

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) < 0x20) {
      out += ' ';
    } else {
      out += c;
    }
  }
  return out + '"';
}

void append_strings(std::string& text, std::string_view key, const std::vector<std::string>& strings) {
  text += fmt::format(",\n \"{}\": [", key);
  for (std::size_t i = 0; i < strings.size(); ++i)
    text += fmt::format("{}\n  {}", i == 0 ? "" : ",", quoted(strings[i]));
  text += "]";
}

}  // namespace

std::string table_text(const Report& report) {
  std::string text;
  const Row* last = nullptr;
  for (const Row& row : report.rows) {
    if (last == nullptr || cell_text(last->cell) != cell_text(row.cell)) {
      text += fmt::format("{}{}\n", last == nullptr ? "" : "\n", cell_text(row.cell));
      text += fmt::format("  {:<12}{:>10}{:>12}{:>12}{:>14}{:>10}\n", "", "p50 us", "p99 us", "max us",
                          "sent", "x limit");
    }
    const std::string x_limit = row.x_limit > 0 ? fmt::format("{:.2f}", row.x_limit) : "-";
    text += fmt::format("  {:<12}{:>10.2f}{:>12.2f}{:>12.1f}{:>14}{:>10}\n", row.system, row.p50_us,
                        row.p99_us, row.max_us, rate_text(row.sent_per_s), x_limit);
    last = &row;
  }
  if (!report.puts.empty()) {
    text += "\nA put of 64 B by sinew while readers poll the channel\n";
    text += fmt::format("  {:<12}{:>10}{:>12}\n", "readers", "p50 us", "p99 us");
    for (const PutRow& put : report.puts)
      text += fmt::format("  {:<12}{:>10.2f}{:>12.2f}\n", put.readers, put.p50_us, put.p99_us);
  }
  append_verdict(text, report);
  return text;
}

std::string json_text(const Report& report) {
  std::string text = "{\"rows\": [";
  std::string_view separator = "\n";
  for (const Row& row : report.rows) {
    text += fmt::format(
        "{}  {{\"system\": \"{}\", \"size\": {}, \"readers\": {}, \"mode\": \"{}\", \"rate\": {}, "
        "\"p50_us\": {:.3f}, \"p99_us\": {:.3f}, \"max_us\": {:.3f}, \"sent_per_s\": {:.1f}, \"x_limit\": "
        "{}}}",
        separator, row.system, row.cell.size, row.cell.readers, mode_text(row.cell.mode), row.cell.rate_hz,
        row.p50_us, row.p99_us, row.max_us, row.sent_per_s,
        row.x_limit > 0 ? fmt::format("{:.3f}", row.x_limit) : "null");
    separator = ",\n";
  }
  text += "],\n \"puts\": [";
  separator = "\n";
  for (const PutRow& put : report.puts) {
    text += fmt::format("{}  {{\"readers\": {}, \"p50_us\": {:.3f}, \"p99_us\": {:.3f}}}", separator,
                        put.readers, put.p50_us, put.p99_us);
    separator = ",\n";
  }
  text += "]";
  append_strings(text, "not_ahead", where_not_ahead(report.rows));
  append_strings(text, "over_bar", where_over_bar(report.rows));
  append_strings(text, "notes", report.notes);
  return text + "}\n";
}

std::string csv_text(const Report& report) {
  std::string text = "system,size,readers,mode,rate,p50_us,p99_us,max_us,sent_per_s,x_limit\n";
  for (const Row& row : report.rows)
    text +=
        fmt::format("{},{},{},{},{},{:.3f},{:.3f},{:.3f},{:.1f},{}\n", row.system, row.cell.size,
                    row.cell.readers, mode_text(row.cell.mode), row.cell.rate_hz, row.p50_us, row.p99_us,
                    row.max_us, row.sent_per_s, row.x_limit > 0 ? fmt::format("{:.3f}", row.x_limit) : "");
  for (const PutRow& put : report.puts)
    text += fmt::format("sinew put,64,{},spin,1000,{:.3f},{:.3f},,,\n", put.readers, put.p50_us, put.p99_us);
  return text;
}

}  // namespace sinew::bench
