// SPDX-License-Identifier: BSD-3-Clause
#include "apps/web/robot_desk.h"

#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sinew/base/fixed_string.h"
#include "sinew/base/text.h"

#include "apps/cli/motion_words.h"
#include "apps/cli/read_view.h"

namespace sinew {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t kIdlePause_ns = 20 * kMillisecond_ns;
constexpr std::int64_t kBusyPause_ns = 2 * kMillisecond_ns;

double seconds_since(std::int64_t since_ns, std::int64_t now_ns) {
  return seconds_from_nanoseconds(now_ns - since_ns);
}

}  // namespace

Result<cli::RobotLink*> RobotDesk::robot() {
  if (!link_) {
    auto opened = cli::RobotLink::open(options_);
    if (!opened) return opened.error();
    link_.emplace(*std::move(opened));
    return &*link_;
  }
  if (const Status read = link_->refresh(); !read) {
    // its channels may be made anew: what is open now leads nowhere then
    if (waiting_.empty()) link_.reset();
    return read.error();
  }
  return &*link_;
}

void RobotDesk::move(const web::ArmTarget& target, web::Server::Answer answer, std::int64_t now_ns) {
  if (waiting_.size() >= kMostWaiting)
    return answer(
        web::arm_refusal(503, fmt::format("{} others wait for their motion", kMostWaiting), target));
  const auto found = robot();
  if (!found) return answer(web::arm_refusal(503, found.error().message, target));
  const auto number = (*found)->ask_motion(web::motion_request(target));
  if (!number) return answer(web::arm_refusal(503, number.error().message, target));
  waiting_.push_back({.number = *number,
                      .target = target,
                      .answer = std::move(answer),
                      .since_ns = now_ns,
                      .until_ns = now_ns + nanoseconds_from_seconds(target.time) + kLongestWait_ns});
}

std::int64_t RobotDesk::look(std::int64_t now_ns) {
  if (waiting_.empty()) return kIdlePause_ns;
  while (const auto reply = link_->next_reply()) {
    if (reply->status == ReplyStatus::Accepted) continue;
    for (const Waiting& waiting : waiting_)
      if (waiting.number == reply->request)
        waiting.answer(web::arm_answer(waiting.target, *reply, seconds_since(waiting.since_ns, now_ns)));
    std::erase_if(waiting_, [&](const Waiting& waiting) { return waiting.number == reply->request; });
  }
  for (const Waiting& waiting : waiting_) {
    if (now_ns < waiting.until_ns) continue;
    Reply late{.request = waiting.number};
    set_text(late.reason, fmt::format("not over after {}; it may still be moving",
                                      duration_text(now_ns - waiting.since_ns)));
    waiting.answer(web::arm_answer(waiting.target, late, seconds_since(waiting.since_ns, now_ns)));
  }
  std::erase_if(waiting_, [&](const Waiting& waiting) { return now_ns >= waiting.until_ns; });
  return kBusyPause_ns;
}

web::HttpAnswer RobotDesk::state() {
  const auto found = robot();
  if (!found) return web::error_answer(503, found.error().message);
  const auto view = cli::view_json(**found);
  Json safety;
  for (const char* key : {"state", "reason", "text", "who", "is_overridden", "device_faults"})
    safety[key] = view[key];
  Json json{{"robot", view["robot"]}, {"stamp_ns", view["stamp_ns"]}, {"safety", safety}};
  if (const auto motion = (*found)->motion_state()) {
    const std::string_view owner = text_of(motion->owner);
    json["controlled_by"] = owner.empty() ? Json(nullptr) : Json(owner);
    json["motion"] = {{"phase", cli::phase_word(motion->phase)},
                      {"request", motion->request},
                      {"progress", motion->progress},
                      {"remaining", motion->remaining},
                      {"queue_length", motion->queue_length},
                      {"override", motion->override_share}};
  } else {
    json["controlled_by"] = nullptr;
    json["motion"] = nullptr;
  }
  json["joints"] = view["joints"];
  return {.body = json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n"};
}

web::HttpAnswer RobotDesk::front_page() {
  return {.type = "text/plain; charset=utf-8",
          .body = fmt::format("Sinew: robot {}\n\n"
                              "GET /api/state                             joints, safety and who controls\n"
                              "GET /x/y/z/roll/pitch/handWidth/time       moves the arm [m, rad, s]\n",
                              options_.robot)};
}

}  // namespace sinew
