// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/collision/batch.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/collision/scratch.h"

namespace sinew::collision {
namespace {

using kernel::kBatch;
using kernel::kMostTurn;
using kernel::LaneBox;
using kernel::LaneMover;

/// So that single precision never makes anything smaller [m].
constexpr double kFloatSlack = 2e-5;
/// What the size of a plane's box costs in precision [m].
constexpr double kPlaneSlack = 3e-4;
constexpr double kRoundUp = 1.0 + 1e-6;
constexpr int kMostSuspects = 1024;
/// Of the pairs that were in the way, so many are looked at before all others.
constexpr std::size_t kFirstHits = 4;
/// Where a robot without ends is thought to end [m], and how far its slides are followed.
constexpr double kMostReach = 100.0;
constexpr double kMostSlide = 40.0;
/// What is not: a reach that nothing makes up for [m].
constexpr double kNoReach = -1e6;

void set_floats(const Matrix3& R, float* columns) {
  for (int i = 0; i < 9; ++i) columns[i] = static_cast<float>(R.data()[i]);
}

void set_floats(const Vector3& v, float* to) {
  for (int i = 0; i < 3; ++i) to[i] = static_cast<float>(v[i]);
}

bool has_unknown_inside(const Solid& solid) {
  return solid.kind == SolidKind::Hull || solid.kind == SolidKind::HeightField ||
         solid.kind == SolidKind::Surface;
}

LaneBox lane_box(const Solid& solid, const Placement& X, double margin) {
  LaneBox box{};
  const CoreBox core = core_box(solid);
  set_floats(X.R, box.R);
  set_floats(X * core.centre, box.centre);
  set_floats(core.half, box.half);
  const double slack = solid.kind == SolidKind::Plane ? kPlaneSlack : kFloatSlack;
  box.reach = static_cast<float>(solid.rounding + margin + slack);
  box.is_round = solid.kind == SolidKind::Cylinder;
  const bool is_hollow = has_unknown_inside(solid);
  // of a cylinder, a capsule along its axis
  const double inside = box.is_round ? std::min(core.half.x(), core.half.z()) : 0.0;
  const Vector3 inner = box.is_round ? Vector3(0.0, 0.0, core.half.z() - inside) : core.half;
  set_floats(inner, box.inner_half);
  box.inner_reach = static_cast<float>(is_hollow ? kNoReach : inside + solid.rounding + margin - slack);
  return box;
}

/// Into how many parts a box is cut along each axis, at most eight in all, so that the balls around the parts
/// are smallest.
Eigen::Vector3i parts_of(const Vector3& half) {
  Eigen::Vector3i best(1, 1, 1);
  double smallest = half.norm();
  for (int x = 1; x <= kBatch; ++x) {
    for (int y = 1; x * y <= kBatch; ++y) {
      const Eigen::Vector3i parts(x, y, kBatch / (x * y));
      const double size = half.cwiseQuotient(parts.cast<double>()).norm();
      if (size >= smallest) continue;
      smallest = size;
      best = parts;
    }
  }
  return best;
}

void set_ball(kernel::LaneBalls& balls, int i, const Vector3& centre, double radius) {
  for (int j = 0; j < 3; ++j) balls.at[j][i] = static_cast<float>(centre[j]);
  balls.at[3][i] = static_cast<float>(radius);
}

/// Balls that together hold a solid.
void cover(const Solid& solid, const Placement& X, kernel::LaneBalls& balls) {
  const CoreBox core = core_box(solid);
  const bool is_round = solid.kind == SolidKind::Cylinder;
  const Eigen::Vector3i parts = is_round ? Eigen::Vector3i(1, 1, kBatch) : parts_of(core.half);
  const Vector3 part = core.half.cwiseQuotient(parts.cast<double>());
  const double radius = is_round ? std::hypot(part.x(), part.z()) : part.norm();
  for (int i = 0; i < kBatch; ++i) {
    const int k = i < parts.prod() ? i : 0;
    const Eigen::Vector3i at(k % parts.x(), k / parts.x() % parts.y(), k / (parts.x() * parts.y()));
    const Vector3 place =
        core.centre - core.half + part.cwiseProduct((2 * at + Eigen::Vector3i::Ones()).cast<double>());
    set_ball(balls, i, X * place, radius + solid.rounding);
  }
}

/// Balls that a solid holds, one beside the other along its longest way; none in hulls and surfaces.
void fill(const Solid& solid, const Placement& X, kernel::LaneBalls& balls) {
  const bool is_hollow = has_unknown_inside(solid);
  const Vector3& half = solid.half;
  const double inside = solid.kind == SolidKind::Cylinder ? std::min(half.x(), half.z()) : half.minCoeff();
  int along = 2;
  if (solid.kind == SolidKind::Box) half.maxCoeff(&along);
  for (int i = 0; i < kBatch; ++i) {
    const double share = 2.0 * i / (kBatch - 1) - 1.0;
    const Vector3 place = Vector3::Unit(along) * (share * (half[along] - inside));
    set_ball(balls, i, X * place, is_hollow ? kNoReach : inside + solid.rounding);
  }
}

/// Whether each column of C is an axis or its opposite; then says which.
bool set_axes(const Matrix3& C, kernel::LaneStep& step) {
  for (int k = 0; k < 3; ++k) {
    int axis = 0;
    const double most = C.col(k).cwiseAbs().maxCoeff(&axis);
    step.column[k] = 3 * axis;
    step.sign[k] = C(axis, k) > 0.0 ? 1.0F : -1.0F;
    // nearer than single precision can tell
    if (most < 1.0 - 1e-15) return false;
  }
  return true;
}

float squared(double value) {
  return static_cast<float>(std::min(value * value, 1e30));
}

}  // namespace

Batch::Batch(const RobotShapes& shapes) : shapes_(&shapes) {
  const LinkTree& tree = shapes.tree();
  const std::size_t links = tree.link_count();
  const std::size_t bodies = shapes.bodies().size();
  const std::size_t most_movers = bodies + kMaxObstacles;
  R_LK_.assign(links, Matrix3::Identity());
  origin_reach_.resize(links);
  all_steps_.reserve(tree.steps().size());
  steps_.reserve(tree.steps().size());
  is_needed_.resize(links);
  most_.assign(tree.position_count(), kMostTurn);
  for (const LinkTree::Step& step : tree.steps()) add_step(step);
  movers_.reserve(most_movers);
  mover_boxes_.reserve(most_movers);
  object_boxes_.reserve(kMaxObstacles);
  ranges_.reserve(most_movers);
  // each object is carried, and so a mover, or fixed: the product is largest when both are as many
  const std::size_t fixed = std::min(most_movers / 2, kMaxObstacles);
  meetings_.reserve((most_movers - fixed) * fixed);
  pairs_.reserve(most_movers * (most_movers - 1) / 2);
  near_.resize(pairs_.capacity() + kBatch);
  mover_items_.reserve(most_movers);
  object_items_.reserve(kMaxObstacles);
  turns_.resize(tree.steps().size());
  links_.resize(links);
  step_of_.resize(links);
  travels_ = std::make_unique<float[][kBatch]>(most_movers);
  centres_ = std::make_unique<float[][3][kBatch]>(most_movers);
  found_.resize(kMostSuspects + 1);
  for (int lane = 0; lane < kBatch; ++lane) {
    for (const int k : {0, 4, 8}) links_[0].R[k][lane] = 1.0F;
  }
}

// The kernel's frames have the joint's axis as their z; a link's reach is a ball that its origin never
// leaves.
void Batch::add_step(const LinkTree::Step& step) {
  const Joint& joint = shapes_->model().joints[shapes_->model().links[step.child].parent_joint];
  const bool is_moving = step.position != kNone;
  const Matrix3 R_PJ = joint.X_PJ.rotation.toRotationMatrix();
  if (is_moving) {
    R_LK_[step.child] = Quaternion::FromTwoVectors(Vector3::UnitZ(), joint.axis).toRotationMatrix();
  }
  kernel::LaneStep lane{.parent = static_cast<int>(step.parent),
                        .child = static_cast<int>(step.child),
                        .position = is_moving ? static_cast<int>(step.position) : -1,
                        .is_revolute = step.is_revolute,
                        .factor = static_cast<float>(step.factor),
                        .offset = static_cast<float>(step.offset)};
  const Matrix3 R_KP = R_LK_[step.parent].transpose();
  const Matrix3 C = R_KP * R_PJ * R_LK_[step.child];
  set_floats(C, lane.C);
  lane.is_square = set_axes(C, lane);
  set_floats(Vector3(R_KP * step.p), lane.p);
  all_steps_.push_back(lane);

  origin_reach_[step.child] = reach_of(step.parent, step.p, 0.0);
  if (is_moving && !step.is_revolute) {
    origin_reach_[step.child].radius = std::numeric_limits<double>::infinity();
    const double most = (kMostSlide - std::abs(step.offset)) / std::max(std::abs(step.factor), 1e-9);
    most_[step.position] = std::min(most_[step.position], static_cast<float>(most));
  }
}

// Where a ball around a point of a link can be. While nothing but its own joint turns the link, the point
// goes round its axis.
BoundingBall Batch::reach_of(std::size_t link, const Vector3& point, double radius) const {
  const RobotModel& model = shapes_->model();
  Matrix3 R_WL = Matrix3::Identity();
  Vector3 axis = Vector3::Zero();
  bool is_turned = false;
  for (std::size_t at = link; at != 0; at = model.joints[model.links[at].parent_joint].parent_link) {
    const Joint& joint = model.joints[model.links[at].parent_joint];
    const bool turns = joint.kind == JointKind::Revolute || joint.kind == JointKind::Continuous;
    if (turns && at == link) axis = joint.axis;
    is_turned = is_turned || (turns && at != link);
    R_WL = joint.X_PJ.rotation.toRotationMatrix() * R_WL;
  }
  BoundingBall ball = origin_reach_[link];
  ball.radius += radius;
  if (is_turned) {
    ball.radius += point.norm();
  } else {
    const Vector3 steady = axis.isZero() ? point : Vector3(axis * axis.dot(point));
    ball.centre += R_WL * steady;
    ball.radius += (point - steady).norm();
  }
  return ball;
}

void Batch::set_items(const Scratch& scratch) {
  movers_.clear();
  mover_boxes_.clear();
  object_boxes_.clear();
  mover_items_.clear();
  object_items_.clear();
  for (std::size_t i = 0; i < scratch.item_count; ++i) {
    if (scratch.items[i].solid == nullptr) continue;
    scratch.items[i].link == shapes_->tree().link_count() ? add_object(scratch, i) : add_mover(scratch, i);
  }
  hit_count_ = 0;
  set_steps();
  set_meetings(scratch);
  set_pairs(scratch);
  std::fill(near_.begin(), near_.end(), static_cast<unsigned char>(0));
  scene_ = {.steps = steps_.data(),
            .movers = movers_.data(),
            .ranges = ranges_.data(),
            .meetings = meetings_.data(),
            .pairs = pairs_.data(),
            .mover_boxes = mover_boxes_.data(),
            .object_boxes = object_boxes_.data(),
            .step_of = step_of_.data(),
            .most = most_.data(),
            .turns = turns_.data(),
            .links = links_.data(),
            .centres = centres_.get(),
            .travels = travels_.get(),
            .near = near_.data(),
            .position_count = static_cast<int>(shapes_->tree().position_count()),
            .step_count = static_cast<int>(steps_.size()),
            .mover_count = static_cast<int>(movers_.size()),
            .meeting_count = static_cast<int>(meetings_.size()),
            .pair_count = static_cast<int>(pairs_.size())};
}

void Batch::add_mover(const Scratch& scratch, std::size_t i) {
  const Item& item = scratch.items[i];
  const Matrix3 R_KL = R_LK_[item.link].transpose();
  const Placement X_KS(R_KL * item.X_LS.R, R_KL * item.X_LS.p);
  LaneMover mover{.radius = static_cast<float>(item.ball.radius), .link = static_cast<int>(item.link)};
  set_floats(Vector3(R_KL * item.ball.centre), mover.centre);
  cover(*item.solid, X_KS, mover.cover);
  fill(*item.solid, X_KS, mover.inner);
  movers_.push_back(mover);
  mover_boxes_.push_back(lane_box(*item.solid, X_KS, 0.0));
  mover_items_.push_back(i);
}

void Batch::add_object(const Scratch& scratch, std::size_t i) {
  const Item& item = scratch.items[i];
  const double margin = std::max(shapes_->margin(), scratch.world[item.object].margin);
  object_boxes_.push_back(lane_box(*item.solid, item.X_LS, margin));
  object_items_.push_back(i);
}

void Batch::set_steps() {
  std::fill(is_needed_.begin(), is_needed_.end(), char{0});
  for (const LaneMover& mover : movers_) is_needed_[static_cast<std::size_t>(mover.link)] = 1;
  for (std::size_t i = all_steps_.size(); i-- > 0;) {
    const kernel::LaneStep& step = all_steps_[i];
    if (is_needed_[static_cast<std::size_t>(step.child)] != 0) {
      is_needed_[static_cast<std::size_t>(step.parent)] = 1;
    }
  }
  steps_.clear();
  for (const kernel::LaneStep& step : all_steps_) {
    const auto child = static_cast<std::size_t>(step.child);
    if (is_needed_[child] == 0) continue;
    step_of_[child] = static_cast<int>(steps_.size());
    steps_.push_back(step);
  }
}

void Batch::set_meetings(const Scratch& scratch) {
  meetings_.clear();
  pairs_.clear();
  ranges_.clear();
  for (std::size_t m = 0; m < movers_.size(); ++m) {
    const auto first = static_cast<int>(meetings_.size());
    add_meetings(scratch, m);
    ranges_.push_back({.first = first, .last = static_cast<int>(meetings_.size())});
  }
}

void Batch::add_meetings(const Scratch& scratch, std::size_t m) {
  const Item& item = scratch.items[mover_items_[m]];
  const BoundingBall reach = reach_of(item.link, item.ball.centre, item.ball.radius);
  const double farthest = std::min(reach.centre.norm() + reach.radius, kMostReach);
  for (std::size_t k = 0; k < object_items_.size(); ++k) {
    const Item& object = scratch.items[object_items_[k]];
    if (!scratch.is_checked(item, object)) continue;
    const double margin = scratch.margin_of(item, object);
    const double near = object.ball.radius + margin + kFloatSlack;
    const Vector3& centre = object.ball.centre;
    if ((reach.centre - centre).norm() > reach.radius + near) continue;
    // what never moves is clear once and for all
    if (item.link == 0 &&
        separation(*item.solid, item.X_LS, *object.solid, object.X_LS, margin).distance > margin) {
      continue;
    }
    const double threshold = std::min(std::pow(item.ball.radius + near, 2), 1e12);
    // squares of large numbers are subtracted in single precision
    const double slack = 1e-6 * (centre.squaredNorm() + farthest * farthest);
    meetings_.push_back({.x = static_cast<float>(-2.0 * centre.x()),
                         .y = static_cast<float>(-2.0 * centre.y()),
                         .z = static_cast<float>(-2.0 * centre.z()),
                         .k = static_cast<float>(centre.squaredNorm() - threshold - slack)});
    pairs_.push_back({.mover = static_cast<int>(m),
                      .other = static_cast<int>(k),
                      .apart = static_cast<float>(std::sqrt(threshold) * kRoundUp)});
  }
}

void Batch::set_pairs(const Scratch& scratch) {
  for (std::size_t a = 0; a < movers_.size(); ++a) {
    const Item& item_a = scratch.items[mover_items_[a]];
    for (std::size_t b = a + 1; b < movers_.size(); ++b) {
      const Item& item_b = scratch.items[mover_items_[b]];
      if (!scratch.is_checked(item_a, item_b)) continue;
      const double margin = scratch.margin_of(item_a, item_b);
      const double apart = item_a.ball.radius + item_b.ball.radius + margin + kFloatSlack;
      pairs_.push_back(
          {.mover = static_cast<int>(a),
           .other = static_cast<int>(b),
           .margin = static_cast<float>(margin),
           .threshold = squared(apart),
           .apart = static_cast<float>(apart * kRoundUp),
           .ancestor = static_cast<int>(shapes_->tree().common_ancestor(item_a.link, item_b.link))});
    }
  }
}

namespace {

/// A box in the world, in one configuration.
struct PlacedBox {
  Eigen::Matrix3f R;  // columns: its axes
  Eigen::Vector3f centre;
  Eigen::Vector3f half;
  float reach;
  bool is_round;

