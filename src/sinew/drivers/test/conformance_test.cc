// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/drivers/ideal_driver.h"
#include "sinew/drivers/test/driver_conformance.h"
#include "sinew/drivers/test/external_bench.h"
#include "sinew/drivers/test/two_joints.h"

namespace sinew {
namespace {

class IdealBench final : public DriverBench {
 public:
  Driver& driver() override { return driver_; }
  const RobotModel& model() override { return model_; }
  std::int64_t now_ns() const override { return now_ns_; }
  void pass_period() override { now_ns_ += kMillisecond_ns; }
  bool press(std::uint32_t input, bool is_on) override { return driver_.io().set_input(input, is_on); }

 private:
  RobotModel model_ = two_joints();
  IdealDriver driver_{model_};
  std::int64_t now_ns_ = kSecond_ns;
};

std::unique_ptr<DriverBench> make_ideal_bench() {
  return std::make_unique<IdealBench>();
}

std::unique_ptr<DriverBench> make_external_bench() {
  return std::make_unique<ExternalBench>();
}

INSTANTIATE_TEST_SUITE_P(Ideal, DriverConformance, testing::Values(&make_ideal_bench));
INSTANTIATE_TEST_SUITE_P(External, DriverConformance, testing::Values(&make_external_bench));

// a device that stamps by another clock would be believed for ever after its death
TEST(ExternalDriverTest, AStateOfTheFutureIsNonsense) {
  ExternalBench bench;
  ASSERT_TRUE(bench.driver().connect());
  bench.pass_period();
  JointState state;
  bench.driver().read(bench.now_ns(), state);
  EXPECT_EQ(state.fault_bits, 0U);
  const std::int64_t last_ns = state.stamp_ns;
  bench.set_ahead(1'700'000'000 * kSecond_ns);
  bench.pass_period();
  bench.driver().read(bench.now_ns(), state);
  EXPECT_EQ(state.fault_bits, kFaultNonsense);
  EXPECT_EQ(state.stamp_ns, last_ns);
  bench.set_ahead(0);
  bench.pass_period();
  bench.driver().read(bench.now_ns(), state);
  EXPECT_EQ(state.fault_bits, 0U);
}

// the cycle closes nothing: that is a call to the system
TEST(ExternalDriverTest, ACommandChannelThatIsGoneIsNotClosedInTheCycle) {
  ExternalBench bench;
  ASSERT_TRUE(bench.driver().connect());
  bench.pass_period();
  sinew_error error{};
  ASSERT_EQ(sinew_remove(bench.space().c_str(), device_command_channel("two").c_str(), &error), SINEW_OK)
      << error.text;
  const std::uint64_t taken = allocation_count;
  const std::uint64_t given = release_count;
  for (int i = 0; i < 10; ++i) bench.driver().write({.joint_count = 2, .is_enabled = 1});
  EXPECT_EQ(allocation_count, taken);
  EXPECT_EQ(release_count, given);
  bench.driver().disconnect();
  EXPECT_GT(release_count, given);
}

}  // namespace
}  // namespace sinew
