/* SPDX-License-Identifier: BSD-3-Clause */
/* Moves two joints through the filter, step by step as the MDS-Ach paper's appendix F.2 tells it. */
#include <ach.h>
#include <assert.h>
#include <mds.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  /* open the channels */
  ach_channel_t chan_ref;
  ach_channel_t chan_state;
  int r = ach_open(&chan_ref, MDS_CHAN_REF_FILTER_NAME, NULL);
  assert(ACH_OK == r);
  r = ach_open(&chan_state, MDS_CHAN_STATE_NAME, NULL);
  assert(ACH_OK == r);

  /* create the structures */
  mds_ref_t H_ref;
  mds_state_t H_state;
  memset(&H_ref, 0, sizeof(H_ref));
  memset(&H_state, 0, sizeof(H_state));

  /* get the reference up to date */
  size_t fs = 0;
  r = ach_get(&chan_ref, &H_ref, sizeof(H_ref), &fs, NULL, ACH_O_LAST);
  if (ACH_OK != r) {
    fprintf(stderr, "Ref r = %s\n", ach_result_to_string(r));
  } else {
    assert(sizeof(H_ref) == fs);
  }

  /* queue the new positions, then put them */
  H_ref.joint[LEP].ref = -0.2;
  H_ref.joint[RSP].ref = 0.1;
  r = ach_put(&chan_ref, &H_ref, sizeof(H_ref));
  assert(ACH_OK == r);

  ach_close(&chan_ref);
  ach_close(&chan_state);
  return 0;
}
