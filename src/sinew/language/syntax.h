// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "sinew/language/finding.h"
#include "sinew/language/motion_word.h"

namespace sinew::language {

// A program as it was written: what the parser gives, the formatter prints and the interpreter runs. Numbers
// keep their spelling and brackets stay, so that nothing but blanks is lost.

enum class ExpressionKind {
  Number,    ///< `text` is its spelling, `number` its value.
  Text,      ///< "…"
  Constant,  ///< TRUE, FALSE, PI.
  Variable,  ///< `text` is its name.
  Part,      ///< operands[0].text: x y z roll pitch yaw.
  Source,    ///< IN, AIN, POINT: `text`; operands[0] is a Name or a number.
  Name,      ///< {text}
  Call,      ///< Function `text` with operands.
  Group,     ///< (operands[0])
  Unary,     ///< `text`: - + NOT.
  Binary,    ///< `text`: + - * / MOD ^ == != < <= > >= AND OR.
};

struct Expression {
  ExpressionKind kind = ExpressionKind::Number;
  Place place;
  std::string text;
  double number = 0.0;
  std::vector<Expression> operands;
};

/// The goal of a move: numbers, or one pose or joint positions.
using GoalValues = std::vector<Expression>;

/// An entry of [ ]: `v=250`, `v=50%`, or the bare time of YARC's lines (`key` is empty).
struct MoveOption {
  std::string key;
  Expression value;
  bool is_percent = false;
};

/// The units field, (mm,deg,s), as written: any of length, angle and time.
struct UnitsField {
  Place place;
  std::vector<std::string> units;
};

struct Statement;
using Block = std::vector<Statement>;

/// P0001 MOVEL_RPY_LSPB {TCP} 0.00 1174.40 1176.00 0.00 0.00 0.00 [20] (mm,deg,s) {B}
struct MoveStatement {
  MotionWord motion;
  std::optional<std::string> tool;  ///< Field 3, the moving frame.
  Place tool_place;
  std::vector<GoalValues> goals;     ///< Field 4, separated by `;`.
  std::vector<MoveOption> options;   ///< Field 5.
  std::optional<UnitsField> units;   ///< Field 6.
  std::optional<std::string> frame;  ///< Field 7, the base frame.
  Place frame_place;
  std::optional<Expression> until;
};

struct AssignStatement {
  std::string name;
  Expression value;
};
/// CALL part(1, 2), or x = CALL part(1, 2).
struct CallStatement {
  std::optional<std::string> result;
  std::string name;
  std::vector<Expression> arguments;
};
enum class EndingKind { Stop, Fail, Pause };
/// STOP, FAIL, PAUSE, perhaps with a text.
struct EndingStatement {
  EndingKind kind = EndingKind::Stop;
  std::optional<Expression> text;
};
struct WaitStatement {
  Expression duration;
};
struct WaitUntilStatement {
  Expression condition;
  std::optional<Expression> timeout;
  std::optional<Block> otherwise;
  std::string else_comment;
  std::string end_comment;
};
enum class OutputKind { Set, Reset, Pulse };
struct OutputStatement {
  OutputKind kind = OutputKind::Set;
  Expression output;                ///< A Name or a number.
  std::optional<Expression> value;  ///< SET {x} = value.
  std::optional<Expression> time;   ///< PULSE {x} [time].
};
enum class GripperKind { Open, Close, Width };
struct GripperStatement {
  std::optional<std::string> gripper;
  Place name_place;  ///< Of the gripper's name, where it has one.
  GripperKind kind = GripperKind::Open;
  std::optional<Expression> width;
  std::vector<MoveOption> options;
};
struct PrintStatement {
  std::vector<Expression> items;
};
/// TOOL {x} or FRAME {x}, with a value: a definition.
struct FrameStatement {
  bool is_tool = false;
  std::string name;
  Place name_place;
  std::optional<Expression> value;
};
struct UnitsStatement {
  UnitsField units;
};
enum class SpeedKind { Speed, Acceleration };
enum class SpeedScope { Both, Joint, Line };
struct SpeedStatement {
  SpeedKind kind = SpeedKind::Speed;
  SpeedScope scope = SpeedScope::Both;
  Expression value;
  bool is_percent = false;
};
struct BlendStatement {
  Expression radius;
};
struct PayloadStatement {
  GoalValues values;  ///< Mass, or mass and centre.
};
struct IfClause {
  std::optional<Expression> condition;  ///< Nothing: ELSE.
  Place place;
  Block body;
  std::string comment;  ///< Behind ELSIF or ELSE.
};
struct IfStatement {
  std::vector<IfClause> clauses;
  std::string end_comment;
};
struct WhileStatement {
  Expression condition;
  Block body;
  std::string end_comment;
};
struct ForStatement {
  std::string variable;
  Expression from;
  Expression to;
  std::optional<Expression> step;
  Block body;
  std::string end_comment;
};
struct SubStatement {
  std::string name;
  std::vector<std::string> parameters;
  Block body;
  std::string end_comment;
};
struct ReturnStatement {
  std::optional<Expression> value;
};
enum class LoopJump { Break, Continue };
struct LoopJumpStatement {
  LoopJump kind = LoopJump::Break;
};
/// ON condition DO STOP, FAIL, PAUSE or CALL.
struct OnStatement {
  Expression condition;
  std::variant<EndingStatement, CallStatement> reaction;
};
struct OffStatement {};
struct IncludeStatement {
  std::string path;        ///< As written.
  std::uint32_t file = 0;  ///< Into Program::files.
  bool is_first = false;   ///< False: it was taken in before, and nothing happens here.
};
/// A line that holds only a comment.
struct CommentStatement {};

using StatementBody =
    std::variant<CommentStatement, MoveStatement, AssignStatement, CallStatement, EndingStatement,
                 WaitStatement, WaitUntilStatement, OutputStatement, GripperStatement, PrintStatement,
                 FrameStatement, UnitsStatement, SpeedStatement, BlendStatement, PayloadStatement,
                 IfStatement, WhileStatement, ForStatement, SubStatement, ReturnStatement, LoopJumpStatement,
                 OnStatement, OffStatement, IncludeStatement>;

struct Statement {
  Place place;
  std::string id;       ///< "P0001" or "<1>" before a command; else empty.
  std::string comment;  ///< What stands behind # on its line.
  bool has_blank_line_before = false;
  StatementBody body;
};

struct SourceFile {
  std::string name;
  Block statements;
};

/// A program and all it includes. The first file is the program itself. Never changed after it was parsed.
struct Program {
  std::vector<SourceFile> files;

  std::vector<std::string> file_names() const;
};

}  // namespace sinew::language
