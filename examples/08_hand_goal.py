# SPDX-License-Identifier: BSD-3-Clause
"""Asks the inverse kinematics of a running MDS to move its left hand, as the MDS-Ach paper's section 8.1 does
('sinew start mds')."""

import mds_ach as mds
import ach

# open the channel of goals, and make the structure
k = ach.Channel(mds.MDS_CHAN_IK_NAME)
ikc = mds.MDS_IK()

# how many of x, y, z [m], roll, pitch, yaw [rad] are to be met; the others are free
dof = 3
eff = [0.3, 0.2, 0.0, 0.0, 0.0, 0.0]
armi = mds.LEFT

# put the goal into the structure
ikc.move = armi
ikc.arm[armi].ik_method = dof
ikc.arm[armi].t_x = eff[0]
ikc.arm[armi].t_y = eff[1]
ikc.arm[armi].t_z = eff[2]
ikc.arm[armi].r_x = eff[3]
ikc.arm[armi].r_y = eff[4]
ikc.arm[armi].r_z = eff[5]

# and that on the channel: it is solved, checked for collisions and carried out
k.put(ikc)
print(eff)
k.close()
