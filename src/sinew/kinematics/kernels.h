// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// The inner loops of kinematics, on plain arrays, compiled once for every x86-64 or ARM and once for AVX2
/// with FMA. Inside this room only. No Eigen and no standard headers here: an inline function compiled for
/// AVX2 must never become the one copy that the linker keeps for all.
namespace sinew::kernel {

inline constexpr int kMaxJoints = 16;
inline constexpr int kLanes = 8;

/// A rigid motion: columns x, y, z of the rotation, then the origin.
template <class Real>
struct Motion {
  Real x[3], y[3], z[3], o[3];
};

/// A joint and what follows it up to the next: Rz(angle) · Tz(slide) · T(p) · Rx(alpha).
template <class Real>
struct ChainJoint {
  Real cos_alpha, sin_alpha;
  Real p[3];
  Real factor;        ///< Of its variable.
  Real angle_offset;  ///< Angle: factor · q + angle_offset when revolute, else angle_offset.
  Real slide_offset;  ///< Slide: factor · q + slide_offset when prismatic, else zero.
  int variable;
  bool is_revolute;
};

/// X_BT(q) = X_B0 · joints · X_ET. The last joint has neither p nor alpha.
template <class Real>
struct Chain {
  int joint_count;
  int variable_count;
  bool is_plain;  ///< All revolute, joint i driven by variable i one to one.
  ChainJoint<Real> joints[kMaxJoints];
  Motion<Real> X_B0;
  Motion<Real> X_ET;
};

/// Eight configurations side by side; what the batch kernel reads and writes.
struct ChainLanes {
  alignas(32) float q[kMaxJoints][kLanes];
  alignas(32) float rotation[9][kLanes];  ///< Columns x, y, z of R_BT.
  alignas(32) float position[3][kLanes];
  alignas(32) float jacobian[kMaxJoints][6][kLanes];
};

/// What is to be reached, in the axes S of the task. A weight of zero frees that component.
template <class Real>
struct Task {
  Motion<Real> X_S0;  ///< In the place of the chain's X_B0.
  Motion<Real> X_ST;  ///< The target.
  Real weight[6];     ///< Of position x y z and rotation x y z.
  bool is_pointing;   ///< Only the tool's z axis must agree; rotation about it is free.
  Real lower[kMaxJoints];
  Real upper[kMaxJoints];
};

/// Eight configurations to begin from.
struct SeedBlock {
  alignas(32) float q[kMaxJoints][kLanes];
};
/// Their poses in the frame of joint 0, whose axis is z, turned about it so that y is zero (is_round):
/// columns x, y, z, then origin x, y, z and the square of its length.
struct SeedPoses {
  alignas(32) float row[13][kLanes];
};
struct SeedTable {
  const SeedBlock* blocks;
  const SeedPoses* poses;
  int count;
  /// Joint 0 is revolute with a variable of its own: seeds differ by the others, and it turns towards the
  /// target.
  bool is_round;
};

/// Eight searches side by side.
struct Search {
  alignas(32) float q[kMaxJoints][kLanes];
  alignas(32) float cost[kLanes];  ///< Half the weighted square of the error at q.
  unsigned found;                  ///< One bit per lane that has arrived.
  int rounds;                      ///< Rounds done.
  float goal;                      ///< The cost at which a lane has arrived.
  unsigned long long random;       ///< State of the generator of new beginnings.
  int age[kLanes];                 ///< Rounds since the lane began anew.
  alignas(32) float old_cost[kLanes];
  float factor[13];  ///< Of the rows of SeedPoses in the measure of nearness.
  float azimuth;     ///< Where the target is about axis 0.
};

/// A configuration that is made better in double precision.
struct Polish {
  double q[kMaxJoints];
  double position_error;  ///< [m]
  double rotation_error;  ///< [rad]
};

/// The classes of arms that subproblems solve, numbering joints from 1.
enum class ArmKind {
  SphericalWrist,  ///< Six joints, 4, 5 and 6 through one point.
  Spherical234,    ///< Six joints, 2, 3 and 4 through one point.
  Parallel234,     ///< Six joints, 2, 3 and 4 parallel.
  Parallel123,     ///< Six joints, 1, 2 and 3 parallel.
  Five,            ///< Five joints, 2, 3 and 4 parallel.
  Seven,           ///< Seven joints, 1, 2 and 3 through one point, 5, 6 and 7 through another.
};
/// The two neighbours that make the rest solvable: they are parallel or meet.
enum class Pair { Parallel12, Meet12, Parallel23, Meet23, Parallel45, Meet45, Parallel56, Meet56 };

/// The most joints of an arm with a closed form.
inline constexpr int kMaxClosed = 7;

/// The range of a joint as cosines and sines.
struct ClosedRange {
  double middle_cosine, middle_sine;
  double half_cosine;                 ///< Of half its width; -2 where every angle is within it.
  double end_cosine[2], end_sine[2];  ///< Of its lower and upper end.
};

/// An arm at its zero posture, perhaps seen from its tip towards its base.
struct ClosedArm {
  ArmKind kind;
  Pair pair;
  int count;
  bool is_reversed;
  bool is_exact;  ///< Axes meet and are parallel to rounding, not only as well as a file's digits say.
  double slack;   ///< How far they may be off [rad, parts of the reach].
  double axis[kMaxClosed][3];
  double point[kMaxClosed][3];
  double centre[3];    ///< Where the three or the pair meet; on the last axis for Five; the wrist of Seven.
  double across[3];    ///< Any unit vector across the last of the three.
  double shoulder[3];  ///< Of Seven: where 1, 2 and 3 meet.
  double aside[3];     ///< Of Seven: any unit vector across joint 3.
  // in the order of the chain
  double lower[kMaxClosed], upper[kMaxClosed];                ///< Limits; large numbers where there are none.
  double offset_cosine[kMaxClosed], offset_sine[kMaxClosed];  ///< Of ChainJoint::angle_offset.
  ClosedRange range[kMaxClosed];                              ///< Of Seven.
  Motion<double> X_T0B;  ///< The base seen from the tool when all joints are zero.
};

/// All branches, one per lane, in the turn nearest to the seed among those that limits allow.
struct ClosedAnswer {
  double exact;    ///< Given: errors up to this need no correction [m, rad].
  double hopeful;  ///< Given: errors from this on belong to branches that do not exist [m, rad].
  /// Given, of Seven: how far the arm is turned about the line from shoulder to wrist, away from the posture
  /// nearest to the seed [rad]; and whether it must stay there or may turn on until limits are kept.
  double turn;
  bool is_turn_given;
  int count;
  unsigned rough;   ///< One bit per lane that is neither exact nor hopeless.
  unsigned beyond;  ///< One bit per lane that is exact and breaks a limit.
  double q[kMaxClosed][kLanes];
  double position_error[kLanes];  ///< How far the tool misses the target [m].
  double rotation_error[kLanes];  ///< [rad]
  double distance[kLanes];  ///< Square of the way from the seed; infinite unless exact and within limits.
};

struct Kernels {
  const char* name;
  void (*forward)(const Chain<double>&, const double* q, Motion<double>& X_BT);
  void (*frames)(const Chain<double>&, const double* q, Motion<double>* X_BK, Motion<double>& X_BT);
  /// `jacobian`: 6 rows, a column per variable.
  void (*jacobian)(const Chain<double>&, const double* q, Motion<double>& X_BT, double* jacobian);
  void (*batch)(const Chain<float>&, ChainLanes&);
  /// Fills lanes 1 to 7 of `search` with the seeds nearest to the target, lane by lane.
  void (*choose_seeds)(const Chain<float>&, const Task<float>&, const SeedTable&, Search&);
  /// Goes on until a lane arrives or `most_rounds` are done.
  void (*search)(const Chain<float>&, const Task<float>&, const SeedTable&, int most_rounds, Search&);
  /// `seed`: kMaxClosed numbers in the order of the chain, those beyond it zero.
  void (*closed)(const ClosedArm&, const Chain<double>&, const Motion<double>& X_BT, const double* seed,
                 ClosedAnswer&);
  /// Damped Newton within limits until both errors are below `goal` or it gets no better.
  void (*polish)(const Chain<double>&, const Task<double>&, double goal, int most_rounds, Polish&);
};

/// The best that this processor runs.
const Kernels& kernels();
/// The one that every processor runs.
const Kernels& portable_kernels();
/// The one for AVX2 and FMA; nullptr where it was not built or cannot run.
const Kernels* avx2_kernels();

}  // namespace sinew::kernel
