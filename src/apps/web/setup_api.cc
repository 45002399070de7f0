// SPDX-License-Identifier: BSD-3-Clause
#include "apps/web/setup_api.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <map>
#include <optional>
#include <string_view>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "sinew/accounts/whole_file.h"
#include "sinew/base/hash.h"
#include "sinew/base/time.h"
#include "sinew/model/site.h"
#include "sinew/processes/identity.h"

#include "apps/cli/motion_words.h"
#include "apps/cli/status_gathering.h"
#include "apps/controller/robot_fingerprint.h"
#include "apps/web/api_needs.h"
#include "apps/web/site_words.h"

namespace sinew {
namespace {

using Json = nlohmann::ordered_json;
using accounts::read_whole_file;
using accounts::replace_whole_file;

constexpr accounts::Need kChangeLimits{
    .right = accounts::Right::ChangeLimits, .needs_control = true, .changes = true};
constexpr std::array<std::string_view, 2> kRolesThatRead{"motion", "controller"};
constexpr auto kBetweenLooks = std::chrono::milliseconds(100);
constexpr std::int64_t kLongestRestart_ns = 40 * kSecond_ns;

/// What is kept, and the robot with it.
struct Saved {
  std::string text;  ///< Empty: nothing.
  RobotModel model;
  std::string problem;  ///< Why it cannot be used; the model is as made then.
};

Saved read_saved(const std::filesystem::path& file, const RobotModel& made) {
  Saved saved{.text = {}, .model = made, .problem = {}};
  const auto text = read_whole_file(file.string(), kMostSiteBytes);
  if (!text && text.error().code != ErrorCode::NotFound) saved.problem = text.error().message;
  if (!text) return saved;
  saved.text = *text;
  if (Status applied = apply_site_text(*text, file.string(), saved.model); !applied)
    saved.problem = applied.error().message;
  return saved;
}

// Of a text, so that nobody writes over what he has not seen.
std::string version_of(std::string_view text) {
  return fmt::format("{:016x}", fnv1a(text));
}

/// Whether what the controller read when it began is what this process has read of it.
bool knows_files(const RobotDesk& desk, const OpenRobot& robot) {
  const auto hash = robot_fingerprint(robot.link.files());
  return hash && desk.run() && desk.run()->robot_hash == *hash;
}

void refuse_findings(const ApiCall& call, unsigned status, const std::vector<SiteFinding>& findings) {
  const SiteFinding& first = findings.front();
  std::string text = first.name.empty() ? first.message : fmt::format("{}: {}", first.name, first.message);
  if (findings.size() > 1) text += fmt::format(" (and {} more)", findings.size() - 1);
  call.reply(status, {{"error", text}, {"findings", findings_json(findings)}});
}

/// The processes of one robot that play `roles`, as they run now.
using Running = std::map<std::string, processes::ProcessIdentity>;

struct Look {
  Running running;
  std::string trouble;  ///< A process that has given up, and why.
};

Result<Look> look_at_processes(const std::string& space, const std::string& robot) {
  const auto status = cli::gather_status(space);
  if (!status) return status.error();
  Look look;
  for (const auto& one : (*status)["robots"]) {
    if (supervisor::text_in(one, "name") != robot) continue;
    for (const auto& process : one["processes"]) {
      const std::string role = supervisor::text_in(process, "role");
      const std::string state = supervisor::text_in(process, "state");
      const bool reads = std::ranges::find(kRolesThatRead, role) != kRolesThatRead.end();
      if (reads && state == "gave up")
        look.trouble = fmt::format("the {} does not start: {}; its log tells more", role,
                                   supervisor::text_in(process, "last_death"));
      if (!reads || state != "running") continue;
      look.running[role] = {.pid = static_cast<std::int32_t>(supervisor::number_in(process, "pid")),
                            .start_ticks = process.value("start_ticks", std::uint64_t{0})};
    }
  }
  return look;
}

bool is_under_way(ProgramPhase phase) {
  return phase != ProgramPhase::None && phase != ProgramPhase::Ended && phase != ProgramPhase::Failed;
}

bool are_all_new(const Running& before, const Running& now) {
  return std::ranges::all_of(before, [&](const auto& old) {
    const auto found = now.find(old.first);
    return found != now.end() && !(found->second == old.second);
  });
}

// Ends them, and waits until the supervisor has brought them back.
Status start_anew(const std::string& space, const std::string& robot) {
  const auto before = look_at_processes(space, robot);
  if (!before) return before.error();
  if (before->running.empty())
    return Error{ErrorCode::NotFound, "the robot's processes do not run; 'sinew status' tells more"};
  for (const std::string_view role : kRolesThatRead) {
    const auto found = before->running.find(std::string(role));
    if (found == before->running.end() || !processes::is_alive(found->second)) continue;
    kill(found->second.pid, SIGTERM);
  }
  const std::int64_t until_ns = monotonic_now_ns() + kLongestRestart_ns;
  while (monotonic_now_ns() < until_ns) {
    std::this_thread::sleep_for(kBetweenLooks);
    const auto now = look_at_processes(space, robot);
    if (!now) continue;
    if (!now->trouble.empty()) return Error{ErrorCode::Gone, now->trouble};
    if (are_all_new(before->running, now->running)) return Done{};
  }
  return Error{ErrorCode::TimedOut, "the processes have not come back yet; see Status"};
}

}  // namespace

Result<std::shared_ptr<const LoadedRobot>> SetupApi::made() {
  if (made_ == nullptr) {
    auto robot = load_robot(parts_.model);
    if (!robot) return robot.error();
    made_ = std::make_shared<const LoadedRobot>(*std::move(robot));
  }
  return made_;
}

void SetupApi::note(const ApiCall& call, const std::string& what, const std::string& outcome) {
  accounts::AuditEvent event{.wall_ns = wall_now_ns(),
                             .user = call.who.user,
                             .address = call.peer,
                             .what = what,
                             .outcome = outcome};
  outcome == "done" ? parts_.accounts.note(std::move(event)) : parts_.accounts.note_refusal(std::move(event));
}

// Where the joints are; empty when there is no robot.
std::vector<double> SetupApi::positions_now() {
  const auto open = parts_.desk.robot();
  if (!open) return {};
  const auto& position = (*open)->link.now().state.position;
  const auto count = static_cast<std::ptrdiff_t>((*open)->link.model().positions.size());
  return {position.begin(), position.begin() + count};
}

// In the background: why the robot cannot have `wanted` where it stands.
std::optional<Background::Delivery> SetupApi::refuse_conflicts(const ApiCall& call, const LoadedRobot& made,
                                                               const RobotModel& wanted,
                                                               const std::vector<double>& q) {
  if (q.empty()) return std::nullopt;
  const auto conflicts = site_conflicts(made, wanted, q);
  if (!conflicts) return [call, error = conflicts.error()] { call.refuse(error); };
  if (conflicts->empty()) return std::nullopt;
  return [this, call, findings = *conflicts] {
    note(call, "setup", "refused: " + findings.front().message);
    refuse_findings(call, 422, findings);
  };
}

void SetupApi::in_turn(const ApiCall& call, std::function<Background::Delivery()> work) {
  const auto dropped = [call] { call.refuse(409, "asked again meanwhile"); };
  if (!parts_.background.start("setup", std::move(work), dropped))
    call.refuse(503, "too much is being done already");
}

void SetupApi::tell(const ApiCall& call) {
  const auto robot = made();
  if (!robot) return call.refuse(503, robot.error().message);
  const RobotModel& model = (*robot)->model;
  const Saved saved = read_saved(parts_.file, model);
  const auto open = parts_.desk.robot();
  const bool is_known = open && knows_files(parts_.desk, **open);
  const bool is_in_force = is_known && (*open)->link.files().site == saved.text;
  call.reply(200,
             {{"limits", site_limits_json(model, saved.model, is_known ? &(*open)->link.model() : nullptr)},
              {"bounds", site_bounds_json(model, saved.model, saved.text)},
              {"parts", site_parts_json(model)},
              {"most_bounds", kMostWorkspaceBounds},
              {"version", version_of(saved.text)},
              {"is_running", open.has_value()},
              {"is_in_force", is_in_force},
              {"problem", saved.problem.empty() ? Json(nullptr) : Json(saved.problem)}});
}

void SetupApi::keep(const ApiCall& call) {
  const auto robot = made();
  if (!robot) return call.refuse(503, robot.error().message);
  const auto version = text_at(call.body, "version", "");
  if (!version) return call.refuse(version.error());
  SiteDraft draft = draft_site(call.body, (*robot)->model);
  if (!draft.findings.empty()) {
    note(call, "setup: save", "refused: " + draft.findings.front().message);
    return refuse_findings(call, 400, draft.findings);
  }
  auto work = [this, call, made = *robot, draft = std::move(draft), q = positions_now(), version = *version,
               file = parts_.file]() -> Background::Delivery {
    const auto before = read_whole_file(file.string(), kMostSiteBytes);
    if (!version.empty() && version != version_of(before.value_or("")))
      return [call] { call.refuse(409, "somebody else has changed it meanwhile; load it anew"); };
    if (auto refused = refuse_conflicts(call, *made, draft.model, q)) return *std::move(refused);
    Status kept = Done{};
    if (before) kept = replace_whole_file(file.string() + ".before", *before);
    if (kept) kept = replace_whole_file(file.string(), draft.text);
    return [this, call, kept, text = draft.text] {
      note(call, "setup: save", kept ? "done" : kept.error().message);
      if (!kept) return call.refuse(kept.error());
      ++changes_;
      call.reply(200, {{"ok", true}, {"version", version_of(text)}});
    };
  };
  in_turn(call, std::move(work));
}

void SetupApi::restart(const ApiCall& call) {
  const auto robot = made();
  if (!robot) return call.refuse(503, robot.error().message);
  const auto open = parts_.desk.robot();
  if (open) {
    const auto motion = (*open)->link.motion_state();
    if (motion && motion->phase != MotionPhase::Idle)
      return call.refuse(409, fmt::format("the robot is {}; stop it first", cli::phase_word(motion->phase)));
    if (motion && is_under_way(motion->program_phase))
      return call.refuse(409, "a program runs; stop it first");
  }
  auto work = [this, call, made = *robot, q = positions_now(), space = parts_.desk.space(),
               name = parts_.desk.name(), file = parts_.file]() -> Background::Delivery {
    // what would keep them from coming back, or the robot from moving then, is found before they end
    const Saved saved = read_saved(file, made->model);
    if (!saved.problem.empty()) return [call, saved] { call.refuse(422, saved.problem); };
    if (auto refused = refuse_conflicts(call, *made, saved.model, q)) return *std::move(refused);
    const Status done = start_anew(space, name);
    return [this, call, done] {
      note(call, "setup: restart", done ? "done" : done.error().message);
      ++changes_;
      done ? call.done() : call.refuse(503, done.error().message);
    };
  };
  in_turn(call, std::move(work));
}

std::vector<ApiRow> SetupApi::rows() {
  return {{"GET", "/api/setup", needs::kWatch, [this](const ApiCall& call) { tell(call); }},
          {"PUT", "/api/setup", kChangeLimits, [this](const ApiCall& call) { keep(call); }},
          {"POST", "/api/setup/restart", kChangeLimits, [this](const ApiCall& call) { restart(call); }}};
}

}  // namespace sinew
