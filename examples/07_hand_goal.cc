// SPDX-License-Identifier: BSD-3-Clause
// Asks the inverse kinematics of a running MDS to move its left hand, as the MDS-Ach paper's appendix G does
// ('sinew start mds').
#include <ach.h>
#include <mds.h>

#include <cstdint>
#include <cstdio>

int main() {
  // open the channel of goals
  ach_channel_t chan_ik;
  if (const ach_status r = ach_open(&chan_ik, MDS_CHAN_IK_NAME, nullptr); r != ACH_OK) {
    std::fprintf(stderr, "no channel of goals: %s\n", ach_result_to_string(r));
    return 1;
  }

  // how many of x, y, z [m], roll, pitch, yaw [rad] are to be met; the others are free
  const std::int16_t dof = 3;
  const double eff[6] = {0.3, 0.2, 0.0, 0.0, 0.0, 0.0};
  const std::int16_t arm = LEFT;

  mds_ik_t H_ik{};
  H_ik.move = arm;
  H_ik.arm[arm].ik_method = dof;
  H_ik.arm[arm].t_x = eff[0];
  H_ik.arm[arm].t_y = eff[1];
  H_ik.arm[arm].t_z = eff[2];
  H_ik.arm[arm].r_x = eff[3];
  H_ik.arm[arm].r_y = eff[4];
  H_ik.arm[arm].r_z = eff[5];

  const ach_status r = ach_put(&chan_ik, &H_ik, sizeof(H_ik));
  std::printf("%s\n", ach_result_to_string(r));
  ach_close(&chan_ik);
  return r == ACH_OK ? 0 : 1;
}
