// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "sinew/accounts/accounts.h"
#include "sinew/web/server.h"

#include "apps/web/control_bridge.h"
#include "apps/web/held_keys.h"
#include "apps/web/plot_desk.h"
#include "apps/web/robot_desk.h"

namespace sinew {

/// What a request shows of who sends it, for the gate.
accounts::Credentials credentials_of(const web::HttpRequest& request);

/// The pages that watch and jog: /api/live, a socket each. Tells them what the robot does, each as often as
/// it likes, and takes their jog keys and held buttons. One thread.
class LiveDesk {
 public:
  struct Parts {
    web::Server& server;
    RobotDesk& robot;
    accounts::Accounts& accounts;
    ControlBridge& bridge;
    HeldKeys& keys;
    PlotDesk& plots;
  };
  static constexpr std::string_view kProtocol = "sinew.live.v1";
  static constexpr std::string_view kTarget = "/api/live";

  explicit LiveDesk(const Parts& parts) : parts_(parts) {}

  /// Numbers that tell pages to fetch something anew, under these names.
  void add_counter(std::string name, std::function<std::uint64_t()> count) {
    counters_.emplace_back(std::move(name), std::move(count));
  }

  web::SocketVerdict may_open(const web::HttpRequest& request, std::int64_t now_ns);
  void opened(web::SocketNumber socket, const web::HttpRequest& request, std::int64_t now_ns);
  void message(web::SocketNumber socket, const web::SocketMessage& message, std::int64_t now_ns);
  void closed(web::SocketNumber socket);
  /// Whether a client of that name is there, and is this user.
  bool has(std::string_view client, const accounts::Identity& who) const;
  std::size_t client_count() const { return clients_.size(); }

  /// Somebody else controls now.
  void tell_control(const std::string& text);
  /// To everybody: {"op": "event", "kind", "text", …}.
  void tell(const nlohmann::ordered_json& event);

  /// Sends what is due. To be called again after the pause [ns] that it answers with.
  std::int64_t look(std::int64_t now_ns);

 private:
  struct Client {
    std::string name;  ///< "c12"
    std::string user;  ///< Empty: nobody who has said so.
    accounts::SessionNumber session = 0;
    accounts::Credentials credentials;
    std::int64_t period_ns = 33'333'333;
    std::int64_t due_ns = 0;
    ClientClock clock;
    std::string refused{};     ///< Why it may not move, as was written down last.
    std::string jogging_as{};  ///< Under which name it holds a key, as far as was said; empty: it does not.
  };

  std::string frame_text();
  void stop(web::SocketNumber socket, const Client& client, const nlohmann::ordered_json& words,
            std::int64_t now_ns);
  void jog(web::SocketNumber socket, Client& client, const nlohmann::ordered_json& words,
           std::int64_t now_ns);
  void end_jog(Client& client);
  void hold(web::SocketNumber socket, Client& client, const nlohmann::ordered_json& words,
            std::int64_t now_ns);
  void release(web::SocketNumber socket, std::uint64_t press);
  /// How long ago the client has said this, by its own clock ("t" [ms]); no time: just now.
  Result<std::int64_t> age_ns(Client& client, const nlohmann::ordered_json& words, std::int64_t now_ns);
  /// What a client is told that is not done, and of which press of a key, where it has said so.
  struct Refusal {
    std::string_view about;
    const nlohmann::ordered_json& words;  ///< The message.
  };
  void refuse(web::SocketNumber socket, const Refusal& refused, const accounts::GateVerdict& verdict);
  void refuse(web::SocketNumber socket, const Refusal& refused, unsigned status, const std::string& why);
  /// Whether this client holds the token that it shows and may move; else it is told.
  std::optional<std::string> mover(web::SocketNumber socket, Client& client, std::string_view about,
                                   const nlohmann::ordered_json& words, std::int64_t now_ns);
  void close_those_without_session(std::int64_t now_ns);

  Parts parts_;
  std::map<web::SocketNumber, Client> clients_;
  std::vector<std::pair<std::string, std::function<std::uint64_t()>>> counters_;
  std::int64_t next_sessions_ns_ = 0;  // when they are looked at again
  std::string shown_safety_;           // the last that was told as an alarm
  std::string frame_;                  // the last that was made
  std::int64_t framed_ns_ = 0;         // when that was
};

}  // namespace sinew
