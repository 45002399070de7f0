// SPDX-License-Identifier: BSD-3-Clause
#include "apps/web/program_words.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sinew/language/check.h"
#include "sinew/language/parser.h"
#include "sinew/mesh/mesh_points.h"
#include "sinew/model/site.h"
#include "sinew/motion/program_file.h"
#include "sinew/planning/planning_robot.h"

#include "apps/cli/program_check_robot.h"
#include "apps/web/json_values.h"
#include "apps/web/program_store.h"

namespace sinew {
namespace {

using Json = nlohmann::ordered_json;
using language::Block;
using language::Finding;
using language::Statement;

constexpr std::uint64_t kMostActions = 5000;  // of a walk; loops of palletisers are longer, and say the same
constexpr std::size_t kMostLabel = 100;       // letters
constexpr double kShortestPeriod = 0.04;      // [s] between postures of the ghost
constexpr std::size_t kMostPostures = 3000;

class Lines {
 public:
  explicit Lines(std::string_view text) {
    while (true) {
      const std::size_t end = text.find('\n');
      lines_.push_back(text.substr(0, end));
      if (end == std::string_view::npos) return;
      text.remove_prefix(end + 1);
    }
  }
  std::string label(std::uint32_t line) const {
    if (line == 0 || line > lines_.size()) return {};
    std::string_view text = lines_[line - 1];
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
    return std::string(text.substr(0, kMostLabel));
  }

 private:
  std::vector<std::string_view> lines_;
};

Json tree_of(const Block& block, const Lines& lines);

struct NodeOf {
  const Lines& lines;
  Json node;

  void branch(std::string_view kind, const Block& body) {
    node["kind"] = kind;
    node["children"] = tree_of(body, lines);
  }
  void operator()(const language::MoveStatement&) { node["kind"] = "move"; }
  void operator()(const language::GripperStatement&) { node["kind"] = "gripper"; }
  void operator()(const language::OutputStatement&) { node["kind"] = "output"; }
  void operator()(const language::WaitStatement&) { node["kind"] = "wait"; }
  void operator()(const language::WaitUntilStatement&) { node["kind"] = "wait"; }
  void operator()(const language::CallStatement&) { node["kind"] = "call"; }
  void operator()(const language::AssignStatement&) { node["kind"] = "set"; }
  void operator()(const language::WhileStatement& loop) { branch("loop", loop.body); }
  void operator()(const language::ForStatement& loop) { branch("loop", loop.body); }
  void operator()(const language::SubStatement& sub) { branch("sub", sub.body); }
  void operator()(const language::IfStatement& choice) {
    node["kind"] = "if";
    Json clauses = Json::array();
    for (const language::IfClause& clause : choice.clauses)
      clauses.push_back({{"line", clause.place.line},
                         {"label", lines.label(clause.place.line)},
                         {"kind", "clause"},
                         {"children", tree_of(clause.body, lines)}});
    node["children"] = std::move(clauses);
  }
  template <class Other>
  void operator()(const Other&) {
    node["kind"] = "other";
  }
};

Json tree_of(const Block& block, const Lines& lines) {
  Json nodes = Json::array();
  for (const Statement& statement : block) {
    if (std::holds_alternative<language::CommentStatement>(statement.body)) continue;
    NodeOf node{lines, {{"line", statement.place.line}, {"label", lines.label(statement.place.line)}}};
    std::visit(node, statement.body);
    nodes.push_back(std::move(node.node));
  }
  return nodes;
}

Json findings_json(const std::vector<Finding>& findings, const std::vector<std::string>& files) {
  Json all = Json::array();
  for (const Finding& finding : findings)
    all.push_back({{"file", files[finding.place.file]},
                   {"line", finding.place.line},
                   {"column", finding.place.column},
                   {"severity", finding.severity == language::Severity::Error ? "error" : "warning"},
                   {"message", finding.text}});
  return all;
}

/// The postures that a robot would go through.
class Ghost {
 public:
  explicit Ghost(const RobotModel& model) : model_(model) {}

  void add(const ProgramStretch& stretch) {
    const std::uint32_t line = stretch.places.empty() ? 0 : stretch.places.front().line;
    for (; next_ < seconds_ + stretch.seconds; next_ += period_) {
      if (positions_.size() >= kMostPostures) thin_out();
      positions_.push_back(posture(stretch, next_ - seconds_));
      lines_.push_back(stretch.planned != nullptr ? line_at(stretch, next_ - seconds_) : line);
    }
    seconds_ += stretch.seconds;
    last_ = posture(stretch, stretch.seconds);
    last_line_ = stretch.places.empty() ? 0 : stretch.places.back().line;
  }

  Json json() {
    if (!last_.empty()) {
      positions_.push_back(last_);
      lines_.push_back(last_line_);
    }
    Json names = Json::array();
    for (const std::size_t joint : model_.positions) names.push_back(model_.joints[joint].name);
    return {{"seconds", rounded(seconds_)},
            {"period", period_},
            {"joints", std::move(names)},
            {"positions", positions_},
            {"lines", lines_}};
  }

