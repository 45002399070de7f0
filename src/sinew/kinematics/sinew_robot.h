/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Sums with a robot for C: where its tool is, and which joint positions bring it where it shall be.
 *
 * A robot is opened once, by name or by its URDF, and then never changes: any number of threads may use one.
 * Nothing but opening it allocates or reads files. All is in SI units: m, rad; poses are of the tool in the
 * chain's base. Where a function takes a `count`, it does many sums at once: row i of each array belongs to
 * sum i, and a row of joints has sinew_robot_joint_count() numbers. Numbers that are not finite are refused.
 */
#ifndef SINEW_ROBOT_H
#define SINEW_ROBOT_H

#include <stddef.h>
#include <stdint.h>

#ifndef SINEW_API
#if defined(__GNUC__)
#define SINEW_API __attribute__((visibility("default")))
#else
#define SINEW_API
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** What became of a call. Zero is success. */
typedef enum sinew_robot_status {
  SINEW_ROBOT_OK = 0,
  SINEW_ROBOT_UNREACHABLE = 1, /**< No joint positions reach the pose; the result says why. */
  SINEW_ROBOT_NOT_FOUND = 2,   /**< No such robot or file. */
  SINEW_ROBOT_INVALID = 3,     /**< An argument, or what a file says, cannot be. */
  SINEW_ROBOT_SYSTEM = 4       /**< The operating system refused; the error's text carries its reason. */
} sinew_robot_status;

/** Why a call was refused, in words: what, where, value, bound, next step. May be NULL everywhere. */
typedef struct sinew_robot_error {
  int32_t status;  /**< A sinew_robot_status. */
  char text[1020]; /**< Ended by a zero byte. */
} sinew_robot_error;

/** Which chain of which robot: one of its arms, or the way from a base link to a tip link. NULL: not given.
 */
typedef struct sinew_robot_options {
  const char* robot; /**< Its name, such as "ur5e", or the path of its folder or URDF. */
  const char* arm;   /**< Such as "left"; may be left out when there is only one. */
  const char* tool;  /**< A tool of the arm; without one the flange is meant. */
  const char* base;  /**< With `tip`: the link where the chain begins; without: the root. */
  const char* tip;   /**< The link where the chain ends, instead of an arm. */
} sinew_robot_options;

/** What a joint is. Where there is no limit, it is infinite. */
typedef struct sinew_robot_joint_info {
  const char* name;    /**< Lives as long as the robot. */
  double lower, upper; /**< [rad, m] */
  double velocity;     /**< At most [rad/s, m/s]. */
  int32_t is_revolute; /**< Not zero: positions in rad, else in m. */
  int32_t reserved;
} sinew_robot_joint_info;

/** Where the tool is: position [m] and unit quaternion. Seven numbers in this order. */
typedef struct sinew_pose {
  double x, y, z;
  double qw, qx, qy, qz;
} sinew_pose;

/** Why inverse kinematics found nothing. */
typedef enum sinew_ik_reason {
  SINEW_IK_SOLVED = 0,
  SINEW_IK_OUT_OF_REACH = 1,  /**< Not even without limits; the errors say by how much. */
  SINEW_IK_JOINT_LIMIT = 2,   /**< Without limits it could; `limit_joint` would go beyond its range. */
  SINEW_IK_SINGULAR = 3,      /**< It stuck where the arm cannot move in some direction. */
  SINEW_IK_NOT_CONVERGED = 4, /**< The search ended without an answer; more rounds may find one. */
  SINEW_IK_INVALID = 5        /**< A number is not finite, or the quaternion has no unit length. */
} sinew_ik_reason;

/** How to solve. All zero is what most want: NULL may stand for it. */
typedef struct sinew_ik_options {
  const double* seed;      /**< Where the joints are, one row for each target; NULL: mid-range. */
  const double* posture;   /**< One row: with joints to spare, come as near to it as can be; NULL: none. */
  double tolerance;        /**< [m, rad]; 0: 1e-6. */
  uint32_t components;     /**< Which must agree, bits 0 to 5: p_x p_y p_z t_x t_y t_z; 0: all. */
  uint32_t in_tool_axes;   /**< Not zero: components are along the target's axes, not the base's. */
  uint32_t accept_nearest; /**< Not zero: an arm that cannot take the orientation gets the nearest. */
  uint32_t most_rounds;    /**< Of the numerical search; 0: 3000. */
} sinew_ik_options;

