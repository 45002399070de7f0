// SPDX-License-Identifier: BSD-3-Clause
// Puts a joint state on a channel and reads it back, in C++: 03_joint_state [SPACE]
#include <iostream>

#include "sinew/channels/channel.h"
#include "sinew/messages/schemas.h"

int main(int count, char** words) {
  const sinew::ChannelPlace place{.name = "example/state", .space = count > 1 ? words[1] : "default"};

  auto writer = sinew::Writer<sinew::JointState>::open(place);
  if (!writer) {
    std::cerr << writer.error().message << '\n';
    return 1;
  }
  auto reader = sinew::Reader<sinew::JointState>::open(place);
  if (!reader) {
    std::cerr << reader.error().message << '\n';
    return 1;
  }

  int status = writer->put({.measured_mask = 0b11, .joint_count = 2, .position = {0.1, -0.2}});

  sinew::Frame<sinew::JointState> frame;
  if (status == SINEW_OK) status = reader->read_newest(frame);
  if (status == SINEW_OK) {
    std::cout << "message " << frame.info.sequence << " of process " << frame.info.sender_pid << '\n';
    for (std::size_t i = 0; i < frame.message.joint_count; ++i)
      std::cout << "joint " << i + 1 << ": " << frame.message.position[i] << " rad\n";
  } else {
    std::cerr << sinew_status_text(status) << '\n';
  }
  sinew_remove(place.space.c_str(), place.name.c_str(), nullptr);
  return status;
}
