// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/collision/ignored_pairs.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include "sinew/collision/collision_checker.h"

namespace sinew {
namespace {

/// Nearer than this is as good as touching [m].
constexpr double kTouching = 1e-3;
/// And nearer than this at home as good as stuck: what a guard adds for tracking, and room for a step [m].
constexpr double kNearHome = 4e-3;
constexpr double kNoBound = std::numeric_limits<double>::infinity();

struct Range {
  double low = 0.0;
  double high = 0.0;
};

std::vector<Range> ranges_of(const RobotModel& model) {
  std::vector<Range> ranges;
  for (const std::size_t j : model.positions) {
    const Joint& joint = model.joints[j];
    // without limits: a turn, or a metre
    const double most = joint.kind == JointKind::Prismatic ? 1.0 : std::numbers::pi;
    ranges.push_back({std::isfinite(joint.limits.lower) ? joint.limits.lower : -most,
                      std::isfinite(joint.limits.upper) ? joint.limits.upper : most});
  }
  return ranges;
}

/// A pair under study: its bodies, and where it came nearest.
struct Candidate {
  PairFinding finding;
  std::vector<std::size_t> bodies_a;
  std::vector<std::size_t> bodies_b;
  std::vector<std::size_t> joints;  // positions that move one against the other
  std::vector<double> nearest_q;
  bool is_constant = false;  // as far apart in every posture as in any other
};

class Search {
 public:
  Search(const RobotShapes& shapes, const PairSearchOptions& options)
      : shapes_(shapes),
        options_(options),
        ranges_(ranges_of(shapes.model())),
        X_WL_(shapes.tree().link_count()),
        engine_(options.seed) {}

  PairSearch run() {
    list_candidates();
    look_at_home();
    sample();
    descend();
    find_constant();
    PairSearch result;
    for (const Candidate& candidate : candidates_) {
      result.findings.push_back(candidate.finding);
      if (const char* reason = reason_of(candidate); reason != nullptr) {
        result.ignored.push_back(
            {.link_a = candidate.finding.link_a, .link_b = candidate.finding.link_b, .reason = reason});
      }
    }
    if (options_.progress) options_.progress(1.0);
    return result;
  }

 private:
  const char* reason_of(const Candidate& candidate) const {
    const PairFinding& finding = candidate.finding;
    if (finding.is_adjacent) return "adjacent";
    if (options_.samples > 0 && finding.hits == options_.samples) return "always";
    if (finding.at_home <= kNearHome) return "home";
    if (finding.hits > 0 || finding.nearest <= kTouching) return nullptr;
    if (finding.nearest > clearance_of(candidate)) return "never";
    return candidate.is_constant ? "constant" : nullptr;
  }

  // Few joints are searched so densely that what has not been found is not there.
  double clearance_of(const Candidate& candidate) const {
    constexpr std::size_t kFewJoints = 3;
    return candidate.joints.size() <= kFewJoints ? std::min(kTouching, options_.clearance)
                                                 : options_.clearance;
  }

  double uniform(double low, double high) {
    return low + (high - low) * (static_cast<double>(engine_() >> 11) * 0x1.0p-53);
  }

  void list_candidates() {
    const std::size_t count = shapes_.model().links.size();
    std::vector<std::vector<std::size_t>> bodies(count);
    for (std::size_t i = 0; i < shapes_.bodies().size(); ++i) bodies[shapes_.bodies()[i].link].push_back(i);
    for (std::size_t a = 0; a < count; ++a) {
      for (std::size_t b = a + 1; b < count; ++b) {
        if (bodies[a].empty() || bodies[b].empty() || !shapes_.may_collide(a, b)) continue;
        Candidate candidate{.finding = {.link_a = a, .link_b = b, .nearest = kNoBound},
                            .bodies_a = bodies[a],
                            .bodies_b = bodies[b],
                            .joints = joints_between_links(a, b)};
        candidate.finding.is_adjacent =
            is_below(a, b, bodies) || is_below(b, a, bodies) || candidate.joints.empty();
        candidates_.push_back(std::move(candidate));
      }
    }
  }

  // Whether `child` hangs on `parent` by at most one joint that moves, with nothing in between that has a
  // shape.
  bool is_below(std::size_t parent, std::size_t child,
                const std::vector<std::vector<std::size_t>>& bodies) const {
    const RobotModel& model = shapes_.model();
    int moving = 0;
    std::size_t link = child;
    while (model.links[link].parent_joint != kNone) {
      const Joint& joint = model.joints[model.links[link].parent_joint];
      moving += joint.kind == JointKind::Fixed ? 0 : 1;
      link = joint.parent_link;
      if (moving > 1) return false;
      if (link == parent) return true;
      if (!bodies[link].empty()) return false;
    }
    return false;
  }

  std::vector<std::size_t> joints_between_links(std::size_t a, std::size_t b) const {
    const RobotModel& model = shapes_.model();
    const std::size_t common = shapes_.tree().common_ancestor(a, b);
    std::vector<std::size_t> positions;
    for (const std::size_t tip : {a, b}) {
      for (std::size_t link = tip; link != common;) {
        const Joint& joint = model.joints[model.links[link].parent_joint];
        const std::size_t position = joint.mimic ? model.joints[joint.mimic->joint].position : joint.position;
        if (joint.kind != JointKind::Fixed && position != kNone) positions.push_back(position);
        link = joint.parent_link;
      }
    }
    std::sort(positions.begin(), positions.end());
    positions.erase(std::unique(positions.begin(), positions.end()), positions.end());
    return positions;
  }

