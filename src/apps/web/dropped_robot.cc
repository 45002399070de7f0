// SPDX-License-Identifier: BSD-3-Clause
#include "apps/web/dropped_robot.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <fstream>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sinew/base/text.h"
#include "sinew/mesh/mesh_remarks.h"
#include "sinew/model/new_robot.h"
#include "sinew/model/robot_files.h"
#include "sinew/picture/picture.h"

#include "apps/cli/collision_pairs.h"
#include "apps/cli/model_json.h"
#include "apps/web/json_values.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr accounts::Need kAddRobot{.right = accounts::Right::AddRobot, .changes = true};
constexpr accounts::Need kListRobots{.right = accounts::Right::AddRobot};
constexpr std::size_t kMostDroppedFiles = 500;
constexpr std::size_t kMostPath = 200;
constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
         c == '.' || c == ' ' || c == '+';
}

// Relative, and every part of it a name.
Status check_path(std::string_view path) {
  const Error refusal{ErrorCode::InvalidInput,
                      "a file's path must be names with '/' between them, such as meshes/hand.stl"};
  if (path.empty() || path.size() > kMostPath) return refusal;
  for (const fs::path& part : fs::path(path)) {
    const std::string name = part.string();
    if (name.empty() || name.front() == '.' || name == "/" || !std::ranges::all_of(name, is_plain))
      return refusal;
  }
  return Done{};
}

Status check_robot_name(std::string_view name) {
  const auto is_letter = [](char c) { return is_plain(c) && c != ' ' && c != '+' && c != '.'; };
  if (!name.empty() && name.size() <= 48 && std::ranges::all_of(name, is_letter)) return Done{};
  return Error{ErrorCode::InvalidInput, "a robot's name has letters, digits, '_' and '-', at most 48"};
}

bool is_description(std::string_view path) {
  return path.ends_with(".urdf") || path.ends_with(".xacro");
}

/// A folder that is gone afterwards.
class Workbench {
 public:
  explicit Workbench(const fs::path& beside) {
    static std::atomic<unsigned> count{0};
    path_ = beside / fmt::format(".dropped-{}-{}", getpid(), ++count);
    std::error_code error;
    fs::create_directories(path_, error);
  }
  ~Workbench() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Workbench(const Workbench&) = delete;
  Workbench& operator=(const Workbench&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

Status lay_out(const std::vector<DroppedFile>& files, const fs::path& folder) {
  for (const DroppedFile& file : files) {
    const fs::path path = folder / file.path;
    std::error_code error;
    fs::create_directories(path.parent_path(), error);
    std::ofstream out(path, std::ios::binary);
    out << file.bytes;
    if (!out.flush())
      return Error{ErrorCode::SystemFailure, fmt::format("'{}' cannot be written", file.path)};
  }
  return Done{};
}

Result<std::string> main_of(const DroppedRobot& dropped) {
  if (!dropped.main.empty()) {
    const bool is_there =
        std::ranges::find(dropped.files, dropped.main, &DroppedFile::path) != dropped.files.end();
    if (is_there && is_description(dropped.main)) return dropped.main;
    return Error{ErrorCode::NotFound, fmt::format("'{}' is no URDF or xacro among the files", dropped.main)};
  }
  const DroppedFile* found = nullptr;
  for (const DroppedFile& file : dropped.files) {
    const bool is_better = found == nullptr ||
                           (file.path.ends_with(".urdf") && !found->path.ends_with(".urdf")) ||
                           (file.path.ends_with(".urdf") == found->path.ends_with(".urdf") &&
                            file.path.size() < found->path.size());
    if (is_description(file.path) && is_better) found = &file;
  }
  if (found != nullptr) return found->path;
  return Error{ErrorCode::NotFound, "there is no .urdf and no .xacro among the files"};
}

// The robot's joints with their limits, for people.
Json joint_list(const RobotModel& model) {
  Json joints = Json::array();
  for (const std::size_t index : model.positions) {
    const Joint& joint = model.joints[index];
    joints.push_back({{"name", joint.name},
                      {"kind", joint_kind_text(joint.kind)},
                      {"lower", finite_or_null(joint.limits.lower)},
                      {"upper", finite_or_null(joint.limits.upper)},
                      {"velocity", finite_or_null(joint.limits.velocity)}});
  }
  return joints;
}

// Who dropped a file knows it by its name, not by where it lay meanwhile.
std::string without(std::string text, const fs::path& bench) {
  const std::string folder = bench.string() + "/";
  for (std::size_t at = text.find(folder); at != std::string::npos; at = text.find(folder, at))
    text.erase(at, folder.size());
  return text;
}

Json findings_of(const std::vector<Remark>& remarks) {
  Json findings = Json::array();
  for (const Remark& remark : remarks)
    findings.push_back(
        {{"place", place_text(remark.place)}, {"what", remark.what}, {"remedy", remark.remedy}});
  return findings;
}

// The robot at home, as base64 of a PNG; empty where it cannot be drawn.
std::string picture_of(const RobotModel& model, const RobotFiles& files) {
  const auto home = std::ranges::find(model.postures, "home", &NamedPosture::name);
  std::vector<double> q;
  for (std::size_t i = 0; i < model.positions.size(); ++i) {
    const JointLimits& limits = model.joints[model.positions[i]].limits;
    const double said = home == model.postures.end() ? std::nan("") : home->positions[i];
    q.push_back(std::isfinite(said) ? said : std::clamp(0.0, limits.lower, limits.upper));
  }
  const auto drawn = draw_robot(model, q, {.width = 640, .height = 360, .files = &files});
  const auto png = drawn ? png_bytes(drawn->image) : Result<std::string>(drawn.error());
  return png ? base64_from_bytes(*png) : "";
}

// The robots that were dropped, sorted; what is being made is hidden.
std::vector<std::string> names_in(const fs::path& robots) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator entry(robots, error), end; !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (check_robot_name(name) && entry->symlink_status(error).type() == fs::file_type::directory)
      names.push_back(name);
  }
  std::ranges::sort(names);
  return names;
}

