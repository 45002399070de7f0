// SPDX-License-Identifier: BSD-3-Clause
#include "apps/web/live_desk.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sinew/accounts/strict_json.h"
#include "sinew/web/listen_address.h"
#include "sinew/web/visitor.h"

#include "apps/web/api_call.h"
#include "apps/web/api_needs.h"
#include "apps/web/jog_words.h"
#include "apps/web/json_values.h"
#include "apps/web/version.h"

namespace sinew {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint32_t kTelemetry = 1;  // the streams of which the newest counts
constexpr std::uint32_t kPlots = 2;
constexpr std::int64_t kShortest_ns = kSecond_ns / 60;
constexpr std::int64_t kIdlePause_ns = 50 * kMillisecond_ns;
constexpr std::int64_t kSameFrame_ns = 8 * kMillisecond_ns;
constexpr std::uint16_t kSessionOver = 4401;
constexpr std::int64_t kBetweenSessions_ns = kSecond_ns;
constexpr double kLatest_ms = 1e13;  // of a client's clock

}  // namespace

accounts::Credentials credentials_of(const web::HttpRequest& request) {
  return {.cookie = request.headers.cookie,
          .authorization = request.headers.authorization,
          .control = request.headers.control,
          .peer = request.peer,
          .is_loopback = web::is_loopback(request.peer),
          .system_user = request.user,
          .is_secure = request.is_secure,
          .is_own_page = static_cast<bool>(web::check_mover(request.headers))};
}

web::SocketVerdict LiveDesk::may_open(const web::HttpRequest& request, std::int64_t now_ns) {
  const auto refusal = [](unsigned status, const std::string& why) {
    return web::SocketVerdict{
        .refusal = web::HttpAnswer{.status = status, .body = json_text({{"error", why}})}, .subprotocol = {}};
  };
  const accounts::Credentials credentials = credentials_of(request);
  // a strange page may open sockets to any address, and would read what they say
  if (!credentials.is_own_page) return refusal(403, "this socket is for this robot's own page");
  const accounts::GateVerdict verdict = parts_.accounts.gate().check(credentials, needs::kWatch, now_ns);
  if (!verdict.is_ok()) return refusal(verdict.status, verdict.error);
  return {.refusal = {}, .subprotocol = std::string(kProtocol), .is_known = !verdict.who.user.empty()};
}

void LiveDesk::opened(web::SocketNumber socket, const web::HttpRequest& request, std::int64_t now_ns) {
  Client client{.name = fmt::format("c{}", socket), .credentials = credentials_of(request)};
  const auto who = parts_.accounts.gate().identify(client.credentials, now_ns);
  Json hello{{"op", "hello"},
             {"client", client.name},
             {"user", who ? Json(who->user) : Json(nullptr)},
             {"role", who ? Json(accounts::role_text(who->role)) : Json(nullptr)},
             {"version", kProgramVersion}};
  if (who) {
    client.user = who->user;
    client.session = who->session;
  }
  parts_.server.send(socket, {.bytes = json_text(hello)});
  clients_.emplace(socket, std::move(client));
}

bool LiveDesk::has(std::string_view client, const accounts::Identity& who) const {
  return std::ranges::any_of(clients_, [&](const auto& entry) {
    return entry.second.name == client && entry.second.user == who.user;
  });
}

void LiveDesk::closed(web::SocketNumber socket) {
  const auto found = clients_.find(socket);
  if (found == clients_.end()) return;
  for (const std::uint64_t press : parts_.keys.page_gone(socket))
    static_cast<void>(parts_.robot.hold({.press = press, .is_released = 1}, "web", 0));
  end_jog(found->second);
  parts_.accounts.client_gone(found->second.name);
  parts_.plots.closed(socket);
  clients_.erase(found);
}

void LiveDesk::message(web::SocketNumber socket, const web::SocketMessage& message, std::int64_t now_ns) {
  const auto found = clients_.find(socket);
  if (found == clients_.end()) return;
  Client& client = found->second;
  const auto words = accounts::strict_json(message.bytes);
  const std::string op = words && words->is_object() ? text_at(*words, "op", "").value_or("") : "";
  if (op == "stop") return stop(socket, client, *words, now_ns);
  if (op == "jog") return jog(socket, client, *words, now_ns);
  if (op == "hold") return hold(socket, client, *words, now_ns);
  if (op == "rate") {
    const auto hertz = number_at(*words, "hz", 1.0, 60.0);
    if (!hertz) return refuse(socket, {op, *words}, 400, hertz.error().message);
    client.period_ns = static_cast<std::int64_t>(1e9 / *hertz);
    return;
  }
  if (op == "plot") {
    const Status taken = parts_.plots.subscribe(socket, *words);
    if (!taken) refuse(socket, {op, *words}, 400, taken.error().message);
    return;
  }
  if (op == "alive") {
    // somebody is there: that counts as a use of the session
    static_cast<void>(parts_.accounts.gate().identify(client.credentials, now_ns));
    return;
  }
  const Json nothing;
  refuse(socket, {op, words ? *words : nothing}, 400,
         words ? "there is no such op: stop, rate, jog, hold, plot, alive" : words.error().message);
}