  float extent(const Eigen::Vector3f& u) const {
    const Eigen::Vector3f v = (R.transpose() * u).cwiseAbs();
    if (is_round) return half.x() * v.head<2>().norm() + half.z() * v.z() + reach;
    return half.dot(v) + reach;
  }
};

PlacedBox placed(const LaneBox& box) {
  return {.R = Eigen::Map<const Eigen::Matrix3f>(box.R),
          .centre = Eigen::Map<const Eigen::Vector3f>(box.centre),
          .half = Eigen::Map<const Eigen::Vector3f>(box.half),
          .reach = box.reach,
          .is_round = box.is_round};
}

PlacedBox placed(const LaneBox& box, const kernel::LaneLink& link, std::size_t lane) {
  PlacedBox result = placed(box);
  Eigen::Matrix3f R;
  Eigen::Vector3f o;
  for (int i = 0; i < 9; ++i) R.data()[i] = link.R[i][lane];
  for (int i = 0; i < 3; ++i) o[i] = link.o[i][lane];
  result.R = R * result.R;
  result.centre = R * result.centre + o;
  return result;
}

// Whether a plane across one of their axes, or across the line between their middles, lies between the two.
bool are_separated(const PlacedBox& a, const PlacedBox& b, float margin) {
  const Eigen::Vector3f between = b.centre - a.centre;
  const auto splits = [&](const Eigen::Vector3f& u) {
    return std::abs(u.dot(between)) > a.extent(u) + b.extent(u) + margin;
  };
  const auto splits_along = [&](const Eigen::Vector3f& d) {
    const float length = d.norm();
    return length > 1e-6F && splits(d / length);
  };
  const Eigen::Vector3f z_a = a.R.col(2);
  const Eigen::Vector3f z_b = b.R.col(2);
  return splits(z_a) || splits(b.R.col(0)) || splits(b.R.col(1)) || splits(z_b) ||
         splits_along(between - z_a * z_a.dot(between)) || splits_along(between - z_b * z_b.dot(between)) ||
         splits_along(between) || splits(a.R.col(0)) || splits(a.R.col(1));
}

}  // namespace

bool Batch::is_separated(int pair_index, int lane_index, float extra) const {
  const kernel::LanePair& pair = pairs_[static_cast<std::size_t>(pair_index)];
  const auto lane = static_cast<std::size_t>(lane_index);
  const auto mover = static_cast<std::size_t>(pair.mover);
  const auto other = static_cast<std::size_t>(pair.other);
  const auto link_of = [&](std::size_t m) -> const kernel::LaneLink& {
    return links_[static_cast<std::size_t>(movers_[m].link)];
  };
  const PlacedBox a = placed(mover_boxes_[mover], link_of(mover), lane);
  if (pair_index < scene_.meeting_count) return are_separated(a, placed(object_boxes_[other]), extra);
  return are_separated(a, placed(mover_boxes_[other], link_of(other), lane), pair.margin + extra);
}

// To the front.
void Batch::note_hit(std::size_t at) {
  std::rotate(hits_.begin(), hits_.begin() + static_cast<std::ptrdiff_t>(at),
              hits_.begin() + static_cast<std::ptrdiff_t>(at) + 1);
}

// A new one, for the one that was in the way longest ago.
void Batch::remember_hit(int pair) {
  hit_count_ = std::min(hit_count_ + 1, hits_.size());
  hits_[hit_count_ - 1] = pair;
  note_hit(hit_count_ - 1);
}

unsigned Batch::hit_lanes(std::span<const float> q) {
  const kernel::CollisionKernels& kernels = kernel::collision_kernels();
  const unsigned fine = kernels.follow_lanes(scene_, q.data());
  return kernels.hit_lanes(scene_, fine, hits_.data(), static_cast<int>(hit_count_));
}

Batch::Lanes Batch::check(std::span<const float> q, bool is_all_or_none) {
  const kernel::CollisionKernels& kernels = kernel::collision_kernels();
  const unsigned fine = kernels.follow_lanes(scene_, q.data());
  if (is_all_or_none) {
    const std::size_t first = std::min(hit_count_, kFirstHits);
    const int hit = kernels.hit_among(scene_, fine, hits_.data(), static_cast<int>(first));
    if (hit >= 0) {
      note_hit(static_cast<std::size_t>(hit));
      found_count_ = 0;
      return {.hit = 0xffU};
    }
  }
  kernels.note_near(scene_);
  const int count = is_all_or_none ? kernels.suspects_to_hit(scene_, fine, hit_count_ > 0 ? hits_[0] : 0,
                                                             found_.data(), kMostSuspects)
                                   : kernels.suspects(scene_, fine, found_.data(), kMostSuspects);
  const bool is_complete = count < kMostSuspects;
  found_count_ = static_cast<std::size_t>(count);
  Lanes lanes{.alone = is_complete ? ~fine & 0xffU : 0xffU};
  lanes.open = lanes.alone;
  for (std::size_t i = 0; i < found_count_; ++i) {
    (found_[i].is_hit ? lanes.hit : lanes.open) |= 1U << found_[i].lane;
  }
  if (is_all_or_none && lanes.hit != 0) remember_hit(found_[found_count_ - 1].pair);
  lanes.open &= ~lanes.hit;
  return lanes;
}

bool Batch::place(std::span<const float> q) {
  return kernel::collision_kernels().follow_lanes(scene_, q.data()) == 0xffU;
}

std::size_t Batch::open_among(std::span<const float> rates, std::span<const int> among,
                              std::span<kernel::LaneOpen> found) const {
  const bool is_all = among.data() == nullptr;
  return static_cast<std::size_t>(kernel::collision_kernels().open_among(
      scene_, rates.data(), among.data(), is_all ? scene_.pair_count : static_cast<int>(among.size()),
      found.data(), static_cast<int>(found.size())));
}

std::span<const kernel::Suspect> Batch::suspects() const {
  return {found_.data(), found_count_};
}

std::pair<std::size_t, std::size_t> Batch::items_of(int pair_index) const {
  const kernel::LanePair& pair = pairs_[static_cast<std::size_t>(pair_index)];
  const auto other = static_cast<std::size_t>(pair.other);
  return {mover_items_[static_cast<std::size_t>(pair.mover)],
          pair_index < scene_.meeting_count ? object_items_[other] : mover_items_[other]};
}

}  // namespace sinew::collision
