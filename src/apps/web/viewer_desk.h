// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/accounts/accounts.h"
#include "sinew/viewers/session.h"
#include "sinew/web/server.h"

#include "apps/web/control_bridge.h"
#include "apps/web/robot_desk.h"
#include "apps/web/telemetry_source.h"

namespace sinew {

/// The viewers of others: sockets at "/" and "/rosbridge" that speak Foxglove's protocol or rosbridge. They
/// see the robot; who shows the token of control may move it, by the same gate as every page. One thread.
class ViewerDesk {
 public:
  struct Parts {
    web::Server& server;
    RobotDesk& robot;
    accounts::Accounts& accounts;
    ControlBridge& bridge;
  };
  struct Options {
    /// Pages and programs besides our own page that may watch, as they name themselves in Origin.
    std::vector<std::string> origins;
    std::int64_t period_ns = kSecond_ns / 30;
    std::int64_t unknown_for_ns = 30 * kSecond_ns;  ///< Who has not said by then who they are has to go.
  };
  static constexpr std::size_t kMostAssetBytes = 3U << 20U;
  static constexpr std::string_view kMeshes = "package://sinew/";

  ViewerDesk(const Parts& parts, Options options) : parts_(parts), options_(std::move(options)) {}

  /// Whether a socket is one of these: by its path and the protocol it offers.
  static bool is_for(const web::HttpRequest& request);

  web::SocketVerdict may_open(const web::HttpRequest& request, std::int64_t now_ns);
  void opened(web::SocketNumber socket, const web::HttpRequest& request, std::int64_t now_ns);
  void message(web::SocketNumber socket, const web::SocketMessage& message, std::int64_t now_ns);
  void closed(web::SocketNumber socket) { clients_.erase(socket); }
  bool has(web::SocketNumber socket) const { return clients_.contains(socket); }
  std::size_t client_count() const { return clients_.size(); }

  /// Sends what is due. To be called again after the pause [ns] that it answers with.
  std::int64_t look(std::int64_t now_ns);

 private:
  struct Client {
    std::shared_ptr<const viewers::RobotFacts> facts;  ///< That the session points at.
    std::unique_ptr<viewers::ViewerSession> session;
    accounts::Credentials credentials;
    accounts::SessionNumber login = 0;  ///< The session of who it is.
    bool may_watch = false;
    std::int64_t opened_ns = 0;
  };

  bool has_room_for(const web::HttpRequest& request, std::int64_t now_ns);
  void look_at_opening();
  void refuse(web::SocketNumber socket, const Client& client, std::string_view what,
              const accounts::GateVerdict& verdict);
  void send(web::SocketNumber socket, viewers::Messages messages);
  void tell(web::SocketNumber socket, viewers::Level level, const std::string& text);
  accounts::GateVerdict verdict_on(const Client& client, const accounts::Need& need, std::int64_t now_ns);
  void carry_out(web::SocketNumber socket, Client& client, const viewers::Wish& wish, std::int64_t now_ns);
  void move(web::SocketNumber socket, const Client& client, const viewers::JointWish& wish,
            std::int64_t now_ns);
  void stop(web::SocketNumber socket, const Client& client, std::int64_t now_ns);
  void recognise(web::SocketNumber socket, Client& client, const viewers::Credentials& shown,
                 std::int64_t now_ns);
  Result<std::string> asset(std::string_view uri);
  void drop_strangers(std::int64_t now_ns);
  void publish(std::int64_t now_ns);

  Parts parts_;
  Options options_;
  std::shared_ptr<const viewers::RobotFacts> facts_;  // of the robot that is open; none: not known yet
  std::uint64_t opening_ = 0;                         // of the robot, that the source belongs to
  TelemetrySource source_;
  bool was_gone_ = false;
  std::map<web::SocketNumber, Client> clients_;
};

}  // namespace sinew
