# SPDX-License-Identifier: BSD-3-Clause
# The kernels: one source, compiled for every processor and for AVX2 with FMA; chosen when the program runs.
set(kernel_options -O3 -ffp-contract=fast -fno-math-errno -fno-trapping-math)
set_source_files_properties(${folder}/kernels_portable.cc PROPERTIES
  SKIP_UNITY_BUILD_INCLUSION ON COMPILE_OPTIONS "${kernel_options}")
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  list(APPEND kernel_options -mavx2 -mfma)
endif()
set_source_files_properties(${folder}/kernels_avx2.cc PROPERTIES
  SKIP_UNITY_BUILD_INCLUSION ON COMPILE_OPTIONS "${kernel_options}")

# Eigen's vectors of bounded size: GCC 12 sees the part beyond their size as never written
target_compile_options(sinew_kinematics PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)

# KDL judges us where Debian's liborocos-kdl-dev is installed
find_package(orocos_kdl QUIET)
if(orocos_kdl_FOUND AND BUILD_TESTING)
  add_executable(kinematics_kdl_test ${folder}/test/kdl_agreement.cc)
  target_include_directories(kinematics_kdl_test SYSTEM PRIVATE ${orocos_kdl_INCLUDE_DIRS})
  target_link_libraries(kinematics_kdl_test PRIVATE sinew_kinematics GTest::gtest_main ${orocos_kdl_LIBRARIES})
  gtest_discover_tests(kinematics_kdl_test TEST_PREFIX kinematics. DISCOVERY_MODE PRE_TEST)
endif()

# the same tests once more on the kernels that every processor runs, but for the one that compares the two kinds
if(BUILD_TESTING AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  add_executable(kinematics_portable_test ${folder}/test/no_avx2.cc $<TARGET_OBJECTS:kinematics_test>)
  target_link_libraries(kinematics_portable_test PRIVATE sinew_kinematics GTest::gtest_main)
  gtest_discover_tests(kinematics_portable_test TEST_PREFIX kinematics.portable.
    TEST_FILTER "-*.KernelsOfAllProcessorsAgree" DISCOVERY_MODE PRE_TEST)
endif()
