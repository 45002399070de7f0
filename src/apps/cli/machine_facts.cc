// SPDX-License-Identifier: BSD-3-Clause
#include "apps/cli/machine_facts.h"

#include <sys/statvfs.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sinew/base/text.h"
#include "sinew/base/time.h"

namespace sinew::cli {
namespace {

namespace fs = std::filesystem;

/// A robot's channels take a few megabytes, a world of recordings and images more.
constexpr std::uint64_t kRoomNeeded = 64ULL << 20U;
constexpr long kCoresWanted = 2;

std::string first_line(const char* path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

Finding kernel_version() {
  utsname name{};
  uname(&name);
  const bool is_preemptible = std::string_view(name.version).find("PREEMPT_RT") != std::string_view::npos;
  return {.name = "kernel",
          .value = fmt::format("{} {}{}", name.sysname, name.release, is_preemptible ? ", PREEMPT_RT" : ""),
          .remedy = is_preemptible ? "" : "the package linux-image-rt-amd64 has shorter worst cases"};
}

Finding clock_source() {
  const std::string source = first_line("/sys/devices/system/clocksource/clocksource0/current_clocksource");
  const bool is_slow = source == "hpet" || source == "acpi_pm" || source == "jiffies";
  return {.name = "clock source",
          .value = source.empty() ? "unknown" : source,
          .is_fit = !is_slow,
          .remedy = is_slow ? "each look at the clock is a slow access: boot with clocksource=tsc" : ""};
}

Finding cores() {
  const long count = sysconf(_SC_NPROCESSORS_ONLN);
  return {.name = "cores",
          .value = fmt::format("{}", count),
          .remedy =
              count < kCoresWanted ? "with two, the controller does not share its own with all others" : ""};
}

Finding shared_memory() {
  struct statvfs room {};
  if (statvfs("/dev/shm", &room) != 0)
    return {.name = "/dev/shm",
            .value = "missing",
            .is_fit = false,
            .remedy = "mount it: channels live there (mount -t tmpfs tmpfs /dev/shm)"};
  const std::uint64_t free = static_cast<std::uint64_t>(room.f_bavail) * room.f_frsize;
  return {.name = "/dev/shm",
          .value = fmt::format("{} free", bytes_text(free)),
          .is_fit = free >= kRoomNeeded,
          .remedy = free >= kRoomNeeded
                        ? ""
                        : fmt::format("channels need {}: remount it larger, or remove old spaces "
                                      "('sinew channel ls')",
                                      bytes_text(kRoomNeeded))};
}

// The packages of the group `core`; none when the list is not there.
std::vector<std::string> needed_packages() {
  std::error_code error;
  fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (int level = 0; level < 4 && !fs::exists(folder / "packages.txt", error); ++level)
    folder = folder.parent_path();
  std::ifstream list(folder / "packages.txt");
  std::vector<std::string> names;
  for (std::string line; std::getline(list, line);) {
    std::istringstream words(line);
    std::string word;
    if (!(words >> word) || word != "core:") continue;
    while (words >> word) names.push_back(word);
  }
  return names;
}

// What dpkg knows of them, "name version" a line.
std::string ask_dpkg(const std::vector<std::string>& names) {
  const std::string command = fmt::format(
      "dpkg-query -W -f='${{binary:Package}} ${{db:Status-Status}} ${{Version}}\\n' {} 2>/dev/null",
      fmt::join(names, " "));
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::string answer;
  std::array<char, 512> piece{};
  while (pipe && std::fgets(piece.data(), static_cast<int>(piece.size()), pipe.get()) != nullptr)
    answer += piece.data();
  return answer;
}

}  // namespace

Histogram measure_wake_ups(double seconds) {
  Histogram latencies;
  std::int64_t due_ns = monotonic_now_ns();
  const std::int64_t end_ns = deadline_after_ns(due_ns, nanoseconds_from_seconds(seconds));
  while (due_ns < end_ns) {
    due_ns += kMillisecond_ns;
    const timespec due{.tv_sec = due_ns / kSecond_ns, .tv_nsec = due_ns % kSecond_ns};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, nullptr) == EINTR) {
    }
    const std::int64_t late_ns = monotonic_now_ns() - due_ns;
    latencies.add(late_ns);
    // cycles that were due in between are left out, as in the controller
    due_ns += late_ns / kMillisecond_ns * kMillisecond_ns;
  }
  return latencies;
}

std::vector<Finding> look_at_machine() {
  return {kernel_version(), clock_source(), cores(), shared_memory()};
}

std::vector<Finding> look_at_packages() {
  const std::vector<std::string> names = needed_packages();
  if (names.empty()) return {};
  std::istringstream answer(ask_dpkg(names));
  std::vector<Finding> findings;
  std::string package;
  std::string status;
  std::string version;
  std::string found = " ";
  while (answer >> package >> status >> version) {
    package = package.substr(0, package.find(':'));
    if (status != "installed") continue;
    findings.push_back({.name = package, .value = version});
    found += package + " ";
  }
  for (const std::string& name : names) {
    if (found.find(fmt::format(" {} ", name)) != std::string::npos) continue;
    findings.push_back({.name = name,
                        .value = "not installed",
                        .is_fit = false,
                        .remedy = fmt::format("apt-get install --no-install-recommends {}", name)});
  }
  return findings;
}

}  // namespace sinew::cli
