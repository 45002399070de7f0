// SPDX-License-Identifier: BSD-3-Clause
// sinew-web: one robot on HTTP. Started by 'sinew start'.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "sinew/accounts/whole_file.h"
#include "sinew/base/time.h"
#include "sinew/model/load_robot.h"
#include "sinew/web/certificate.h"
#include "sinew/web/listen_address.h"
#include "sinew/web/routes.h"
#include "sinew/web/server.h"

#include "apps/cli/program.h"
#include "apps/cli/stops_folder.h"
#include "apps/web/backup.h"
#include "apps/web/device_mode.h"
#include "apps/web/office.h"

namespace sinew {
namespace {

constexpr std::int64_t kBetweenTries_ns = 2 * kSecond_ns;

/// The file on which the supervisor is told that this process works, and what people should know.
class ReadyFile {
 public:
  explicit ReadyFile(std::uint32_t descriptor) : descriptor_(static_cast<int>(descriptor)) {}

  void tell(const std::string& note) {
    if (note == told_) return;
    const std::string text = fmt::format("{}note: {}\n", told_.empty() ? "ready\n" : "", note);
    told_ = note;
    fmt::print(stderr, "web: {}\n", note);
    if (descriptor_ > 0) static_cast<void>(!write(descriptor_, text.data(), text.size()));
  }

 private:
  int descriptor_;
  std::string told_;
};

std::vector<std::string> names_of_machine() {
  std::array<char, 256> name{};
  if (gethostname(name.data(), name.size() - 1) != 0) return {};
  return {name.data()};
}

web::RouteRules rules_from(const cli::Words& words, const web::ListenAddress& address) {
  const bool is_simulated = words.text("--driver") == "simulator";
  const bool is_opened = words.text("--url-api") == "on";
  const bool is_harmless = is_simulated && web::is_loopback(address.host);
  return {.host_names = names_of_machine(),
          .has_arm_url = is_harmless || is_opened,
          .why_no_arm_url =
              fmt::format("URLs do not move this robot: it is {}; 'sinew start … --url-api' lets them",
                          is_simulated ? "open to the network" : "a real device"),
          .owner = is_opened ? std::nullopt : std::optional(geteuid())};
}

Result<std::string> data_folder_from(const cli::Words& words) {
  auto folder = words.has("--data") ? Result<std::string>(words.text("--data"))
                                    : accounts::data_folder_of(words.text("--name"));
  if (!folder) return folder;
  if (Status mended = mend_restore(*folder); !mended) return mended.error();
  if (Status made = accounts::make_private_folder(*folder); !made) return made.error();
  return folder;
}

// A robot whose files cannot be read might be a real one.
std::string mode_from(const cli::Words& words) {
  const auto robot = load_robot(words.text("--robot"));
  return std::string(device_mode(words.text("--driver"), robot ? robot->settings.driver : Settings{}));
}

// A taken address is no reason to end: the robot runs without us, and the address may become free.
void try_to_listen(Office& office, const std::string& fingerprint, ReadyFile& ready) {
  web::Server& server = office.server();
  const Status listening = server.is_listening() ? Status(Done{}) : server.listen();
  // it ends: that is no news
  if (!listening && listening.error().code == ErrorCode::Interrupted) return;
  std::string note = web::url_of(server.address(), office.is_secure());
  for (const std::string& more : {office.notice(), fingerprint})
    if (!more.empty()) note += "; " + more;
  ready.tell(listening ? note
                       : fmt::format("{}; tried again every 2 s, 'sinew start … --web' chooses another",
                                     listening.error().message));
}

// "https://a.example,https://b.example"
std::vector<std::string> origins_from(std::string_view list) {
  std::vector<std::string> origins;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(','), list.size());
    if (end > 0) origins.emplace_back(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return origins;
}

Status run_web(const cli::Words& words, std::ostream&) {
  const auto address = web::listen_address_from(words.text("--listen"));
  if (!address) return address.error();
  const auto ready_fd = words.whole("--ready-fd", 0, 65535);
  if (!ready_fd) return ready_fd.error();
  const auto data = data_folder_from(words);
  if (!data) return data.error();
  const bool has_accounts = words.text("--accounts") != "off";
  std::optional<web::TlsFiles> tls;
  std::string fingerprint;  // by which people know the certificate when their browser asks
  if (words.text("--tls") == "on") {
    std::vector<std::string> names = names_of_machine();
    names.push_back(address->host);
    auto files = web::own_certificate(*data, names);
    if (!files) return files.error();
    tls = *std::move(files);
    if (const auto print = web::fingerprint_of(tls->certificate))
      fingerprint = fmt::format("certificate SHA-256 {}", *print);
  }
  if (!has_accounts && !web::is_loopback(address->host))
    return cli::usage_error(
        "without accounts anybody on the network could move the robot: '--accounts off' "
        "goes with a loopback address only");
  Office office({.robot = {.robot = words.text("--name"),
                           .space = words.text("--space"),
                           .model = words.text("--robot"),
                           .who = "web",
                           .waits = false},
                 .mode = mode_from(words),
                 .address = *address,
                 .tls = tls,
                 .rules = rules_from(words, *address),
                 .has_accounts = has_accounts,
                 .viewer_origins = origins_from(words.text("--viewers")),
                 .data = *data,
                 .stops = cli::stops_folder(words.text("--space"), words.text("--name"))});
  web::Server& server = office.server();
  ReadyFile ready(*ready_fd);
  server.repeat([&] {
    try_to_listen(office, fingerprint, ready);
    return kBetweenTries_ns;
  });
  office.run();
  return Done{};
}

const cli::Command kCommand{
    .name = "web",
    .summary = "One robot on HTTP; 'sinew start' runs it",
    .options =
        {{.name = "--robot", .value_name = "NAME", .help = "Name or path of the robot."},
         {.name = "--name", .value_name = "NAME", .help = "Prefix of its channels."},
         {.name = "--listen",
          .value_name = "ADDRESS:PORT",
          .help = "Where it listens; port 0: any that is free.",
          .fallback = "127.0.0.1:8080"},
         {.name = "--driver", .value_name = "KIND", .help = "'simulator': nothing real moves."},
         {.name = "--url-api", .value_name = "on", .help = "URLs may move the arm, whatever it is."},
         {.name = "--accounts",
          .value_name = "on|off",
          .help = "off: whoever is this user on this machine may do everything.",
          .fallback = "on"},
         {.name = "--viewers",
          .value_name = "ORIGIN,…",
          .help = "Other sites whose pages may watch, as https://app.foxglove.dev."},
         {.name = "--data", .value_name = "FOLDER", .help = "Where users, programs and points are kept."},
         {.name = "--tls", .value_name = "on", .help = "https, with a certificate that is made at first."},
         {.name = "--ready-fd",
          .value_name = "N",
          .help = "Descriptor to write 'ready' to, and what is to be known.",
          .fallback = "0"}},
    .examples = {"sinew-web --robot scorbot-er3 --name scorbot-er3 --driver simulator"},
    .run = run_web,
};

}  // namespace
}  // namespace sinew

int main(int count, char** words) {
  return sinew::cli::run_program(sinew::kCommand, std::vector<std::string>(words + 1, words + count));
}
