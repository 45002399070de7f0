// SPDX-License-Identifier: BSD-3-Clause
#include "runner.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "sinew/base/time.h"

#include "exchange.h"

namespace sinew::bench {

std::atomic<bool> stop_requested{false};

namespace {

constexpr std::int64_t kGrace_ns = 15 * kSecond_ns;
constexpr useconds_t kStep_us = 5'000;

struct Unmap {
  void operator()(Exchange* exchange) const { munmap(exchange, sizeof(Exchange)); }
};
using SharedExchange = std::unique_ptr<Exchange, Unmap>;

SharedExchange make_exchange() {
  void* memory = mmap(nullptr, sizeof(Exchange), PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
  return SharedExchange(memory == MAP_FAILED ? nullptr : new (memory) Exchange);
}

// a signal only has to end a system call that waits
void ignore_signal(int) {}

// Runs `part` in a child process that ends with this one.
template <class Part>
pid_t fork_part(Part part) {
  std::fflush(nullptr);
  const pid_t parent = getpid();
  const pid_t pid = fork();
  if (pid != 0) return pid;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
  struct sigaction wake {};
  wake.sa_handler = ignore_signal;
  sigaction(SIGTERM, &wake, nullptr);
  signal(SIGINT, SIG_IGN);
  const bool is_well = part();
  // not _exit: iceoryx takes its leave from its daemon when its statics go
  std::exit(is_well ? 0 : 1);
}

bool run_writer(Transport& transport, const RunPlan& plan, const Conditions& conditions, Exchange& exchange) {
  conditions.take_priority(plan.cell.rate_hz > 0);
  const Status status = transport.open_publisher(plan.cell);
  if (!status) {
    exchange.complain(status.error().message);
    return false;
  }
  conditions.pin(-1);
  exchange.is_open = true;
  const bool is_heard = publish(transport, plan, exchange);
  exchange.is_over = true;
  transport.close();
  return is_heard;
}

bool run_reader(Transport& transport, const RunPlan& plan, const Conditions& conditions, Exchange& exchange,
                int reader) {
  while (!exchange.is_open && !exchange.is_over) usleep(1000);
  conditions.take_priority(plan.cell.rate_hz > 0 && plan.cell.mode == WaitMode::Block);
  const Status status = transport.open_subscriber(plan.cell, reader);
  if (!status) {
    exchange.complain(status.error().message);
    exchange.is_over = true;
    return false;
  }
  conditions.pin(reader);
  receive(transport, plan.cell, exchange, reader);
  transport.close();
  return true;
}

// Waits for the children; once it is over, whoever sleeps for good is woken by a signal until it has gone.
bool await_children(std::vector<pid_t> children, const Transport& transport, const RunPlan& plan,
                    Exchange& exchange) {
  const std::int64_t deadline_ns =
      monotonic_now_ns() + nanoseconds_from_seconds(plan.seconds) + 2 * kGrace_ns;
  bool is_well = true;
  while (true) {
    std::erase_if(children, [&](pid_t child) {
      int status = 0;
      if (waitpid(child, &status, WNOHANG) != child) return false;
      is_well = is_well && WIFEXITED(status) && WEXITSTATUS(status) == 0;
      return true;
    });
    if (children.empty()) return is_well;
    const bool is_late = monotonic_now_ns() > deadline_ns;
    if (stop_requested || is_late || !is_well) exchange.is_over = true;
    if (is_late) exchange.complain("did not end in time");
    if (is_late || (exchange.is_over && !transport.looks_up_by_itself())) {
      for (const pid_t child : children) kill(child, is_late ? SIGKILL : SIGTERM);
    }
    usleep(kStep_us);
  }
}

Result<std::unique_ptr<RunFinding>> collect(const Exchange& exchange, int readers) {
  auto finding = std::make_unique<RunFinding>();
  std::uint64_t torn = 0;
  for (int i = 0; i < readers; ++i) {
    const ReaderRecord& record = exchange.readers[static_cast<std::size_t>(i)];
    finding->latency.merge(record.latency);
    torn += record.torn;
  }
  if (torn > 0)
    return Error{ErrorCode::Damaged,
                 fmt::format("{} torn messages: head and tail of a message differ", torn)};
  if (readers > 0 && finding->latency.count() == 0)
    return Error{ErrorCode::TimedOut, "no reader heard anything while it was measured"};
  finding->sends = exchange.sends;
  finding->sent_per_s = static_cast<double>(exchange.sent) /
                        seconds_from_nanoseconds(std::max<std::int64_t>(exchange.duration_ns, 1));
  return finding;
}

}  // namespace

Result<std::unique_ptr<RunFinding>> run(Transport& transport, const RunPlan& plan,
                                        const Conditions& conditions) {
  const SharedExchange exchange = make_exchange();
  if (exchange == nullptr) return Error{ErrorCode::SystemFailure, "no shared memory for the results"};
  if (Status status = transport.prepare(plan.cell); !status) return status.error();

  std::vector<pid_t> children;
  children.push_back(fork_part([&] { return run_writer(transport, plan, conditions, *exchange); }));
  for (int reader = 0; reader < plan.cell.readers; ++reader)
    children.push_back(fork_part([&] { return run_reader(transport, plan, conditions, *exchange, reader); }));
  const bool is_well = await_children(children, transport, plan, *exchange);
  transport.clean_up();

  if (stop_requested) return Error{ErrorCode::Interrupted, "stopped by a signal"};
  if (!is_well) return Error{ErrorCode::SystemFailure, exchange->complaint_text()};
  return collect(*exchange, plan.cell.readers);
}

}  // namespace sinew::bench
