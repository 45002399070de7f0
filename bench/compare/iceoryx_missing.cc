// SPDX-License-Identifier: BSD-3-Clause
// In place of iceoryx.cc where iceoryx is not installed.
#include "compare/transport.h"

namespace sinew::bench {

std::unique_ptr<Transport> make_iceoryx() {
  return nullptr;
}

}  // namespace sinew::bench
