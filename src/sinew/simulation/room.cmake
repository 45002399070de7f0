# SPDX-License-Identifier: BSD-3-Clause
# Debian's CMake package of MuJoCo is broken: the library is named plainly. No header of the room shows its types.
find_library(MUJOCO_LIBRARY mujoco REQUIRED)
target_link_libraries(sinew_simulation PRIVATE ${MUJOCO_LIBRARY})
