// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/planning/shorten.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/time.h"

namespace sinew::planning {
namespace {

/// A shortcut that saves less than this share is not worth its check.
constexpr double kWorthwhile = 0.02;
/// Rounds without a gain after which a path is as short as it gets.
constexpr std::size_t kMostVain = 16;

double edge_length(const Configuration& a, const Configuration& b, std::size_t size) {
  double square = 0.0;
  for (std::size_t j = 0; j < size; ++j) square += std::pow(static_cast<double>(b[j]) - static_cast<double>(a[j]), 2);
  return std::sqrt(square);
}

class Shortener {
 public:
  Shortener(MotionJudge& judge, const ShortenOptions& options, Path& path)
      : judge_(judge), options_(options), path_(path), size_(judge.size()) {}

  void run() {
    leave_corners_out();
    EvenSequence sequence(2);
    sequence.begin(options_.seed);
    std::size_t vain = 0;
    for (std::size_t round = 0; round < options_.rounds && vain < kMostVain && path_.size() > 2; ++round) {
      if (is_late()) return;
      std::array<float, 2> draw{};
      sequence.next(draw.data());
      vain = cut_across(static_cast<double>(draw[0]), static_cast<double>(draw[1])) ? 0 : vain + 1;
    }
    leave_corners_out();
    cut_corners();
  }

 private:
  bool is_late() const {
    return options_.deadline_ns > 0 && monotonic_now_ns() >= options_.deadline_ns;
  }

  // From each corner straight to the last one that can be seen.
  void leave_corners_out() {
    for (std::size_t from = 0; from + 2 < path_.size(); ++from) {
      for (std::size_t to = path_.size() - 1; to > from + 1; --to) {
        if (is_late()) return;
        if (!judge_.is_clear(path_[from].data(), path_[to].data())) continue;
        path_.erase(at(from + 1), at(to));
        break;
      }
    }
  }

  // Between two points, given as shares of the length.
  bool cut_across(double share_a, double share_b) {
    const double whole = length_of(path_, size_);
    const double begin = std::min(share_a, share_b) * whole;
    const double end = std::max(share_a, share_b) * whole;
    const Point a = point_at(begin);
    const Point b = point_at(end);
    if (a.edge == b.edge) return false;
    if (end - begin - edge_length(a.q, b.q, size_) < kWorthwhile * whole) return false;
    if (!judge_.is_clear(a.q.data(), b.q.data())) return false;
    path_.erase(at(a.edge + 1), at(b.edge + 1));
    path_.insert(at(a.edge + 1), {a.q, b.q});
    return true;
  }

  // Each corner becomes two, where there is room: a third of the shorter neighbour from it, or less.
  void cut_corners() {
    for (std::size_t i = 1; i + 1 < path_.size(); ++i) {
      for (double share = 1.0 / 3.0; share > 0.05; share *= 0.5) {
        if (is_late()) return;
        const Configuration before = between(path_[i], path_[i - 1], share);
        const Configuration after = between(path_[i], path_[i + 1], share);
        if (!judge_.is_clear(before.data(), after.data())) continue;
        path_[i] = before;
        path_.insert(at(i + 1), after);
        ++i;
        break;
      }
    }
  }

  struct Point {
    std::size_t edge = 0;
    Configuration q{};
  };
  Point point_at(double way) const {
    for (std::size_t edge = 0; edge + 1 < path_.size(); ++edge) {
      const double length = edge_length(path_[edge], path_[edge + 1], size_);
      if (way <= length && length > 0.0) return {edge, between(path_[edge], path_[edge + 1], way / length)};
      way -= length;
    }
    return {path_.size() - 2, path_.back()};
  }

  Configuration between(const Configuration& a, const Configuration& b, double share) const {
    Configuration q{};
    for (std::size_t j = 0; j < size_; ++j) q[j] = a[j] + static_cast<float>(share) * (b[j] - a[j]);
    return q;
  }

  Path::iterator at(std::size_t i) { return path_.begin() + static_cast<std::ptrdiff_t>(i); }

  MotionJudge& judge_;
  const ShortenOptions& options_;
  Path& path_;
  std::size_t size_;
};

}  // namespace

double length_of(const Path& path, std::size_t size) {
  double length = 0.0;
  for (std::size_t i = 1; i < path.size(); ++i) length += edge_length(path[i - 1], path[i], size);
  return length;
}

void shorten(MotionJudge& judge, const ShortenOptions& options, Path& path) {
  if (path.size() > 2) Shortener(judge, options, path).run();
}

}  // namespace sinew::planning
