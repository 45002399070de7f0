# SPDX-License-Identifier: BSD-3-Clause
"""Asks the inverse kinematics to move the left hand, as section 8.1 of the MDS-Ach paper tells it."""

import mds_ach as mds
import ach

k = ach.Channel(mds.MDS_CHAN_IK_NAME)
ikc = mds.MDS_IK()

eff = [0.3, 0.2, 0.0, 0.0, 0.0, 0.0]
dof = 3
armi = mds.LEFT

ikc.move = armi
ikc.arm[armi].ik_method = dof
ikc.arm[armi].t_x = eff[0]
ikc.arm[armi].t_y = eff[1]
ikc.arm[armi].t_z = eff[2]
ikc.arm[armi].r_x = eff[3]
ikc.arm[armi].r_y = eff[4]
ikc.arm[armi].r_z = eff[5]

k.put(ikc)
k.close()
