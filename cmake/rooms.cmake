# SPDX-License-Identifier: BSD-3-Clause
# add_room(NAME [DEPENDS room…] [LIBRARIES target…]): the library sinew_NAME from src/sinew/NAME/*.cc and, when
# tests are wanted, the program NAME_test from src/sinew/NAME/test/*_test.cc, each of its cases a CTest test. What
# else a room needs built stands in its room.cmake.

find_package(Threads REQUIRED)

# fmt without its library when cross-building: Debian's headers serve every architecture
add_library(sinew_fmt INTERFACE)
if(CMAKE_CROSSCOMPILING)
  target_compile_definitions(sinew_fmt INTERFACE FMT_HEADER_ONLY)
  target_include_directories(sinew_fmt SYSTEM INTERFACE ${CMAKE_BINARY_DIR}/host-headers)
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
    add_library(GTest::gtest ALIAS gtest)
    add_library(GTest::gtest_main ALIAS gtest_main)
  else()
    find_package(GTest)
  endif()
  if(NOT TARGET GTest::gtest)
    message(STATUS "GoogleTest is not installed: tests are left out")
    set(BUILD_TESTING OFF)
  endif()
  include(GoogleTest)
endif()

function(add_room name)
  cmake_parse_arguments(ROOM "" "" "DEPENDS;LIBRARIES" ${ARGN})
  set(folder ${CMAKE_SOURCE_DIR}/src/sinew/${name})
  file(GLOB sources CONFIGURE_DEPENDS ${folder}/*.cc)
  add_library(sinew_${name} STATIC ${sources})
  target_include_directories(sinew_${name} PUBLIC ${CMAKE_SOURCE_DIR}/src)
  list(TRANSFORM ROOM_DEPENDS PREPEND sinew_)
  target_link_libraries(sinew_${name} PUBLIC ${ROOM_DEPENDS} ${ROOM_LIBRARIES} sinew_fmt Threads::Threads)
  include(${folder}/room.cmake OPTIONAL)

  file(GLOB tests CONFIGURE_DEPENDS ${folder}/test/*_test.cc)
  if(tests AND BUILD_TESTING)
    add_executable(${name}_test ${tests})
    target_link_libraries(${name}_test PRIVATE sinew_${name} GTest::gtest_main)
    gtest_discover_tests(${name}_test TEST_PREFIX ${name}. DISCOVERY_MODE PRE_TEST)
  endif()
endfunction()
