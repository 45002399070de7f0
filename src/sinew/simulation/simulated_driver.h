// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "sinew/drivers/driver.h"
#include "sinew/simulation/simulation.h"

namespace sinew {

/// A robot of a Simulation in the same process, for lockstep: who owns the simulation moves it on by one
/// period between two cycles. Robot time is the simulation's.
class SimulatedDriver final : public Driver {
 public:
  /// `simulation` must outlive this object; `robot` is a name in its scene.
  SimulatedDriver(Simulation& simulation, std::string robot);

  Status connect() override;
  DeviceFacts facts() const override;
  void read(std::int64_t now_ns, JointState& state) SINEW_REALTIME override;
  void write(const JointCommand& command) SINEW_REALTIME override;
  void read_io(IoState& io) SINEW_REALTIME override;
  void write_io(const IoCommand& command) SINEW_REALTIME override;
  void home() SINEW_REALTIME override;
  void reset() SINEW_REALTIME override;
  void disconnect() noexcept override;

 private:
  Simulation& simulation_;
  std::string robot_;
  SimulatedDevice* device_ = nullptr;  ///< Null while not connected.
};

}  // namespace sinew
