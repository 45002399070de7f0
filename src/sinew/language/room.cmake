# SPDX-License-Identifier: BSD-3-Clause
# tests read programs and pages of the project
set_source_files_properties(
  ${folder}/test/bad_programs_test.cc ${folder}/test/project_files_test.cc
  PROPERTIES COMPILE_DEFINITIONS SINEW_PROJECT_FOLDER="${CMAKE_SOURCE_DIR}" SKIP_UNITY_BUILD_INCLUSION ON)
set(language_fuzz_seconds 10)
