// SPDX-License-Identifier: BSD-3-Clause
// The statements that are no moves and have no block.
#include <algorithm>

#include <fmt/format.h>

#include "sinew/language/parser_state.h"

namespace sinew::language {

void FileParser::parse_assignment(Statement& statement) {
  std::string name = parse_new_name("a variable");
  take_symbol("=");
  if (is_word("CALL")) {
    CallStatement call = parse_call();
    call.result = std::move(name);
    statement.body = std::move(call);
    return;
  }
  statement.body = AssignStatement{std::move(name), parse_expression()};
}

CallStatement FileParser::parse_call() {
  take_word("CALL");
  CallStatement call;
  call.name = parse_new_name("the SUB");
  call.arguments = parse_arguments(call.name);
  return call;
}

void FileParser::parse_call_statement(Statement& statement) {
  statement.body = parse_call();
}

// (a, b, c)
std::vector<Expression> FileParser::parse_arguments(std::string_view name) {
  std::vector<Expression> arguments;
  if (!expect_symbol("(", fmt::format("behind {}", name))) return arguments;
  if (take_symbol(")")) return arguments;
  do {
    arguments.push_back(parse_expression());
  } while (arguments.size() < kMostValues && take_symbol(","));
  expect_symbol(")", fmt::format("at the end of the arguments of {}", name));
  return arguments;
}

EndingStatement FileParser::parse_ending_body() {
  const std::string word = upper(take().text);
  EndingStatement ending;
  ending.kind = word == "STOP" ? EndingKind::Stop : word == "FAIL" ? EndingKind::Fail : EndingKind::Pause;
  if (!is_at_end_of_statement()) ending.text = parse_expression();
  if (ending.kind == EndingKind::Fail && !ending.text)
    error_here("FAIL needs a text that says why, as in FAIL \"no part\"");
  return ending;
}

void FileParser::parse_ending(Statement& statement) {
  statement.body = parse_ending_body();
}

void FileParser::parse_wait(Statement& statement) {
  take();
  if (!take_word("UNTIL")) {
    if (is_at_end_of_statement()) {
      error_here("WAIT needs a time or a condition, as in WAIT 0.5 or WAIT UNTIL IN {part} [10]");
      return;
    }
    statement.body = WaitStatement{parse_expression()};
    return;
  }
  WaitUntilStatement wait;
  wait.condition = parse_expression();
  wait.timeout = parse_time_option();
  if (take_word("ELSE")) {
    wait.else_comment = take_line_comment();
    wait.otherwise = parse_block(&statement);
    wait.end_comment = close_block("WAIT", statement.place);
  }
  statement.body = std::move(wait);
}

void FileParser::parse_output(Statement& statement) {
  const std::string word = upper(take().text);
  OutputStatement output;
  output.kind = word == "SET" ? OutputKind::Set : word == "RESET" ? OutputKind::Reset : OutputKind::Pulse;
  output.output = parse_outside_name("an output");
  if (output.kind == OutputKind::Set && take_symbol("=")) output.value = parse_expression();
  if (output.kind == OutputKind::Pulse) {
    output.time = parse_time_option();
    if (!output.time) error_here("PULSE needs a time, as in PULSE {horn} [0.5]");
  }
  statement.body = std::move(output);
}

void FileParser::parse_gripper(Statement& statement) {
  take();
  GripperStatement gripper;
  gripper.name_place = peek().place;
  if (peek().kind == TokenKind::Brace) gripper.gripper = take().text;
  if (take_word("OPEN")) {
    gripper.kind = GripperKind::Open;
  } else if (take_word("CLOSE")) {
    gripper.kind = GripperKind::Close;
  } else if (is_value_start()) {
    gripper.kind = GripperKind::Width;
    gripper.width = parse_value();
  } else {
    error_here("GRIPPER needs OPEN, CLOSE or a width, as in GRIPPER CLOSE or GRIPPER 40");
  }
  gripper.options = parse_options({"v", "f"});
  statement.body = std::move(gripper);
}

void FileParser::parse_print(Statement& statement) {
  take();
  PrintStatement print;
  do {
    print.items.push_back(parse_expression());
  } while (print.items.size() < kMostValues && take_symbol(","));
  statement.body = std::move(print);
}

void FileParser::parse_frame(Statement& statement) {
  FrameStatement frame;
  frame.is_tool = upper(take().text) == "TOOL";
  frame.name_place = peek().place;
  frame.name = parse_brace(frame.is_tool ? "the tool" : "the frame");
  if (take_symbol("=")) frame.value = parse_expression();
  statement.body = std::move(frame);
}

void FileParser::parse_units_statement(Statement& statement) {
  take();
  if (!is_symbol("(")) {
    error_here("UNITS needs units between brackets, as in UNITS (mm,deg,s)");
    return;
  }
  statement.body = UnitsStatement{parse_units_field()};
}

void FileParser::parse_speed(Statement& statement) {
  SpeedStatement speed;
  const std::string word = upper(take().text);
  speed.kind = word == "SPEED" ? SpeedKind::Speed : SpeedKind::Acceleration;
  if (take_word("JOINT")) {
    speed.scope = SpeedScope::Joint;
  } else if (take_word("LINE")) {
    speed.scope = SpeedScope::Line;
  }
  speed.value = parse_expression();
  speed.is_percent = take_symbol("%");
  if (speed.scope == SpeedScope::Both && !speed.is_percent)
    error_at(statement.place,
             fmt::format("{0} needs JOINT or LINE before a number, as in {0} LINE 250, or a share "
                         "of the limits, as in {0} 50%",
                         word));
  statement.body = std::move(speed);
}

void FileParser::parse_blend(Statement& statement) {
  take();
  statement.body = BlendStatement{parse_expression()};
}

void FileParser::parse_payload(Statement& statement) {
  take();
  PayloadStatement payload{parse_values()};
  if (payload.values.size() != 1 && payload.values.size() != 4) {
    error_at(statement.place,
             fmt::format("PAYLOAD takes a mass in kg, or a mass and x y z of its centre; here are {} "
                         "values",
                         payload.values.size()));
  }
  statement.body = std::move(payload);
}

void FileParser::parse_return(Statement& statement) {
  const Place place = take().place;
  ReturnStatement leave;
  if (!is_in_sub_) error_at(place, "RETURN leaves a SUB, and here is none; STOP ends the program");
  if (!is_at_end_of_statement()) leave.value = parse_expression();
  statement.body = std::move(leave);
}

void FileParser::parse_loop_jump(Statement& statement) {
  const Token token = take();
  const std::string word = upper(token.text);
  if (loop_depth_ == 0)
    error_at(token.place, fmt::format("{} belongs into a WHILE or FOR, and here is none", word));
  statement.body = LoopJumpStatement{word == "BREAK" ? LoopJump::Break : LoopJump::Continue};
}

void FileParser::parse_on(Statement& statement) {
  take();
  OnStatement on;
  on.condition = parse_expression();
  if (!take_word("DO")) {
    error_here("DO is missing behind the condition of ON, as in ON IN {door} DO STOP");
  } else if (is_word("STOP") || is_word("FAIL") || is_word("PAUSE")) {
    on.reaction = parse_ending_body();
  } else if (is_word("CALL")) {
    on.reaction = parse_call();
  } else {
    error_here("an ON may do STOP, FAIL, PAUSE or CALL; put anything else into a SUB and CALL it");
  }
  statement.body = std::move(on);
}

void FileParser::parse_include(Statement& statement) {
  const Place place = take().place;
  IncludeStatement include;
  if (peek().kind != TokenKind::Text || peek().text.empty()) {
    error_here("INCLUDE needs a file between quotes, as in INCLUDE \"points.prog\"");
    return;
  }
  if (block_depth_ > 1)
    error_at(place, "INCLUDE stands outside of all blocks; move it to the top of the file");
  include.path = take().text;
  take_in(include, place);
  statement.body = std::move(include);
}

// a file is taken in where it is first named; a second time nothing happens, so circles end
void FileParser::take_in(IncludeStatement& include, const Place& place) {
  if (is_recovering_ || !*shared_.reader) return;
  auto read = (*shared_.reader)(include.path, shared_.program.files[file_].name);
  if (!read)
    return error_at(place, fmt::format("cannot include '{}': {}", shown(include.path), read.error().message));
  auto& files = shared_.program.files;
  const auto known =
      std::find_if(files.begin(), files.end(), [&](const SourceFile& f) { return f.name == read->name; });
  include.file = static_cast<std::uint32_t>(known - files.begin());
  if (known != files.end()) {
    const auto& open = shared_.open_files;
    if (std::find(open.begin(), open.end(), read->name) != open.end())
      error_at(place, fmt::format("'{}' includes itself; take this line out", shown(include.path)));
    return;
  }
  if (files.size() >= kMostFiles)
    return error_at(place, fmt::format("a program has at most {} files; join some of them", kMostFiles));
  include.is_first = true;
  files.push_back({read->name, {}});
  shared_.open_files.push_back(read->name);
  FileParser parser(split_into_tokens(read->text, include.file, shared_.findings), include.file, shared_);
  Block statements = parser.parse_file();
  shared_.program.files[include.file].statements = std::move(statements);
  shared_.open_files.pop_back();
}

}  // namespace sinew::language
