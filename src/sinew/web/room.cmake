# SPDX-License-Identifier: BSD-3-Clause
find_package(nlohmann_json REQUIRED)
target_link_libraries(sinew_web PRIVATE nlohmann_json::nlohmann_json)
# heavy headers, which nothing else here shall see
set_source_files_properties(${folder}/server.cc PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
