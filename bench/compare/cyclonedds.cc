// SPDX-License-Identifier: BSD-3-Clause
// Cyclone DDS over UDP on the loopback interface, KEEP_LAST 1; reliable at a rate, best effort flat out.
#include <cstring>
#include <string>

#include <dds/dds.h>
#include <fmt/format.h>

#include "compare/transport.h"
#include "sample.h"

namespace sinew::bench {
namespace {

constexpr dds_domainid_t kDomain = 77;

// no multicast, nothing to the outside, a 16 KiB message in one datagram
constexpr const char* kConfiguration = R"(<CycloneDDS><Domain Id="any">
<General>
  <Interfaces><NetworkInterface name="lo" multicast="false"/></Interfaces>
  <AllowMulticast>false</AllowMulticast>
  <MaxMessageSize>65500B</MaxMessageSize>
</General>
<Discovery>
  <ParticipantIndex>auto</ParticipantIndex>
  <MaxAutoParticipantIndex>30</MaxAutoParticipantIndex>
  <Peers><Peer address="127.0.0.1"/></Peers>
</Discovery>
</Domain></CycloneDDS>)";

Error refusal(std::string_view what, dds_return_t code) {
  return {ErrorCode::SystemFailure, fmt::format("cyclonedds: {}: {}", what, dds_strretcode(-code))};
}

class CycloneDds final : public Transport {
 public:
  std::string_view name() const override { return "cyclonedds"; }

  Status prepare(const Cell&) override {
    ++run_;
    return Done{};
  }

  Status open_publisher(const Cell& cell) override {
    if (Status status = join(); !status) return status;
    endpoint_ =
        with_qos(cell, [&](dds_qos_t* qos) { return dds_create_writer(participant_, topic_, qos, nullptr); });
    if (endpoint_ < 0) return refusal("no writer", endpoint_);
    return Done{};
  }

  Status open_subscriber(const Cell& cell, int) override {
    if (Status status = join(); !status) return status;
    endpoint_ =
        with_qos(cell, [&](dds_qos_t* qos) { return dds_create_reader(participant_, topic_, qos, nullptr); });
    if (endpoint_ < 0) return refusal("no reader", endpoint_);
    wait_set_ = dds_create_waitset(participant_);
    const dds_entity_t news = dds_create_readcondition(endpoint_, DDS_ANY_STATE);
    if (wait_set_ < 0 || news < 0) return refusal("no wait set", wait_set_);
    if (const dds_return_t code = dds_waitset_attach(wait_set_, news, 0); code < 0)
      return refusal("no wait set", code);
    return Done{};
  }

  void send(std::span<const std::byte> message) override {
    SinewBenchSample sample{};
    sample.bytes._length = sample.bytes._maximum = static_cast<std::uint32_t>(message.size());
    // Cyclone only reads what it is to write
    sample.bytes._buffer = reinterpret_cast<std::uint8_t*>(const_cast<std::byte*>(message.data()));
    dds_write(endpoint_, &sample);
  }

  bool receive_blocking(std::span<std::byte> message) override {
    if (receive_spinning(message)) return true;
    dds_waitset_wait(wait_set_, nullptr, 0, DDS_MSECS(20));
    return receive_spinning(message);
  }

  bool receive_spinning(std::span<std::byte> message) override {
    void* loan = nullptr;
    dds_sample_info_t info;
    const dds_return_t count = dds_take(endpoint_, &loan, &info, 1, 1);
    if (count <= 0) return false;
    const auto* sample = static_cast<const SinewBenchSample*>(loan);
    const bool is_message = info.valid_data && sample->bytes._length == message.size();
    if (is_message) std::memcpy(message.data(), sample->bytes._buffer, message.size());
    dds_return_loan(endpoint_, &loan, count);
    return is_message;
  }

  bool looks_up_by_itself() const override { return true; }

  void close() override { dds_delete(domain_); }

 private:
  Status join() {
    domain_ = dds_create_domain(kDomain, kConfiguration);
    if (domain_ < 0) return refusal("no domain on loopback", domain_);
    participant_ = dds_create_participant(kDomain, nullptr, nullptr);
    if (participant_ < 0) return refusal("no participant", participant_);
    const std::string topic = fmt::format("latency_{}", run_);
    topic_ = dds_create_topic(participant_, &SinewBenchSample_desc, topic.c_str(), nullptr, nullptr);
    if (topic_ < 0) return refusal("no topic", topic_);
    return Done{};
  }

  template <class Create>
  static dds_entity_t with_qos(const Cell& cell, Create create) {
    dds_qos_t* qos = dds_create_qos();
    dds_qset_history(qos, DDS_HISTORY_KEEP_LAST, 1);
    dds_qset_reliability(qos, cell.rate_hz > 0 ? DDS_RELIABILITY_RELIABLE : DDS_RELIABILITY_BEST_EFFORT,
                         DDS_SECS(1));
    const dds_entity_t entity = create(qos);
    dds_delete_qos(qos);
    return entity;
  }

  int run_ = 0;
  dds_entity_t domain_ = 0;
  dds_entity_t participant_ = 0;
  dds_entity_t topic_ = 0;
  dds_entity_t endpoint_ = 0;
  dds_entity_t wait_set_ = 0;
};

}  // namespace

std::unique_ptr<Transport> make_cyclonedds() {
  return std::make_unique<CycloneDds>();
}

}  // namespace sinew::bench
