// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "sinew/kinematics/newton_kernel.h"

/// Where searches begin: the seeds of a table whose poses are nearest to the target.
namespace sinew::kernel {
namespace {

/// A number in [0, 1) (xorshift64*, so the same on every machine).
inline float draw(unsigned long long& state) {
  state ^= state >> 12;
  state ^= state << 25;
  state ^= state >> 27;
  return static_cast<float>((state * 0x2545f4914f6cdd1dULL) >> 40) * 0x1p-24F;
}

/// The target as the rows of SeedPoses have it; its azimuth is taken off and returned.
inline float target_rows(const Task<float>& task, bool is_round, float* row) {
  const Motion<float>& A = task.X_S0;
  const Motion<float>& B = task.X_ST;
  const float* columns[4] = {B.x, B.y, B.z, B.o};
  for (int c = 0; c < 4; ++c) {
    float v[3];
    for (int k = 0; k < 3; ++k) v[k] = columns[c][k] - (c == 3 ? A.o[k] : 0.0F);
    row[3 * c] = A.x[0] * v[0] + A.x[1] * v[1] + A.x[2] * v[2];
    row[3 * c + 1] = A.y[0] * v[0] + A.y[1] * v[1] + A.y[2] * v[2];
    row[3 * c + 2] = A.z[0] * v[0] + A.z[1] * v[1] + A.z[2] * v[2];
  }
  const float far = __builtin_sqrtf(row[9] * row[9] + row[10] * row[10]);
  if (!is_round || far < 1e-9F) return 0.0F;
  const float cosine = row[9] / far;
  const float sine = row[10] / far;
  for (int c = 0; c < 4; ++c) {
    const float x = row[3 * c];
    const float y = row[3 * c + 1];
    row[3 * c] = x * cosine + y * sine;
    row[3 * c + 1] = y * cosine - x * sine;
  }
  return __builtin_atan2f(sine, cosine);
}

/// Squares of distances less what all seeds share: w (x - g)² = w x² - 2 w g x + …, and columns have unit
/// length.
inline void weigh_rows(const Task<float>& task, bool is_round, Search& search) {
  float goal[12];
  search.azimuth = target_rows(task, is_round, goal);
  float position = 0.0F;
  float rotation = 0.0F;
  for (int k = 0; k < 3; ++k) {
    position = larger<float>(position, task.weight[k] * task.weight[k]);
    rotation = larger<float>(rotation, task.weight[3 + k] * task.weight[3 + k]);
  }
  for (int k = 0; k < 12; ++k) {
    const float share = task.is_pointing ? (k >= 6 ? 1.0F : 0.0F) : 0.5F;
    search.factor[k] = -2.0F * goal[k] * (k < 9 ? share * rotation : position);
  }
  search.factor[12] = position;
}

/// Puts a seed into a lane; joint 0 turns it towards the target, by whole turns within its limits.
inline void take_seed(const Chain<float>& chain, const Task<float>& task, const SeedTable& table, int block,
                      int lane, Search& search, float* q, int stride) {
  constexpr float kTurn = 6.28318531F;
  for (int i = 0; i < chain.variable_count; ++i) q[i * stride] = table.blocks[block].q[i][lane];
  if (!table.is_round) return;
  float first = q[0] + search.azimuth;
  first = first > task.upper[0] ? first - kTurn : first;
  first = first < task.lower[0] ? first + kTurn : first;
  q[0] = smaller<float>(larger<float>(first, task.lower[0]), task.upper[0]);
}

/// A new beginning for one lane: the nearest of a few seeds, drawn, or by turns a drawn posture.
inline void draw_seed(const Chain<float>& chain, const Task<float>& task, const SeedTable& table, int lane,
                      Search& search, float* q, int stride) {
  const float kind = draw(search.random);
  if (kind < 0.5F) {
    for (int i = 0; i < chain.variable_count; ++i) {
      q[i * stride] = task.lower[i] + (task.upper[i] - task.lower[i]) * draw(search.random);
    }
    return;
  }
  int block = 0;
  float best = 1e30F;
  for (int k = 0; k < 6; ++k) {
    const int tried = static_cast<int>(draw(search.random) * static_cast<float>(table.count));
    float square = 0.0F;
    for (int r = 0; r < 13; ++r) square += table.poses[tried].row[r][lane] * search.factor[r];
    if (square >= best) continue;
    best = square;
    block = tried;
  }
  take_seed(chain, task, table, block, lane, search, q, stride);
}

void choose_seeds(const Chain<float>& chain, const Task<float>& task, const SeedTable& table,
                  Search& search) {
  weigh_rows(task, table.is_round, search);
  F8 best = all<F8>(1e30F);
  I8 chosen{};
  for (int b = 0; b < table.count; ++b) {
    const SeedPoses& poses = table.poses[b];
    F8 sum[3] = {load(poses.row[12]) * search.factor[12], F8{}, F8{}};
#pragma GCC unroll 12
    for (int k = 0; k < 12; ++k) sum[k % 3] += load(poses.row[k]) * search.factor[k];
    const F8 square = sum[0] + sum[1] + sum[2];
    chosen = square < best ? (I8{} + b) : chosen;
    best = smaller<F8>(square, best);
  }
  for (int lane = 1; lane < kLanes; ++lane) {
    take_seed(chain, task, table, chosen[lane], lane, search, &search.q[0][lane], kLanes);
  }
}

}  // namespace
}  // namespace sinew::kernel