std::uint64_t bytes_in(const fs::path& folder) {
  std::uint64_t bytes = 0;
  std::error_code error;
  for (fs::recursive_directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    std::error_code of_file;
    const bool is_plain_file = entry->symlink_status(of_file).type() == fs::file_type::regular;
    const std::uintmax_t size = is_plain_file ? entry->file_size(of_file) : 0;
    if (!of_file) bytes += size;
  }
  return bytes;
}

Error full(std::string_view what) {
  return Error{ErrorCode::OutOfLimits, fmt::format("{}; delete one that nobody needs", what)};
}

// Whether a robot of that size may stand beside those that are there.
Status check_bytes(std::uint64_t bytes, const fs::path& robots) {
  std::uint64_t taken = 0;
  for (const std::string& name : names_in(robots)) taken += bytes_in(robots / name);
  if (taken + bytes <= kMostDroppedBytes) return Done{};
  return full(fmt::format("dropped robots take {} of {}, and this one would take {}", bytes_text(taken),
                          bytes_text(kMostDroppedBytes), bytes_text(bytes)));
}

Status check_room(const DroppedRobot& dropped, const fs::path& robots) {
  const std::size_t count = names_in(robots).size();
  if (count >= kMostDroppedRobots)
    return full(fmt::format("{} dropped robots are there, and no more may be", count));
  std::uint64_t bytes = 0;
  for (const DroppedFile& file : dropped.files) bytes += file.bytes.size();
  return check_bytes(bytes, robots);
}

std::string start_of(const fs::path& folder) {
  return fmt::format("sinew start {}", folder.string());
}

struct Places {
  std::string main;  // the description, among what was dropped
  fs::path laid;     // what was dropped
  fs::path made;     // the robot's folder, until it is whole
  fs::path folder;   // and then
};

