/* SPDX-License-Identifier: BSD-3-Clause */
/* Moves two joints of a running MDS as the MDS-Ach paper does ('sinew start mds'):
 * gcc -std=gnu99 -I src/sinew/xach examples/06_two_joints.c -L build/release/lib -lach -lrt -lm */
#include <ach.h>
#include <mds.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  /* open the channels: the state, and the references that go through the smoother */
  ach_channel_t chan_ref;
  ach_channel_t chan_state;
  int r = ach_open(&chan_ref, MDS_CHAN_REF_FILTER_NAME, NULL);
  if (ACH_OK == r) r = ach_open(&chan_state, MDS_CHAN_STATE_NAME, NULL);
  if (ACH_OK != r) {
    fprintf(stderr, "no channels of the robot: %s\n", ach_result_to_string((ach_status_t)r));
    return 1;
  }

  /* make the structure, and get the latest: a reference is always about all joints */
  mds_ref_t H_ref;
  memset(&H_ref, 0, sizeof(H_ref));
  size_t fs = 0;
  r = ach_get(&chan_ref, &H_ref, sizeof(H_ref), &fs, NULL, ACH_O_LAST);
  if ((ACH_OK != r && ACH_MISSED_FRAME != r) || sizeof(H_ref) != fs) {
    fprintf(stderr, "Ref r = %s\n", ach_result_to_string((ach_status_t)r));
    return 1;
  }

  /* queue the new positions [rad], then put them */
  H_ref.joint[LEP].ref = -0.2;
  H_ref.joint[RSP].ref = 0.1;
  r = ach_put(&chan_ref, &H_ref, sizeof(H_ref));
  printf("%s\n", ach_result_to_string((ach_status_t)r));

  ach_close(&chan_ref);
  ach_close(&chan_state);
  return ACH_OK == r ? 0 : 1;
}
