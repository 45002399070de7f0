# SPDX-License-Identifier: BSD-3-Clause
# Ach's library, for programs that link with -lach: it holds our channels whole and shows only Ach's calls.
target_include_directories(sinew_xach PUBLIC ${folder})
add_library(ach SHARED $<TARGET_OBJECTS:sinew_xach> $<TARGET_OBJECTS:sinew_channels> $<TARGET_OBJECTS:sinew_messages>
                       $<TARGET_OBJECTS:sinew_base>)
target_include_directories(ach INTERFACE ${folder})
target_link_libraries(ach PRIVATE sinew_fmt Threads::Threads)
target_link_options(ach PRIVATE -Wl,--version-script=${folder}/exports.map)
set_target_properties(ach PROPERTIES LINKER_LANGUAGE CXX VERSION ${PROJECT_VERSION} SOVERSION 1
                                     LINK_DEPENDS ${folder}/exports.map)

# programs as MDS-Ach's users have them, compiled and linked as its makefiles do; python/test runs them
if(SINEW_TESTS)
  foreach(program two_joints hand_goal)
    add_executable(xach_${program} ${folder}/test/${program}.c)
    target_compile_options(xach_${program} PRIVATE -UNDEBUG)
    target_link_libraries(xach_${program} PRIVATE ach rt m)
    set_target_properties(xach_${program} PROPERTIES C_STANDARD 99 C_EXTENSIONS ON)
  endforeach()
endif()
