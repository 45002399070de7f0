// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/language/formatter.h"

#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace sinew::language {
namespace {

constexpr std::size_t kWidth = 110;

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c == '\n' ? std::string("\\n") : std::string(1, c);
  }
  return result + "\"";
}

std::string list_of(const std::vector<Expression>& expressions, std::string_view between) {
  std::string text;
  for (std::size_t i = 0; i < expressions.size(); ++i)
    text += (i > 0 ? std::string(between) : "") + format_expression(expressions[i]);
  return text;
}

std::string options_text(const std::vector<MoveOption>& options) {
  if (options.empty()) return "";
  std::vector<std::string> parts;
  for (const MoveOption& option : options) {
    parts.push_back(fmt::format("{}{}{}{}", option.key, option.key.empty() ? "" : "=",
                                format_expression(option.value), option.is_percent ? "%" : ""));
  }
  return fmt::format(" [{}]", fmt::join(parts, ", "));
}

std::string units_text(const UnitsField& units) {
  return fmt::format("({})", fmt::join(units.units, ","));
}

std::string_view ending_word(EndingKind kind) {
  return kind == EndingKind::Stop ? "STOP" : kind == EndingKind::Fail ? "FAIL" : "PAUSE";
}

std::string ending_text(const EndingStatement& ending) {
  std::string text(ending_word(ending.kind));
  return ending.text ? text + " " + format_expression(*ending.text) : text;
}

std::string call_text(const CallStatement& call) {
  const std::string result = call.result ? *call.result + " = " : "";
  return fmt::format("{}CALL {}({})", result, call.name, list_of(call.arguments, ", "));
}

/// Writes statements one by one; one overload per kind.
class Writer {
 public:
  std::string text;

  void block(const Block& statements) {
    for (const Statement& statement : statements) {
      if (statement.has_blank_line_before) text += "\n";
      current_ = &statement;
      id_ = statement.id.empty() ? "" : statement.id + " ";
      std::visit([this](const auto& body) { (*this)(body); }, statement.body);
    }
  }

  void operator()(const CommentStatement&) { line("", current_->comment, true); }

  void operator()(const MoveStatement& move) {
    std::string head = motion_text(move.motion);
    if (move.tool) head += fmt::format(" {{{}}}", *move.tool);
    std::string tail = options_text(move.options);
    if (move.units) tail += " " + units_text(*move.units);
    if (move.frame) tail += fmt::format(" {{{}}}", *move.frame);
    if (move.until) tail += " UNTIL " + format_expression(*move.until);
    std::string goals;
    for (std::size_t i = 0; i < move.goals.size(); ++i)
      goals += (i > 0 ? "; " : " ") + list_of(move.goals[i], " ");
    if (indent_ * 2 + head.size() + goals.size() + tail.size() > kWidth && move.goals.size() > 1)
      goals = goals_on_lines(move.goals);
    line(head + goals + tail, current_->comment);
  }

  void operator()(const AssignStatement& assign) {
    line(assign.name + " = " + format_expression(assign.value), current_->comment);
  }
  void operator()(const CallStatement& call) { line(call_text(call), current_->comment); }
  void operator()(const EndingStatement& ending) { line(ending_text(ending), current_->comment); }
  void operator()(const WaitStatement& wait) {
    line("WAIT " + format_expression(wait.duration), current_->comment);
  }

  void operator()(const WaitUntilStatement& wait) {
    std::string head = "WAIT UNTIL " + format_expression(wait.condition);
    if (wait.timeout) head += fmt::format(" [{}]", format_expression(*wait.timeout));
    if (!wait.otherwise) return line(head, current_->comment);
    line(head + " ELSE", wait.else_comment);
    body(*wait.otherwise);
    line("END", wait.end_comment);
  }

  void operator()(const OutputStatement& output) {
    constexpr std::string_view kWords[] = {"SET", "RESET", "PULSE"};
    std::string head =
        fmt::format("{} {}", kWords[static_cast<int>(output.kind)], format_expression(output.output));
    if (output.value) head += " = " + format_expression(*output.value);
    if (output.time) head += fmt::format(" [{}]", format_expression(*output.time));
    line(head, current_->comment);
  }

  void operator()(const GripperStatement& gripper) {
    std::string head = "GRIPPER";
    if (gripper.gripper) head += fmt::format(" {{{}}}", *gripper.gripper);
    if (gripper.kind == GripperKind::Open) head += " OPEN";
    if (gripper.kind == GripperKind::Close) head += " CLOSE";
    if (gripper.width) head += " " + format_expression(*gripper.width);
    line(head + options_text(gripper.options), current_->comment);
  }

  void operator()(const PrintStatement& print) {
    line("PRINT " + list_of(print.items, ", "), current_->comment);
  }

  void operator()(const FrameStatement& frame) {
    std::string head = fmt::format("{} {{{}}}", frame.is_tool ? "TOOL" : "FRAME", frame.name);
    if (frame.value) head += " = " + format_expression(*frame.value);
    line(head, current_->comment);
  }
  void operator()(const UnitsStatement& units) {
    line("UNITS " + units_text(units.units), current_->comment);
  }

