# SPDX-License-Identifier: BSD-3-Clause
# Checks that are no programs of ours, as CTest tests: layers, style, scripts, README, and the other builds' tests.
if(NOT BUILD_TESTING)
  return()
endif()

add_test(NAME check.layers COMMAND /usr/bin/python3 ${CMAKE_SOURCE_DIR}/tools/check_layers.py ${CMAKE_SOURCE_DIR})
add_test(NAME check.style COMMAND /usr/bin/python3 ${CMAKE_SOURCE_DIR}/tools/check_style.py ${CMAKE_SOURCE_DIR})
add_test(NAME check.readme
         COMMAND /usr/bin/python3 ${CMAKE_SOURCE_DIR}/tools/check_readme.py ${CMAKE_SOURCE_DIR} $<TARGET_FILE:sinew>)
add_test(NAME check.programs
         COMMAND /usr/bin/python3 ${CMAKE_SOURCE_DIR}/tools/check_programs.py ${CMAKE_SOURCE_DIR} $<TARGET_FILE:sinew>)

# find_checker(VARIABLE PROGRAM PACKAGE WHAT): a program that checks; where it is not installed a line says what is left out
function(find_checker variable program package what)
  find_program(${variable} ${program})
  if(NOT ${variable})
    message(STATUS "${what}: package ${package} is not installed")
  endif()
endfunction()
find_checker(CLANG_FORMAT clang-format-16 clang-format-16 "The layout of sources is not checked")
find_checker(CLANG_TIDY clang-tidy-16 clang-tidy-16 "Sources are not checked by clang-tidy")
find_checker(SHELLCHECK shellcheck shellcheck "Scripts are not checked")
find_checker(MANDOC mandoc mandoc "Manual pages are not checked")
if(MANDOC)
  add_test(NAME check.manual_pages
           COMMAND ${CMAKE_SOURCE_DIR}/tools/check_manual_pages.sh $<TARGET_FILE:sinew>)
endif()
if(CLANG_FORMAT)
  add_test(NAME check.format COMMAND ${CMAKE_SOURCE_DIR}/tools/check_format.sh ${CLANG_FORMAT})
endif()
if(CLANG_TIDY)
  add_test(NAME check.tidy COMMAND /usr/bin/python3 ${CMAKE_SOURCE_DIR}/tools/check_tidy.py ${CLANG_TIDY} ${CMAKE_BINARY_DIR})
  set_tests_properties(check.tidy PROPERTIES PROCESSORS 2)
endif()
if(SHELLCHECK)
  add_test(NAME check.scripts COMMAND ${SHELLCHECK} ${CMAKE_SOURCE_DIR}/sinew ${CMAKE_SOURCE_DIR}/.ci/run
                                      ${CMAKE_SOURCE_DIR}/tools/check_format.sh
                                      ${CMAKE_SOURCE_DIR}/tools/check_manual_pages.sh
                                      ${CMAKE_SOURCE_DIR}/tests/scenarios/run_and_judge.sh
                                      ${CMAKE_SOURCE_DIR}/examples/13_towers_by_url.sh
                                      ${CMAKE_SOURCE_DIR}/pendant/build_page.sh)
endif()

if(SINEW_VARIANTS)
  foreach(variant asan tsan fuzz arm64 armhf)
    add_test(NAME variant.${variant} COMMAND ${CMAKE_CTEST_COMMAND} --test-dir ${CMAKE_SOURCE_DIR}/build/${variant}
                                             --output-on-failure --no-tests=error)
    # long ones on one core begin first, so that none is left alone at the end
    set_tests_properties(variant.${variant} PROPERTIES COST 200)
  endforeach()
endif()

add_test(NAME scenario.channel_tools
         COMMAND /usr/bin/python3 ${CMAKE_SOURCE_DIR}/tests/scenarios/channel_tools/scenario.py $<TARGET_FILE:sinew>)
add_test(NAME scenario.built_programs
         COMMAND /usr/bin/python3 ${CMAKE_SOURCE_DIR}/tests/scenarios/built_programs/scenario.py $<TARGET_FILE:sinew>)
add_test(NAME scenario.hold
         COMMAND /usr/bin/python3 ${CMAKE_SOURCE_DIR}/tests/scenarios/hold/scenario.py $<TARGET_FILE:sinew>)
