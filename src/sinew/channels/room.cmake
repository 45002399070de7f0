# SPDX-License-Identifier: BSD-3-Clause
# The C interface as a shared library, for C programs and Python; only its functions are visible.
target_compile_definitions(sinew_channels PUBLIC SINEW_VERSION="${PROJECT_VERSION}")
target_include_directories(sinew_channels PUBLIC ${folder})
add_library(sinew_channel SHARED $<TARGET_OBJECTS:sinew_channels> $<TARGET_OBJECTS:sinew_messages> $<TARGET_OBJECTS:sinew_base>)
target_link_libraries(sinew_channel PRIVATE sinew_fmt Threads::Threads)
set_target_properties(sinew_channel PROPERTIES LINKER_LANGUAGE CXX VERSION ${PROJECT_VERSION} SOVERSION 1)
