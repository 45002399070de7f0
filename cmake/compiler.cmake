# SPDX-License-Identifier: BSD-3-Clause
# Language, warnings, sanitizers and the compiler cache, the same for every target.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 11)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_UNITY_BUILD_BATCH_SIZE 8)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)

# offsets in files have 64 bits, also in 32-bit processes
add_compile_definitions(_FILE_OFFSET_BITS=64)

find_program(CCACHE ccache)
if(CCACHE)
  # two clones share what either has compiled: paths below the clone are cached as relative ones
  set(launcher ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${launcher})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
endif()
add_compile_options(-ffile-prefix-map=${CMAKE_SOURCE_DIR}/=)

# names and lines for a debugger and a backtrace, without the types that make every object five times as large
set(CMAKE_C_FLAGS_RELWITHDEBINFO "-O2 -g1 -DNDEBUG")
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O2 -g1 -DNDEBUG")

# leaving out a member of an options struct is how its default is asked for
add_compile_options(-Wall -Wextra -Wconversion -Wshadow -Werror -Wno-missing-field-initializers)
# clang means more by -Wconversion than g++ does
add_compile_options($<$<CXX_COMPILER_ID:Clang>:-Wno-sign-conversion>)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # about a change of the C++ ABI between old compilers, on 32-bit ARM
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-Wno-psabi>)
endif()

if(SINEW_SANITIZER)
  add_compile_options(-fsanitize=${SINEW_SANITIZER} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${SINEW_SANITIZER})
  if(SINEW_SANITIZER MATCHES "thread")
    # every racing access is atomic here, so the fences that this sanitizer cannot see do not matter to it
    add_compile_options($<$<CXX_COMPILER_ID:GNU>:-Wno-tsan>)
  endif()
endif()
