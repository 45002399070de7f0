// SPDX-License-Identifier: BSD-3-Clause
// sinew-web: one robot on HTTP. Started by 'sinew start'.
#include <unistd.h>

#include <array>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "sinew/base/time.h"
#include "sinew/web/listen_address.h"
#include "sinew/web/routes.h"
#include "sinew/web/server.h"

#include "apps/cli/program.h"
#include "apps/web/robot_desk.h"

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

// A taken address is no reason to end: the robot runs without us, and the address may become free.
void try_to_listen(web::Server& server, ReadyFile& ready) {
  if (server.is_listening()) return;
  const Status listening = server.listen();
  ready.tell(listening ? web::url_of(server.address())
                       : fmt::format("{}; tried again every 2 s, 'sinew start … --web' chooses another",
                                     listening.error().message));
}

Status run_web(const cli::Words& words, std::ostream&) {
  const auto address = web::listen_address_from(words.text("--listen"));
  if (!address) return address.error();
  const auto ready_fd = words.whole("--ready-fd", 0, 65535);
  if (!ready_fd) return ready_fd.error();
  RobotDesk desk({.robot = words.text("--name"),
                  .space = words.text("--space"),
                  .model = words.text("--robot"),
                  .who = "web"});
  web::Routes routes(rules_from(words, *address));
  web::Server server({.address = *address},
                     [&](const web::HttpRequest& request, const web::Server::Answer& answer) {
                       const std::int64_t now_ns = monotonic_now_ns();
                       const web::Route route = routes.route(request, now_ns);
                       if (const auto* target = std::get_if<web::ArmTarget>(&route))
                         desk.move(*target, answer, now_ns);
                       else if (std::holds_alternative<web::StatePage>(route))
                         answer(desk.state());
                       else if (std::holds_alternative<web::FrontPage>(route))
                         answer(desk.front_page());
                       else
                         answer(std::get<web::HttpAnswer>(route));
                     });
  ReadyFile ready(*ready_fd);
  server.repeat([&] {
    try_to_listen(server, ready);
    return kBetweenTries_ns;
  });
  server.repeat([&] { return desk.look(monotonic_now_ns()); });
  server.run();
  return Done{};
}

const cli::Command kCommand{
    .name = "web",
    .summary = "One robot on HTTP; 'sinew start' runs it",
    .options = {{.name = "--robot", .value_name = "NAME", .help = "Name or path of the robot."},
                {.name = "--name", .value_name = "NAME", .help = "Prefix of its channels."},
                {.name = "--listen",
                 .value_name = "ADDRESS:PORT",
                 .help = "Where it listens; port 0: any that is free.",
                 .fallback = "127.0.0.1:8080"},
                {.name = "--driver", .value_name = "KIND", .help = "'simulator': nothing real moves."},
                {.name = "--url-api", .value_name = "on", .help = "URLs may move the arm, whatever it is."},
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
