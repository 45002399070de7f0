// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/web/loop.h"

namespace sinew::web {

/// Days for which a certificate of ours is good: as long as browsers take one.
inline constexpr int kCertificateDays = 825;

/// A certificate of one's own, in a folder: `certificate.pem` and `key.pem`. When they are not there, do not
/// belong together, or end within a month, they are made: signed by itself (ECDSA, P-256), for localhost, the
/// loopback addresses and `names` (of machines, or addresses in digits), as they are then. Only the owner can
/// read the key; whoever reads while it is written finds the old one or the new.
Result<TlsFiles> own_certificate(const std::string& folder, const std::vector<std::string>& names);

/// What a person compares with what the browser shows: "AB:CD:…", SHA-256 of the certificate.
Result<std::string> fingerprint_of(const std::string& certificate_file);

}  // namespace sinew::web
