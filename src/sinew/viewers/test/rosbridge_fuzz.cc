// SPDX-License-Identifier: BSD-3-Clause
// Any messages to a client of rosbridge.
#include "sinew/viewers/rosbridge_session.h"
#include "sinew/viewers/test/session_fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  sinew::viewers::run_session<sinew::viewers::RosbridgeSession>(bytes);
  // past the envelope: any arguments of each kind of message
  const auto facts = sinew::viewers::small_robot();
  sinew::viewers::RosbridgeSession session(facts);
  for (const char* head :
       {R"({"op":"publish","topic":"/joint_command","msg":)", R"({"op":"call_service","service":)",
        R"({"op":"call_service","service":"/rosapi/get_param","args":)", R"({"op":"subscribe","topic":)"})
    sinew::viewers::check(
        session.take({.bytes = std::string(head).append(bytes) + "}"}, sinew::viewers::may_command(), 1),
        true);
  return 0;
}
