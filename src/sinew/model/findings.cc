// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/model/findings.h"

#include <utility>

#include <fmt/format.h>

#include "sinew/base/assert.h"

namespace sinew {

std::string place_text(const Place& place) {
  return place.line > 0 ? fmt::format("{}:{}", place.file, place.line) : place.file;
}

std::string remark_text(const Remark& remark) {
  return fmt::format("{}: {}; {}", place_text(remark.place), remark.what, remark.remedy);
}

void Findings::refuse(const Place& place, std::string_view what, std::string_view remedy) {
  if (error_) return;
  error_ = Error{ErrorCode::InvalidInput, fmt::format("{}: {}; {}", place_text(place), what, remedy)};
}

void Findings::remark(const Place& place, std::string what, std::string remedy) {
  if (remarks_.size() == kMostRemarks) {
    ++dropped_;
    return;
  }
  remarks_.push_back({.place = place, .what = std::move(what), .remedy = std::move(remedy)});
}

const Error& Findings::error() const {
  SINEW_ASSERT(error_.has_value());
  return *error_;
}

std::vector<Remark> Findings::take_remarks() {
  if (dropped_ > 0) {
    remarks_.push_back({.place = remarks_.back().place,
                        .what = fmt::format("{} more remarks are left out", dropped_),
                        .remedy = "mend these first"});
    dropped_ = 0;
  }
  return std::move(remarks_);
}

}  // namespace sinew
