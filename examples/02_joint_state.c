/* SPDX-License-Identifier: BSD-3-Clause */
/* Puts a joint state on a channel and reads it back, in C: 02_joint_state [SPACE] */
#include <inttypes.h>
#include <stdio.h>

#include "sinew_channel.h"
#include "sinew_messages.h"

int main(int count, char** words) {
  sinew_options options;
  sinew_options_init(&options);
  options.space = count > 1 ? words[1] : "default";
  options.name = "example/state";
  options.schema = SINEW_JOINT_STATE_SCHEMA;
  options.may_create = 1;

  sinew_error error;
  sinew_writer* writer = sinew_writer_open(&options, &error);
  sinew_reader* reader = writer ? sinew_reader_open(&options, SINEW_START_NEWEST, &error) : NULL;
  if (!reader) {
    fprintf(stderr, "%s\n", error.text);
    sinew_writer_close(writer);
    return 1;
  }

  const sinew_joint_state state = {.joint_count = 2, .position = {0.1, -0.2}, .measured_mask = 3};
  int status = sinew_put(writer, &state, sizeof state, NULL);

  sinew_joint_state seen;
  sinew_frame frame;
  if (status == SINEW_OK) status = sinew_read_newest(reader, &seen, sizeof seen, &frame);
  if (status == SINEW_OK) {
    printf("message %" PRIu64 " of process %" PRIu32 "\n", frame.sequence, frame.sender_pid);
    for (uint32_t i = 0; i < seen.joint_count; ++i) printf("joint %u: %g rad\n", i + 1, seen.position[i]);
  } else {
    fprintf(stderr, "%s\n", sinew_status_text(status));
  }

  sinew_reader_close(reader);
  sinew_writer_close(writer);
  sinew_remove(options.space, options.name, NULL);
  return status;
}
