// SPDX-License-Identifier: BSD-3-Clause
// Three programs at once send the MDS anywhere, 10,000 times. Usage: random_steps FOLDER
#include <random>

#include "sinew/model/positions.h"
#include "sinew/simulation/world_yaml.h"

#include "tests/scenarios/lockstep_recording.h"

namespace sinew {
namespace {

constexpr int kReferences = 10'000;
constexpr std::size_t kPrograms = 3;
// now and then all rest for a while, so that long ways are gone as well
constexpr int kBetweenRests = 500;
constexpr int kRestCycles = 1000;

void run(const std::string& path) {
  Scene scene{.name = "random_steps"};
  scene.robots.push_back(must(scene_robot("mds", "mds", "home", usual_world_places().robots)));
  const auto lockstep = must(Lockstep::make(std::move(scene), "mds", {}));
  for (std::size_t i = 0; i < kPrograms; ++i)
    lockstep->controller().set_source(i, fmt::format("program{}", i), 0);
  LockstepRecording recording(path, *lockstep);
  const RobotModel& model = lockstep->model();
  const std::uint64_t enabled = enabled_mask(model);
  std::mt19937_64 random(1);
  for (int i = 0; i < 10; ++i) recording.step();
  for (int references = 0; references < kReferences;) {
    if (random() % 2 == 0) {
      JointReference reference{.stamp_ns = lockstep->now_ns(), .joint_mask = enabled & random()};
      for (std::size_t i = 0; i < model.positions.size(); ++i) {
        const JointLimits& limits = model.joints[model.positions[i]].limits;
        reference.position[i] = std::uniform_real_distribution<double>(limits.lower, limits.upper)(random);
      }
      recording.put(random() % kPrograms, reference);
      const int rest = ++references % kBetweenRests == 0 ? kRestCycles : 0;
      for (int i = 0; i < rest; ++i) recording.step();
    }
    recording.step();
  }
  recording.close();
}

}  // namespace
}  // namespace sinew

int main(int count, char** words) {
  sinew::must_be(count == 2, "usage: random_steps FOLDER");
  sinew::run(std::string(words[1]) + "/run.mcap");
}
