// SPDX-License-Identifier: BSD-3-Clause
#include "apps/web/program_notes.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "sinew/accounts/strict_json.h"
#include "sinew/accounts/whole_file.h"

namespace sinew {
namespace {

using accounts::Json;

constexpr std::size_t kMostNoteBytes = 1U << 20U;

ProgramNote note_from(const Json& json) {
  ProgramNote note;
  if (!json.is_object()) return note;
  for (const auto& [key, text] : {std::pair{"by", &note.by}, {"version", &note.version}})
    if (json.contains(key) && json[key].is_string()) *text = json[key];
  if (!json.contains("breakpoints") || !json["breakpoints"].is_array()) return note;
  for (const Json& line : json["breakpoints"])
    if (line.is_number_unsigned()) note.breakpoints.push_back(line);
  return note;
}

}  // namespace

Status ProgramNotes::load() {
  notes_.clear();
  const auto text = accounts::read_whole_file(file_.string(), kMostNoteBytes);
  if (!text) return text.error().code == ErrorCode::NotFound ? Status(Done{}) : Status(text.error());
  const auto json = accounts::strict_json(*text);
  if (!json || !json->is_object())
    return Error{ErrorCode::Damaged, fmt::format("{}: these are no notes on programs", file_.string())};
  for (const auto& [name, note] : json->items()) notes_.emplace(name, note_from(note));
  return Done{};
}

ProgramNote ProgramNotes::of(std::string_view program) const {
  const auto found = notes_.find(program);
  return found == notes_.end() ? ProgramNote{} : found->second;
}

Status ProgramNotes::put(std::string_view program, ProgramNote note) {
  std::ranges::sort(note.breakpoints);
  const auto twice = std::ranges::unique(note.breakpoints);
  note.breakpoints.erase(twice.begin(), twice.end());
  const bool are_lines = std::ranges::all_of(
      note.breakpoints, [](std::uint64_t line) { return line >= 1 && line <= kHighestLine; });
  if (!are_lines || note.breakpoints.size() > kMostBreakpoints)
    return Error{ErrorCode::InvalidInput,
                 fmt::format("breakpoints are at most {} lines of the program, from 1", kMostBreakpoints)};
  ProgramNote& kept = notes_[std::string(program)];
  if (kept == note) return Done{};
  kept = std::move(note);
  return save();
}

Status ProgramNotes::remove(std::string_view program) {
  const auto found = notes_.find(program);
  if (found == notes_.end()) return Done{};
  notes_.erase(found);
  return save();
}

Status ProgramNotes::save() const {
  Json all = Json::object();
  for (const auto& [name, note] : notes_)
    all[name] = {{"by", note.by}, {"version", note.version}, {"breakpoints", note.breakpoints}};
  return accounts::replace_whole_file(file_.string(), all.dump(1) + "\n");
}

}  // namespace sinew
