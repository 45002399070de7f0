// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sinew/accounts/accounts.h"
#include "sinew/accounts/accounts_api.h"
#include "sinew/web/listen_address.h"
#include "sinew/web/routes.h"
#include "sinew/web/server.h"
#include "sinew/web/static_files.h"

#include "apps/web/alarm_log.h"
#include "apps/web/alarm_watch.h"
#include "apps/web/api_call.h"
#include "apps/web/background.h"
#include "apps/web/frame_store.h"
#include "apps/web/immediate_stop.h"
#include "apps/web/live_desk.h"
#include "apps/web/motion_api.h"
#include "apps/web/program_api.h"
#include "apps/web/recording_store.h"
#include "apps/web/robot_desk.h"
#include "apps/web/setup_api.h"
#include "apps/web/stream_api.h"
#include "apps/web/viewer_desk.h"

namespace sinew {

/// All that one robot offers by HTTP, put together: the server, who may do what, the robot's desk, the calls
/// and the pages that watch. One thread, inside run(), beside the one in which bytes are waited for and STOP
/// goes its own way.
class Office {
 public:
  struct Options {
    cli::RobotLink::Options robot;
    std::string mode = "simulated";  ///< "emulated", "real"
    web::ListenAddress address;
    std::optional<web::TlsFiles> tls;  ///< With it, all is encrypted.
    web::RouteRules rules;
    bool has_accounts = true;
    std::vector<std::string> viewer_origins;  ///< Other sites whose pages may watch.
    std::filesystem::path data;               ///< Where users, programs, points and recordings are kept.
    std::filesystem::path stops;              ///< Where the seconds before stops are recorded.
  };

  explicit Office(const Options& options);

  web::Server& server() { return server_; }
  /// The calls there are, besides those about accounts.
  const ApiTable& calls() const { return calls_; }
  bool is_secure() const { return options_.tls.has_value(); }
  /// What people should know: how to make the first account, or why nobody can log in; empty: nothing.
  std::string notice() const;
  /// Serves until SIGTERM or SIGINT.
  void run();

 private:
  void serve(const web::HttpRequest& request, const web::Server::Answer& answer);
  void serve_api(const web::HttpRequest& request, const web::Server::Answer& answer, std::int64_t now_ns);
  void serve_accounts(const web::HttpRequest& request, const web::Server::Answer& answer);
  void serve_arm(const web::HttpRequest& request, const web::ArmTarget& target,
                 const web::Server::Answer& answer, std::int64_t now_ns);
  void serve_page(const web::HttpRequest& request, const web::Server::Answer& answer) const;
  void watch_sockets();
  ApiRecords records();
  void note(const web::HttpRequest& request, unsigned status);
  std::vector<std::string> reload_stores();
  web::SocketVerdict may_open(const web::HttpRequest& request);

  Options options_;
  web::Routes routes_;
  web::StaticFiles page_;
  ImmediateStop immediate_stop_;
  web::Server server_;
  accounts::Accounts accounts_;
  RobotDesk robot_;
  HeldKeys keys_;
  AlarmLog alarms_;
  AlarmWatch alarm_watch_;
  RecordingStore recordings_;
  std::optional<RobotModel> model_;  ///< As its files have it; none: they cannot be read.
  Background background_;            ///< Its thread uses what stands above.
  ProgramStore programs_;
  ProgramNotes program_notes_;
  PointStore points_;
  FrameStore tools_;
  FrameStore frames_;
  StreamStore streams_;
  ControlBridge bridge_;
  PlotDesk plots_;
  LiveDesk live_;
  ViewerDesk viewers_;
  MotionApi motion_;
  ProgramApi program_calls_;
  StreamApi stream_calls_;
  SetupApi setup_calls_;
  accounts::AccountsApi account_calls_;
  ApiTable calls_;
};

}  // namespace sinew
