# SPDX-License-Identifier: BSD-3-Clause
find_package(nlohmann_json REQUIRED)
find_library(SINEW_SODIUM_LIBRARY sodium REQUIRED)
target_link_libraries(sinew_accounts PRIVATE nlohmann_json::nlohmann_json ${SINEW_SODIUM_LIBRARY})
