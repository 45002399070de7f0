// SPDX-License-Identifier: BSD-3-Clause
#include "apps/web/alarm_api.h"

#include "sinew/base/time.h"

#include "apps/web/alarm_json.h"
#include "apps/web/api_needs.h"

namespace sinew {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kHighestAlarm = 9e15;
constexpr std::size_t kMostAlarmsAtOnce = 200;
constexpr std::size_t kAlarmsAtOnce = 100;
// who may reset the robot may also say that they have seen why
constexpr accounts::Need kAcknowledge{.right = accounts::Right::Move, .changes = true};

void tell_alarms(const AlarmLog& log, const ApiCall& call) {
  const auto before = call.query_number("before", 0, kHighestAlarm, 0);
  if (!before) return call.refuse(before.error());
  const auto limit = call.query_number("limit", 1, kMostAlarmsAtOnce, kAlarmsAtOnce);
  if (!limit) return call.refuse(limit.error());
  const auto found = log.older_than(static_cast<std::uint64_t>(*before), static_cast<std::size_t>(*limit));
  Json alarms = Json::array();
  for (const Alarm& alarm : found) alarms.push_back(alarm_json(alarm));
  const bool has_more = !found.empty() && found.back().number > log.all().front().number;
  call.reply(200, {{"alarms", std::move(alarms)},
                   {"has_more", has_more},
                   {"unacknowledged", log.unseen()},
                   {"trouble", log.trouble().empty() ? Json(nullptr) : Json(log.trouble())}});
}

void acknowledge_alarms(AlarmLog& log, const ApiCall& call) {
  const bool is_one = call.body.contains("number");
  if (is_one == call.body.contains("up_to"))
    return call.refuse(400, "which: 'number' of one alarm, or 'up_to', the number of the newest");
  const auto number = number_at(call.body, is_one ? "number" : "up_to", 1, kHighestAlarm);
  if (!number) return call.refuse(number.error());
  const auto which = static_cast<std::uint64_t>(*number);
  if (is_one) return call.finish(log.acknowledge_one(which, call.who.user, wall_now_ns()));
  log.acknowledge(which, call.who.user, wall_now_ns());
  call.done();
}

}  // namespace

std::vector<ApiRow> alarm_rows(AlarmLog& log) {
  return {{"GET", "/api/alarms", needs::kWatch, [&log](const ApiCall& call) { tell_alarms(log, call); }},
          {"POST", "/api/alarms/acknowledge", kAcknowledge,
           [&log](const ApiCall& call) { acknowledge_alarms(log, call); }}};
}

}  // namespace sinew
