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

# The C interface as a shared library, for C programs and Python; only its functions are visible.
add_library(sinew_robot SHARED $<TARGET_OBJECTS:sinew_kinematics> $<TARGET_OBJECTS:sinew_model>
                               $<TARGET_OBJECTS:sinew_spatial> $<TARGET_OBJECTS:sinew_base>)
target_link_libraries(sinew_robot PRIVATE tinyxml2::tinyxml2 yaml-cpp sinew_fmt Threads::Threads)
set_target_properties(sinew_robot PROPERTIES LINKER_LANGUAGE CXX VERSION ${PROJECT_VERSION} SOVERSION 1)

# the same tests once more on the kernels that every processor runs, but for the one that compares the two kinds
if(BUILD_TESTING AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  add_executable(kinematics_portable_test ${folder}/test/no_avx2.cc $<TARGET_OBJECTS:kinematics_test>)
  target_link_libraries(kinematics_portable_test PRIVATE sinew_kinematics GTest::gtest_main)
  gtest_discover_tests(kinematics_portable_test TEST_PREFIX kinematics.portable.
    TEST_FILTER "-*.KernelsOfAllProcessorsAgree" DISCOVERY_MODE PRE_TEST)
endif()
