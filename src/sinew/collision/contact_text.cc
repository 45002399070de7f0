// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/collision/contact_text.h"

#include <fmt/format.h>

#include "sinew/base/text.h"

namespace sinew {

std::string too_near_sentence(const TooNear& pair) {
  const std::string margin = length_text(pair.margin);
  const std::string distance = length_text(pair.distance);
  if (pair.distance <= 0.0)
    return fmt::format("{} would touch {}; they must stay {} apart", pair.a, pair.b, margin);
  // as it is read, not as it is: "within 10.0 mm, must stay 10.0 mm" would say nothing
  if (pair.distance < pair.margin && distance != margin)
    return fmt::format("{} would come within {} of {}; they must stay {} apart", pair.a, distance, pair.b,
                       margin);
  return fmt::format("{} might come nearer to {} than the {} that they must stay apart", pair.a, pair.b,
                     margin);
}

}  // namespace sinew