add_test(NAME scenario.recording
         COMMAND /usr/bin/python3 ${CMAKE_SOURCE_DIR}/tests/scenarios/recording/scenario.py $<TARGET_FILE:sinew>)
add_test(NAME scenario.lab
         COMMAND /usr/bin/python3 -B ${CMAKE_SOURCE_DIR}/tests/scenarios/lab/scenario.py $<TARGET_FILE:sinew>)
set_tests_properties(scenario.lab PROPERTIES TIMEOUT 600)
add_test(NAME scenario.kinematics
         COMMAND /usr/bin/python3 ${CMAKE_SOURCE_DIR}/tests/scenarios/kinematics/scenario.py $<TARGET_FILE:sinew>
         WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
add_test(NAME scenario.supervisor
         COMMAND /usr/bin/python3 ${CMAKE_SOURCE_DIR}/tests/scenarios/supervisor/scenario.py $<TARGET_FILE:sinew>)
set_tests_properties(scenario.supervisor PROPERTIES TIMEOUT 600)
add_test(NAME scenario.kill_any
         COMMAND /usr/bin/python3 -B ${CMAKE_SOURCE_DIR}/tests/scenarios/kill_any/scenario.py $<TARGET_FILE_DIR:sinew>
                 ${CMAKE_BINARY_DIR}/lib)
# it waits for most of its time, as the next one does: a core is more than enough
set_tests_properties(scenario.kill_any PROPERTIES TIMEOUT 600 COST 45)
add_test(NAME scenario.braking
         COMMAND /usr/bin/python3 -B ${CMAKE_SOURCE_DIR}/tests/scenarios/braking/scenario.py $<TARGET_FILE_DIR:sinew>
                 ${CMAKE_BINARY_DIR}/lib)
set_tests_properties(scenario.braking PROPERTIES TIMEOUT 600 COST 45)
add_test(NAME scenario.kill_hanoi
         COMMAND /usr/bin/python3 ${CMAKE_SOURCE_DIR}/tests/scenarios/kill_hanoi/scenario.py $<TARGET_FILE:sinew>)
set_tests_properties(scenario.kill_hanoi PROPERTIES TIMEOUT 900 COST 100)
add_test(NAME scenario.one_driver
         COMMAND /usr/bin/python3 -B ${CMAKE_SOURCE_DIR}/tests/scenarios/one_driver/scenario.py $<TARGET_FILE_DIR:sinew>
                 ${CMAKE_BINARY_DIR}/lib)
set_tests_properties(scenario.one_driver PROPERTIES TIMEOUT 900 COST 90)
add_test(NAME scenario.homing
         COMMAND /usr/bin/python3 ${CMAKE_SOURCE_DIR}/tests/scenarios/homing/scenario.py $<TARGET_FILE:sinew>)
set_tests_properties(scenario.homing PROPERTIES TIMEOUT 600)
add_test(NAME scenario.known_world
         COMMAND /usr/bin/python3 -B ${CMAKE_SOURCE_DIR}/tests/scenarios/known_world/scenario.py $<TARGET_FILE:sinew>
                 ${CMAKE_BINARY_DIR}/lib)
add_test(NAME scenario.two_robots
         COMMAND /usr/bin/python3 -B ${CMAKE_SOURCE_DIR}/tests/scenarios/two_robots/scenario.py $<TARGET_FILE_DIR:sinew>
                 ${CMAKE_BINARY_DIR}/lib)
set_tests_properties(scenario.known_world scenario.two_robots PROPERTIES TIMEOUT 600)
if(TARGET sinew-snapshot)
  add_test(NAME scenario.snapshot
           COMMAND /usr/bin/python3 ${CMAKE_SOURCE_DIR}/tests/scenarios/snapshot/scenario.py $<TARGET_FILE:sinew>)
endif()
add_test(NAME scenario.sim_control
         COMMAND /usr/bin/python3 ${CMAKE_SOURCE_DIR}/tests/scenarios/sim_control/scenario.py $<TARGET_FILE:sinew>)
set_tests_properties(scenario.sim_control PROPERTIES TIMEOUT 600)
add_test(NAME scenario.bench_ik
         COMMAND /usr/bin/python3 ${CMAKE_SOURCE_DIR}/tests/scenarios/bench_ik/scenario.py $<TARGET_FILE:sinew>
         WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
add_test(NAME scenario.web
         COMMAND /usr/bin/python3 ${CMAKE_SOURCE_DIR}/tests/scenarios/web/scenario.py $<TARGET_FILE:sinew>
         WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
add_test(NAME scenario.site
         COMMAND /usr/bin/python3 ${CMAKE_SOURCE_DIR}/tests/scenarios/site/scenario.py $<TARGET_FILE:sinew>
         WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
set_tests_properties(scenario.site PROPERTIES TIMEOUT 600)
add_test(NAME scenario.web_api
         COMMAND /usr/bin/python3 ${CMAKE_SOURCE_DIR}/tests/scenarios/web_api/scenario.py $<TARGET_FILE:sinew>
         WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
set_tests_properties(scenario.web_api PROPERTIES TIMEOUT 600)
add_test(NAME scenario.own_parts
         COMMAND /usr/bin/python3 -B ${CMAKE_SOURCE_DIR}/tests/scenarios/own_parts/scenario.py $<TARGET_FILE:sinew>
                 ${CMAKE_BINARY_DIR}/lib)
set_tests_properties(scenario.web scenario.own_parts PROPERTIES TIMEOUT 600 PROCESSORS 2)
foreach(scenario console read)
  add_test(NAME scenario.${scenario}
           COMMAND /usr/bin/python3 ${CMAKE_SOURCE_DIR}/tests/scenarios/${scenario}/scenario.py $<TARGET_FILE:sinew>
           WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  set_tests_properties(scenario.${scenario} PROPERTIES PROCESSORS 2)
endforeach()

# in lockstep, recorded, and judged from the recording alone
foreach(scenario table random_steps)
  set(run_table hand_at_table)
  set(run_random_steps random_steps)
  set(program ${run_${scenario}})
  set(place ${CMAKE_BINARY_DIR}/scenario_${scenario})
  foreach(part program judge)
    set(target ${program})
    if(part STREQUAL judge)
      set(target judge_${program})
    endif()
    add_executable(${target} ${CMAKE_SOURCE_DIR}/tests/scenarios/${scenario}/${part}.cc)
    target_include_directories(${target} PRIVATE ${CMAKE_SOURCE_DIR})
    target_link_libraries(${target} PRIVATE sinew_lockstep sinew_recording)
  endforeach()
  add_test(NAME scenario.${scenario}
           COMMAND ${CMAKE_SOURCE_DIR}/tests/scenarios/run_and_judge.sh $<TARGET_FILE:${program}>
                   $<TARGET_FILE:judge_${program}> ${place}
           WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  set_tests_properties(scenario.${scenario} PROPERTIES TIMEOUT 900)
endforeach()

# whole robots: programs of their own, on a device that does as told
foreach(scenario box orientation both_hands paper_programs segments control streams)
  set(drivers simulator)
  if(scenario MATCHES "segments|control")
    set(drivers ideal)
  endif()
  if(scenario STREQUAL box)
    set(drivers simulator ideal)
  endif()
  foreach(driver ${drivers})
    add_test(NAME scenario.${scenario}.${driver}
             COMMAND /usr/bin/python3 -B ${CMAKE_SOURCE_DIR}/tests/scenarios/${scenario}/scenario.py
                     $<TARGET_FILE_DIR:sinew> ${CMAKE_BINARY_DIR}/lib ${driver}
             WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
    set_tests_properties(scenario.${scenario}.${driver} PROPERTIES TIMEOUT 600)
    if(driver STREQUAL simulator)
      set_tests_properties(scenario.${scenario}.${driver} PROPERTIES PROCESSORS 2)
    endif()
  endforeach()
endforeach()

# whoever runs a simulated robot wants both cores: one that is starved stops, as it should
set_tests_properties(check.readme scenario.hold scenario.one_driver scenario.kill_any scenario.braking scenario.kill_hanoi scenario.homing
                     scenario.known_world
                     scenario.two_robots scenario.site scenario.web_api scenario.sim_control scenario.supervisor
                     PROPERTIES PROCESSORS 2)
