# SPDX-License-Identifier: BSD-3-Clause
# add_room(NAME [DEPENDS room…] [LIBRARIES target…]): the library sinew_NAME from src/sinew/NAME/*.cc and, when
# tests are wanted, the program NAME_test from src/sinew/NAME/test/*_test.cc, each of its cases a CTest test; with
# SINEW_FUZZERS a fuzzer NAME_X_fuzz from each test/X_fuzz.cc. What else a room needs built stands in its room.cmake;
# it may say how long a fuzzer runs in CI: set(X_fuzz_seconds 20).

find_package(Threads REQUIRED)

# fmt without its library when cross-building: Debian's headers serve every architecture
add_library(sinew_fmt INTERFACE)
if(CMAKE_CROSSCOMPILING)
  target_compile_definitions(sinew_fmt INTERFACE FMT_HEADER_ONLY)
  target_include_directories(sinew_fmt SYSTEM INTERFACE ${CMAKE_BINARY_DIR}/host-headers)
  file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/host-headers)
  file(CREATE_LINK /usr/include/fmt ${CMAKE_BINARY_DIR}/host-headers/fmt SYMBOLIC)
else()
  find_package(fmt REQUIRED)
  target_link_libraries(sinew_fmt INTERFACE fmt::fmt)
endif()

if(BUILD_TESTING)
  if(CMAKE_CROSSCOMPILING)
    add_subdirectory(/usr/src/googletest/googletest ${CMAKE_BINARY_DIR}/googletest EXCLUDE_FROM_ALL)
    set_target_properties(gtest gtest_main PROPERTIES UNITY_BUILD OFF)
    target_compile_options(gtest PRIVATE -w)
  else()
    find_package(GTest)
  endif()
  if(NOT TARGET GTest::gtest)
    message(STATUS "GoogleTest is not installed: tests are left out")
    set(BUILD_TESTING OFF)
  endif()
  include(GoogleTest)
endif()

# a build with fuzzers has the fuzzers as its only tests
set(SINEW_TESTS ${BUILD_TESTING})
if(SINEW_FUZZERS)
  set(SINEW_TESTS OFF)
endif()

# GCC 12 sees the part of Eigen's bounded vectors beyond their size as never written
set(SINEW_EIGEN_OPTIONS $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)

function(add_room name)
  cmake_parse_arguments(ROOM "" "" "DEPENDS;LIBRARIES" ${ARGN})
  set(folder ${CMAKE_SOURCE_DIR}/src/sinew/${name})
  file(GLOB sources CONFIGURE_DEPENDS ${folder}/*.cc)
  add_library(sinew_${name} STATIC ${sources})
  target_include_directories(sinew_${name} PUBLIC ${CMAKE_SOURCE_DIR}/src)
  list(TRANSFORM ROOM_DEPENDS PREPEND sinew_)
  target_link_libraries(sinew_${name} PUBLIC ${ROOM_DEPENDS} ${ROOM_LIBRARIES} sinew_fmt Threads::Threads)
  set(room_options "")
  if("sinew_spatial" IN_LIST ROOM_DEPENDS)
    set(room_options ${SINEW_EIGEN_OPTIONS})
  endif()
  target_compile_options(sinew_${name} PRIVATE ${room_options})
  include(${folder}/room.cmake OPTIONAL)

  file(GLOB tests CONFIGURE_DEPENDS ${folder}/test/*_test.cc)
  if(tests AND SINEW_TESTS)
    add_executable(${name}_test ${tests})
    target_link_libraries(${name}_test PRIVATE sinew_${name} GTest::gtest_main)
    target_compile_options(${name}_test PRIVATE ${room_options})
    gtest_discover_tests(${name}_test TEST_PREFIX ${name}. DISCOVERY_MODE PRE_TEST)
  endif()

  file(GLOB fuzzers CONFIGURE_DEPENDS ${folder}/test/*_fuzz.cc)
  if(SINEW_FUZZERS)
    foreach(source ${fuzzers})
      get_filename_component(program ${source} NAME_WE)
      add_executable(${name}_${program} ${source})
      target_link_libraries(${name}_${program} PRIVATE sinew_${name})
      target_link_options(${name}_${program} PRIVATE -fsanitize=fuzzer)
      # long enough to show that it runs; who looks for bugs gives it hours
      set(seconds 6)
      if(DEFINED ${program}_seconds)
        set(seconds ${${program}_seconds})
      endif()
      add_test(NAME ${name}.${program} COMMAND ${name}_${program} -max_total_time=${seconds} -seed=1)
      # the long ones first, beside the others
      set_tests_properties(${name}.${program} PROPERTIES COST ${seconds})
    endforeach()
  endif()
endfunction()