  void operator()(const SpeedStatement& speed) {
    std::string head = speed.kind == SpeedKind::Speed ? "SPEED" : "ACC";
    if (speed.scope == SpeedScope::Joint) head += " JOINT";
    if (speed.scope == SpeedScope::Line) head += " LINE";
    line(head + " " + format_expression(speed.value) + (speed.is_percent ? "%" : ""), current_->comment);
  }
  void operator()(const BlendStatement& blend) {
    line("BLEND " + format_expression(blend.radius), current_->comment);
  }
  void operator()(const PayloadStatement& payload) {
    line("PAYLOAD " + list_of(payload.values, " "), current_->comment);
  }

  void operator()(const IfStatement& branch) {
    const std::string comment = current_->comment;
    for (std::size_t i = 0; i < branch.clauses.size(); ++i) {
      const IfClause& clause = branch.clauses[i];
      const std::string word = i == 0 ? "IF" : clause.condition ? "ELSIF" : "ELSE";
      line(clause.condition ? word + " " + format_expression(*clause.condition) : word,
           i == 0 ? comment : clause.comment);
      body(clause.body);
    }
    line("END", branch.end_comment);
  }

  void operator()(const WhileStatement& loop) {
    line("WHILE " + format_expression(loop.condition), current_->comment);
    body(loop.body);
    line("END", loop.end_comment);
  }

  void operator()(const ForStatement& loop) {
    std::string head = fmt::format("FOR {} = {} TO {}", loop.variable, format_expression(loop.from),
                                   format_expression(loop.to));
    if (loop.step) head += " STEP " + format_expression(*loop.step);
    line(head, current_->comment);
    body(loop.body);
    line("END", loop.end_comment);
  }

  void operator()(const SubStatement& sub) {
    line(fmt::format("SUB {}({})", sub.name, fmt::join(sub.parameters, ", ")), current_->comment);
    body(sub.body);
    line("END", sub.end_comment);
  }

  void operator()(const ReturnStatement& leave) {
    line(leave.value ? "RETURN " + format_expression(*leave.value) : "RETURN", current_->comment);
  }
  void operator()(const LoopJumpStatement& jump) {
    line(jump.kind == LoopJump::Break ? "BREAK" : "CONTINUE", current_->comment);
  }
  void operator()(const OnStatement& on) {
    const auto* ending = std::get_if<EndingStatement>(&on.reaction);
    line(fmt::format(
             "ON {} DO {}", format_expression(on.condition),
             ending != nullptr ? ending_text(*ending) : call_text(std::get<CallStatement>(on.reaction))),
         current_->comment);
  }
  void operator()(const OffStatement&) { line("OFF", current_->comment); }
  void operator()(const IncludeStatement& include) {
    line("INCLUDE " + quoted(include.path), current_->comment);
  }

 private:
  // one point a line, as a long spline is read best
  std::string goals_on_lines(const std::vector<GoalValues>& goals) const {
    std::string result = " " + list_of(goals[0], " ");
    for (std::size_t i = 1; i < goals.size(); ++i)
      result += ";\n" + std::string((indent_ + 1) * 2, ' ') + list_of(goals[i], " ");
    return result;
  }

  void body(const Block& statements) {
    ++indent_;
    block(statements);
    --indent_;
  }

  void line(const std::string& code, const std::string& comment, bool is_comment_line = false) {
    text += std::string(indent_ * 2, ' ') + std::exchange(id_, {}) + code;
    const std::string_view shown_comment = comment == " " ? std::string_view() : std::string_view(comment);
    if (is_comment_line || !comment.empty()) {
      text += code.empty() ? "#" : "  #";
      if (!shown_comment.empty()) text += " " + std::string(shown_comment);
    }
    text += "\n";
  }

  std::size_t indent_ = 0;
  const Statement* current_ = nullptr;
  std::string id_;  ///< Stands before the next line.
};

}  // namespace

std::string format_expression(const Expression& e) {
  switch (e.kind) {
    case ExpressionKind::Number:
    case ExpressionKind::Constant:
    case ExpressionKind::Variable:
      return e.text;
    case ExpressionKind::Text:
      return quoted(e.text);
    case ExpressionKind::Name:
      return "{" + e.text + "}";
    case ExpressionKind::Part:
      return format_expression(e.operands[0]) + "." + e.text;
    case ExpressionKind::Source:
      return e.text + " " + format_expression(e.operands[0]);
    case ExpressionKind::Call:
      return fmt::format("{}({})", e.text, list_of(e.operands, ", "));
    case ExpressionKind::Group:
      return "(" + format_expression(e.operands[0]) + ")";
    case ExpressionKind::Unary:
      return e.text + (e.text == "NOT" ? " " : "") + format_expression(e.operands[0]);
    case ExpressionKind::Binary:
      break;
  }
  const std::string between = e.text == "^" ? "^" : " " + e.text + " ";
  return format_expression(e.operands[0]) + between + format_expression(e.operands[1]);
}

std::string format_file(const Block& statements) {
  Writer writer;
  writer.block(statements);
  return writer.text;
}

std::string statement_word(const Statement& statement) {
  const std::string text = format_file({statement});
  const std::size_t begin = statement.id.empty() ? 0 : statement.id.size() + 1;
  const std::string word = text.substr(begin, text.find_first_of(" \n", begin) - begin);
  return std::holds_alternative<AssignStatement>(statement.body) ? "assignment" : word;
}

}  // namespace sinew::language
