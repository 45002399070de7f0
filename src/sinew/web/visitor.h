// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/web/http.h"

namespace sinew::web {

// A browser sends requests also for pages that its user did not mean to give them: another page may name our
// address in a picture, a form or a link, or have its own name lead to our address. These checks tell such
// requests from those of the user's own programs. They keep strange pages out, not strange people: who may
// connect at all is decided by the address that is listened at.

/// Refused: a Host that is neither an address in digits, nor localhost, nor one of `names`. A page whose own
/// name was led to our address has that name there.
Status check_host(const HttpHeaders& headers, const std::vector<std::string>& names);

/// For what moves a robot. Refused: what comes from another page (Origin, Sec-Fetch-Site, Referer), what a
/// browser fetches before it is wanted, and a browser that does not say where its request comes from.
Status check_mover(const HttpHeaders& headers);

}  // namespace sinew::web
