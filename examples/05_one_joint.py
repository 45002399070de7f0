# SPDX-License-Identifier: BSD-3-Clause
"""Moves one joint of a running MDS as the MDS-Ach paper does: 'sinew start mds', then
PYTHONPATH=python python3 examples/05_one_joint.py"""

import mds_ach as mds
import ach

# open the channels: s the state, r the references that go through the smoother
s = ach.Channel(mds.MDS_CHAN_STATE_NAME)
r = ach.Channel(mds.MDS_CHAN_REF_FILTER_NAME)

# make the structures and get the latest of both: a reference is always about all joints
state = mds.MDS_STATE()
ref = mds.MDS_REF()
[status, framesize] = s.get(state, wait=False, last=True)
[status, framesize] = r.get(ref, wait=False, last=True)

# get the address of the left shoulder's pitch
jntn = mds.getAddress('LSP', state)
print('Address = ', jntn)

# queue its new position [rad], then put it
ref.joint[jntn].ref = -0.123
r.put(ref)

# close the channels
s.close()
r.close()
