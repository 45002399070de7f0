# SPDX-License-Identifier: BSD-3-Clause
# sinew-simulator: a world with its robots. sinew-snapshot: a picture of it, where OSMesa and libpng are installed.
set(simulator_folder ${CMAKE_CURRENT_SOURCE_DIR}/simulator)
add_library(sinew_simulator STATIC ${simulator_folder}/device_server.cc ${simulator_folder}/known_world.cc
                                   ${simulator_folder}/simulator.cc ${simulator_folder}/world_choice.cc)
target_link_libraries(sinew_simulator PUBLIC sinew_simulation sinew_motion sinew_cli sinew_processes)
add_executable(sinew-simulator ${simulator_folder}/main.cc)
target_link_libraries(sinew-simulator PRIVATE sinew_simulator)

find_library(OSMESA_LIBRARY OSMesa)
find_package(PNG QUIET)
if(OSMESA_LIBRARY AND PNG_FOUND)
  add_executable(sinew-snapshot ${simulator_folder}/snapshot_main.cc ${simulator_folder}/off_screen.cc
                                ${simulator_folder}/png_file.cc)
  target_link_libraries(sinew-snapshot PRIVATE sinew_simulator ${MUJOCO_LIBRARY} ${OSMESA_LIBRARY} PNG::PNG)
else()
  message(STATUS "No pictures of worlds: packages libosmesa6-dev and libpng-dev are not installed")
endif()

if(BUILD_TESTING)
  file(GLOB simulator_tests CONFIGURE_DEPENDS ${simulator_folder}/test/*_test.cc)
  add_executable(simulator_test ${simulator_tests})
  target_link_libraries(simulator_test PRIVATE sinew_simulator GTest::gtest_main)
  gtest_discover_tests(simulator_test TEST_PREFIX simulator. DISCOVERY_MODE PRE_TEST)
endif()
