# SPDX-License-Identifier: BSD-3-Clause
# Puts the tests of clients and the packages they need into FOLDER; packages only when the lock file has changed.
# Usage: cmake -D SOURCE=… -D FOLDER=… -D NPM=… -P install.cmake
file(MAKE_DIRECTORY ${FOLDER})
file(GLOB files ${SOURCE}/*.mjs ${SOURCE}/package.json ${SOURCE}/package-lock.json ${SOURCE}/.npmrc)
file(COPY ${files} DESTINATION ${FOLDER})
file(SHA256 ${SOURCE}/package-lock.json wanted)
set(installed "")
if(EXISTS ${FOLDER}/node_modules/.installed)
  file(READ ${FOLDER}/node_modules/.installed installed)
endif()
if(wanted STREQUAL installed)
  return()
endif()
execute_process(COMMAND ${NPM} ci --no-audit --no-fund --ignore-scripts WORKING_DIRECTORY ${FOLDER} COMMAND_ERROR_IS_FATAL ANY)
file(WRITE ${FOLDER}/node_modules/.installed ${wanted})
