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
