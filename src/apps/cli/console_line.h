// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sinew::cli {

/// Lines typed at a terminal: edited, completed with Tab, remembered from one day to the next.
class LineEditor {
 public:
  /// What may come after the words already typed.
  using Candidates = std::function<std::vector<std::string>(std::span<const std::string>)>;

  LineEditor(std::string prompt, Candidates candidates);
  ~LineEditor();
  LineEditor(const LineEditor&) = delete;
  LineEditor& operator=(const LineEditor&) = delete;

  /// The next line begins with this, as if it had been typed.
  void begin_with(const std::string& begun);

  /// The next line; nothing at the end of input. Ctrl-C begins a new line.
  std::optional<std::string> next();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// What Tab does: the letters to insert, and what to show when there are several ways on.
struct Completed {
  std::string inserted;
  std::vector<std::string> choices;
};

/// Completes `typed`, the line up to the cursor.
Completed complete_line(std::string_view typed, const LineEditor::Candidates& candidates);

}  // namespace sinew::cli
