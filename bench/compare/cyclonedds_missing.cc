// SPDX-License-Identifier: BSD-3-Clause
// In place of cyclonedds.cc where Cyclone DDS is not installed.
#include "compare/transport.h"

namespace sinew::bench {

std::unique_ptr<Transport> make_cyclonedds() {
  return nullptr;
}

}  // namespace sinew::bench
