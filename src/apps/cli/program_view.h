// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/messages/motion.h"

namespace sinew::cli {

/// How a program that runs is shown: to a person at a terminal, in a log, or to another program.
enum class ProgramShow { Live, Text, Json };

/// Shows how a program gets on. What it says goes to `out`; how it gets on goes there as JSON, else to
/// stderr.
class ProgramView {
 public:
  ProgramView(ProgramShow show, std::string_view program_text, std::ostream& out);
  ~ProgramView();
  ProgramView(const ProgramView&) = delete;
  ProgramView& operator=(const ProgramView&) = delete;

  /// The newest state of its program.
  void see(const MotionState& state);
  /// A line that the program has said.
  void say(std::string_view text);
  /// It is over.
  void end(bool is_well, std::string_view text);

 private:
  std::string_view line_text(std::uint32_t line) const;
  double seconds() const;
  void draw();
  void clear();

  ProgramShow show_;
  std::vector<std::string> lines_;
  std::ostream& out_;
  std::optional<MotionState> last_;
  std::int64_t began_ns_ = 0;
};

/// "running", "paused", "at a breakpoint", …
std::string_view phase_text(ProgramPhase phase);

}  // namespace sinew::cli
