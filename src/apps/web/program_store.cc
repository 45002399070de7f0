// SPDX-License-Identifier: BSD-3-Clause
#include "apps/web/program_store.h"

#include <sys/stat.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include "sinew/accounts/whole_file.h"
#include "sinew/base/hash.h"
#include "sinew/base/text.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kProgramEnding = ".prog";
constexpr std::size_t kMostProgramName = 64;

Result<std::string> read_text(const fs::path& path, std::string_view shown_name) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return Error{ErrorCode::NotFound, fmt::format("there is no program '{}'", shown_name)};
  std::string text(std::istreambuf_iterator<char>(file), {});
  if (text.size() > ProgramStore::kMostBytes)
    return Error{ErrorCode::OutOfLimits, fmt::format("'{}' has {} bytes; a program has {} at most",
                                                     shown_name, text.size(), ProgramStore::kMostBytes)};
  return text;
}

std::int64_t changed_at(const fs::path& path) {
  struct stat facts {};
  return stat(path.c_str(), &facts) == 0 ? static_cast<std::int64_t>(facts.st_mtim.tv_sec) : 0;
}

std::uint64_t number_in(const std::string& name) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  return error == std::errc() && end == name.data() + name.size() ? number : 0;
}

}  // namespace

Status ProgramStore::check_name(std::string_view name) {
  const std::string_view stem = name.substr(0, name.size() - std::min(name.size(), kProgramEnding.size()));
  const auto is_plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  };
  if (name.ends_with(kProgramEnding) && !stem.empty() && stem.size() <= kMostProgramName &&
      std::ranges::all_of(stem, is_plain))
    return Done{};
  return Error{ErrorCode::InvalidInput,
               fmt::format("a program's name has letters, digits, '_' and '-', at most {}, then {}",
                           kMostProgramName, kProgramEnding)};
}

fs::path ProgramStore::kept_folder(std::string_view name) const {
  return folder_ / ".history" / name;
}

std::vector<ProgramStore::Entry> ProgramStore::list() const {
  std::vector<Entry> entries;
  std::error_code error;
  for (const fs::directory_entry& file : fs::directory_iterator(folder_, error)) {
    const std::string name = file.path().filename().string();
    if (!check_name(name) || !file.is_regular_file(error)) continue;
    entries.push_back({.name = name, .bytes = file.file_size(error), .changed_s = changed_at(file.path())});
  }
  std::ranges::sort(entries, {}, &Entry::name);
  return entries;
}

Result<std::string> ProgramStore::read(std::string_view name) const {
  if (Status valid = check_name(name); !valid) return valid.error();
  return read_text(path_of(name), name);
}

Status ProgramStore::write(std::string_view name, std::string_view text) {
  if (Status valid = check_name(name); !valid) return valid;
  if (text.size() > kMostBytes)
    return Error{ErrorCode::OutOfLimits,
                 fmt::format("the program has {} bytes; {} is the most", text.size(), kMostBytes)};
  const auto before = read(name);
  if (before && *before == text) return Done{};
  if (!before && list().size() >= kMostPrograms)
    return Error{ErrorCode::Full, fmt::format("there are {} programs already; remove some", kMostPrograms)};
  std::error_code error;
  fs::create_directories(folder_, error);
  if (before) {
    if (Status kept = keep(name, *before); !kept) return kept;
  }
  ++changes_;
  return accounts::replace_whole_file(path_of(name).string(), text);
}

Status ProgramStore::remove(std::string_view name) {
  const auto before = read(name);
  if (!before) return before.error();
  if (Status kept = keep(name, *before); !kept) return kept;
  std::error_code error;
  fs::remove(path_of(name), error);
  if (error)
    return Error{ErrorCode::SystemFailure, fmt::format("cannot remove '{}': {}", name, error.message())};
  ++changes_;
  return Done{};
}

Status ProgramStore::restore(std::string_view name) {
  if (read(name)) return Error{ErrorCode::AlreadyExists, fmt::format("'{}' is there", name)};
  const auto known = history(name);
  if (known.empty()) return Error{ErrorCode::NotFound, fmt::format("there never was a program '{}'", name)};
  const auto text = read_version(name, known.front().number);
  return text ? write(name, *text) : Status(text.error());
}

std::vector<ProgramStore::Entry> ProgramStore::removed() const {
  std::vector<Entry> entries;
  std::error_code error;
  for (const fs::directory_entry& kept : fs::directory_iterator(folder_ / ".history", error)) {
    const std::string name = kept.path().filename().string();
    if (!check_name(name) || fs::exists(path_of(name), error)) continue;
    const auto known = history(name);
    if (!known.empty())
      entries.push_back({.name = name, .bytes = known.front().bytes, .changed_s = known.front().changed_s});
  }
  std::ranges::sort(entries, std::greater{}, &Entry::changed_s);
  if (entries.size() > kMostRemoved) entries.resize(kMostRemoved);
  return entries;
}

std::int64_t ProgramStore::changed_s(std::string_view name) const {
  return changed_at(path_of(name));
}

std::string ProgramStore::version_of(std::string_view text) {
  return fmt::format("{:016x}", fnv1a(text));
}

Status ProgramStore::keep(std::string_view name, std::string_view text) {
  const auto known = history(name);
  std::error_code error;
  fs::create_directories(kept_folder(name), error);
  for (std::size_t i = kMostKept - 1; i < known.size(); ++i)
    fs::remove(kept_folder(name) / fmt::format("{}", known[i].number), error);
  const std::uint64_t number = known.empty() ? 1 : known.front().number + 1;
  return accounts::replace_whole_file((kept_folder(name) / fmt::format("{}", number)).string(), text);
}

std::vector<ProgramStore::Version> ProgramStore::history(std::string_view name) const {
  std::vector<Version> versions;
  if (!check_name(name)) return versions;
  std::error_code error;
  for (const fs::directory_entry& file : fs::directory_iterator(kept_folder(name), error))
    if (const std::uint64_t number = number_in(file.path().filename().string()); number != 0)
      versions.push_back(
          {.number = number, .bytes = file.file_size(error), .changed_s = changed_at(file.path())});
  std::ranges::sort(versions, std::greater{}, &Version::number);
  return versions;
}

Result<std::string> ProgramStore::read_version(std::string_view name, std::uint64_t number) const {
  if (Status valid = check_name(name); !valid) return valid.error();
  return read_text(kept_folder(name) / fmt::format("{}", number),
                   fmt::format("{}, version {}", name, number));
}

}  // namespace sinew
