# SPDX-License-Identifier: BSD-3-Clause
# The readers' libraries stay inside: no header of the room shows their types.
find_package(tinyxml2 REQUIRED)
find_package(yaml-cpp REQUIRED)
target_link_libraries(sinew_model PRIVATE tinyxml2::tinyxml2 yaml-cpp)
