// SPDX-License-Identifier: BSD-3-Clause
#include "apps/cli/console_line.h"

#include <histedit.h>
#include <signal.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "apps/cli/console_session.h"
#include "apps/cli/terminal.h"

namespace sinew::cli {
namespace {

constexpr int kLinesRemembered = 1000;

// $XDG_STATE_HOME/sinew/console_history; empty when the user has no home.
std::string history_file() {
  const char* state = std::getenv("XDG_STATE_HOME");
  const char* home = std::getenv("HOME");
  std::filesystem::path folder;
  if (state != nullptr && *state != '\0') {
    folder = state;
  } else if (home != nullptr && *home != '\0') {
    folder = std::filesystem::path(home) / ".local/state";
  } else {
    return "";
  }
  std::error_code error;
  std::filesystem::create_directories(folder / "sinew", error);
  return error ? "" : (folder / "sinew/console_history").string();
}

std::string common_beginning(const std::vector<std::string>& words) {
  std::string common = words.front();
  for (const std::string& word : words) {
    const auto [end, other] = std::ranges::mismatch(common, word);
    common.erase(end, common.end());
  }
  return common;
}

}  // namespace

Completed complete_line(std::string_view typed, const LineEditor::Candidates& candidates) {
  std::vector<std::string> words = console_words(typed);
  const bool begins_word = typed.empty() || typed.back() == ' ';
  std::string begun;
  if (!begins_word && !words.empty()) {
    begun = words.back();
    words.pop_back();
  }
  std::vector<std::string> fitting = candidates(words);
  std::erase_if(fitting, [&](const std::string& word) { return !word.starts_with(begun); });
  std::ranges::sort(fitting);
  if (fitting.empty()) return {};
  if (fitting.size() == 1) return {.inserted = fitting.front().substr(begun.size()) + " ", .choices = {}};
  const std::string more = common_beginning(fitting).substr(begun.size());
  return {.inserted = more, .choices = more.empty() ? std::move(fitting) : std::vector<std::string>{}};
}

struct LineEditor::Parts {
  EditLine* editor = nullptr;
  History* history = nullptr;
  std::string history_path;
  std::string prompt;
  Candidates candidates;

  static Parts* of(EditLine* editor) {
    void* parts = nullptr;
    el_get(editor, EL_CLIENTDATA, &parts);
    return static_cast<Parts*>(parts);
  }
  static char* prompt_of(EditLine* editor) { return of(editor)->prompt.data(); }
  static unsigned char complete(EditLine* editor, int) {
    const LineInfo* line = el_line(editor);
    const std::string_view typed(line->buffer, static_cast<std::size_t>(line->cursor - line->buffer));
    const Completed completed = complete_line(typed, of(editor)->candidates);
    if (!completed.choices.empty()) {
      fmt::print("\n{}\n", fmt::join(completed.choices, "  "));
      std::fflush(stdout);
      return CC_REDISPLAY;
    }
    if (completed.inserted.empty() || el_insertstr(editor, completed.inserted.c_str()) != 0) return CC_ERROR;
    return CC_REFRESH;
  }
};

LineEditor::LineEditor(std::string prompt, Candidates candidates) : parts_(std::make_unique<Parts>()) {
  parts_->prompt = std::move(prompt);
  parts_->candidates = std::move(candidates);
  parts_->editor = el_init("sinew", stdin, stdout, stderr);
  parts_->history = history_init();
  parts_->history_path = history_file();
  HistEvent event;
  history(parts_->history, &event, H_SETSIZE, kLinesRemembered);
  history(parts_->history, &event, H_SETUNIQUE, 1);
  if (!parts_->history_path.empty()) history(parts_->history, &event, H_LOAD, parts_->history_path.c_str());
  EditLine* editor = parts_->editor;
  el_set(editor, EL_CLIENTDATA, parts_.get());
  el_set(editor, EL_PROMPT, &Parts::prompt_of);
  el_set(editor, EL_EDITOR, "emacs");
  el_set(editor, EL_HIST, history, parts_->history);
  el_set(editor, EL_ADDFN, "sinew-complete", "Complete the word", &Parts::complete);
  el_set(editor, EL_BIND, "^I", "sinew-complete", nullptr);
  el_set(editor, EL_BIND, "^R", "em-inc-search-prev", nullptr);
}

LineEditor::~LineEditor() {
  el_end(parts_->editor);
  history_end(parts_->history);
}

void LineEditor::begin_with(const std::string& begun) {
  if (!begun.empty()) el_push(parts_->editor, begun.c_str());
}

std::optional<std::string> LineEditor::next() {
  SignalWatch signals;
  while (true) {
    int count = 0;
    const char* line = el_gets(parts_->editor, &count);
    if (line != nullptr && count > 0) {
      HistEvent event;
      if (console_words(line).empty()) return std::string();
      history(parts_->history, &event, H_ENTER, line);
      if (!parts_->history_path.empty())
        history(parts_->history, &event, H_SAVE, parts_->history_path.c_str());
      return std::string(line);
    }
    fmt::print("\n");
    if (signals.which() != SIGINT) return std::nullopt;
    signals.forget();
    el_reset(parts_->editor);
  }
}

}  // namespace sinew::cli
