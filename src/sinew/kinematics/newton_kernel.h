// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "sinew/kinematics/chain_kernel.h"

/// One damped Newton step towards a pose, eight at a time in single precision or one in double.
namespace sinew::kernel {
namespace {

/// Error of the tip, to be undone: position difference and a rotation vector of length 2 sin(angle / 2).
template <class L>
[[gnu::always_inline]] inline void error_of(const Motion<L>& X, const Motion<RealOf<L>>& goal,
                                            bool is_pointing, L* error) {
  using Real = RealOf<L>;
  L v[3];
  L cosine;
  const auto cross = [](const L* a, const Real* b, int k) {
    const int i = (k + 1) % 3;
    const int j = (k + 2) % 3;
    return a[i] * b[j] - a[j] * b[i];
  };
  const auto dot = [](const L* a, const Real* b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; };
  if (is_pointing) {
    for (int k = 0; k < 3; ++k) v[k] = cross(X.z, goal.z, k);
    cosine = dot(X.z, goal.z);
  } else {
    for (int k = 0; k < 3; ++k) {
      v[k] = (cross(X.x, goal.x, k) + cross(X.y, goal.y, k) + cross(X.z, goal.z, k)) * Real(0.5);
    }
    cosine = (dot(X.x, goal.x) + dot(X.y, goal.y) + dot(X.z, goal.z) - Real(1)) * Real(0.5);
  }
  // sin(angle) / cos(angle / 2) = 2 sin(angle / 2): grows all the way to half a turn
  const L scale = Real(1) / root<L>(larger<L>((cosine + Real(1)) * Real(0.5), all<L>(Real(1e-6))));
  for (int k = 0; k < 3; ++k) {
    error[k] = goal.o[k] - X.o[k];
    error[3 + k] = v[k] * scale;
  }
}

/// Solves A x = b for symmetric positive A (lower half given), size at most 6; x replaces b.
template <class L>
[[gnu::always_inline]] inline void solve_symmetric(L (*a)[6], L* b, int size) {
  L inverse_pivot[6];
#pragma GCC unroll 6
  for (int j = 0; j < size; ++j) {
    // column j of the factor: a[i][j] holds l_ij * d_j until it is divided
    L pivot = a[j][j];
#pragma GCC unroll 6
    for (int k = 0; k < j; ++k) pivot -= a[j][k] * a[j][k] * inverse_pivot[k];
    inverse_pivot[j] = RealOf<L>(1) / pivot;
#pragma GCC unroll 6
    for (int i = j + 1; i < size; ++i) {
      L sum = a[i][j];
#pragma GCC unroll 6
      for (int k = 0; k < j; ++k) sum -= a[i][k] * (a[j][k] * inverse_pivot[k]);
      a[i][j] = sum;
    }
  }
#pragma GCC unroll 6
  for (int i = 0; i < size; ++i) {
#pragma GCC unroll 6
    for (int k = 0; k < i; ++k) b[i] -= a[i][k] * b[k];
    b[i] *= inverse_pivot[i];
  }
#pragma GCC unroll 6
  for (int i = size - 1; i >= 0; --i) {
    L sum = all<L>(0);
#pragma GCC unroll 6
    for (int k = i + 1; k < size; ++k) sum += a[k][i] * b[k];
    b[i] -= sum * inverse_pivot[i];
  }
}

/// The damped step: (JᵀJ + λ) step = Jᵀ error, by the smaller of the two equal systems.
template <class L, int N>
[[gnu::always_inline]] inline void damped_step(const L (*jacobian)[6], const L* error, L damping,
                                               int variables, L* step) {
  const int count = N > 0 ? N : variables;
  L a[6][6];
  L b[6];
  const bool by_rows = count >= 6;
  const int size = by_rows ? 6 : count;
#pragma GCC unroll 6
  for (int i = 0; i < size; ++i) {
#pragma GCC unroll 6
    for (int j = 0; j <= i; ++j) {
      L sum = i == j ? damping : all<L>(0);
      const int terms = by_rows ? count : 6;
#pragma GCC unroll 8
      for (int k = 0; k < terms; ++k) {
        sum += by_rows ? jacobian[k][i] * jacobian[k][j] : jacobian[i][k] * jacobian[j][k];
      }
      a[i][j] = sum;
    }
    b[i] = error[i];
    if (!by_rows) {
      b[i] = all<L>(0);
#pragma GCC unroll 6
      for (int k = 0; k < 6; ++k) b[i] += jacobian[i][k] * error[k];
    }
  }
  solve_symmetric<L>(a, b, size);
#pragma GCC unroll 8
  for (int i = 0; i < count; ++i) {
    step[i] = b[i < 6 ? i : 5];
    if (by_rows) {
      step[i] = all<L>(0);
#pragma GCC unroll 6
      for (int k = 0; k < 6; ++k) step[i] += jacobian[i][k] * b[k];
    }
  }
}

/// Clears the columns of joints that stand at a limit and would go beyond it.
template <class L, int N>
[[gnu::always_inline]] inline void hold_at_limits(const Task<RealOf<L>>& task, const L* q, const L* error,
                                                  int variables, L (*jacobian)[6]) {
  const int count = N > 0 ? N : variables;
  // mostly nobody stands at a limit
  auto at_limit = (q[0] <= task.lower[0]) | (q[0] >= task.upper[0]);
#pragma GCC unroll 8
  for (int i = 1; i < count; ++i) at_limit = at_limit | (q[i] <= task.lower[i]) | (q[i] >= task.upper[i]);
  if (mask_bits(at_limit) == 0) return;
#pragma GCC unroll 8
  for (int i = 0; i < count; ++i) {
    L slope = all<L>(0);
#pragma GCC unroll 6
    for (int k = 0; k < 6; ++k) slope += jacobian[i][k] * error[k];
    const auto blocked = ((q[i] <= task.lower[i]) & (slope < 0)) | ((q[i] >= task.upper[i]) & (slope > 0));
#pragma GCC unroll 6
    for (int k = 0; k < 6; ++k) jacobian[i][k] = blocked ? all<L>(0) : jacobian[i][k];
  }
}

/// Weighs the error of a walk's end; half its square.
template <class L>
[[gnu::always_inline]] inline L weigh_error(const Task<RealOf<L>>& task, L* error) {
  L cost = all<L>(0);
#pragma GCC unroll 6
  for (int k = 0; k < 6; ++k) {
    error[k] *= task.weight[k];
    cost += error[k] * error[k];
  }
  return cost * RealOf<L>(0.5);
}

/// The weighted Jacobian of a walk, without the columns that limits forbid.
template <class L, int N>
[[gnu::always_inline]] inline void weigh_columns(const Chain<RealOf<L>>& chain, const Task<RealOf<L>>& task,
                                                 const Walk<L>& way, const L* q, const L* error,
                                                 L (*jacobian)[6]) {
  const int count = N > 0 ? N : chain.variable_count;
  columns<L, N>(chain, way, jacobian);
#pragma GCC unroll 6
  for (int k = 0; k < 6; ++k) {
#pragma GCC unroll 8
    for (int i = 0; i < count; ++i) jacobian[i][k] *= task.weight[k];
  }
  hold_at_limits<L, N>(task, q, error, count, jacobian);
}

}  // namespace
}  // namespace sinew::kernel
