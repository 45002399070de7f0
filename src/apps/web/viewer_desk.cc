// SPDX-License-Identifier: BSD-3-Clause
#include "apps/web/viewer_desk.h"

#include <algorithm>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "sinew/accounts/whole_file.h"
#include "sinew/base/fixed_string.h"
#include "sinew/viewers/foxglove_session.h"
#include "sinew/viewers/rosbridge_session.h"
#include "sinew/web/header_value.h"
#include "sinew/web/routes.h"
#include "sinew/web/visitor.h"

#include "apps/web/api_needs.h"
#include "apps/web/live_desk.h"

namespace sinew {
namespace {

constexpr std::int64_t kIdlePause_ns = 100 * kMillisecond_ns;
constexpr std::uint16_t kStartedAnew = 1012;
constexpr std::size_t kMostViewers = 60;
constexpr std::ptrdiff_t kMostStrangers = 16;
constexpr std::ptrdiff_t kMostStrangersOfAddress = 4;
constexpr std::uint16_t kNobody = 4401;  // as pages are told that their session is over

/// The name of Foxglove's protocol that a client offers first among those we know; empty: none.
std::string_view foxglove_offer(const web::HttpRequest& request) {
  const std::string offered = request.headers.websocket_protocol.value_or("");
  for (const std::string_view name : viewers::kFoxgloveSubprotocols)
    if (web::has_word(offered, name)) return name;
  return "";
}

/// The description with meshes where viewers can ask for them.
std::string description_for_viewers(std::string urdf) {
  constexpr std::string_view kHere = "filename=\"/api/mesh/";
  const std::string there = fmt::format("filename=\"{}", ViewerDesk::kMeshes);
  for (std::size_t at = 0; (at = urdf.find(kHere, at)) != std::string::npos; at += there.size())
    urdf.replace(at, kHere.size(), there);
  return urdf;
}

// The robot may be another one by now than the one that the viewer was told of.
Result<Request> move_request(const viewers::JointWish& wish, const RobotModel& model) {
  Request request{.verb = RequestVerb::MoveJoints};
  for (std::size_t i = 0; i < wish.names.size(); ++i) {
    const std::size_t joint = find_joint(model, wish.names[i]);
    const std::size_t position = joint == kNone ? kNone : model.joints[joint].position;
    if (position == kNone)
      return Error{ErrorCode::NotFound, fmt::format("there is no joint '{}'", wish.names[i])};
    request.joint_mask |= std::uint64_t{1} << position;
    request.joints[position] = wish.positions[i];
  }
  return request;
}

}  // namespace

bool ViewerDesk::is_for(const web::HttpRequest& request) {
  const std::string_view path = std::string_view(request.target).substr(0, request.target.find('?'));
  if (path == "/rosbridge") return true;
  const bool offers_none = request.headers.websocket_protocol.value_or("").empty();
  return path == "/" && (offers_none || !foxglove_offer(request).empty());
}

accounts::GateVerdict ViewerDesk::verdict_on(const Client& client, const accounts::Need& need,
                                             std::int64_t now_ns) {
  return parts_.accounts.gate().check(client.credentials, need, now_ns);
}

// Of those who have not said who they are, few at a time, and fewer from one address; and of all viewers so
// many that pages always find a place.
bool ViewerDesk::has_room_for(const web::HttpRequest& request, std::int64_t now_ns) {
  if (clients_.size() >= kMostViewers) return false;
  if (parts_.accounts.gate().check(credentials_of(request), needs::kWatch, now_ns).is_ok()) return true;
  const auto is_stranger = [](const auto& entry) { return !entry.second.may_watch; };
  const auto is_of_address = [&](const auto& entry) {
    return is_stranger(entry) && entry.second.credentials.peer == request.peer;
  };
  return std::ranges::count_if(clients_, is_stranger) < kMostStrangers &&
         std::ranges::count_if(clients_, is_of_address) < kMostStrangersOfAddress;
}

web::SocketVerdict ViewerDesk::may_open(const web::HttpRequest& request, std::int64_t now_ns) {
  const auto refusal = [](unsigned status, const std::string& why) {
    return web::SocketVerdict{.refusal = web::error_answer(status, why), .subprotocol = {}};
  };
  const auto& origin = request.headers.origin;
  const bool is_invited = origin && std::ranges::find(options_.origins, *origin) != options_.origins.end();
  if (const Status own = web::check_mover(request.headers); !own && !is_invited)
    return refusal(403,
                   fmt::format("{}; 'sinew start … --viewers ORIGIN' lets it watch", own.error().message));
  if (!has_room_for(request, now_ns)) return refusal(503, "too many viewers are here already; log in first");
  const auto robot = parts_.robot.robot();
  if (!robot) return refusal(503, robot.error().message);
  look_at_opening();
  if (!facts_)
    facts_ = std::make_shared<const viewers::RobotFacts>(
        viewer_facts((*robot)->link, description_for_viewers((*robot)->facts.urdf())));
  const bool is_known = parts_.accounts.gate().identify(credentials_of(request), now_ns).has_value();
  return {.refusal = {}, .subprotocol = std::string(foxglove_offer(request)), .is_known = is_known};
}

void ViewerDesk::opened(web::SocketNumber socket, const web::HttpRequest& request, std::int64_t now_ns) {
  Client client{.facts = facts_, .credentials = credentials_of(request), .opened_ns = now_ns};
  if (foxglove_offer(request).empty())
    client.session = std::make_unique<viewers::RosbridgeSession>(*facts_);
  else
    client.session = std::make_unique<viewers::FoxgloveSession>(*facts_);
  const accounts::GateVerdict verdict = verdict_on(client, needs::kWatch, now_ns);
  client.may_watch = verdict.is_ok();
  client.login = verdict.who.session;
  const bool is_known = client.may_watch;
  viewers::Messages greeting = client.session->greeting();
  clients_.emplace(socket, std::move(client));
  send(socket, std::move(greeting));
  if (!is_known)
    tell(socket, viewers::Level::Error,
         "say who you are: publish {\"session\", \"control\"} on /sinew/auth, or, in rosbridge, send the op "
         "'auth'");
}

void ViewerDesk::send(web::SocketNumber socket, viewers::Messages messages) {
  for (viewers::Message& message : messages)
    parts_.server.send(socket, {.is_text = message.is_text, .bytes = std::move(message.bytes)},
                       message.stream);
}

void ViewerDesk::tell(web::SocketNumber socket, viewers::Level level, const std::string& text) {
  if (const auto found = clients_.find(socket); found != clients_.end())
    send(socket, found->second.session->tell(level, text));
}

void ViewerDesk::refuse(web::SocketNumber socket, const Client& client, std::string_view what,
                        const accounts::GateVerdict& verdict) {
  parts_.accounts.note_refusal({.user = verdict.who.user,
                                .address = client.credentials.peer,
                                .what = fmt::format("viewer {}", what),
                                .outcome = verdict.error});
  tell(socket, viewers::Level::Error, verdict.error);
}

void ViewerDesk::message(web::SocketNumber socket, const web::SocketMessage& message, std::int64_t now_ns) {
  const auto found = clients_.find(socket);
  if (found == clients_.end()) return;
  Client& client = found->second;
  const accounts::GateVerdict verdict = verdict_on(client, needs::kMove, now_ns);
  viewers::Taken taken =
      client.session->take({.is_text = message.is_text, .bytes = message.bytes},
                           {.may_command = verdict.is_ok(), .why_not = verdict.error}, now_ns);
  const bool is_introduction = taken.wish && std::holds_alternative<viewers::Credentials>(*taken.wish);
  // of a robot that one may not watch, one learns nothing by asking either
  if (!client.may_watch && !is_introduction) return;
  send(socket, std::move(taken.answers));
  if (taken.wish) carry_out(socket, client, *taken.wish, now_ns);
}

void ViewerDesk::carry_out(web::SocketNumber socket, Client& client, const viewers::Wish& wish,
                           std::int64_t now_ns) {
  if (const auto* joints = std::get_if<viewers::JointWish>(&wish))
    return move(socket, client, *joints, now_ns);
  if (std::holds_alternative<viewers::StopWish>(wish)) return stop(socket, client, now_ns);
  if (const auto* shown = std::get_if<viewers::Credentials>(&wish))
    return recognise(socket, client, *shown, now_ns);
  if (const auto* file = std::get_if<viewers::AssetWish>(&wish))
    send(socket, client.session->give(*file, asset(file->uri)));
}

void ViewerDesk::move(web::SocketNumber socket, const Client& client, const viewers::JointWish& wish,
                      std::int64_t now_ns) {
  const accounts::GateVerdict verdict = verdict_on(client, needs::kMove, now_ns);
  if (!verdict.is_ok()) return refuse(socket, client, "move", verdict);
  const auto robot = parts_.robot.robot();
  if (!robot) return tell(socket, viewers::Level::Error, robot.error().message);
  const auto request = move_request(wish, (*robot)->link.model());
  if (!request) return tell(socket, viewers::Level::Error, request.error().message);
  parts_.bridge.look(now_ns);
  const auto number = parts_.robot.ask(
      *request, ControlBridge::name_of(verdict.who.user), now_ns, [this, socket](const Reply& reply, double) {
        const bool is_done = reply.status == ReplyStatus::Done;
        const std::string_view why = text_of(reply.reason);
        tell(socket, is_done ? viewers::Level::Info : viewers::Level::Error,
             fmt::format("/joint_command: {}{}{}", web::outcome_of(reply.status).word,
                         why.empty() ? "" : ": ", why));
      });
  if (!number) tell(socket, viewers::Level::Error, number.error().message);
}

void ViewerDesk::stop(web::SocketNumber socket, const Client& client, std::int64_t now_ns) {
  const accounts::GateVerdict verdict = verdict_on(client, needs::kStop, now_ns);
  if (!verdict.is_ok()) return refuse(socket, client, "stop", verdict);
  const std::string who = verdict.who.user.empty() ? "web" : ControlBridge::name_of(verdict.who.user);
  const Status asked = parts_.robot.ask_controller(ControlVerb::Stop, who);
  if (!asked) tell(socket, viewers::Level::Error, asked.error().message);
}

// What somebody shows on purpose is no doing of a strange page, which has no tokens to show.
void ViewerDesk::recognise(web::SocketNumber socket, Client& client, const viewers::Credentials& shown,
                           std::int64_t now_ns) {
  accounts::Credentials credentials = client.credentials;
  credentials.cookie.reset();
  credentials.authorization.reset();
  if (!shown.session.empty()) credentials.authorization = "Bearer " + shown.session;
  credentials.control = shown.control;
  credentials.is_own_page = true;
  const accounts::GateVerdict verdict =
      parts_.accounts.gate().check(credentials, shown.control.empty() ? needs::kWatch : needs::kMove, now_ns);
  if (!verdict.is_ok()) return refuse(socket, client, "auth", verdict);
  // who has shown nothing is no better known than before
  const bool has_shown = verdict.who.session != 0 || !shown.control.empty();
  if (!has_shown) credentials.is_own_page = client.credentials.is_own_page;
  client.credentials = std::move(credentials);
  client.login = verdict.who.session;
  client.may_watch = true;
  tell(socket, viewers::Level::Info,
       fmt::format("you are {}{}", verdict.who.user.empty() ? "a visitor" : verdict.who.user,
                   shown.control.empty() ? "" : " and control the robot"));
}

Result<std::string> ViewerDesk::asset(std::string_view uri) {
  const auto robot = parts_.robot.robot();
  if (!robot) return robot.error();
  const auto mesh =
      uri.starts_with(kMeshes) ? (*robot)->facts.mesh(uri.substr(kMeshes.size())) : std::nullopt;
  if (!mesh) return Error{ErrorCode::NotFound, "the robot's description names no such file"};
  return accounts::read_whole_file(mesh->file.string(), kMostAssetBytes);
}

void ViewerDesk::drop_strangers(std::int64_t now_ns) {
  for (const auto& [socket, client] : clients_) {
    if (!client.may_watch && now_ns - client.opened_ns >= options_.unknown_for_ns)
      parts_.server.close(socket, kNobody, "nobody has said who this is");
    if (client.login != 0 && !parts_.accounts.sessions().is_open(client.login, now_ns))
      parts_.server.close(socket, kNobody, "the session is over");
  }
}

// A robot that was started anew may be another one: who was told of the one before opens anew.
void ViewerDesk::look_at_opening() {
  const std::uint64_t before = std::exchange(opening_, parts_.robot.openings());
  if (before == opening_) return;
  source_.reopen();
  facts_.reset();
  for (const auto& [socket, client] : clients_)
    parts_.server.close(socket, kStartedAnew, "the robot was started anew");
}

void ViewerDesk::publish(std::int64_t now_ns) {
  const auto robot = parts_.robot.robot();
  const bool is_gone = !robot;
  if (is_gone) {
    if (!std::exchange(was_gone_, true))
      for (const auto& [socket, client] : clients_)
        tell(socket, viewers::Level::Error, robot.error().message);
    return;
  }
  was_gone_ = false;
  look_at_opening();
  if (!facts_) return;
  viewers::Edition edition(*facts_, source_.look((*robot)->link, wall_now_ns()));
  for (auto& [socket, client] : clients_)
    if (client.may_watch && client.facts == facts_) send(socket, client.session->publish(edition, now_ns));
}

std::int64_t ViewerDesk::look(std::int64_t now_ns) {
  drop_strangers(now_ns);
  const bool is_heard = std::ranges::any_of(
      clients_, [](const auto& entry) { return entry.second.session->has_subscriptions(); });
  if (!is_heard) return kIdlePause_ns;
  publish(now_ns);
  return options_.period_ns;
}

}  // namespace sinew
