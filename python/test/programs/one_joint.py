# SPDX-License-Identifier: BSD-3-Clause
"""Moves one joint, step by step as the MDS-Ach paper's appendix F.1 tells it."""

import mds_ach as mds
import ach

# open the channels
s = ach.Channel(mds.MDS_CHAN_STATE_NAME)
r = ach.Channel(mds.MDS_CHAN_REF_NAME)

# make the structures
state = mds.MDS_STATE()
ref = mds.MDS_REF()

# get the latest of both
[status, framesize] = s.get(state, wait=False, last=True)
[status, framesize] = r.get(ref, wait=False, last=True)

# get the address of LSP
jntn = mds.getAddress('LSP', state)
print('Address =', jntn)

# queue its new position, then put it
ref.joint[jntn].ref = -0.123
r.put(ref)

# close the channels
s.close()
r.close()
