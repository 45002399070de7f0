// SPDX-License-Identifier: BSD-3-Clause
// From a pose of the tool to a verified trajectory: inverse kinematics, a way past everything, timing within
// limits of jerk, and the checks of all of it.
#include <algorithm>

#include <fmt/format.h>

#include "sinew/base/assert.h"
#include "sinew/base/time.h"
#include "sinew/mesh/mesh_points.h"
#include "sinew/motion/move_planner.h"

#include "rival.h"

namespace sinew::bench {
namespace {

constexpr double kLook = 5e-3;  // [s] between the postures of a trajectory that are judged

class WholeChain : public Contestant {
 public:
  /// Nothing when the planned joints are not an arm's own.
  static std::unique_ptr<WholeChain> make(const PlanSetting& setting) {
    std::unique_ptr<WholeChain> whole(new WholeChain(setting));
    auto planner = MovePlanner::make(*setting.model,
                                     {.base_link = setting.base_link,
                                      .tip_link = setting.tip_link,
                                      .margin = 0.0,
                                      .mesh_points = points_of_mesh,
                                      .seed = setting.seed,
                                      .with_measures = false,
                                      .with_advice = false,
                                      .interruption = [whole = whole.get()] { return whole->is_over(); }});
    if (!planner || !std::ranges::equal((*planner)->planned(), setting.planned)) return nullptr;
    whole->planner_ = *std::move(planner);
    return whole;
  }

  std::string name() const override { return "sinew, pose to trajectory"; }
  bool has_simplification() const override { return false; }
  void set_world(const Obstacles& world) override { SINEW_ASSERT(planner_->set_world(world).has_value()); }

  Planned plan(std::span<const double> start, std::span<const double> goal) override {
    std::vector<double> from = setting_.others;
    std::vector<double> to = setting_.others;
    for (std::size_t j = 0; j < start.size(); ++j) {
      from[setting_.planned[j]] = start[j];
      to[setting_.planned[j]] = goal[j];
    }
    const Move move{.goals = {planner_->tool_pose(to)}};
    const std::int64_t begun_ns = monotonic_now_ns();
    deadline_ns_ = deadline_after_ns(begun_ns, nanoseconds_from_seconds(setting_.time_limit));
    const MovePlan plan = planner_->plan(std::span(&move, 1), from);
    Planned result{.is_solved = static_cast<bool>(plan),
                   .search_ms = 1e-6 * static_cast<double>(monotonic_now_ns() - begun_ns)};
    if (!result.is_solved) {
      result.reason = plan.refusal->fault == MoveFault::Interrupted
                          ? fmt::format("not done within {} s", setting_.time_limit)
                          : plan.refusal->words;
    }
    if (result.is_solved) result.first = result.shortened = postures_of(plan.planned.trajectory, start);
    return result;
  }

 private:
  explicit WholeChain(const PlanSetting& setting) : setting_(setting) {}
  bool is_over() const { return monotonic_now_ns() >= deadline_ns_; }

  static Corners postures_of(const Trajectory& trajectory, std::span<const double> start) {
    Corners postures{{start.begin(), start.end()}};
    for (double t = kLook; t < trajectory.length() + kLook; t += kLook) {
      std::vector<double>& q = postures.emplace_back();
      for (std::size_t j = 0; j < trajectory.joint_count(); ++j)
        q.push_back(trajectory.at(j, std::min(t, trajectory.length())).value);
    }
    return postures;
  }

  const PlanSetting& setting_;
  std::int64_t deadline_ns_ = 0;
  std::unique_ptr<MovePlanner> planner_;
};

}  // namespace

std::unique_ptr<Contestant> make_whole_chain(const PlanSetting& setting) {
  return WholeChain::make(setting);
}

}  // namespace sinew::bench