 private:
  static std::vector<double> posture(const ProgramStretch& stretch, double t) {
    std::vector<double> q = stretch.from;
    if (stretch.planned != nullptr) {
      std::size_t joint = 0;
      for (std::uint64_t left = stretch.planned->joint_mask; left != 0; left &= left - 1)
        if (joint < stretch.planned->trajectory.joint_count())
          q[static_cast<std::size_t>(std::countr_zero(left))] =
              stretch.planned->trajectory.at(joint++, t).value;
    }
    for (double& value : q) value = rounded(value);
    return q;
  }

  static std::uint32_t line_at(const ProgramStretch& stretch, double t) {
    const auto& spans = stretch.planned->spans;
    for (std::size_t i = 0; i < std::min(spans.size(), stretch.places.size()); ++i)
      if (t <= spans[i].end) return stretch.places[i].line;
    return stretch.places.empty() ? 0 : stretch.places.back().line;
  }

  // every second one goes, and from now on they are twice as far apart
  void thin_out() {
    for (std::size_t i = 0; 2 * i < positions_.size(); ++i) {
      positions_[i] = std::move(positions_[2 * i]);
      lines_[i] = lines_[2 * i];
    }
    positions_.resize((positions_.size() + 1) / 2);
    lines_.resize(positions_.size());
    period_ *= 2.0;
    next_ = period_ * static_cast<double>(positions_.size());
  }

  const RobotModel& model_;
  double period_ = kShortestPeriod;
  double seconds_ = 0.0;
  double next_ = 0.0;
  std::vector<std::vector<double>> positions_;
  std::vector<std::uint32_t> lines_;
  std::vector<double> last_;
  std::uint32_t last_line_ = 0;
};

// Only programs of the same folder.
language::IncludeReader reader_of(const std::filesystem::path& folder) {
  return [store = ProgramStore(folder)](std::string_view path,
                                        std::string_view) -> Result<language::IncludedText> {
    auto text = store.read(path);
    if (!text) return text.error();
    return language::IncludedText{std::string(path), *std::move(text)};
  };
}

Status judge_moves(const ProgramQuestion& question, const language::Program& program, Json& answer,
                   std::vector<Finding>& findings) {
  auto robot = load_planning_robot({.robot = question.model, .arm = question.arm}, points_of_mesh);
  if (!robot) return robot.error();
  if (!question.site.empty()) {
    if (Status fits = apply_site_text(question.site, kSiteFile, robot->chosen.robot.model); !fits)
      return fits;
  }
  const ChosenChain& chosen = robot->chosen;
  auto arm = cli::CheckedArm::make(chosen);
  if (!arm) return arm.error();
  if (question.q.size() == chosen.robot.model.positions.size()) (*arm)->stand_at(question.q);
  if (Status fits = (*arm)->look_around(question.world.get(), question.seen.get()); !fits) return fits;
  Ghost ghost(chosen.robot.model);
  (*arm)->judge().on_stretch([&](const ProgramStretch& stretch) { ghost.add(stretch); });
  const language::CheckReport report =
      check_program(program, (*arm)->robot(), &(*arm)->judge(), {.most_actions = kMostActions});
  findings.insert(findings.end(), report.findings.all().begin(), report.findings.all().end());
  answer["moves"] = report.moves;
  answer["whole"] = report.is_whole;
  answer["assumption"] = report.assumes_objects ? Json(cli::assumption_text(cli::kSeenNow)) : Json(nullptr);
  const auto seconds = (*arm)->judge().cycle_time();
  answer["seconds"] = seconds && report.is_whole ? Json(rounded(*seconds)) : Json(nullptr);
  answer["ghost"] = ghost.json();
  return Done{};
}

}  // namespace

Result<Json> look_at_program(const ProgramQuestion& question) {
  const language::ParsedProgram parsed =
      language::parse_program(question.text, question.name, reader_of(question.folder));
  std::vector<Finding> findings = parsed.findings.all();
  const Lines lines(question.text);
  Json answer{{"tree", parsed.program.files.empty()
                           ? Json::array()
                           : tree_of(parsed.program.files.front().statements, lines)}};
  if (!parsed.findings.has_errors()) {
    if (question.wants_moves) {
      if (Status judged = judge_moves(question, parsed.program, answer, findings); !judged)
        return judged.error();
    } else {
      language::FindingList more;
      check_names_and_types(parsed.program, language::OpenWorld{}, more);
      findings.insert(findings.end(), more.all().begin(), more.all().end());
    }
  }
  answer["ok"] = std::ranges::none_of(
      findings, [](const Finding& finding) { return finding.severity == language::Severity::Error; });
  answer["findings"] = findings_json(findings, parsed.program.file_names());
  return answer;
}

}  // namespace sinew
