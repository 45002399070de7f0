# SPDX-License-Identifier: BSD-3-Clause
# libpng stays inside png.cc.
find_package(PNG REQUIRED)
target_link_libraries(sinew_picture PRIVATE PNG::PNG)
set_source_files_properties(${CMAKE_SOURCE_DIR}/src/sinew/picture/png.cc PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
