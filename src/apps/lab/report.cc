// SPDX-License-Identifier: BSD-3-Clause
#include "apps/lab/report.h"

#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <ostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sinew/picture/drawing.h"

#include "apps/lab/file_rights.h"
#include "apps/lab/lab_list.h"

namespace sinew::lab {
namespace {

using Json = nlohmann::ordered_json;

struct Files {
  std::string picture;  ///< Empty: there is none.
  std::string photo;
  std::string report;
};

Json json_of(const Lab& lab, const Grade& grade, std::uint64_t seed, const Files& files) {
  Json measures = Json::object();
  for (const Measure& measure : grade.measures)
    measures[measure.name] = std::isfinite(measure.value) ? Json(measure.value) : Json();
  Json report{{"passed", grade.passed},
              {"score", grade.score},
              {"measures", measures},
              {"reason", grade.reason},
              {"lab", lab.name},
              {"seed", seed},
              {"reading_bounded", can_bound_files()}};
  if (!files.picture.empty()) report["picture"] = files.picture;
  if (!files.photo.empty()) report["photo"] = files.photo;
  return report;
}

// A solution can put any bytes into what is said of it.
std::string text_of(const Json& report) {
  return report.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<Files> write_files(const Lab& lab, const Grade& grade, std::uint64_t seed, const cli::Words& words) {
  const std::filesystem::path folder = words.text("--out");
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    return Error{ErrorCode::SystemFailure,
                 fmt::format("cannot make {}: {}", folder.string(), error.message())};
  Files files{.report = (folder / fmt::format("{}.json", lab.name)).string()};
  if (!grade.picture.is_empty()) {
    files.picture = (folder / fmt::format("{}.{}", lab.name, words.text("--picture"))).string();
    if (Status written = write_drawing(grade.picture, files.picture); !written) return written.error();
  }
  if (grade.photo.width > 0) {
    files.photo = (folder / fmt::format("{}_photo.png", lab.name)).string();
    if (Status written = write_png(grade.photo, files.photo); !written) return written.error();
  }
  std::ofstream file(files.report);
  file << text_of(json_of(lab, grade, seed, files));
  file.flush();
  if (!file)
    return Error{ErrorCode::SystemFailure,
                 fmt::format("cannot write {}: {}", files.report, std::strerror(errno))};
  return files;
}

void print_report(const Lab& lab, const Grade& grade, std::uint64_t seed, const Files& files,
                  std::ostream& out) {
  out << fmt::format("Lab {}: {} (seed {})\n\n  {}, {:.0f} of 100 points\n  {}\n\n", lab.number(), lab.title,
                     seed, grade.passed ? "PASSED" : "NOT PASSED", grade.score, grade.reason);
  for (const Measure& measure : grade.measures)
    out << fmt::format("  {:<30} {:.4g}\n", measure.name, measure.value);
  out << (grade.measures.empty() ? "" : "\n");
  for (const auto& [name, path] :
       {std::pair{"picture", files.picture}, {"photo", files.photo}, {"report", files.report}})
    if (!path.empty()) out << fmt::format("  {:<8} {}\n", name, path);
  if (!can_bound_files())
    out << "  note     this system has no Landlock (Linux 5.13 or newer): the solution could read all that "
           "you can read\n";
}

}  // namespace

Status run_grade(const cli::Words& words, std::ostream& out) {
  const auto seed = words.whole("--seed", 0, 4'000'000'000U);
  if (!seed) return seed.error();
  const auto patience = words.number("--patience", 0.1, 3600.0);
  if (!patience) return patience.error();
  if (const std::string kind = words.text("--picture"); kind != "svg" && kind != "png")
    return cli::usage_error(fmt::format("--picture is svg or png, not '{}'", kind));
  const auto lab = find_lab(words.argument(0));
  if (!lab) return lab.error();
  const auto grade =
      grade_solution(**lab, words.argument(1), {.seed = *seed, .limits = {.patience = *patience}});
  if (!grade) return grade.error();
  const auto files = write_files(**lab, *grade, *seed, words);
  if (!files) return files.error();
  if (words.has("--json"))
    out << text_of(json_of(**lab, *grade, *seed, *files));
  else
    print_report(**lab, *grade, *seed, *files, out);
  if (grade->passed) return Done{};
  return Error{ErrorCode::OutOfLimits, fmt::format("lab {} is not passed", (*lab)->number())};
}

Status run_list(const cli::Words& words, std::ostream& out) {
  Json list = Json::array();
  for (const Lab& lab : all_labs()) {
    if (!words.has("--json")) out << fmt::format("labs/{:<24} {}\n", lab.name, lab.title);
    list.push_back(
        {{"name", lab.name}, {"title", lab.title}, {"endings", lab.endings}, {"functions", lab.functions}});
  }
  if (words.has("--json")) out << list.dump(2) << '\n';
  return Done{};
}

}  // namespace sinew::lab
