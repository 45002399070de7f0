// SPDX-License-Identifier: BSD-3-Clause
#include "apps/web/office.h"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <functional>
#include <variant>

#include <fmt/format.h>

#include "sinew/accounts/strict_json.h"
#include "sinew/base/time.h"
#include "sinew/web/shown_text.h"
#include "sinew/web/visitor.h"

#include "apps/web/alarm_api.h"
#include "apps/web/api_needs.h"
#include "apps/web/backup_api.h"
#include "apps/web/dropped_robot.h"
#include "apps/web/frame_api.h"
#include "apps/web/json_values.h"
#include "apps/web/recording_api.h"
#include "apps/web/robot_api.h"
#include "apps/web/status_api.h"

namespace sinew {
namespace {

constexpr std::int64_t kBetweenDeliveries_ns = 10 * kMillisecond_ns;
constexpr std::int64_t kBetweenRetries_ns = 2 * kSecond_ns;
// who has just logged in goes the ordinary way until then
constexpr std::int64_t kBetweenRights_ns = 100 * kMillisecond_ns;
constexpr std::string_view kTakeControl = "/api/control/take";

// What may be larger than a page's ordinary words.
bool has_large_body(const web::HttpRequest& request) {
  return request.method == "POST" && (request.target == "/api/robots" || request.target == kRestoreTarget);
}

std::vector<std::string> lengths_of(const RobotModel& model) {
  std::vector<std::string> names;
  for (const std::size_t joint : model.positions)
    if (model.joints[joint].kind == JointKind::Prismatic) names.push_back(model.joints[joint].name);
  return names;
}

accounts::Moment moment_now() {
  return {.now_ns = monotonic_now_ns(), .wall_ns = wall_now_ns()};
}

// The robot as it was set up where it stands.
cli::RobotLink::Options on_site(const Office::Options& options) {
  cli::RobotLink::Options robot = options.robot;
  robot.site = (options.data / kSiteFile).string();
  return robot;
}

// Programs of the desktop that are made of browsers come from files.
std::vector<std::string> origins_of(const Office::Options& options) {
  std::vector<std::string> origins = options.viewer_origins;
  origins.emplace_back("file://");
  return origins;
}

// Browsers keep cookies by the machine, not by the port: robots on one machine would log each other out.
std::string cookie_name_of(const cli::RobotLink::Options& robot) {
  std::string name = fmt::format("sinew_session_{}_{}", robot.space, robot.robot);
  const auto is_plain = [](unsigned char c) { return std::isalnum(c) != 0 || c == '-'; };
  std::ranges::replace_if(name, std::not_fn(is_plain), '_');
  return name;
}

}  // namespace

Office::Office(const Options& options)
    : options_(options),
      routes_(options.rules),
      page_(web::pendant_files()),
      immediate_stop_({.robot = options.robot.robot,
                       .space = options.robot.space,
                       .host_names = options.rules.host_names}),
      server_({.address = options.address,
               .tls = options.tls,
               .large_bodies = has_large_body,
               .notice = [](const std::string& line) { fmt::print(stderr, "web: {}\n", line); },
               .at_once = immediate_stop_.at_once()},
              [this](const web::HttpRequest& request, const web::Server::Answer& answer) {
                serve(request, answer);
              }),
      accounts_({.folder = options.data.string(),
                 .gate = {.has_accounts = options.has_accounts,
                          .owner = geteuid(),
                          .cookie_name = cookie_name_of(options.robot)}},
                moment_now()),
      robot_({.robot = on_site(options), .mode = options.mode}),
      alarms_(options.data / "alarms.jsonl"),
      alarm_watch_(robot_, alarms_),
      recordings_({options.data / "recordings", options.stops}),
      programs_(options.data / "programs"),
      program_notes_(options.data / "program_notes.json"),
      points_(options.data / "points.json", options.data / "programs"),
      tools_(FrameStore::Kind::Tools, options.data, options.data / "programs"),
      frames_(FrameStore::Kind::Frames, options.data, options.data / "programs"),
      streams_(options.data / "streams.json"),
      bridge_(accounts_, robot_, [this](const std::string& text) { live_.tell_control(text); }),
      plots_(robot_),
      live_({server_, robot_, accounts_, bridge_, keys_, plots_}),
      viewers_({server_, robot_, accounts_, bridge_}, {.origins = origins_of(options)}),
      motion_({robot_, bridge_, live_, keys_}),
      program_calls_({robot_, motion_, programs_, program_notes_, points_, background_}),
      stream_calls_({robot_, motion_, programs_, streams_, background_}),
      setup_calls_({robot_, background_, accounts_, options.robot.model, options.data / kSiteFile}),
      account_calls_(accounts_, [this](std::string_view client,
                                       const accounts::Identity& who) { return live_.has(client, who); }),
      calls_(accounts_.gate(), records()) {
  for (const Status& loaded : {points_.load(), tools_.load(), frames_.load(), streams_.load(), alarms_.load(),
                               program_notes_.load()})
    if (!loaded) fmt::print(stderr, "web: {}\n", loaded.error().message);
  if (auto robot = load_robot(options.robot.model)) model_ = std::move(robot->model);
  if (model_) points_.set_lengths(lengths_of(*model_));
  calls_.add(alarm_rows(alarms_));
  calls_.add(robot_rows(robot_, accounts_.desk()));
  calls_.add({{"GET", "/api/channels", needs::kWatch, [this](const ApiCall& call) {
                 const auto channels = plots_.channels_text();
                 channels ? call.answer({.body = *channels}) : call.refuse(503, channels.error().message);
               }}});
  calls_.add(motion_.rows());
  calls_.add(program_calls_.rows());
  calls_.add(stream_calls_.rows());
  calls_.add(frame_rows(tools_, frames_));
  calls_.add(setup_calls_.rows());
  calls_.add(dropped_robot_rows(background_, options.data / "robots"));
  calls_.add(status_rows(robot_, background_, [this] {
    return ServerCounts{server_.connection_count(), server_.socket_count(), live_.client_count()};
  }));
  calls_.add(backup_rows({options.robot.robot, options.robot.model, options.data, background_,
                          [this] { return reload_stores(); }}));
  calls_.add(openapi_rows(accounts_.gate().options().cookie_name));
  calls_.add(recording_rows(recordings_, background_, options.robot.robot, model_ ? &*model_ : nullptr));
  live_.add_counter("alarms", [this] { return alarms_.changes(); });
  live_.add_counter("programs", [this] { return programs_.changes(); });
  live_.add_counter("points", [this] { return points_.changes(); });
  live_.add_counter("streams", [this] { return stream_calls_.changes(); });
  live_.add_counter("frames", [this] { return tools_.changes() + frames_.changes(); });
  live_.add_counter("setup", [this] { return setup_calls_.changes(); });
  watch_sockets();
}

// What is refused to people, and what they change, stands in the log of what was done; strangers' guesses
// stand in that of this process, which they cannot fill.
ApiRecords Office::records() {
  return {.refused =
              [this](const web::HttpRequest& request, const accounts::GateVerdict& verdict) {
                accounts_.note_refusal({.user = verdict.who.user,
                                        .address = request.peer,
                                        .what = fmt::format("{} {}", request.method, request.target),
                                        .outcome = verdict.error});
              },
          .changed =
              [this](const ApiCall& call, std::string_view what, unsigned status) {
                accounts_.note({.user = call.who.user,
                                .address = call.peer,
                                .what = std::string(what),
                                .outcome = status < 400 ? "done" : fmt::format("refused: {}", status)});
              },
          .unknown = [this](const web::HttpRequest& request, unsigned status) { note(request, status); }};
}

void Office::note(const web::HttpRequest& request, unsigned status) {
  server_.note(request.peer, fmt::format("{} {}: {}", web::shown_text(request.method),
                                         web::shown_text(request.target), status));
}

// What was restored is in the files.
std::vector<std::string> Office::reload_stores() {
  programs_.note_change();
  setup_calls_.note_change();
  std::vector<std::string> notes;
  for (const Status& loaded : {points_.reload(), tools_.reload(), frames_.reload(), streams_.reload()})
    if (!loaded) notes.push_back(loaded.error().message);
  return notes;
}

void Office::run() {
  server_.repeat([this] { return robot_.look(monotonic_now_ns()); });
  server_.repeat([this] { return alarm_watch_.look(monotonic_now_ns(), wall_now_ns()); });
  server_.repeat([this] {
    alarms_.retry();
    return kBetweenRetries_ns;
  });
  server_.repeat([this] { return live_.look(monotonic_now_ns()); });
  server_.repeat([this] { return stream_calls_.look(); });
  server_.repeat([this] { return viewers_.look(monotonic_now_ns()); });
  server_.repeat([this] { return accounts_.look(moment_now()); });
  server_.repeat([this] {
    immediate_stop_.set_rights(
        {accounts_.gate().options(), accounts_.users(), accounts_.sessions(), monotonic_now_ns()});
    return kBetweenRights_ns;
  });
  server_.repeat([this] {
    background_.deliver();
    return kBetweenDeliveries_ns;
  });
  server_.run();
}

void Office::watch_sockets() {
  server_.on_sockets({.may_open = [this](const web::HttpRequest& request) { return may_open(request); },
                      .opened =
                          [this](web::SocketNumber socket, const web::HttpRequest& request) {
                            const std::int64_t now_ns = monotonic_now_ns();
                            ViewerDesk::is_for(request) ? viewers_.opened(socket, request, now_ns)
                                                        : live_.opened(socket, request, now_ns);
                          },
                      .message =
                          [this](web::SocketNumber socket, const web::SocketMessage& message) {
                            const std::int64_t now_ns = monotonic_now_ns();
                            viewers_.has(socket) ? viewers_.message(socket, message, now_ns)
                                                 : live_.message(socket, message, now_ns);
                          },
                      .closed =
                          [this](web::SocketNumber socket) {
                            viewers_.has(socket) ? viewers_.closed(socket) : live_.closed(socket);
                          }});
}

web::SocketVerdict Office::may_open(const web::HttpRequest& request) {
  const auto refusal = [](unsigned status, const std::string& why) {
    return web::SocketVerdict{.refusal = web::error_answer(status, why), .subprotocol = {}};
  };
  // a page whose own name was led here would pass for ours
  if (const Status known = web::check_host(request.headers, options_.rules.host_names); !known)
    return refusal(403, known.error().message);
  if (request.target == LiveDesk::kTarget) return live_.may_open(request, monotonic_now_ns());
  if (ViewerDesk::is_for(request)) return viewers_.may_open(request, monotonic_now_ns());
  return refusal(404, "there is no socket here; /api/live and, for viewers, / and /rosbridge are");
}

void Office::serve(const web::HttpRequest& request, const web::Server::Answer& answer) {
  const std::int64_t now_ns = monotonic_now_ns();
  const web::Route route = routes_.route(request, now_ns);
  if (const auto* target = std::get_if<web::ArmTarget>(&route))
    return serve_arm(request, *target, answer, now_ns);
  if (std::holds_alternative<web::ApiPath>(route)) return serve_api(request, answer, now_ns);
  if (std::holds_alternative<web::PageFile>(route)) return serve_page(request, answer);
  const auto& refusal = std::get<web::HttpAnswer>(route);
  note(request, refusal.status);
  answer(refusal);
}

void Office::serve_api(const web::HttpRequest& request, const web::Server::Answer& answer,
                       std::int64_t now_ns) {
  if (!accounts::AccountsApi::is_target(request.target))
    return calls_.serve(request, credentials_of(request), now_ns, answer);
  // a program that has control is no user here, and is asked for as one
  const std::string owner = request.target == kTakeControl ? bridge_.other_owner() : "";
  const auto body = accounts::strict_json(request.body);
  const bool is_forced = body && body->is_object() && truth_at(*body, "force", false).value_or(false);
  const bool is_user = accounts_.gate().identify(credentials_of(request), now_ns).has_value();
  if (owner.empty() || is_forced || !is_user) return serve_accounts(request, answer);
  answer({.status = 409,
          .body = json_text({{"error", fmt::format("'{}' controls the robot", owner)}, {"holder", owner}})});
}

void Office::serve_accounts(const web::HttpRequest& request, const web::Server::Answer& answer) {
  account_calls_.answer({.method = request.method,
                         .target = request.target,
                         .body = request.body,
                         .content_type = request.headers.content_type,
                         .credentials = credentials_of(request)},
                        [this, answer](const accounts::ApiAnswer& said) {
                          // who has left control is no longer in the way when told so
                          bridge_.look(monotonic_now_ns());
                          web::HttpAnswer reply{
                              .status = said.status, .body = said.body, .retry_after = said.retry_after};
                          if (!said.set_cookie.empty())
                            reply.headers.emplace_back("Set-Cookie", said.set_cookie);
                          answer(reply);
                        });
}

std::string Office::notice() const {
  if (!options_.has_accounts) return {};
  if (!accounts_.problem().empty()) return accounts_.problem();
  return accounts_.needs_first() ? fmt::format("code for the first account: {}", accounts_.code_text()) : "";
}

// Southern Arm Control's URL: answered when the motion is over.
void Office::serve_arm(const web::HttpRequest& request, const web::ArmTarget& target,
                       const web::Server::Answer& answer, std::int64_t now_ns) {
  // from the network nobody moves it whom it does not know
  if (options_.has_accounts && !web::is_loopback(options_.address.host)) {
    const accounts::GateVerdict verdict =
        accounts_.gate().check(credentials_of(request), {.right = accounts::Right::Move}, now_ns);
    if (!verdict.is_ok()) return answer(web::arm_refusal(verdict.status, verdict.error, target));
  }
  bridge_.look(now_ns);
  const auto number = robot_.ask(web::motion_request(target), "web", now_ns,
                                 [target, answer](const Reply& reply, double seconds) {
                                   answer(web::arm_answer(target, reply, seconds));
                                 });
  if (!number) answer(web::arm_refusal(503, number.error().message, target));
}

void Office::serve_page(const web::HttpRequest& request, const web::Server::Answer& answer) const {
  if (const auto file = page_.answer(request)) return answer(*file);
  if (request.target != "/")
    return answer(
        web::error_answer(404, "there is no such page; / is the pendant, /api/openapi.json the calls"));
  answer({.type = "text/plain; charset=utf-8",
          .body = fmt::format(
              "Sinew: robot {}\n\n"
              "This program was built without its page: install nodejs and npm and build it anew.\n\n"
              "GET /api/state                             joints, safety and who controls\n"
              "GET /x/y/z/roll/pitch/handWidth/time       moves the arm [m, rad, s]\n",
              options_.robot.robot)});
}

}  // namespace sinew
