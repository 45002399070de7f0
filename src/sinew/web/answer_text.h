// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "sinew/web/http.h"

namespace sinew::web {

/// What of the request an answer depends on.
struct AnswerTo {
  bool is_version_1_0 = false;
  bool keeps_alive = true;  ///< The connection serves further requests.
  bool is_head = false;     ///< The length of the body is told, and nothing of it sent.
};

/// An answer as it goes over the wire, with the headers that make it safe. A header that would not be one
/// header, with a line break in it, is left out.
std::string answer_text(const HttpAnswer& answer, const AnswerTo& request);

}  // namespace sinew::web
