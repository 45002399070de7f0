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

}  // namespace
}  // namespace sinew