std::optional<std::string> LiveDesk::mover(web::SocketNumber socket, Client& client, std::string_view about,
                                           const Json& words, std::int64_t now_ns) {
  accounts::Credentials credentials = client.credentials;
  credentials.control = text_at(words, "control", "").value_or("");
  const accounts::GateVerdict verdict = parts_.accounts.gate().check(credentials, needs::kMove, now_ns);
  if (verdict.is_ok()) return verdict.who.user;
  // a key that is held is refused again and again, and that stands in the log once
  if (std::exchange(client.refused, verdict.error) != verdict.error)
    parts_.accounts.note_refusal({.user = verdict.who.user,
                                  .address = credentials.peer,
                                  .what = fmt::format("live {}", about),
                                  .outcome = verdict.error});
  refuse(socket, {about, words}, verdict);
  return std::nullopt;
}

// Also by this way, for a browser makes only so many calls at a time, and others may wait for their answers.
void LiveDesk::stop(web::SocketNumber socket, const Client& client, const Json& words, std::int64_t now_ns) {
  const accounts::GateVerdict verdict =
      parts_.accounts.gate().check(client.credentials, needs::kStop, now_ns);
  if (!verdict.is_ok()) return refuse(socket, {"stop", words}, verdict);
  const std::string who = client.user.empty() ? "web" : ControlBridge::name_of(client.user);
  const std::uint64_t press = press_at(words, "press", true).value_or(0);
  if (const Status asked = parts_.robot.stop(who, press); !asked)
    refuse(socket, {"stop", words}, 503, asked.error().message);
}

void LiveDesk::jog(web::SocketNumber socket, Client& client, const Json& words, std::int64_t now_ns) {
  // to let go takes no right, and whatever the message looks like it counts
  if (is_jog_stop(words)) return end_jog(client);
  const auto user = mover(socket, client, "jog", words, now_ns);
  if (!user) return;
  const auto found = parts_.robot.robot();
  if (!found) return refuse(socket, {"jog", words}, 503, found.error().message);
  const auto wish = jog_wish_from(words, (*found)->link.model());
  if (!wish) return refuse(socket, {"jog", words}, 400, wish.error().message);
  const auto age = age_ns(client, words, now_ns);
  if (!age) return refuse(socket, {"jog", words}, 400, age.error().message);
  if (*age > HeldKeys::kSilence_ns) return;
  parts_.bridge.look(now_ns);
  const std::string who = ControlBridge::name_of(*user);
  const Status put = parts_.robot.jog(*wish, who, *age);
  if (!put) return refuse(socket, {"jog", words}, 503, put.error().message);
  if (wish->is_step == 0) client.jogging_as = who;
}

void LiveDesk::end_jog(Client& client) {
  if (client.jogging_as.empty()) return;
  // where there is no robot, nothing moves
  static_cast<void>(parts_.robot.jog({}, std::exchange(client.jogging_as, {}), 0));
}

Result<std::int64_t> LiveDesk::age_ns(Client& client, const Json& words, std::int64_t now_ns) {
  if (!words.contains("t")) return std::int64_t{0};
  const auto said_ms = number_at(words, "t", 0.0, kLatest_ms);
  if (!said_ms) return said_ms.error();
  return client.clock.age_ns(static_cast<std::int64_t>(*said_ms * 1e6), now_ns);
}

void LiveDesk::hold(web::SocketNumber socket, Client& client, const Json& words, std::int64_t now_ns) {
  const auto press = press_at(words, "press");
  if (!press) return refuse(socket, {"hold", words}, 400, press.error().message);
  const auto is_released = truth_at(words, "released", false);
  if (!is_released) return refuse(socket, {"hold", words}, 400, is_released.error().message);
  // to let go takes no right
  if (*is_released) return release(socket, *press);
  const auto age = age_ns(client, words, now_ns);
  if (!age) return refuse(socket, {"hold", words}, 400, age.error().message);
  const auto user = mover(socket, client, "hold", words, now_ns);
  if (!user) return release(socket, *press);
  const HeldKeys::Verdict verdict = parts_.keys.beat(socket, *press, *age, now_ns);
  if (verdict == HeldKeys::Verdict::Late) return;
  if (verdict == HeldKeys::Verdict::Over)
    return refuse(socket, {"hold", words}, 409, "this press is over: press the key anew");
  parts_.bridge.look(now_ns);
  if (const Status put = parts_.robot.hold({.press = *press}, ControlBridge::name_of(*user), *age); !put)
    return refuse(socket, {"hold", words}, 503, put.error().message);
  // what is to go on while it is held may be asked for from now on
  if (verdict == HeldKeys::Verdict::First)
    parts_.server.send(socket, {.bytes = json_text({{"op", "held"}, {"press", *press}})});
}

