// SPDX-License-Identifier: BSD-3-Clause
// Any messages to a client of the Foxglove WebSocket protocol.
#include "sinew/viewers/foxglove_session.h"
#include "sinew/viewers/test/session_fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  sinew::viewers::run_session<sinew::viewers::FoxgloveSession>(bytes);
  // past the envelope: any payload on the topic that moves the robot
  const auto facts = sinew::viewers::small_robot();
  sinew::viewers::FoxgloveSession session(facts);
  session.take(
      {.bytes = R"({"op":"advertise","channels":[{"id":1,"topic":"/joint_command","encoding":"json"}]})"}, {},
      1);
  sinew::viewers::check(
      session.take({.is_text = false, .bytes = std::string("\x01\x01\x00\x00\x00", 5).append(bytes)},
                   sinew::viewers::may_command(), 1),
      true);
  return 0;
}
