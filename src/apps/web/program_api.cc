// SPDX-License-Identifier: BSD-3-Clause
#include "apps/web/program_api.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sinew/base/fixed_string.h"
#include "sinew/motion/program_file.h"

#include "apps/web/api_needs.h"
#include "apps/web/json_values.h"
#include "apps/web/point_json.h"
#include "apps/web/program_words.h"

namespace sinew {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostBreakpoints = ProgramNotes::kMostBreakpoints;
// who may run a program may also say where it is to wait
constexpr accounts::Need kMark{.right = accounts::Right::Move, .changes = true};

Result<std::vector<std::uint64_t>> lines_at(const Json& body, const std::string& key) {
  if (!body.contains(key) || !body[key].is_array() || body[key].size() > kMostBreakpoints)
    return Error{ErrorCode::InvalidInput,
                 fmt::format("'{}' must be a list of at most {} line numbers", key, kMostBreakpoints)};
  std::vector<std::uint64_t> lines;
  for (const Json& line : body[key]) {
    if (!line.is_number_unsigned())
      return Error{ErrorCode::InvalidInput, fmt::format("'{}' must be whole numbers", key)};
    lines.push_back(line.get<std::uint64_t>());
  }
  return lines;
}

Json entries_json(const std::vector<ProgramStore::Entry>& entries) {
  Json all = Json::array();
  for (const ProgramStore::Entry& entry : entries)
    all.push_back({{"name", entry.name}, {"bytes", entry.bytes}, {"changed", entry.changed_s}});
  return all;
}

Json points_json(const PointStore& store) {
  Json points = Json::array();
  for (const TaughtPoint& point : store.points()) points.push_back(point_json(point));
  return {{"points", std::move(points)}, {"undo", store.undo_count()}, {"redo", store.redo_count()}};
}

/// The joints of an arm where they are now.
Result<TaughtPoint> point_here(const cli::RobotLink& link, std::string name, std::string note,
                               std::string_view arm) {
  const RobotModel& model = link.model();
  const auto index = arm_named(model, arm);
  if (!index) return index.error();
  TaughtPoint point{.name = std::move(name), .arm = model.arms[*index].name, .note = std::move(note)};
  const auto path = joints_between(model, model.arms[*index].base_link, model.arms[*index].tip_link);
  for (const std::size_t joint : *path)
    if (const std::size_t position = model.joints[joint].position; position != kNone)
      point.joints.emplace_back(model.joints[joint].name, link.now().state.position[position]);
  return point;
}

}  // namespace

void ProgramApi::list(const ApiCall& call) {
  call.reply(200, {{"programs", entries_json(parts_.programs.list())},
                   {"removed", entries_json(parts_.programs.removed())}});
}

Json ProgramApi::program_json(const std::string& name, const std::string& text) const {
  const ProgramNote note = parts_.notes.of(name);
  const std::string version = ProgramStore::version_of(text);
  const bool is_known = note.version == version && !note.by.empty();
  return {{"name", name},
          {"text", text},
          {"version", version},
          {"by", is_known ? Json(note.by) : Json(nullptr)},
          {"changed", parts_.programs.changed_s(name)},
          {"breakpoints", note.breakpoints}};
}

void ProgramApi::read(const ApiCall& call) {
  const auto text = parts_.programs.read(call.names[0]);
  text ? call.reply(200, program_json(call.names[0], *text)) : call.refuse(text.error());
}

// An empty version means: there is none yet.
bool ProgramApi::is_meant(const ApiCall& call, const std::string& name) const {
  if (!call.body.contains("version")) return true;
  const auto version = text_at(call.body, "version");
  if (!version) {
    call.refuse(version.error());
    return false;
  }
  const auto text = parts_.programs.read(name);
  const std::string now = text ? ProgramStore::version_of(*text) : "";
  if (now == *version) return true;
  Json answer = text ? program_json(name, *text) : Json{{"version", ""}};
  const bool is_known = text && answer["by"].is_string();
  answer["error"] = !text ? fmt::format("'{}' was removed meanwhile", name)
                          : fmt::format("'{}' was changed meanwhile{}", name,
                                        is_known ? " by " + answer["by"].get<std::string>() : "");
  call.reply(409, answer);
  return false;
}

void ProgramApi::write(const ApiCall& call) {
  const std::string& name = call.names[0];
  const auto text = text_at(call.body, "text");
  if (!text) return call.refuse(text.error());
  ProgramNote note = parts_.notes.of(name);
  if (call.body.contains("breakpoints")) {
    auto lines = lines_at(call.body, "breakpoints");
    if (!lines) return call.refuse(lines.error());
    note.breakpoints = *std::move(lines);
  }
  if (!is_meant(call, name)) return;
  if (const Status written = parts_.programs.write(name, *text); !written)
    return call.refuse(written.error());
  note.version = ProgramStore::version_of(*text);
  note.by = call.who.user;
  if (const Status noted = parts_.notes.put(name, note); !noted) return call.refuse(noted.error());
  call.reply(200, {{"ok", true}, {"version", note.version}});
}

