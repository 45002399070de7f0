# SPDX-License-Identifier: BSD-3-Clause
"""Solves for the left arm of a running MDS and moves it, as the MDS-Ach paper's appendix H does
('sinew start mds'; needs python3-numpy)."""

import numpy as np

import mds_ach as mds
import ach
import mds_ik as ik

JOINTS = ['LSP', 'LSR', 'LSY', 'LEP', 'LWY', 'LWR']

# open the channels, make the structures, get the latest data
r = ach.Channel(mds.MDS_CHAN_REF_FILTER_NAME)
s = ach.Channel(mds.MDS_CHAN_STATE_NAME)
state = mds.MDS_STATE()
ref = mds.MDS_REF()
[statuss, framesizes] = s.get(state, wait=False, last=True)
[statusr, framesizer] = r.get(ref, wait=False, last=True)

# where the hand is to be [m, rad], and which of it counts
eff_end = np.array([0.3, 0.2, 0.0, 0.0, 0.0, 0.0])
arm = 'left'
dof = 3
order = ['p_x', 'p_y', 'p_z']
err = np.array([0.01, 0.01, 0.01])
stepNum = 1000
eff_end = eff_end[:dof]

# where the joints of the arm are wanted now
eff_joint_space_current = [state.joint[mds.getAddress(name, state)].ref for name in JOINTS]

# solve; index 1 of the answer is -1 when there is none
jnt_return = ik.getIK(eff_joint_space_current, eff_end, order, arm, err, stepNum)
eff_joint_space_current = jnt_return[0]

# put the answer on the robot
for name, position in zip(JOINTS, eff_joint_space_current):
    ref.joint[mds.getAddress(name, state)].ref = position
r.put(ref)

# what it comes to
A = ik.getFkArm(eff_joint_space_current, arm)
eff_end_ret = ik.getPosCurrentFromOrder(A, order)
eff_end_dif = eff_end - eff_end_ret
for name, values in (('des', eff_end), ('ret', eff_end_ret), ('dif', eff_end_dif)):
    print(f'{name}:\tx = {values[0]:8.5f}\ty = {values[1]:8.5f}\tz = {values[2]:8.5f}')
