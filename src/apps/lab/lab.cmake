# SPDX-License-Identifier: BSD-3-Clause
# sinew-lab: grades solutions of laboratory exercises. The Python that runs them is built in: nothing to be found at run time.
set(lab_folder ${CMAKE_CURRENT_SOURCE_DIR}/lab)
set(harness_file ${CMAKE_SOURCE_DIR}/python/lab_harness.py)
file(READ ${harness_file} LAB_HARNESS)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${harness_file})
configure_file(${lab_folder}/lab_harness.h.in ${CMAKE_CURRENT_BINARY_DIR}/generated/apps/lab/lab_harness.h @ONLY)

file(GLOB lab_sources CONFIGURE_DEPENDS ${lab_folder}/*.cc)
list(REMOVE_ITEM lab_sources ${lab_folder}/main.cc)
add_library(sinew_lab_app STATIC ${lab_sources})
target_include_directories(sinew_lab_app PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/generated)
target_link_libraries(sinew_lab_app PUBLIC sinew_hanoi sinew_lab sinew_lockstep sinew_cli nlohmann_json::nlohmann_json)
add_executable(sinew-lab ${lab_folder}/main.cc)
target_link_libraries(sinew-lab PRIVATE sinew_lab_app)
add_dependencies(sinew sinew-lab)

if(BUILD_TESTING)
  file(GLOB lab_tests CONFIGURE_DEPENDS ${lab_folder}/test/*_test.cc)
  add_executable(labs_test ${lab_tests})
  target_link_libraries(labs_test PRIVATE sinew_lab_app GTest::gtest_main)
  gtest_discover_tests(labs_test TEST_PREFIX labs. DISCOVERY_MODE PRE_TEST WORKING_DIRECTORY ${CMAKE_SOURCE_DIR}
                       PROPERTIES TIMEOUT 300)
endif()