void ProgramApi::remove(const ApiCall& call) {
  if (is_meant(call, call.names[0])) call.finish(parts_.programs.remove(call.names[0]));
}

void ProgramApi::mark(const ApiCall& call) {
  const std::string& name = call.names[0];
  if (const auto text = parts_.programs.read(name); !text) return call.refuse(text.error());
  auto lines = lines_at(call.body, "lines");
  if (!lines) return call.refuse(lines.error());
  if (!is_meant(call, name)) return;
  ProgramNote note = parts_.notes.of(name);
  note.breakpoints = *std::move(lines);
  if (const Status noted = parts_.notes.put(name, note); !noted) return call.refuse(noted.error());
  parts_.programs.note_change();
  call.done();
}

void ProgramApi::history(const ApiCall& call) {
  Json versions = Json::array();
  for (const ProgramStore::Version& version : parts_.programs.history(call.names[0]))
    versions.push_back(
        {{"number", version.number}, {"bytes", version.bytes}, {"changed", version.changed_s}});
  call.reply(200, {{"versions", std::move(versions)}});
}

void ProgramApi::version(const ApiCall& call) {
  std::uint64_t number = 0;
  const std::string& digits = call.names[1];
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc() || end != digits.data() + digits.size())
    return call.refuse(400, "versions have numbers");
  const auto text = parts_.programs.read_version(call.names[0], number);
  text ? call.reply(200, {{"name", call.names[0]}, {"number", number}, {"text", *text}})
       : call.refuse(text.error());
}

void ProgramApi::look(const ApiCall& call, bool wants_moves) {
  const auto robot = parts_.robot.robot();
  if (!robot) return call.refuse(503, robot.error().message);
  const cli::RobotLink& link = (*robot)->link;
  auto question = std::make_shared<ProgramQuestion>();
  const auto name = text_at(call.body, "name");
  if (!name) return call.refuse(name.error());
  if (Status valid = ProgramStore::check_name(*name); !valid) return call.refuse(valid.error());
  if (!is_meant(call, *name)) return;
  auto text = call.body.contains("text") ? text_at(call.body, "text") : parts_.programs.read(*name);
  if (!text) return call.refuse(text.error());
  const auto arm = text_at(call.body, "arm", "");
  if (!arm) return call.refuse(arm.error());
  question->name = *name;
  question->text = *std::move(text);
  question->folder = parts_.programs.folder();
  question->model = link.model_name();
  question->site = link.files().site;
  question->arm = *arm;
  question->q.assign(
      link.now().state.position.begin(),
      link.now().state.position.begin() + static_cast<std::ptrdiff_t>(link.model().positions.size()));
  question->world = link.world();
  question->seen = link.seen_world();
  question->wants_moves = wants_moves;
  const auto work = [question, call]() -> Background::Delivery {
    auto found = look_at_program(*question);
    if (!found) return [call, error = found.error()] { call.refuse(422, error.message); };
    return [call, json = *std::move(found)] { call.reply(200, json); };
  };
  const auto dropped = [call] { call.refuse(409, "asked again meanwhile"); };
  const std::string key = fmt::format("{} {} {}", wants_moves, call.who.user, *name);
  if (!parts_.background.start(key, work, dropped)) call.refuse(503, "too many programs are being looked at");
}

namespace {

std::optional<std::string> first_mistake(const ProgramText& program) {
  const auto& all = program.parsed.findings.all();
  const auto first = std::ranges::find(all, language::Severity::Error, &language::Finding::severity);
  if (first == all.end()) return std::nullopt;
  return finding_text(*first, program.parsed.program.file_names());
}

}  // namespace

void ProgramApi::run(const ApiCall& call, RequestVerb verb) {
  Request request{.verb = verb};
  if (call.body.contains("name")) {
    const auto name = text_at(call.body, "name");
    if (!name) return call.refuse(name.error());
    if (Status valid = ProgramStore::check_name(*name); !valid) return call.refuse(valid.error());
    const auto line = number_at(call.body, "line", 0, 1e6, 0.0);
    if (!line) return call.refuse(line.error());
    const auto arm = text_at(call.body, "arm", "");
    if (!arm) return call.refuse(arm.error());
    if (!is_meant(call, *name)) return;
    const std::filesystem::path file = parts_.programs.path_of(*name);
    // includes of what comes over the web lead to its own folder; the motion service, which may read more,
    // runs only what has the same hash
    const auto files = FolderFiles::of(file.parent_path());
    if (!files) return call.refuse(files.error());
    const auto program = read_program(file.string(), **files);
    if (!program) return call.refuse(program.error());
    if (const auto mistake = first_mistake(*program)) return call.refuse(422, *mistake);
    // what is run is what is there now, whatever is written meanwhile
    const std::string path = fmt::format("{:016x} {}", program->hash, file.string());
    if (path.size() >= request.text.size()) return call.refuse(422, "the program's path is too long");
    set_text(request.text, path);
    set_text(request.arm, *arm);
    request.number = static_cast<std::uint64_t>(*line);
  } else if (verb == RequestVerb::RunProgram) {
    return call.refuse(400, "'name' is missing: which program");
  }
  parts_.motion.ask(call, request);
}

