# SPDX-License-Identifier: BSD-3-Clause
"""Where a robot's tool is, and how to get it elsewhere: PYTHONPATH=python python3 examples/05_robot.py"""

import sinew

arm = sinew.Robot("ur5e")  # or sinew.Robot("my_arm.urdf", tip="tool0")
print(arm)

# joint positions in rad to a pose: position in m, quaternion w x y z
home = [0, -1.57, 1.57, 0, 1.57, 0]
there = arm.fk(home)
print("position", [round(float(x), 4) for x in there.position])

# and back, 10 cm lower: the solution nearest to where the arm is, or all of them
x, y, z = there.position
below = ([x, y, z - 0.1], there.quaternion)
print("joints  ", [round(float(q), 3) for q in arm.ik(below, seed=home)])
print("ways    ", len(arm.ik(below, seed=home, all=True)))

# what cannot be says why
try:
    arm.ik(([3, 0, 0], there.quaternion))
except sinew.Unreachable as refusal:
    print(refusal)

# many at once, while other threads of Python run
line = [[x, y, z - 0.01 * i, *there.quaternion] for i in range(10)]
print("solved  ", sum(arm.ik_batch(line, seeds=home).solved), "of", len(line))