void LiveDesk::release(web::SocketNumber socket, std::uint64_t press) {
  parts_.keys.release(socket, press);
  static_cast<void>(parts_.robot.hold({.press = press, .is_released = 1}, "web", 0));
}

void LiveDesk::refuse(web::SocketNumber socket, const Refusal& refused,
                      const accounts::GateVerdict& verdict) {
  Json json{
      {"op", "refused"}, {"about", refused.about}, {"status", verdict.status}, {"error", verdict.error}};
  if (!verdict.holder.empty()) json["holder"] = verdict.holder;
  if (refused.words.is_object())
    if (const auto press = press_at(refused.words, "press")) json["press"] = *press;
  parts_.server.send(socket, {.bytes = json_text(json)});
}

void LiveDesk::refuse(web::SocketNumber socket, const Refusal& refused, unsigned status,
                      const std::string& why) {
  refuse(socket, refused, accounts::GateVerdict{.status = status, .error = why});
}

void LiveDesk::tell_control(const std::string& text) {
  const auto& holder = parts_.accounts.desk().who();
  const bool is_page = holder && !holder->client.empty();
  tell({{"op", "event"},
        {"kind", "control"},
        {"text", text},
        {"client", is_page ? Json(holder->client) : Json(nullptr)}});
}

void LiveDesk::tell(const Json& event) {
  const std::string bytes = json_text(event);
  for (const auto& [socket, client] : clients_) parts_.server.send(socket, {.bytes = bytes});
}

std::string LiveDesk::frame_text() {
  const auto found = parts_.robot.robot();
  Json json = found ? (*found)->live.frame() : Json{{"op", "live"}, {"gone", found.error().message}};
  const auto& holder = parts_.accounts.desk().who();
  const std::string program = holder ? "" : parts_.bridge.other_owner();
  json["control"] = {{"holder", holder            ? Json(holder->user)
                                : program.empty() ? Json(nullptr)
                                                  : Json(program)},
                     {"client", holder && !holder->client.empty() ? Json(holder->client) : Json(nullptr)}};
  json["watchers"] = clients_.size();
  for (const auto& [name, count] : counters_) json[name] = count();
  if (found) {
    // each change of the robot's state is kept in order, so that nobody misses one
    const std::string safety = json["safety"]["text"];
    const bool is_well = json["safety"]["state"] == "running" && json["safety"]["held"].empty();
    const std::string before = std::exchange(shown_safety_, safety);
    if (!before.empty() && before != safety)
      tell({{"op", "event"},
            {"kind", is_well ? "notice" : "alarm"},
            {"t", json["t"]},
            {"state", json["safety"]["state"]},
            {"text", safety}});
  }
  return json_text(json);
}

std::int64_t LiveDesk::look(std::int64_t now_ns) {
  parts_.bridge.look(now_ns);
  close_those_without_session(now_ns);
  std::int64_t next_ns = now_ns + kIdlePause_ns;
  for (auto& [socket, client] : clients_) {
    if (now_ns >= client.due_ns) {
      // made once for all whose time comes at about the same
      if (frame_.empty() || now_ns - framed_ns_ > kSameFrame_ns) {
        frame_ = frame_text();
        framed_ns_ = now_ns;
      }
      parts_.server.send(socket, {.bytes = frame_}, kTelemetry);
      if (const auto plots = parts_.plots.text_for(socket, now_ns))
        parts_.server.send(socket, {.bytes = *plots}, kPlots);
      client.due_ns = std::max(client.due_ns + client.period_ns, now_ns + kShortest_ns);
    }
    next_ns = std::min(next_ns, client.due_ns);
  }
  return std::max<std::int64_t>(next_ns - now_ns, kMillisecond_ns);
}

void LiveDesk::close_those_without_session(std::int64_t now_ns) {
  if (now_ns < next_sessions_ns_) return;
  next_sessions_ns_ = now_ns + kBetweenSessions_ns;
  for (const auto& [socket, client] : clients_)
    if (client.session != 0 && !parts_.accounts.sessions().is_open(client.session, now_ns))
      parts_.server.close(socket, kSessionOver, "the session is over");
}

}  // namespace sinew
