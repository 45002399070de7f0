# SPDX-License-Identifier: BSD-3-Clause
# assimp stays inside read_mesh.cc, a unit of its own: its headers are heavy.
find_package(assimp REQUIRED)
target_link_libraries(sinew_mesh PRIVATE assimp::assimp)
set_source_files_properties(${CMAKE_SOURCE_DIR}/src/sinew/mesh/read_mesh.cc PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
