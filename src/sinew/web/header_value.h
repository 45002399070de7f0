// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string_view>

namespace sinew::web {

/// Equal but for capitals, as names of headers and hosts are compared.
bool is_same(std::string_view a, std::string_view b);

/// Whether a list such as "keep-alive, Upgrade" has this word in it, in capitals or not.
bool has_word(std::string_view list, std::string_view word);

/// Whether an Accept-Encoding such as "gzip, br;q=0.5" allows `coding`; one with q=0 is refused.
bool accepts(std::string_view accept_encoding, std::string_view coding);

}  // namespace sinew::web
