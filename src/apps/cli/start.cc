// SPDX-License-Identifier: BSD-3-Clause
// sinew start | make | changerobot
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>
#include <ostream>
#include <system_error>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sinew/accounts/whole_file.h"
#include "sinew/base/time.h"
#include "sinew/channels/channel.h"
#include "sinew/channels/place_name.h"
#include "sinew/control/safety_text.h"
#include "sinew/messages/schemas.h"
#include "sinew/model/site.h"
#include "sinew/processes/roles.h"
#include "sinew/processes/run_folder.h"
#include "sinew/web/listen_address.h"

#include "apps/cli/start_stop_commands.h"
#include "apps/supervisor/client.h"
#include "apps/supervisor/presence.h"

namespace sinew::cli {
namespace {

namespace fs = std::filesystem;
using processes::RobotPlan;
using processes::RobotWish;

template <class Message>
std::optional<Message> newest_of(const std::string& space, const std::string& channel) {
  auto reader = Reader<Message>::open({.name = channel, .space = space, .may_create = false});
  Frame<Message> frame{};
  if (!reader || reader->read_newest(frame) != SINEW_OK) return std::nullopt;
  return frame.message;
}

fs::path folder_of_programs() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error).parent_path();
}

// The folder that holds robot.yaml, or, of a robot that is only a URDF, that file.
fs::path place_of(const LoadedRobot& robot) {
  std::error_code error;
  const std::string urdf = robot.urdf.string();
  const std::string& within = robot.settings.urdf;
  if (within.empty()) return fs::absolute(robot.urdf, error);
  if (!urdf.ends_with("/" + within)) return fs::absolute(robot.urdf, error).parent_path();
  return fs::absolute(urdf.substr(0, urdf.size() - within.size() - 1), error).lexically_normal();
}

std::string usual_name(const LoadedRobot& robot, const fs::path& place) {
  const std::string folder = place.filename().string();
  return !robot.settings.urdf.empty() && channels::is_word(folder) ? folder : robot.model.name;
}

// Where its web process listens; nothing: it has none.
Result<std::string> web_from(const Words& words) {
  if (words.has("--no-web") && (words.has("--web") || words.has("--url-api")))
    return usage_error("give --web and --url-api, or --no-web, not both");
  if (words.has("--no-web")) return std::string();
  const auto address = web::listen_address_from(words.text("--web"));
  if (!address) return usage_error("--web: " + address.error().message);
  return words.text("--web");
}

Result<RobotWish> wish_from(const Words& words) {
  const auto robot = load_robot(words.argument(0));
  if (!robot) return robot.error();
  const fs::path place = place_of(*robot);
  const std::string variant = robot->variant.empty() ? "" : ":" + robot->variant;
  RobotWish wish{.robot = place.string() + variant,
                 .folder = fs::is_directory(place) ? place.string() : place.parent_path().string(),
                 .name = words.has("--name") ? words.text("--name") : usual_name(*robot, place),
                 .space = words.text("--space"),
                 .world = words.text("--world"),
                 .device = words.text("--device"),
                 .program_folder = folder_of_programs().string(),
                 .is_simulated = !words.has("--device"),
                 .settings = robot->settings.processes};
  if (!channels::is_word(wish.name)) {
    return usage_error(fmt::format(
        "'{}' cannot prefix channels: give --name of letters, digits, '.', '-' and '_'", wish.name));
  }
  if (words.has("--sim") && words.has("--device")) return usage_error("give --sim or --device, not both");
  // a controller of one's own may know its device
  const bool has_driver =
      robot->settings.driver.contains("kind") || robot->settings.processes.contains("controller");
  if (words.has("--device") && !has_driver)
    return Error{
        ErrorCode::NotFound,
        fmt::format("robot '{}' names no driver for a device: write 'driver: {{kind: …}}' into {}, or "
                    "start it with --sim",
                    wish.name, wish.folder + "/robot.yaml")};
  return wish;
}

