/* SPDX-License-Identifier: BSD-3-Clause */
/* Where a robot's tool is, and how to get it elsewhere, in C: 06_robot [ROBOT] */
#include <stdio.h>

#include "sinew_robot.h"

int main(int count, char** words) {
  const sinew_robot_options options = {.robot = count > 1 ? words[1] : "ur5e"};
  sinew_robot_error error;
  sinew_robot* arm = sinew_robot_open(&options, &error);
  if (!arm) {
    fprintf(stderr, "%s\n", error.text);
    return 1;
  }
  printf("%s: %zu joints, %s\n", sinew_robot_name(arm), sinew_robot_joint_count(arm),
         sinew_robot_method(arm));

  /* joint positions in rad to a pose; a robot has at most 16 joints in a chain */
  const double home[16] = {0, -1.57, 1.57, 0, 1.57, 0};
  sinew_pose pose;
  int status = sinew_robot_fk(arm, home, 1, &pose, &error);
  if (status == SINEW_ROBOT_OK) printf("position %.4f %.4f %.4f\n", pose.x, pose.y, pose.z);

  /* and back, 10 cm lower: all solutions, the nearest to where the arm is first */
  pose.z -= 0.1;
  const sinew_ik_options near_home = {.seed = home};
  double q[8 * 16];
  sinew_ik_result result;
  if (status == SINEW_ROBOT_OK) status = sinew_robot_ik(arm, &pose, &near_home, q, 8, &result, &error);
  if (status == SINEW_ROBOT_OK) {
    printf("ways %d, joints", result.solution_count);
    for (size_t i = 0; i < sinew_robot_joint_count(arm); ++i) printf(" %.3f", q[i]);
    printf("\n");
  } else {
    fprintf(stderr, "%s\n", error.text);
  }
  sinew_robot_close(arm);
  return status;
}
