// SPDX-License-Identifier: BSD-3-Clause
#include "apps/web/backup_api.h"

#include <memory>
#include <utility>

#include <fmt/format.h>

#include "sinew/accounts/whole_file.h"
#include "sinew/base/time.h"
#include "sinew/model/load_robot.h"
#include "sinew/model/site.h"

#include "apps/web/backup.h"
#include "apps/web/frame_store.h"
#include "apps/web/json_values.h"
#include "apps/web/point_store.h"
#include "apps/web/stream_store.h"
#include "apps/web/version.h"

namespace sinew {
namespace {

constexpr accounts::Need kMakeBackup{.right = accounts::Right::BackUp};
constexpr accounts::Need kRestoreBackup{.right = accounts::Right::BackUp, .changes = true};
using Json = nlohmann::ordered_json;

constexpr std::size_t kMostYamlBytes = 1U << 20U;

/// Text of the model's robot.yaml; empty when it has none.
std::string robot_yaml_of(const std::string& model) {
  const auto robot = load_robot(model);
  if (!robot) return {};
  const auto text =
      accounts::read_whole_file((robot->urdf.parent_path() / "robot.yaml").string(), kMostYamlBytes);
  return text.value_or("");
}

template <class T>
Status status_only(const Result<T>& result) {
  return result ? Status(Done{}) : Status(result.error());
}

void do_in_turn(Background& background, const ApiCall& call, std::function<Background::Delivery()> work) {
  // not by user: two restores at once are one too many, whoever asks
  const auto dropped = [call] { call.refuse(409, "asked again meanwhile"); };
  if (!background.start("backup", std::move(work), dropped))
    call.refuse(503, "too much is being done already");
}

void send_backup(const BackupParts& parts, const ApiCall& call) {
  BackupOptions options{.folder = parts.data.string(),
                        .robot = parts.robot,
                        .version = std::string(kProgramVersion),
                        .wall_ns = wall_now_ns()};
  do_in_turn(parts.background, call, [options, model = parts.model, call]() mutable -> Background::Delivery {
    options.robot_yaml = robot_yaml_of(model);
    auto document = make_backup(options);
    if (!document) return [call, error = document.error()] { call.refuse(error); };
    web::HttpAnswer answer{.body = *std::move(document)};
    answer.headers.emplace_back("Content-Disposition",
                                fmt::format("attachment; filename=\"sinew-{}.json\"", options.robot));
    return [call, answer = std::move(answer)] { call.answer(answer); };
  });
}

Result<RestoreOptions> restore_options_from(const BackupParts& parts, const Json& body) {
  RestoreOptions options{.folder = parts.data.string(), .robot = parts.robot};
  const auto users = truth_at(body, "users", true);
  if (!users) return users.error();
  const auto any_robot = truth_at(body, "any_robot", false);
  if (!any_robot) return any_robot.error();
  options.has_users = *users;
  options.is_for_any_robot = *any_robot;
  options.checks["points"] = [](std::string_view text) { return status_only(PointStore::parse(text)); };
  options.checks["tools"] = [](std::string_view text) {
    return status_only(FrameStore::parse(FrameStore::Kind::Tools, text));
  };
  options.checks["frames"] = [](std::string_view text) {
    return status_only(FrameStore::parse(FrameStore::Kind::Frames, text));
  };
  options.site_check = [model = parts.model](std::string_view text) -> Status {
    auto robot = load_robot(model);
    if (!robot) return robot.error();
    return apply_site_text(text, kSiteFile, robot->model);
  };
  options.checks["streams"] = [](std::string_view text) { return status_only(StreamStore::parse(text)); };
  return options;
}

Result<Restored> restored_from(const BackupParts& parts, std::string_view text) {
  const auto body = body_from(text);
  if (!body) return body.error();
  auto options = restore_options_from(parts, *body);
  if (!options) return options.error();
  const auto document = body->find("backup");
  if (document == body->end() || !document->is_object())
    return Error{ErrorCode::InvalidInput, "'backup' must be what GET /api/backup answered with"};
  options->robot_yaml = robot_yaml_of(parts.model);
  auto restored = restore_backup(document->dump(), *options);
  // what the document says cannot be, however it is put
  if (!restored) return Error{ErrorCode::Damaged, restored.error().message};
  return restored;
}

void restore(const BackupParts& parts, const ApiCall& call) {
  do_in_turn(parts.background, call, [parts, call]() -> Background::Delivery {
    const auto restored = restored_from(parts, *call.large_body);
    if (!restored) return [call, error = restored.error()] { call.refuse(error); };
    return [parts, call, restored = *restored]() mutable {
      for (std::string& note : parts.restored()) restored.notes.push_back(std::move(note));
      call.reply(200,
                 {{"restored",
                   {{"programs", restored.programs}, {"files", restored.files}, {"users", restored.users}}},
                  {"notes", restored.notes}});
    };
  });
}

}  // namespace

std::vector<ApiRow> backup_rows(const BackupParts& parts) {
  return {
      {"GET", "/api/backup", kMakeBackup, [parts](const ApiCall& call) { send_backup(parts, call); }},
      {"POST", kRestoreTarget, kRestoreBackup, [parts](const ApiCall& call) { restore(parts, call); }, true}};
}

}  // namespace sinew
