// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "sinew/base/text.h"

namespace sinew::web {

using sinew::shown_text;

}  // namespace sinew::web
