// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "sinew/base/result.h"
#include "sinew/channels/channel_file.h"
#include "sinew/channels/sinew_channel.h"

namespace sinew::channels {

// What the two halves of the C interface, writer.cc and reader.cc, share.

/// Options as C gives them; a missing name or one without end is refused further down.
ChannelOptions options_from(const sinew_options& options);

/// Fills `out`, when there is one, and answers the error's status.
int report(const Error& error, sinew_error* out);

/// Answers SINEW_OK or reports.
int report(const Status& status, sinew_error* out);

int status_from(ErrorCode code);

void describe(const ChannelFile& file, sinew_description& out);

}  // namespace sinew::channels
