// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "apps/web/api_call.h"
#include "apps/web/frame_store.h"

namespace sinew {

/// The calls about taught tools and frames. Both stores must outlive the rows.
std::vector<ApiRow> frame_rows(FrameStore& tools, FrameStore& frames);

}  // namespace sinew
