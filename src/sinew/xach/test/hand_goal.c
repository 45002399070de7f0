/* SPDX-License-Identifier: BSD-3-Clause */
/* Asks the inverse kinematics to move the left hand, step by step as the MDS-Ach paper's appendix G tells it.
 */
#include <ach.h>
#include <assert.h>
#include <mds.h>
#include <string.h>

int main(void) {
  /* open the channel */
  ach_channel_t chan_ik;
  int r = ach_open(&chan_ik, MDS_CHAN_IK_NAME, NULL);
  assert(ACH_OK == r);

  /* make the structure */
  mds_ik_t H_ik;
  memset(&H_ik, 0, sizeof(H_ik));

  /* how many coordinates count, and their values: x, y, z, and rotations about them */
  const int16_t dof = 3;
  const double eff[6] = {0.3, 0.2, 0.0, 0.0, 0.0, 0.0};

  /* which arm */
  const int16_t arm = LEFT;

  H_ik.move = arm;
  H_ik.arm[arm].ik_method = dof;
  H_ik.arm[arm].t_x = eff[0];
  H_ik.arm[arm].t_y = eff[1];
  H_ik.arm[arm].t_z = eff[2];
  H_ik.arm[arm].r_x = eff[3];
  H_ik.arm[arm].r_y = eff[4];
  H_ik.arm[arm].r_z = eff[5];

  /* put it on the channel */
  r = ach_put(&chan_ik, &H_ik, sizeof(H_ik));
  assert(ACH_OK == r);
  ach_close(&chan_ik);
  return 0;
}
