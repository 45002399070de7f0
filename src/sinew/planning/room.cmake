# SPDX-License-Identifier: BSD-3-Clause
# The kernel: one source, compiled for every processor and for AVX2; chosen when the program runs. Without contraction
# both find the same node, so that a seed gives one path on either.
set(kernel_options -O3 -ffp-contract=off -fno-math-errno -fno-trapping-math -Wno-unused-function)
set_source_files_properties(${folder}/kernels_portable.cc PROPERTIES
  SKIP_UNITY_BUILD_INCLUSION ON COMPILE_OPTIONS "${kernel_options}")
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  list(APPEND kernel_options -mavx2)
endif()
set_source_files_properties(${folder}/kernels_avx2.cc PROPERTIES
  SKIP_UNITY_BUILD_INCLUSION ON COMPILE_OPTIONS "${kernel_options}")
