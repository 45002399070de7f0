# SPDX-License-Identifier: BSD-3-Clause
# The passes of PathTiming: one source, compiled for every processor and for AVX2 with FMA; chosen when the program runs.
set(kernel_options -O3 -ffp-contract=fast -fno-math-errno -fno-trapping-math)
set_source_files_properties(${folder}/timing_portable.cc PROPERTIES
  SKIP_UNITY_BUILD_INCLUSION ON COMPILE_OPTIONS "${kernel_options}")
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  list(APPEND kernel_options -mavx2 -mfma)
endif()
set_source_files_properties(${folder}/timing_avx2.cc PROPERTIES
  SKIP_UNITY_BUILD_INCLUSION ON COMPILE_OPTIONS "${kernel_options}")