void ProgramApi::set_breakpoints(const ApiCall& call) {
  const auto lines = lines_at(call.body, "lines");
  if (!lines) return call.refuse(lines.error());
  Request request{.verb = RequestVerb::SetBreakpoints};
  set_text(request.text, fmt::format("{}", fmt::join(*lines, " ")));
  parts_.motion.ask(call, request);
}

void ProgramApi::show_points(const ApiCall& call) {
  call.reply(200, points_json(parts_.points));
}

void ProgramApi::replace_points(const ApiCall& call) {
  if (!call.body.contains("points") || !call.body["points"].is_array())
    return call.refuse(400, "'points' must be a list");
  TaughtPoints points;
  for (const Json& entry : call.body["points"]) {
    auto point = point_from(entry);
    if (!point) return call.refuse(point.error());
    points.push_back(*std::move(point));
  }
  const Status replaced = parts_.points.replace(std::move(points));
  replaced ? show_points(call) : call.refuse(replaced.error());
}

void ProgramApi::record_point(const ApiCall& call) {
  const auto robot = parts_.robot.robot();
  if (!robot) return call.refuse(503, robot.error().message);
  const auto name = text_at(call.body, "name");
  const auto note = text_at(call.body, "note", "");
  const auto arm = text_at(call.body, "arm", "");
  for (const auto* text : {&name, &note, &arm})
    if (!*text) return call.refuse(text->error());
  auto point = point_here((*robot)->link, *name, *note, *arm);
  if (!point) return call.refuse(point.error());
  const Status kept = parts_.points.put(*std::move(point));
  kept ? show_points(call) : call.refuse(kept.error());
}

std::vector<ApiRow> ProgramApi::rows() {
  using needs::kMove;
  using needs::kTeach;
  using needs::kThink;
  using needs::kWatch;
  const auto of = [this](void (ProgramApi::*serve)(const ApiCall&)) {
    return [this, serve](const ApiCall& call) { (this->*serve)(call); };
  };
  const auto runs = [this](RequestVerb verb) {
    return [this, verb](const ApiCall& call) { run(call, verb); };
  };
  const auto looks = [this](bool wants_moves) {
    return [this, wants_moves](const ApiCall& call) { look(call, wants_moves); };
  };
  const auto changes_points = [this](Status (PointStore::*change)()) {
    return [this, change](const ApiCall& call) {
      const Status changed = (parts_.points.*change)();
      changed ? show_points(call) : call.refuse(changed.error());
    };
  };
  return {{"GET", "/api/programs", kWatch, of(&ProgramApi::list)},
          {"POST", "/api/programs/check", kThink, looks(false)},
          {"POST", "/api/programs/simulate", kThink, looks(true)},
          {"POST", "/api/programs/run", kMove, runs(RequestVerb::RunProgram)},
          {"POST", "/api/programs/step", kMove, runs(RequestVerb::StepProgram)},
          {"POST", "/api/programs/breakpoints", kMove, of(&ProgramApi::set_breakpoints)},
          {"GET", "/api/programs/{name}", kWatch, of(&ProgramApi::read)},
          {"PUT", "/api/programs/{name}", kTeach, of(&ProgramApi::write)},
          {"DELETE", "/api/programs/{name}", kTeach, of(&ProgramApi::remove)},
          {"POST", "/api/programs/{name}/restore", kTeach,
           [this](const ApiCall& call) { call.finish(parts_.programs.restore(call.names[0])); }},
          {"PUT", "/api/programs/{name}/breakpoints", kMark, of(&ProgramApi::mark)},
          {"GET", "/api/programs/{name}/history", kWatch, of(&ProgramApi::history)},
          {"GET", "/api/programs/{name}/history/{number}", kWatch, of(&ProgramApi::version)},
          {"GET", "/api/points", kWatch, of(&ProgramApi::show_points)},
          {"PUT", "/api/points", kTeach, of(&ProgramApi::replace_points)},
          {"POST", "/api/points/record", kTeach, of(&ProgramApi::record_point)},
          {"POST", "/api/points/undo", kTeach, changes_points(&PointStore::undo)},
          {"POST", "/api/points/redo", kTeach, changes_points(&PointStore::redo)}};
}

}  // namespace sinew
