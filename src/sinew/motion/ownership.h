// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

#include "sinew/base/result.h"
#include "sinew/messages/requests.h"

namespace sinew {

/// Who is obeyed: nobody in particular at first, then whoever has taken control, until he leaves it or
/// another takes it.
///
/// A name is information, never authority: it keeps programs and people that mean well from getting in each
/// other's way. Who may ask at all is said by the rights of the channel `request`.
class Ownership {
 public:
  /// Whether a request may be carried out, or who has control and what to do.
  Status allows(const Request& request) const;
  /// The same for whatever moves the robot by other ways, such as jogging.
  Status allows(std::string_view who) const;

  /// Empty: everybody is obeyed.
  const std::string& owner() const noexcept { return owner_; }
  void take(std::string_view who) { owner_ = who; }
  void leave() { owner_.clear(); }

 private:
  std::string owner_;
};

}  // namespace sinew
