# SPDX-License-Identifier: BSD-3-Clause
# The C interface as a shared library, for C programs and Python; only its functions are visible.
target_compile_definitions(sinew_channels PUBLIC SINEW_VERSION="${PROJECT_VERSION}")
target_include_directories(sinew_channels PUBLIC ${folder})
add_library(sinew_channel SHARED $<TARGET_OBJECTS:sinew_channels> $<TARGET_OBJECTS:sinew_messages> $<TARGET_OBJECTS:sinew_base>)
target_link_libraries(sinew_channel PRIVATE sinew_fmt Threads::Threads)
set_target_properties(sinew_channel PROPERTIES LINKER_LANGUAGE CXX VERSION ${PROJECT_VERSION} SOVERSION 1)

if(SINEW_TESTS)
  # real processes under an emulator cost seconds each: there a few rounds show that the program works
  set(kill_rounds 2000)
  if(CMAKE_CROSSCOMPILING)
    set(kill_rounds 60)
  endif()
  add_executable(channels_kill_test ${folder}/test/kill_test_main.cc)
  target_link_libraries(channels_kill_test PRIVATE sinew_channels)
  add_test(NAME channels.KillTest COMMAND channels_kill_test --rounds ${kill_rounds})
  set_tests_properties(channels.KillTest PROPERTIES TIMEOUT 600)
endif()
