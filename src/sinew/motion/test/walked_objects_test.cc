// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/motion/walked_objects.h"

#include <gtest/gtest.h>

namespace sinew {
namespace {

using language::GripperAction;
using language::GripperKind;

const GripperAction kClose{.kind = GripperKind::Close};
const GripperAction kOpen{.kind = GripperKind::Open};

GripperAction width(double metres) {
  return {.kind = GripperKind::Width, .width = metres};
}

Pose at(double x, double y, double z) {
  return {.position = {x, y, z}};
}

class WalkedObjectsTest : public testing::Test {
 protected:
  Vector3 where(const std::string& name, const Pose& X_RF) {
    const auto found = things_.find(name, X_RF);
    EXPECT_TRUE(found) << name;
    return found ? found->position : Vector3::Zero();
  }

  WalkedObjects things_{{{.name = "plate", .X_RO = at(0.3, 0, 0.10), .reach = 0.2},
                         {.name = "lower", .X_RO = at(0.3, 0, 0.11), .reach = 0.02, .is_free = true},
                         {.name = "upper", .X_RO = at(0.3, 0, 0.13), .reach = 0.02, .is_free = true}}};
};

TEST_F(WalkedObjectsTest, StayWhereTheyAreWhateverTheHandDoes) {
  for (const Pose& X_RF : {at(0, 0, 0), at(0.3, 0, 0.4)}) {
    EXPECT_EQ(where("upper", X_RF), Vector3(0.3, 0, 0.13));
    things_.grip(kClose, X_RF, {});
    EXPECT_EQ(things_.held(), "");
    things_.grip(kOpen, X_RF, {});
  }
}

TEST_F(WalkedObjectsTest, TheNearestGoesAlongUntilItIsLetGo) {
  // a tool 0.1 m below the flange
  const Pose X_FT = at(0, 0, -0.1);
  things_.grip(width(0.05), at(0.3, 0, 0.5), X_FT);
  things_.grip(kClose, at(0.3, 0, 0.225), X_FT);
  EXPECT_EQ(things_.held(), "upper") << "the plate is nearer to nothing, and cannot be carried";
  EXPECT_LT((where("upper", at(0.4, 0.1, 0.325)) - Vector3(0.4, 0.1, 0.23)).norm(), 1e-12);
  EXPECT_EQ(where("lower", at(0.4, 0.1, 0.325)), Vector3(0.3, 0, 0.11));
  // a hand that turns takes it round
  const Pose turned{.rotation = Quaternion(std::sqrt(0.5), std::sqrt(0.5), 0, 0),
                    .position = {0.3, 0, 0.225}};
  EXPECT_LT((where("upper", turned) - Vector3(0.3, 0.095, 0.225)).norm(), 1e-12);
  things_.grip(kClose, at(0.4, 0.1, 0.325), X_FT);
  EXPECT_EQ(things_.held(), "upper");
  things_.grip(width(0.05), at(0.4, 0.1, 0.325), X_FT);
  EXPECT_EQ(things_.held(), "");
  EXPECT_LT((where("upper", at(0, 0, 0)) - Vector3(0.4, 0.1, 0.23)).norm(), 1e-12) << "nothing falls";
}

TEST_F(WalkedObjectsTest, ANarrowerWidthClosesAndAWiderOneOpens) {
  const Pose X_RF = at(0.3, 0, 0.11);
  things_.grip(width(0.05), X_RF, {});
  EXPECT_EQ(things_.held(), "lower") << "from as wide as it goes";
  things_.grip(width(0.06), X_RF, {});
  EXPECT_EQ(things_.held(), "");
  things_.grip(width(0.03), X_RF, {});
  EXPECT_EQ(things_.held(), "lower");
}

TEST_F(WalkedObjectsTest, SaysWhatMayHaveBeenMeant) {
  const auto found = things_.find("uper", {});
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().message, "there is no object 'uper' in the world (did you mean 'upper'?)");
}

}  // namespace
}  // namespace sinew