// What was set up where it stands is kept with the rest that people have made of it; it counts also when
// there is no web process.
Status take_site(const Words& words, RobotWish& wish) {
  wish.web_data = words.has("--web-data") ? fs::absolute(words.text("--web-data")).string() : "";
  const auto folder = wish.web_data.empty() ? accounts::data_folder_of(wish.name) : wish.web_data;
  if (!folder) return Done{};
  wish.site = (fs::path(*folder) / kSiteFile).string();
  const auto robot = load_robot_on_site(wish.robot, wish.site);
  if (!robot) return robot.error();
  return Done{};
}

Result<RobotPlan> plan_from_words(const Words& words) {
  auto wish = wish_from(words);
  if (!wish) return wish.error();
  if (Status sound = take_site(words, *wish); !sound) return sound.error();
  auto address = web_from(words);
  if (!address) return address.error();
  wish->web = *std::move(address);
  wish->has_url_api = words.has("--url-api");
  wish->viewers = words.text("--viewers");
  wish->has_tls = words.has("--web-tls");
  wish->has_accounts = !words.has("--no-accounts");
  const auto listening = web::listen_address_from(words.text("--web"));
  if (!wish->has_accounts && listening && !web::is_loopback(listening->host))
    return usage_error(
        "--no-accounts goes with a loopback address only: else anybody on the network could move "
        "the robot");
  auto plan = plan_robot(*wish);
  if (!plan) return plan.error();
  for (const std::string& remark : plan->remarks) fmt::print(stderr, "{}\n", remark);
  if (words.has("--timeout")) {
    const auto seconds = words.number("--timeout", 0.1, 86400);
    if (!seconds) return seconds.error();
    plan->ready_within_ns = nanoseconds_from_seconds(*seconds);
  }
  return plan;
}

// The space's supervisor may have been started from another environment: cron's, or that of another login.
Status check_environment(const processes::RunFolder& used, const std::string& space) {
  const auto own = processes::run_folder(space);
  if (!own) return own.error();
  if (own->path == used.path) return Done{};
  const auto seen = supervisor::see_supervisor(space);
  return Error{
      ErrorCode::AlreadyExists,
      fmt::format("space '{}' is run from another environment: supervisor pid {}, run folder {}; here it "
                  "would be {} (XDG_RUNTIME_DIR); 'sinew status' shows what runs, 'sinew stop' stops it",
                  space, seen ? seen->identity.pid : 0, used.path, own->path)};
}

// Ready is who answers; whether the robot moves is another matter.
std::string words_about_start(const std::string& space, const std::string& name) {
  const auto safety = newest_of<Safety>(space, name + "/safety");
  if (!safety || safety->state == ControlState::Running) return fmt::format("{} is ready", name);
  const auto state = newest_of<JointState>(space, name + "/state");
  return fmt::format("{} is up, but {}", name, safety_text(*safety, nullptr, state ? state->fault_bits : 0));
}

Status start_plan(const std::string& space, const RobotPlan& plan, std::ostream& out) {
  const auto folder = supervisor::folder_in_use(space);
  if (!folder) return folder.error();
  if (Status ours = check_environment(*folder, space); !ours) return ours;
  const double longest = seconds_from_nanoseconds(plan.ready_within_ns) + 60;
  const auto answer = supervisor::ask_supervisor(
      {{"verb", "start"}, {"plan", supervisor::json_of(plan)}},
      {.folder = *folder,
       .launch = supervisor::Launch::IfNone,
       .program = supervisor_program(),
       .silence = longest,
       .on_news = [](const std::string& news) { fmt::print(stderr, "{}\n", news); }});
  if (!answer) return answer.error();
  out << words_about_start(space, plan.name) << '\n';
  return Done{};
}

Status run_start(const Words& words, std::ostream& out) {
  const auto plan = plan_from_words(words);
  if (!plan) return plan.error();
  return start_plan(words.text("--space"), *plan, out);
}

Status run_changerobot(const Words& words, std::ostream& out) {
  // whatever is wrong with the new one is found before the old one is stopped
  const auto plan = plan_from_words(words);
  if (!plan) return plan.error();
  if (Status stopped = stop_robots(words.text("--space"), "", 5); !stopped) return stopped;
  return start_plan(words.text("--space"), *plan, out);
}