// Makes the robot, and tells of it. Its readers see nothing but the bench.
Result<Json> report_on_made(const Places& at, const fs::path& bench) {
  const auto files = FolderFiles::of(bench);
  if (!files) return files.error();
  auto robot =
      make_robot_folder(at.laid / at.main, at.made, {.package_paths = {at.laid}, .files = files->get()});
  if (!robot) return robot.error();
  if (Status added = cli::add_ignored_pairs(*robot, **files); !added) return added.error();
  for (Remark& remark : remarks_on_meshes(robot->model, at.main, **files))
    robot->remarks.push_back(std::move(remark));
  for (Remark& remark : robot->remarks) {
    for (const fs::path& folder : {at.laid, at.made, bench}) {
      remark.place.file = without(std::move(remark.place.file), folder);
      remark.what = without(std::move(remark.what), folder);
    }
  }
  robot->folder = at.folder;
  Json report = cli::new_robot_json(*robot);
  report["name"] = at.folder.filename().string();
  report["joint_list"] = joint_list(robot->model);
  report["findings"] = findings_of(robot->remarks);
  report["picture"] = picture_of(robot->model, **files);
  report["start"] = start_of(at.folder);
  return report;
}

}  // namespace

std::string base64_from_bytes(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    std::uint32_t bits = 0;
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - at);
    for (std::size_t i = 0; i < 3; ++i)
      bits = bits << 8U | (i < count ? static_cast<unsigned char>(bytes[at + i]) : 0U);
    for (std::size_t i = 0; i < 4; ++i) text += i <= count ? kLetters[bits >> (18U - 6U * i) & 63U] : '=';
  }
  return text;
}

std::optional<std::string> bytes_from_base64(std::string_view text) {
  static constexpr auto kValues = [] {
    std::array<std::uint8_t, 256> values{};
    values.fill(0xFF);
    for (std::size_t i = 0; i < kLetters.size(); ++i)
      values[static_cast<unsigned char>(kLetters[i])] = static_cast<std::uint8_t>(i);
    return values;
  }();
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  while (text.ends_with('=')) text.remove_suffix(1);
  if (text.size() % 4 == 1) return std::nullopt;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char letter : text) {
    const std::uint8_t value = kValues[static_cast<unsigned char>(letter)];
    if (value >= kLetters.size()) return std::nullopt;
    bits = bits << 6U | value;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes += static_cast<char>(bits >> static_cast<unsigned>(count) & 0xFFU);
  }
  return bytes;
}

Result<DroppedRobot> dropped_robot_from(const Json& body) {
  DroppedRobot dropped;
  const auto name = text_at(body, "name");
  if (!name) return name.error();
  if (Status valid = check_robot_name(*name); !valid) return valid.error();
  const auto main = text_at(body, "main", "");
  if (!main) return main.error();
  dropped.name = *name;
  dropped.main = *main;
  if (!body.contains("files") || !body["files"].is_array() || body["files"].size() > kMostDroppedFiles)
    return Error{ErrorCode::InvalidInput,
                 fmt::format("'files' must be a list of at most {} files", kMostDroppedFiles)};
  for (const Json& entry : body["files"]) {
    const auto path = entry.is_object() ? text_at(entry, "path") : Result<std::string>(Error{});
    const auto text = entry.is_object() ? text_at(entry, "base64") : Result<std::string>(Error{});
    if (!path || !text) return Error{ErrorCode::InvalidInput, "each file must have 'path' and 'base64'"};
    if (Status valid = check_path(*path); !valid) return valid.error();
    auto bytes = bytes_from_base64(*text);
    if (!bytes) return Error{ErrorCode::InvalidInput, fmt::format("'{}' is no base64", *path)};
    dropped.files.push_back({*path, *std::move(bytes)});
  }
  return dropped;
}

Json list_dropped_robots(const fs::path& robots) {
  Json all = Json::array();
  std::uint64_t bytes = 0;
  for (const std::string& name : names_in(robots)) {
    const std::uint64_t size = bytes_in(robots / name);
    struct stat facts {};
    const bool has_time = stat((robots / name).c_str(), &facts) == 0;
    bytes += size;
    all.push_back({{"name", name},
                   {"bytes", size},
                   {"changed", has_time ? Json(facts.st_mtim.tv_sec) : Json(nullptr)},
                   {"start", start_of(robots / name)}});
  }
  return {{"robots", std::move(all)},
          {"bytes", bytes},
          {"most_robots", kMostDroppedRobots},
          {"most_bytes", kMostDroppedBytes}};
}

