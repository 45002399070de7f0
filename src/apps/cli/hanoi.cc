// SPDX-License-Identifier: BSD-3-Clause
#include "apps/cli/hanoi.h"

#include <ostream>

#include "apps/cli/program_beside.h"

namespace sinew::cli {
namespace {

Status run_hanoi(const Words& words, std::ostream& /*out*/) {
  return run_program_beside("sinew-hanoi", hanoi_command(), words);
}

}  // namespace

Command hanoi_command() {
  return {
      .name = "hanoi",
      .summary = "Solve the Towers of Hanoi with a running robot",
      .details =
          "By requests to the robot's motion service, and by where its world says that the discs are "
          "(channels world_truth and sensor/grasp): objects peg_1, peg_2, … and disc_1, disc_2, …, as in "
          "the world 'hanoi'. Goes on from any state of the board, after a stop, and after somebody has "
          "moved a disc. Ends when the tower stands.",
      .options =
          {{.name = "--robot",
            .value_name = "NAME",
            .help = "Prefix of its channels.",
            .fallback = "scorbot-er3"},
           {.name = "--to", .value_name = "PEG", .help = "Where the tower shall stand.", .fallback = "3"},
           {.name = "--times",
            .value_name = "N",
            .help = "How often: there, back again, and so on; 0: until it is stopped.",
            .fallback = "1"}},
      .examples = {"sinew hanoi", "sinew hanoi --to 2 --times 4"},
      .run = run_hanoi,
  };
}

}  // namespace sinew::cli
