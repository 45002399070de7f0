// SPDX-License-Identifier: BSD-3-Clause
#include "apps/web/recording_api.h"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "sinew/control/safety_text.h"

#include "apps/cli/recorded_motion.h"
#include "apps/web/api_needs.h"
#include "apps/web/json_values.h"

namespace sinew {
namespace {

using Json = nlohmann::ordered_json;

// That a page is sent to play: some 2 MB of text, whatever the robot. A second of motion that is drawn on a
// thousand pixels needs no more than the rows that it then has.
constexpr std::size_t kMostNumbers = 200'000;
constexpr std::size_t kMostRows = 6000;
constexpr std::uint64_t kMostLookedInto = 16U << 20U;  // [bytes] of a file, for a line of the list
constexpr std::size_t kMostFacts = 2 * RecordingStore::kMostListed;

// What was found in files, so that a list is made from their names once they are known. One thread.
class FactsCache {
 public:
  Json facts_of(const RecordingStore& store, const RecordingStore::Entry& entry) {
    const std::string key = fmt::format("{} {} {}", entry.name, entry.bytes, entry.changed_s);
    if (const auto known = known_.find(key); known != known_.end()) return known->second;
    if (known_.size() >= kMostFacts) known_.clear();
    return known_[key] = looked_into(store, entry);
  }

 private:
  static Json looked_into(const RecordingStore& store, const RecordingStore::Entry& entry) {
    const auto path = store.path_of(entry.name);
    if (!path || entry.bytes > kMostLookedInto) return Json::object();
    const auto reader = recording::McapReader::open(*path);
    return reader ? recording_facts(reader->contents()) : Json::object();
  }

