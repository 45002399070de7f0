// SPDX-License-Identifier: BSD-3-Clause
// iceoryx 2 as its authors advise for the newest value: untyped API, queue of one that drops the oldest, a
// WaitSet to sleep on. The copies into and out of the loaned chunk stand for making and keeping the message.
#include <unistd.h>

#include <cstring>
#include <string>

#include <fmt/format.h>
#include <iceoryx_posh/popo/untyped_publisher.hpp>
#include <iceoryx_posh/popo/untyped_subscriber.hpp>
#include <iceoryx_posh/popo/wait_set.hpp>
#include <iceoryx_posh/runtime/posh_runtime.hpp>

#include "compare/roudi.h"
#include "compare/transport.h"

namespace sinew::bench {
namespace {

using iox::capro::IdString_t;
using iox::cxx::TruncateToCapacity;

class Iceoryx final : public Transport {
 public:
  std::string_view name() const override { return "iceoryx"; }

  Status start() override { return roudi_.start(); }
  void stop() override { roudi_.stop(); }

  Status prepare(const Cell&) override {
    ++run_;
    return Done{};
  }

  Status open_publisher(const Cell&) override {
    init_runtime();
    publisher_ = std::make_unique<iox::popo::UntypedPublisher>(service());
    return Done{};
  }

  Status open_subscriber(const Cell&, int) override {
    init_runtime();
    iox::popo::SubscriberOptions options;
    options.queueCapacity = 1;
    options.queueFullPolicy = iox::popo::QueueFullPolicy::DISCARD_OLDEST_DATA;
    subscriber_ = std::make_unique<iox::popo::UntypedSubscriber>(service(), options);
    wait_set_ = std::make_unique<iox::popo::WaitSet<>>();
    const bool is_attached =
        !wait_set_->attachState(*subscriber_, iox::popo::SubscriberState::HAS_DATA).has_error();
    if (!is_attached) return Error{ErrorCode::SystemFailure, "iceoryx: cannot attach to the WaitSet"};
    return Done{};
  }

  void send(std::span<const std::byte> message) override {
    publisher_->loan(static_cast<std::uint32_t>(message.size())).and_then([&](void* chunk) {
      std::memcpy(chunk, message.data(), message.size());
      publisher_->publish(chunk);
    });
  }

  bool receive_blocking(std::span<std::byte> message) override {
    if (receive_spinning(message)) return true;
    wait_set_->timedWait(iox::units::Duration::fromMilliseconds(20));
    return receive_spinning(message);
  }

  bool receive_spinning(std::span<std::byte> message) override {
    const auto chunk = subscriber_->take();
    if (chunk.has_error()) return false;
    std::memcpy(message.data(), chunk.value(), message.size());
    subscriber_->release(chunk.value());
    return true;
  }

  // a signal during a wait is an assertion failure to iceoryx 2.0.3
  bool looks_up_by_itself() const override { return true; }

  void close() override {
    wait_set_.reset();
    subscriber_.reset();
    publisher_.reset();
  }

 private:
  static void init_runtime() {
    iox::log::LogManager::GetLogManager().SetDefaultLogLevel(iox::log::LogLevel::kError,
                                                             iox::log::LogLevelOutput::kHideLogLevel);
    const std::string application = fmt::format("sinew-bench-{}", getpid());
    iox::runtime::PoshRuntime::initRuntime(iox::RuntimeName_t(TruncateToCapacity, application.c_str()));
  }

  // a service of its own for each run, so that nobody meets somebody who is about to leave
  iox::capro::ServiceDescription service() const {
    const std::string instance = fmt::format("run-{}", run_);
    return {"sinew", IdString_t(TruncateToCapacity, instance.c_str()), "latency"};
  }

  RouDi roudi_;
  int run_ = 0;
  std::unique_ptr<iox::popo::UntypedPublisher> publisher_;
  std::unique_ptr<iox::popo::UntypedSubscriber> subscriber_;
  std::unique_ptr<iox::popo::WaitSet<>> wait_set_;
};

}  // namespace

std::unique_ptr<Transport> make_iceoryx() {
  return std::make_unique<Iceoryx>();
}

}  // namespace sinew::bench
