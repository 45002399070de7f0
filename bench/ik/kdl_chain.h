// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include <kdl/chain.hpp>

#include "sinew/model/robot_model.h"

namespace sinew::bench {

/// A pose as KDL writes it.
KDL::Frame kdl_frame(const Pose& X_AB);

/// The way from a base link to a tool at X_LT on a tip link as KDL's chain, with the same variables in the
/// same order as ours. Nothing when a joint mimics another, which KDL's chains cannot say.
std::optional<KDL::Chain> kdl_chain(const RobotModel& model, std::size_t base_link, std::size_t tip_link,
                                    const Pose& X_LT = {});

}  // namespace sinew::bench
