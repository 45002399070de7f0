// SPDX-License-Identifier: BSD-3-Clause
// A program drawn by the first bytes, run among events that the others tell: inputs that come and go, moves
// asked for ahead, waits that time out, moves that fail, pauses and single steps. Whatever happens it ends,
// or goes on within its bounds.
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "sinew/base/assert.h"
#include "sinew/language/interpreter.h"
#include "sinew/language/parser.h"
#include "sinew/language/test/random_program.h"
#include "sinew/language/test/test_world.h"

namespace {

using namespace sinew::language;

/// What one byte tells.
struct Event {
  std::uint8_t byte;
  bool has(int bit) const { return (byte >> bit & 1) != 0; }
  OutcomeKind outcome() const {
    if (byte % 16 == 15) return OutcomeKind::Failed;
    return byte % 8 == 7 ? OutcomeKind::TimedOut : OutcomeKind::Done;
  }
};

void run_one_action(Interpreter& interpreter, TestWorld& world, Event event) {
  if (event.has(4)) interpreter.pause();
  interpreter.set_single_step(event.has(5) && event.has(6));
  const Action action = interpreter.next();
  SINEW_ASSERT(action.repeats < action.number);
  std::size_t ahead = 0;
  while (event.has(3) && interpreter.next_move_ahead()) SINEW_ASSERT(++ahead <= kMostAhead);
  world.inputs["part"] = event.has(0);
  world.inputs["3"] = event.has(1);
  // an interrupted action is dropped without a report
  if (interpreter.watch() == WatchVerdict::Interrupt) return;
  interpreter.report({.number = action.number, .kind = event.outcome(), .reason = "as told"});
  SINEW_ASSERT(interpreter.variables().size() <= kMostVariables);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  std::uint32_t seed = 0;
  if (size < sizeof seed) return 0;
  std::memcpy(&seed, bytes, sizeof seed);
  const ParsedProgram parsed = parse_program(RandomProgram(seed).text(), "x.prog");
  if (parsed.findings.has_errors()) return 0;
  TestWorld world;
  Interpreter interpreter(parsed.program, world, {.most_steps = 500});
  if (size % 3 == 0) static_cast<void>(interpreter.start_at(static_cast<std::uint32_t>(size % 31)));
  if (size % 5 == 0) interpreter.set_breakpoints({3, 7, 12});
  for (std::size_t i = sizeof seed; i < size && !interpreter.is_over(); ++i)
    run_one_action(interpreter, world, {bytes[i]});
  return 0;
}
