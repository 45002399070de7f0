// SPDX-License-Identifier: BSD-3-Clause
#include <limits>

#include "sinew/base/assert.h"
#include "sinew/mesh/mesh_points.h"
#include "sinew/planning/planner.h"

#include "rival.h"

namespace sinew::bench {
namespace {

Corners corners_of(const PlanResult& result) {
  Corners corners;
  for (const JointVector& q : result.path) corners.emplace_back(q.data(), q.data() + q.size());
  return corners;
}

class SinewContestant : public Contestant {
 public:
  SinewContestant(const PlanSetting& setting, std::unique_ptr<const SerialChain> arm, Planner planner)
      : setting_(setting), arm_(std::move(arm)), planner_(std::move(planner)) {}

  std::string name() const override { return "sinew"; }
  void set_world(const Obstacles& world) override { planner_.set_world(world); }

  // The second call finds the same path, and shortens it: the first is timed without that.
  Planned plan(std::span<const double> start, std::span<const double> goal) override {
    PlanRequest request{.start = setting_.others,
                        .goal = JointGoal{{goal.begin(), goal.end()}},
                        .seed = setting_.seed,
                        .time_limit = setting_.time_limit,
                        .most_iterations = std::numeric_limits<std::size_t>::max(),
                        .with_shortening = false,
                        .with_diagnosis = false};
    for (std::size_t j = 0; j < start.size(); ++j) request.start[setting_.planned[j]] = start[j];
    const PlanResult found = planner_.plan(request);
    if (found.status != PlanStatus::Solved)
      return {.search_ms = 1e-6 * static_cast<double>(found.search_ns), .reason = found.reason};
    request.with_shortening = true;
    const PlanResult shortened = planner_.plan(request);
    return {.is_solved = true,
            .first = corners_of(found),
            .shortened = corners_of(shortened),
            .search_ms = 1e-6 * static_cast<double>(found.search_ns),
            .shorten_ms = 1e-6 * static_cast<double>(shortened.shorten_ns)};
  }

 private:
  const PlanSetting& setting_;
  std::unique_ptr<const SerialChain> arm_;
  Planner planner_;
};

// Nothing when other joints than an arm's are planned.
std::unique_ptr<const SerialChain> arm_of(const PlanSetting& setting) {
  auto chain = SerialChain::make(*setting.model, setting.base_link, setting.tip_link);
  if (!chain || chain->size() != setting.planned.size()) return nullptr;
  for (std::size_t j = 0; j < setting.planned.size(); ++j) {
    if (chain->position(j) != setting.planned[j]) return nullptr;
  }
  return std::make_unique<const SerialChain>(*std::move(chain));
}

}  // namespace

std::unique_ptr<Contestant> make_sinew(const PlanSetting& setting) {
  auto arm = arm_of(setting);
  auto planner = Planner::make(
      *setting.model,
      {.clearance = {.mesh_points = points_of_mesh}, .chain = arm.get(), .planned = setting.planned});
  SINEW_ASSERT(planner.has_value());
  return std::make_unique<SinewContestant>(setting, std::move(arm), *std::move(planner));
}

}  // namespace sinew::bench
