// SPDX-License-Identifier: BSD-3-Clause
// Any bytes as a xacro file, and what comes out as a URDF: never a crash, never without end.
#include <cstddef>
#include <cstdint>

#include "sinew/model/urdf.h"
#include "sinew/model/xacro.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const auto root = sinew::expand_xacro_text({reinterpret_cast<const char*>(bytes), size}, "fuzz.xacro");
  if (!root) return 0;
  (void)sinew::read_urdf_tree(*root, "fuzz.urdf").has_value();
  return 0;
}