/** How inverse kinematics ended. */
typedef struct sinew_ik_result {
  int32_t reason;         /**< A sinew_ik_reason. */
  int32_t solution_count; /**< All that were found, whether there was room for them or not. */
  int32_t limit_joint;    /**< With SINEW_IK_JOINT_LIMIT: which; else -1. */
  int32_t is_closed_form; /**< Not zero: by formula; else by search. */
  double position_error;  /**< Of the first row of joints given back [m]. */
  double rotation_error;  /**< Of the first row of joints given back [rad]. */
} sinew_ik_result;

typedef struct sinew_robot sinew_robot;

/** Opens a robot; NULL when refused. Names are looked for in ./robots and in the folders `robots` above the
 * program and above this library. */
SINEW_API sinew_robot* sinew_robot_open(const sinew_robot_options* options, sinew_robot_error* error);

/** NULL is fine. */
SINEW_API void sinew_robot_close(sinew_robot* robot);

/** The robot's name; the link or tool at the chain's end; "numerical", "closed form: spherical wrist", …: how
 * inverse kinematics works. They live as long as the robot. */
SINEW_API const char* sinew_robot_name(const sinew_robot* robot);
SINEW_API const char* sinew_robot_tip(const sinew_robot* robot);
SINEW_API const char* sinew_robot_method(const sinew_robot* robot);

/** Something odd about the robot's files, with file, line and remedy; NULL when there are no more. */
SINEW_API const char* sinew_robot_remark(const sinew_robot* robot, size_t index);

/** How many joints the chain has: so many numbers are a row. */
SINEW_API size_t sinew_robot_joint_count(const sinew_robot* robot);

/** What joint number `index` is, from 0. */
SINEW_API int sinew_robot_joint(const sinew_robot* robot, size_t index, sinew_robot_joint_info* joint);

/** Forward kinematics: `count` rows of joints to as many poses. */
SINEW_API int sinew_robot_fk(const sinew_robot* robot, const double* q, size_t count, sinew_pose* poses,
                             sinew_robot_error* error);

/** Jacobians: `count` rows of joints to as many matrices, each six rows (three linear, three angular, in axes
 * of the base, at the tool) of one number for each joint. */
SINEW_API int sinew_robot_jacobian(const sinew_robot* robot, const double* q, size_t count, double* jacobians,
                                   sinew_robot_error* error);

/** Inverse kinematics: the solutions within limits, nearest to the seed first, as many as `capacity` rows of
 * `q` hold (8 are enough for any arm). Without one, SINEW_ROBOT_UNREACHABLE, and the first row is the nearest
 * posture found. `result` may be NULL. */
SINEW_API int sinew_robot_ik(const sinew_robot* robot, const sinew_pose* target,
                             const sinew_ik_options* options, double* q, size_t capacity,
                             sinew_ik_result* result, sinew_robot_error* error);

/** Inverse kinematics of `count` targets: one row of `q` and one result for each, the nearest solution or the
 * nearest posture. SINEW_ROBOT_OK also when some cannot be reached. */
SINEW_API int sinew_robot_ik_batch(const sinew_robot* robot, const sinew_pose* targets, size_t count,
                                   const sinew_ik_options* options, double* q, sinew_ik_result* results,
                                   sinew_robot_error* error);

/** Poses to 4 × 4 matrices, row by row, and back; a matrix whose rotation is none is refused. */
SINEW_API void sinew_pose_to_matrix(const sinew_pose* poses, size_t count, double* matrices);
SINEW_API int sinew_pose_from_matrix(const double* matrices, size_t count, sinew_pose* poses,
                                     sinew_robot_error* error);

/** "ok", "unreachable", …; "solved", "out of reach", "joint limit", … */
SINEW_API const char* sinew_robot_status_text(int status);
SINEW_API const char* sinew_ik_reason_text(int reason);

#ifdef __cplusplus
}
#endif

#endif
