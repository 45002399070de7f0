// SPDX-License-Identifier: BSD-3-Clause
// Any bytes as a program: never a crash, a hang or a formatter that changes its mind; what parses is checked and run.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "sinew/base/assert.h"
#include "sinew/language/check.h"
#include "sinew/language/formatter.h"
#include "sinew/language/interpreter.h"
#include "sinew/language/parser.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace sinew::language;
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  const ParsedProgram parsed = parse_program(text, "x.prog");
  if (parsed.findings.has_errors()) return 0;
  const std::string once = format_file(parsed.program.files[0].statements);
  const ParsedProgram again = parse_program(once, "x.prog");
  SINEW_ASSERT(!again.findings.has_errors());
  SINEW_ASSERT(format_file(again.program.files[0].statements) == once);

  const OpenWorld world;
  sinew::language::FindingList findings;
  check_names_and_types(parsed.program, world, findings);
  // also what the check refuses must be safe to run
  Interpreter interpreter(parsed.program, world, {.most_steps = 500});
  for (int i = 0; i < 50 && !interpreter.is_over(); ++i) {
    const auto ahead = i % 3 == 0 ? interpreter.next_move_ahead() : std::nullopt;
    const Action action = ahead ? *ahead : interpreter.next();
    interpreter.watch();
    interpreter.report({.number = action.number, .kind = i % 5 == 0 ? OutcomeKind::TimedOut : OutcomeKind::Done});
  }
  return 0;
}
