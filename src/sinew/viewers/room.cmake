# SPDX-License-Identifier: BSD-3-Clause
find_package(nlohmann_json REQUIRED)
target_link_libraries(sinew_viewers PUBLIC nlohmann_json::nlohmann_json)