Status run_in_folder(const std::vector<std::string>& command, const std::string& folder) {
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  const pid_t pid = fork();
  if (pid == 0) {
    if (chdir(folder.c_str()) == 0) execvp(words[0], words.data());
    fmt::print(stderr, "sinew: cannot run '{}' in {}: {}\n", command.front(), folder, std::strerror(errno));
    _exit(127);
  }
  int status = 0;
  if (pid < 0 || waitpid(pid, &status, 0) != pid)
    return Error{ErrorCode::SystemFailure, fmt::format("cannot run '{}'", command.front())};
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return Done{};
  return Error{ErrorCode::SystemFailure,
               fmt::format("'{}' in {} failed with {}", fmt::join(command, " "), folder,
                           WIFEXITED(status) ? fmt::format("status {}", WEXITSTATUS(status)) : "a signal")};
}

Status run_make(const Words& words, std::ostream& out) {
  const auto wish = wish_from(words);
  if (!wish) return wish.error();
  const auto command = make_command(*wish);
  if (!command) return command.error();
  if (command->empty()) {
    out << fmt::format("{} has no programs of its own: nothing to make\n", wish->name);
    return Done{};
  }
  out.flush();
  return run_in_folder(*command, wish->folder);
}

std::vector<Option> start_options() {
  return {{.name = "--sim", .value_name = "", .help = "Simulated; so it is unless --device is given."},
          {.name = "--device",
           .value_name = "ADDRESS",
           .help = "The real device at this address; '-': where robot.yaml says."},
          {.name = "--name",
           .value_name = "NAME",
           .help = "Prefix of its channels; its folder's name unless given."},
          {.name = "--world", .value_name = "NAME", .help = "The simulated world."},
          {.name = "--web",
           .value_name = "ADDRESS:PORT",
           .help = "Where its web process listens; port 0: any that is free, 'sinew status' tells which.",
           .fallback = "127.0.0.1:8080"},
          {.name = "--no-web", .value_name = "", .help = "Without a web process."},
          {.name = "--no-accounts",
           .value_name = "",
           .help = "Programs and browsers of your own on this machine need no account; loopback only."},
          {.name = "--viewers",
           .value_name = "ORIGIN,…",
           .help = "Other sites whose pages may watch the robot, as https://app.foxglove.dev."},
          {.name = "--web-tls", .value_name = "", .help = "https, with a certificate that is made at first."},
          {.name = "--web-data",
           .value_name = "FOLDER",
           .help = "Where users, programs and points are kept; ~/.config/sinew/web/NAME unless given."},
          {.name = "--url-api",
           .value_name = "",
           .help = "GET /x/y/z/roll/pitch/handWidth/time moves the arm, also a real one or from the network; "
                   "a simulated one on a loopback address needs no word."},
          {.name = "--timeout",
           .value_name = "SECONDS",
           .help = "How long each process may take to become ready.",
           .fallback = "30"}};
}

const std::vector<Argument> kRobotArgument{
    {.name = "ROBOT", .help = "Name, folder, robot.yaml or URDF.", .completion = Completion::File}};

}  // namespace

std::string supervisor_program() {
  return (folder_of_programs() / "sinew-supervisor").string();
}

const Command kStartCommand{
    .name = "start",
    .summary = "Start a robot's processes and return when it is ready",
    .details =
        "The processes are kept alive by a supervisor, one for the space, started if need be. Exits with 0 "
        "when "
        "all are ready; else says which failed, shows the end of its log, and leaves nothing running. A "
        "robot "
        "that runs is left as it is; what had given up is tried again.",
    .arguments = kRobotArgument,
    .options = start_options(),
    .examples = {"sinew start mds --sim", "sinew start scorbot-er3 --world table",
                 "sinew start my_robot --device -"},
    .run = run_start,
};

const Command kMakeCommand{
    .name = "make",
    .summary = "Build the programs of a robot's own",
    .details = "Runs the command 'make' of the section 'processes' in robot.yaml, in the robot's folder.",
    .arguments = kRobotArgument,
    .examples = {"sinew make mds"},
    .run = run_make,
};

const Command kChangeRobotCommand{
    .name = "changerobot",
    .summary = "Stop the robots that run and start another",
    .details = "The new one is looked at before the old ones are stopped.",
    .arguments = kRobotArgument,
    .options = start_options(),
    .examples = {"sinew changerobot scorbot-er3"},
    .run = run_changerobot,
};

}  // namespace sinew::cli
