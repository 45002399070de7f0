# SPDX-License-Identifier: BSD-3-Clause
# The readers' libraries stay inside: no header of the room shows their types.
find_package(tinyxml2 REQUIRED)
find_package(yaml-cpp REQUIRED)
# what people bring along: these two readers are fuzzed for longer
set(urdf_fuzz_seconds 20)
set(xacro_fuzz_seconds 20)
target_link_libraries(sinew_model PRIVATE tinyxml2::tinyxml2 yaml-cpp)