Status delete_dropped_robot(const std::string& name, const fs::path& robots) {
  if (Status valid = check_robot_name(name); !valid) return valid;
  struct stat facts {};
  if (lstat((robots / name).c_str(), &facts) != 0 || !S_ISDIR(facts.st_mode))
    return Error{ErrorCode::NotFound,
                 fmt::format("there is no robot '{}' among those that were dropped", name)};
  // at once out of sight, then piece by piece
  const Workbench bench(robots);
  std::error_code error;
  fs::rename(robots / name, bench.path() / name, error);
  if (!error) return Done{};
  return Error{ErrorCode::SystemFailure, fmt::format("{}: {}", (robots / name).string(), error.message())};
}

Result<Json> make_dropped_robot(const DroppedRobot& dropped, const fs::path& robots) {
  const auto main = main_of(dropped);
  if (!main) return main.error();
  const fs::path folder = robots / dropped.name;
  if (fs::exists(folder))
    return Error{ErrorCode::AlreadyExists,
                 fmt::format("there is a robot '{}' already; choose another name", dropped.name)};
  if (Status fits = check_room(dropped, robots); !fits) return fits.error();
  const Workbench bench(robots);
  const fs::path laid = bench.path() / "dropped";
  // made beside what was dropped, so that nothing of that is taken for made, and moved when it is whole
  const fs::path made = bench.path() / "made" / dropped.name;
  if (Status is_laid = lay_out(dropped.files, laid); !is_laid) return is_laid.error();
  auto report = report_on_made({.main = *main, .laid = laid, .made = made, .folder = folder}, bench.path());
  if (!report) {
    const std::string words = without(without(report.error().message, laid), bench.path());
    return Error{report.error().code, words};
  }
  // a macro may be written out many times: what was made counts
  if (Status fits = check_bytes(bytes_in(made), robots); !fits) return fits.error();
  std::error_code error;
  fs::rename(made, folder, error);
  if (error) return Error{ErrorCode::SystemFailure, fmt::format("{}: {}", folder.string(), error.message())};
  return report;
}

std::vector<ApiRow> dropped_robot_rows(Background& background, const fs::path& robots) {
  const auto do_in_turn = [&background](const ApiCall& call, std::function<Background::Delivery()> work) {
    if (!background.start("robot", std::move(work), [call] { call.refuse(409, "asked again meanwhile"); }))
      call.refuse(503, "too much is being done already");
  };
  const auto make = [do_in_turn, robots](const ApiCall& call) {
    do_in_turn(call, [robots, call]() -> Background::Delivery {
      const auto body = body_from(*call.large_body);
      const auto dropped = body ? dropped_robot_from(*body) : Result<DroppedRobot>(body.error());
      auto report = dropped ? make_dropped_robot(*dropped, robots) : Result<Json>(dropped.error());
      if (!report) return [call, error = report.error()] { call.refuse(error); };
      return [call, json = *std::move(report)] { call.reply(201, json); };
    });
  };
  const auto list = [&background, robots](const ApiCall& call) {
    const auto work = [robots, call]() -> Background::Delivery {
      return [call, json = list_dropped_robots(robots)] { call.reply(200, json); };
    };
    if (!background.start("robots " + call.who.user, work,
                          [call] { call.refuse(409, "asked again meanwhile"); }))
      call.refuse(503, "too much is being done already");
  };
  const auto remove = [do_in_turn, robots](const ApiCall& call) {
    do_in_turn(call, [name = call.names[0], robots, call]() -> Background::Delivery {
      return [call, deleted = delete_dropped_robot(name, robots)] { call.finish(deleted); };
    });
  };
  return {{"GET", "/api/robots", kListRobots, list},
          {"POST", "/api/robots", kAddRobot, make, true},
          {"DELETE", "/api/robots/{name}", kAddRobot, remove}};
}

}  // namespace sinew