  // The distance of the pair where the links are now; exact while below `enough`.
  double distance(const Candidate& candidate, double enough) const {
    double nearest = kNoBound;
    for (const std::size_t i : candidate.bodies_a) {
      const Body& a = shapes_.bodies()[i];
      const Placement X_WA = X_WL_[a.link] * a.X_LS;
      const Vector3 centre = X_WL_[a.link] * a.ball.centre;
      for (const std::size_t j : candidate.bodies_b) {
        const Body& b = shapes_.bodies()[j];
        const double apart = (X_WL_[b.link] * b.ball.centre - centre).norm() - a.ball.radius - b.ball.radius;
        const double bound = std::min(enough, nearest);
        nearest = std::min(nearest,
                           apart > bound
                               ? apart
                               : separation(a.solid, X_WA, b.solid, X_WL_[b.link] * b.X_LS, bound).distance);
      }
    }
    return nearest;
  }

  void place(const std::vector<double>& q) { shapes_.tree().link_frames(q, X_WL_); }

  std::vector<double> draw() {
    std::vector<double> q;
    for (const Range& range : ranges_) q.push_back(uniform(range.low, range.high));
    return q;
  }

  void tell(double done) const {
    if (options_.progress) options_.progress(done);
  }

  void look_at_home() {
    for (const NamedPosture& posture : shapes_.model().postures) {
      if (posture.name != "home") continue;
      std::vector<double> q = posture.positions;
      for (std::size_t i = 0; i < q.size(); ++i) {
        if (!std::isfinite(q[i])) q[i] = std::clamp(0.0, ranges_[i].low, ranges_[i].high);
      }
      place(q);
      for (Candidate& candidate : candidates_) candidate.finding.at_home = distance(candidate, kNearHome);
    }
  }

  void sample() {
    for (std::size_t k = 0; k < options_.samples; ++k) {
      if (k % 100 == 0) tell(0.5 * static_cast<double>(k) / static_cast<double>(options_.samples));
      const std::vector<double> q = draw();
      place(q);
      for (Candidate& candidate : candidates_) {
        PairFinding& finding = candidate.finding;
        if (finding.is_adjacent) continue;
        const double found = distance(candidate, std::max(finding.nearest, 0.0));
        if (found <= 0.0) ++finding.hits;
        if (found >= finding.nearest) continue;
        finding.nearest = found;
        if (found > 0.0) candidate.nearest_q = q;
      }
    }
  }

  void descend() {
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      tell(0.5 + 0.5 * static_cast<double>(i) / static_cast<double>(candidates_.size()));
      Candidate& candidate = candidates_[i];
      if (candidate.finding.is_adjacent || candidate.finding.hits > 0 || candidate.nearest_q.empty())
        continue;
      // from the nearest sample, and from elsewhere: the descent finds the nearest valley only
      descend_from(candidate, candidate.nearest_q);
      for (int start = 0; start < 6; ++start) descend_from(candidate, draw());
    }
  }

  // What the same axes turn, one within the other, keeps its distance: a check could only stop the robot.
  void find_constant() {
    constexpr int kDraws = 500;
    // as much as the facets of a round mesh differ from a circle
    constexpr double kFacets = 2e-3;
    std::vector<Candidate*> open;
    for (Candidate& candidate : candidates_) {
      const PairFinding& finding = candidate.finding;
      const bool is_open = !finding.is_adjacent && finding.hits == 0 && finding.nearest > kTouching &&
                           finding.nearest <= clearance_of(candidate);
      if (is_open) open.push_back(&candidate);
      candidate.is_constant = is_open;
    }
    for (int k = 0; k < kDraws && !open.empty(); ++k) {
      place(draw());
      std::erase_if(open, [&](Candidate* candidate) {
        candidate->is_constant = distance(*candidate, kNoBound) <= candidate->finding.nearest + kFacets;
        return !candidate->is_constant;
      });
    }
  }

  // Small random steps of the joints between the two; longer after one that helps, shorter after one that
  // does not.
  void descend_from(Candidate& candidate, std::vector<double> q) {
    constexpr int kSteps = 300;
    double& nearest = candidate.finding.nearest;
    place(q);
    double here = distance(candidate, kNoBound);
    double size = 0.3;
    for (int step = 0; step < kSteps && nearest > clearance_of(candidate) && size > 1e-5; ++step) {
      std::vector<double> next = q;
      for (const std::size_t j : candidate.joints) {
        const Range& range = ranges_[j];
        next[j] =
            std::clamp(q[j] + size * uniform(-1.0, 1.0) * (range.high - range.low), range.low, range.high);
      }
      place(next);
      const double there = distance(candidate, here);
      size *= there < here ? 1.7 : 0.9;
      if (there < here) {
        here = there;
        q = std::move(next);
      }
      nearest = std::min(nearest, here);
    }
  }

  const RobotShapes& shapes_;
  const PairSearchOptions& options_;
  std::vector<Range> ranges_;
  std::vector<Placement> X_WL_;
  std::vector<Candidate> candidates_;
  std::mt19937_64 engine_;
};

}  // namespace

PairSearch find_ignored_pairs(const RobotShapes& shapes, const PairSearchOptions& options) {
  return Search(shapes, options).run();
}

}  // namespace sinew
