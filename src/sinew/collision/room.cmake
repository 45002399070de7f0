# SPDX-License-Identifier: BSD-3-Clause
# The kernels: one source, compiled for every processor and for AVX2 with FMA; chosen when the program runs.
set(kernel_options -O3 -ffp-contract=fast -fno-math-errno -fno-trapping-math -Wno-unused-function)
set_source_files_properties(${folder}/kernels_portable.cc PROPERTIES
  SKIP_UNITY_BUILD_INCLUSION ON COMPILE_OPTIONS "${kernel_options}")
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  list(APPEND kernel_options -mavx2 -mfma)
endif()
set_source_files_properties(${folder}/kernels_avx2.cc PROPERTIES
  SKIP_UNITY_BUILD_INCLUSION ON COMPILE_OPTIONS "${kernel_options}")

# small matrices are multiplied in place
target_compile_options(sinew_collision PRIVATE $<$<CONFIG:Release,RelWithDebInfo>:-O3>)

# FCL judges us where Debian's libfcl-dev is installed
find_package(fcl QUIET)
if(SINEW_TESTS AND NOT fcl_FOUND)
  message(STATUS "Collision checks are not judged by FCL: package libfcl-dev is not installed")
endif()
if(fcl_FOUND AND SINEW_TESTS)
  add_executable(collision_fcl_test ${folder}/test/fcl_agreement.cc)
  target_link_libraries(collision_fcl_test PRIVATE sinew_collision GTest::gtest_main fcl)
  # warnings in its headers are not ours
  get_target_property(fcl_folders fcl INTERFACE_INCLUDE_DIRECTORIES)
  target_include_directories(collision_fcl_test SYSTEM PRIVATE ${fcl_folders})
  gtest_discover_tests(collision_fcl_test TEST_PREFIX collision. DISCOVERY_MODE PRE_TEST)
endif()

# the same tests once more on the kernels that every processor runs
if(SINEW_TESTS AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  add_executable(collision_portable_test ${folder}/test/no_avx2.cc $<TARGET_OBJECTS:collision_test>)
  target_link_libraries(collision_portable_test PRIVATE sinew_collision GTest::gtest_main)
  gtest_discover_tests(collision_portable_test TEST_PREFIX collision.portable. DISCOVERY_MODE PRE_TEST)
endif()
