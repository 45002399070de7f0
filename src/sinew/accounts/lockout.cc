// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/accounts/lockout.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace sinew::accounts {

std::string address_group(std::string_view address) {
  constexpr std::string_view kMapped = "::ffff:";
  const std::string text(address.substr(0, 64));
  in6_addr bytes{};
  if (inet_pton(AF_INET6, text.c_str(), &bytes) != 1) return text;
  if (IN6_IS_ADDR_V4MAPPED(&bytes) && text.find('.') != std::string::npos) return text.substr(kMapped.size());
  std::memset(&bytes.s6_addr[8], 0, 8);
  std::array<char, INET6_ADDRSTRLEN> group{};
  inet_ntop(AF_INET6, &bytes, group.data(), group.size());
  return group.data();
}

std::int64_t Lockout::wait_of(const Records& records, const std::string& key, std::int64_t now_ns) {
  const auto record = records.find(key);
  return record == records.end() ? 0 : std::max<std::int64_t>(0, record->second.locked_until_ns - now_ns);
}

// Those that are long past; and when there are still too many, those that hinder nobody, oldest first.
void Lockout::forget(Records& records, std::int64_t now_ns) const {
  std::erase_if(records, [&](const auto& entry) {
    return now_ns - entry.second.last_ns >= options_.forgotten_after_ns;
  });
  while (records.size() >= options_.most_remembered) {
    const auto age = [&](const auto& entry) {
      return std::pair(entry.second.locked_until_ns > now_ns, entry.second.last_ns);
    };
    records.erase(std::ranges::min_element(records, {}, age));
  }
}

void Lockout::count(Records& records, const std::string& key, int most, std::int64_t now_ns) {
  if (!records.contains(key)) forget(records, now_ns);
  Record& record = records[key];
  if (now_ns - record.last_ns >= options_.forgotten_after_ns) record = {};
  record.last_ns = now_ns;
  ++record.wrong;
  if (record.wrong < most) return;
  std::int64_t wait_ns = options_.first_wait_ns;
  for (int i = most; i < record.wrong && wait_ns < options_.longest_wait_ns; ++i) wait_ns *= 2;
  record.locked_until_ns = now_ns + std::min(wait_ns, options_.longest_wait_ns);
}

void Lockout::uncount(Records& records, std::string_view key) {
  const auto record = records.find(key);
  if (record == records.end()) return;
  record->second.locked_until_ns = 0;
  if (--record->second.wrong <= 0) records.erase(record);
}

namespace {

std::string key_of(std::string_view name, const std::string& group) {
  return std::string(name.substr(0, 64)) + '\n' + group;
}

}  // namespace

std::int64_t Lockout::begin(std::string_view name, std::string_view address, std::int64_t now_ns) {
  const std::string group = address_group(address);
  const std::string key = key_of(name, group);
  const std::int64_t wait_ns = std::max(wait_of(names_, key, now_ns), wait_of(addresses_, group, now_ns));
  if (wait_ns > 0) return wait_ns;
  count(names_, key, options_.most_for_name, now_ns);
  count(addresses_, group, options_.most_from_address, now_ns);
  return 0;
}

void Lockout::was_right(std::string_view name, std::string_view address) {
  const std::string group = address_group(address);
  names_.erase(key_of(name, group));
  // one's own password does not pay for guesses of others'
  uncount(addresses_, group);
}

void Lockout::take_back(std::string_view name, std::string_view address) {
  const std::string group = address_group(address);
  uncount(names_, key_of(name, group));
  uncount(addresses_, group);
}

}  // namespace sinew::accounts
