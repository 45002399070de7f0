# SPDX-License-Identifier: BSD-3-Clause
# The schemas of all messages and the C header, generated from the structs in this room's headers.

set(generated ${CMAKE_BINARY_DIR}/generated)
set(generator ${CMAKE_SOURCE_DIR}/tools/generate_messages.py)
set(outputs ${generated}/sinew/messages/schemas.h ${generated}/sinew/messages/schemas.cc ${generated}/sinew_messages.h)
file(GLOB headers CONFIGURE_DEPENDS ${folder}/*.h)

add_custom_command(
  OUTPUT ${outputs}
  COMMAND /usr/bin/python3 ${generator} --out ${generated} ${folder}
  DEPENDS ${generator} ${headers}
  COMMENT "Generating message schemas")
target_sources(sinew_messages PRIVATE ${outputs})
target_include_directories(sinew_messages PUBLIC ${generated})
add_custom_target(generate_messages DEPENDS ${outputs})

add_test(NAME messages.ReferencePageIsCurrent
         COMMAND /usr/bin/python3 ${generator} --check-page ${CMAKE_SOURCE_DIR}/docs/reference/messages.md ${folder})