  std::map<std::string, Json> known_;
};

Json list_json(const RecordingStore& store, FactsCache& cache) {
  Json all = Json::array();
  for (const RecordingStore::Entry& entry : store.list()) {
    Json line{{"name", entry.name}, {"bytes", entry.bytes}, {"changed", entry.changed_s}};
    line.update(cache.facts_of(store, entry));
    all.push_back(std::move(line));
  }
  return {{"recordings", std::move(all)}};
}

/// Does `work` where nobody waits for it, and answers with what it makes.
void in_background(const ApiCall& call, Background& background, std::string_view what,
                   std::function<Background::Delivery()> work) {
  const std::string_view name = call.names.empty() ? std::string_view{} : std::string_view(call.names[0]);
  const std::string key = fmt::format("{} {} {}", what, call.who.user, name);
  const auto dropped = [call] { call.refuse(409, "asked again meanwhile"); };
  if (!background.start(key, std::move(work), dropped)) call.refuse(503, "too much is being looked at");
}

void send_file(const ApiCall& call, const Result<std::string>& bytes) {
  if (!bytes) return call.refuse(bytes.error());
  call.answer(
      {.type = "application/octet-stream",
       .body = *bytes,
       .headers = {{"Content-Disposition", fmt::format("attachment; filename=\"{}\"", call.names[0])}}});
}

Json mark_json(const cli::SafetyMark& mark, const RobotModel* model) {
  const Safety& safety = mark.safety;
  Json json{{"seconds", rounded(mark.seconds)},     {"state", state_text(safety.state)},
            {"reason", reason_text(safety.reason)}, {"text", reason_sentence(safety, model, mark.fault_bits)},
            {"who", text_of(safety.who)},           {"held", safety.held_mask != 0}};
  if (text_of(safety.link_a).empty()) return json;
  json["link_a"] = text_of(safety.link_a);
  json["link_b"] = text_of(safety.link_b);
  json["point_a"] = vector_json(safety.point_a);
  json["point_b"] = vector_json(safety.point_b);
  return json;
}

Json rows_json(const std::vector<std::vector<double>>& rows, std::size_t stride) {
  Json all = Json::array();
  for (std::size_t row = 0; row < rows.size(); row += stride) {
    Json& numbers = all.emplace_back(Json::array());
    for (const double number : rows[row]) numbers.push_back(rounded(number));
  }
  return all;
}

Json motion_json(const cli::RecordedMotion& motion, const RobotModel* model, std::size_t most_numbers) {
  const std::size_t rows = motion.log.seconds.size();
  const std::size_t joints = std::max<std::size_t>(motion.log.positions.front().size(), 1);
  const std::size_t most_rows = std::max<std::size_t>(most_numbers / (3 * joints), 1);
  const std::size_t stride = (rows + most_rows - 1) / most_rows;
  Json seconds = Json::array();
  for (std::size_t row = 0; row < rows; row += stride) seconds.push_back(rounded(motion.log.seconds[row]));
  Json marks = Json::array();
  for (const cli::SafetyMark& mark : motion.marks) marks.push_back(mark_json(mark, model));
  return {{"robot", motion.name},
          {"seconds", std::move(seconds)},
          {"positions", rows_json(motion.log.positions, stride)},
          {"processed", rows_json(motion.processed, stride)},
          {"wanted", rows_json(motion.wanted, stride)},
          {"marks", std::move(marks)}};
}

}  // namespace

Json recording_facts(const recording::McapContents& contents) {
  Json facts{{"robots", cli::recorded_robots(contents)}};
  const recording::McapStatistics& statistics = contents.statistics;
  if (statistics.message_count > 0 && statistics.end_ns >= statistics.start_ns)
    facts["seconds"] = rounded(1e-9 * static_cast<double>(statistics.end_ns - statistics.start_ns));
  for (const recording::McapMetadata& metadata : contents.metadata)
    if (const auto reason = metadata.facts.find("reason");
        metadata.name == "sinew" && reason != metadata.facts.end())
      facts["reason"] = reason->second;
  return facts;
}

Result<Json> recording_curves(const RecordingStore& store, const std::string& name, const std::string& robot,
                              const RobotModel* model, std::size_t most_numbers) {
  const auto path = store.path_of(name);
  if (!path) return path.error();
  const auto reader = recording::McapReader::open(*path);
  // where the files are is nobody's business who looks at them from afar
  if (!reader) return Error{ErrorCode::Damaged, fmt::format("'{}' cannot be read as a recording", name)};
  if (reader->size() > RecordingStore::kMostBytes)
    return Error{ErrorCode::OutOfLimits, fmt::format("'{}' is too large to be shown here", name)};
  const auto motion = cli::recorded_motion(*reader, robot, kMostRows);
  if (!motion)
    return Error{motion.error().code, fmt::format("'{}' holds no joints of the robot '{}'", name, robot)};
  return motion_json(*motion, model, most_numbers);
}

std::vector<ApiRow> recording_rows(const RecordingStore& store, Background& background, std::string robot,
                                   const RobotModel* model) {
  // used in the background's one thread
  const auto cache = std::make_shared<FactsCache>();
  const auto list = [&store, &background, cache](const ApiCall& call) {
    in_background(call, background, "recordings", [&store, cache, call]() -> Background::Delivery {
      return [call, found = list_json(store, *cache)] { call.reply(200, found); };
    });
  };
  const auto file = [&store, &background](const ApiCall& call) {
    in_background(call, background, "recording", [&store, call]() -> Background::Delivery {
      return [call, bytes = store.read(call.names[0])] { send_file(call, bytes); };
    });
  };
  const auto curves = [&store, &background, robot = std::move(robot), model](const ApiCall& call) {
    in_background(call, background, "curves", [&store, call, robot, model]() -> Background::Delivery {
      return [call, found = recording_curves(store, call.names[0], robot, model, kMostNumbers)] {
        found ? call.reply(200, *found) : call.refuse(found.error());
      };
    });
  };
  return {{"GET", "/api/recordings", needs::kWatch, list},
          {"GET", "/api/recordings/{name}", needs::kWatch, file},
          {"GET", "/api/recordings/{name}/curves", needs::kWatch, curves}};
}

}  // namespace sinew
