// SPDX-License-Identifier: BSD-3-Clause
#include "apps/cli/program_view.h"

#include <algorithm>
#include <cstdio>
#include <ostream>
#include <sstream>

#include <fmt/format.h>

#include "sinew/base/time.h"
#include "sinew/messages/decode.h"

#include "apps/cli/terminal.h"

namespace sinew::cli {
namespace {

constexpr std::string_view kProgramKeys = "space pause  s step  + - speed  q stop";

std::string without_indent(const std::string& line) {
  const auto first = line.find_first_not_of(" \t\r");
  return first == std::string::npos ? std::string() : line.substr(first);
}

}  // namespace

std::string_view phase_text(ProgramPhase phase) {
  switch (phase) {
    case ProgramPhase::None:
      return "not running";
    case ProgramPhase::Running:
      return "running";
    case ProgramPhase::Paused:
      return "paused";
    case ProgramPhase::AtBreakpoint:
      return "at a breakpoint";
    case ProgramPhase::Stepped:
      return "stepping";
    case ProgramPhase::Ended:
      return "ended";
    case ProgramPhase::Failed:
      return "failed";
  }
  return "unknown";
}

ProgramView::ProgramView(ProgramShow show, std::string_view program_text, std::ostream& out)
    : show_(show), out_(out) {
  std::istringstream text{std::string(program_text)};
  for (std::string line; std::getline(text, line);) lines_.push_back(without_indent(std::move(line)));
}

ProgramView::~ProgramView() {
  clear();
}

std::string_view ProgramView::line_text(std::uint32_t line) const {
  return line == 0 || line > lines_.size() ? std::string_view("(in an included file)")
                                           : std::string_view(lines_[line - 1]);
}

double ProgramView::seconds() const {
  return last_ ? seconds_from_nanoseconds(last_->stamp_ns - began_ns_) : 0.0;
}

void ProgramView::see(const MotionState& state) {
  const bool is_news = !last_ || state.program_line != last_->program_line ||
                       state.program_phase != last_->program_phase ||
                       state.override_share != last_->override_share;
  if (!last_) began_ns_ = state.stamp_ns;
  last_ = state;
  if (show_ == ProgramShow::Live) return draw();
  if (!is_news) return;
  if (show_ == ProgramShow::Json) {
    out_
        << fmt::format(
               R"({{"event": "line", "time": {:.3f}, "line": {}, "text": {}, "phase": "{}", "override": {:.2f}}})",
               seconds(), state.program_line, json_text(line_text(state.program_line)),
               phase_text(state.program_phase), state.override_share)
        << std::endl;
    return;
  }
  fmt::print(stderr, "{:8.2f} s  {:>4}  {}{}\n", seconds(), state.program_line, line_text(state.program_line),
             state.program_phase == ProgramPhase::Running
                 ? std::string()
                 : fmt::format("   [{}]", phase_text(state.program_phase)));
}

void ProgramView::say(std::string_view text) {
  clear();
  if (show_ == ProgramShow::Json) {
    out_ << fmt::format(R"({{"event": "message", "time": {:.3f}, "text": {}}})", seconds(), json_text(text))
         << std::endl;
  } else {
    out_ << text << std::endl;
  }
  if (show_ == ProgramShow::Live && last_) draw();
}

void ProgramView::end(bool is_well, std::string_view text) {
  clear();
  if (show_ == ProgramShow::Json) {
    out_ << fmt::format(R"({{"event": "end", "time": {:.3f}, "ok": {}, "text": {}}})", seconds(), is_well,
                        json_text(text))
         << std::endl;
  } else if (is_well) {
    fmt::print(stderr, "done in {:.2f} s: {}\n", seconds(), text);
  }
}

// one line at the foot of what has been said
void ProgramView::draw() {
  const MotionState& now = *last_;
  const auto columns = static_cast<std::size_t>(std::max(20, terminal_size().columns - 1));
  std::string line =
      fmt::format("{:7.1f} s  {:>3.0f} %  {:<15} {:>4}  {}", seconds(), 100.0 * now.override_share,
                  phase_text(now.program_phase), now.program_line, line_text(now.program_line));
  if (line.size() + kProgramKeys.size() + 3 <= columns)
    line += std::string(columns - line.size() - kProgramKeys.size(), ' ') + std::string(kProgramKeys);
  fmt::print(stderr, "\r{:.{}}\033[K", line, columns);
  std::fflush(stderr);
}

void ProgramView::clear() {
  if (show_ != ProgramShow::Live || !last_) return;
  fmt::print(stderr, "\r\033[K");
  std::fflush(stderr);
}

}  // namespace sinew::cli
