# SPDX-License-Identifier: BSD-3-Clause
find_package(nlohmann_json REQUIRED)
find_package(OpenSSL REQUIRED)
find_package(ZLIB REQUIRED)
target_link_libraries(sinew_web PRIVATE nlohmann_json::nlohmann_json OpenSSL::SSL OpenSSL::Crypto ZLIB::ZLIB)
# heavy headers, which nothing else here shall see
set_source_files_properties(${folder}/loop.cc ${folder}/request_parser.cc PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)

# a folder as it is put into programs, for tests
if(SINEW_TESTS)
  file(GLOB_RECURSE page_files CONFIGURE_DEPENDS ${folder}/test/page/*)
  set(made ${CMAKE_BINARY_DIR}/web_test_page)
  file(MAKE_DIRECTORY ${made})
  foreach(table test_page absent)
    # the folder that is not there has no files
    set(from ${folder}/test/${table})
    string(REPLACE test_page page from ${from})
    add_custom_command(OUTPUT ${made}/${table}_files.cc
                       COMMAND /usr/bin/python3 ${CMAKE_SOURCE_DIR}/tools/embed_files.py ${from}
                               ${made}/${table}_files.cc ${table}_files
                       COMMAND ${CMAKE_COMMAND} -E touch ${made}/${table}_files.cc
                       DEPENDS ${CMAKE_SOURCE_DIR}/tools/embed_files.py ${page_files})
  endforeach()
  add_library(sinew_web_test_page OBJECT ${made}/test_page_files.cc ${made}/absent_files.cc)
  set_target_properties(sinew_web_test_page PROPERTIES UNITY_BUILD OFF)
  target_link_libraries(sinew_web_test_page PRIVATE sinew_web)
  cmake_language(DEFER CALL target_link_libraries web_test PRIVATE sinew_web_test_page OpenSSL::SSL)
endif()
