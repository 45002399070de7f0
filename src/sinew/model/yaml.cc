// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/model/yaml.h"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include "sinew/base/text.h"
#include "sinew/model/text_input.h"

namespace sinew {
namespace {

// Builds our tree from yaml-cpp's events. Without aliases, the tree is never larger than its text.
class YamlBuilder : public YAML::EventHandler {
 public:
  YamlBuilder(std::string_view file, Findings& findings) : file_(file), findings_(findings) {}

  YamlNode take() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark& /*mark*/) override {}
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    add({.kind = YamlKind::Nothing, .place = place(mark)}, anchor);
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t /*anchor*/) override { refuse_anchor(place(mark)); }

  void OnScalar(const YAML::Mark& mark, const std::string& /*tag*/, YAML::anchor_t anchor,
                const std::string& value) override {
    YamlNode* map = open_.empty() ? nullptr : open_.back();
    if (map != nullptr && map->kind == YamlKind::Map && !has_key_) {
      begin_entry(*map, value, place(mark));
      return;
    }
    add({.kind = YamlKind::Text, .text = value, .place = place(mark)}, anchor);
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& /*tag*/, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value /*style*/) override {
    begin({.kind = YamlKind::List, .place = place(mark)}, anchor);
  }
  void OnSequenceEnd() override { end(); }

  void OnMapStart(const YAML::Mark& mark, const std::string& /*tag*/, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value /*style*/) override {
    begin({.kind = YamlKind::Map, .place = place(mark)}, anchor);
  }
  void OnMapEnd() override { end(); }

 private:
  Place place(const YAML::Mark& mark) const { return {.file = file_, .line = mark.line + 1}; }

  void refuse_anchor(const Place& at) {
    findings_.refuse(at, "anchors and aliases are not read", "write the value out");
  }

  void begin_entry(const YamlNode& map, const std::string& name, const Place& at) {
    for (const YamlNode& entry : map.children) {
      if (entry.key != name) continue;
      findings_.refuse(
          at, fmt::format("'{}' stands twice; the first is in line {}", shown(name), entry.place.line),
          "keep one of them");
    }
    key_ = name;
    key_place_ = at;
    has_key_ = true;
  }

  YamlNode* add(YamlNode node, YAML::anchor_t anchor) {
    if (anchor != 0) refuse_anchor(node.place);
    if (++count_ > kMostYamlNodes) {
      findings_.refuse(node.place, fmt::format("there are more than {} values", kMostYamlNodes),
                       "a robot has fewer");
    }
    if (findings_.has_error()) return nullptr;
    if (open_.empty()) {
      root_ = std::move(node);
      return &root_;
    }
    YamlNode& parent = *open_.back();
    if (parent.kind == YamlKind::Map && !has_key_) {
      findings_.refuse(node.place, "a key must be plain text", "write 'key: value'");
      return nullptr;
    }
    if (parent.kind == YamlKind::Map) {
      node.key = key_;
      node.place = key_place_;
      has_key_ = false;
    }
    parent.children.push_back(std::move(node));
    return &parent.children.back();
  }

  // Pointers into the tree stay good: only the innermost open node grows.
  void begin(YamlNode node, YAML::anchor_t anchor) {
    ++depth_;
    if (depth_ > kMostYamlDepth) {
      findings_.refuse(node.place, fmt::format("values are nested more than {} deep", kMostYamlDepth),
                       "flatten them");
    }
    if (YamlNode* added = add(std::move(node), anchor)) open_.push_back(added);
  }

  // After a refusal nothing is opened any more, and what is built no longer counts.
  void end() {
    --depth_;
    if (!findings_.has_error()) open_.pop_back();
  }

  std::string file_;
  Findings& findings_;
  YamlNode root_;
  std::vector<YamlNode*> open_;
  std::string key_;
  Place key_place_;
  bool has_key_ = false;
  std::size_t depth_ = 0;
  std::size_t count_ = 0;
};

std::string_view kind_text(YamlKind kind) {
  switch (kind) {
    case YamlKind::Nothing:
      return "nothing";
    case YamlKind::Text:
      return "a text";
    case YamlKind::List:
      return "a list";
    case YamlKind::Map:
      break;
  }
  return "a map";
}

void refuse_kind(const YamlNode& node, std::string_view wanted, Findings& findings) {
  const std::string name = node.key.empty() ? "this value" : fmt::format("'{}'", shown(node.key));
  findings.refuse(node.place, fmt::format("{} is {}, not {}", name, kind_text(node.kind), wanted),
                  "'sinew new' writes a robot.yaml to look at");
}

}  // namespace

Result<YamlNode> parse_yaml(std::string_view text, std::string_view file) {
  if (Status checked = check_text(text, file); !checked) return checked.error();
  Findings findings;
  YamlBuilder builder(file, findings);
  try {
    std::istringstream stream{std::string(text)};
    YAML::Parser parser(stream);
    if (!parser.HandleNextDocument(builder)) {
      findings.refuse({std::string(file), 0}, "it is empty", "name at least the urdf");
    }
  } catch (const YAML::Exception& exception) {
    const int line = exception.mark.is_null() ? 0 : exception.mark.line + 1;
    findings.refuse({std::string(file), line}, fmt::format("this is not YAML ({})", shown(exception.msg)),
                    "check blanks and colons");
  }
  if (findings.has_error()) return findings.error();
  return builder.take();
}

void lay_over(const YamlNode& over, YamlNode& base) {
  if (over.kind != YamlKind::Map || base.kind != YamlKind::Map) {
    base = over;
    return;
  }
  for (const YamlNode& entry : over.children) {
    const auto known = std::find_if(base.children.begin(), base.children.end(),
                                    [&](const YamlNode& child) { return child.key == entry.key; });
    if (known == base.children.end()) {
      base.children.push_back(entry);
    } else {
      lay_over(entry, *known);
    }
  }
}

const YamlNode* entry_of(const YamlNode& map, std::string_view key) {
  for (const YamlNode& child : map.children) {
    if (child.key == key) return &child;
  }
  return nullptr;
}

bool expect_map_of_any(const YamlNode& node, Findings& findings) {
  if (node.kind == YamlKind::Map) return true;
  refuse_kind(node, "a map of 'key: value'", findings);
  return false;
}

bool expect_map(const YamlNode& node, std::initializer_list<std::string_view> known, Findings& findings) {
  if (!expect_map_of_any(node, findings)) return false;
  const std::vector<std::string> names(known.begin(), known.end());
  for (const YamlNode& entry : node.children) {
    if (std::find(names.begin(), names.end(), entry.key) != names.end()) continue;
    findings.refuse(
        entry.place,
        fmt::format("the key '{}' is not known{}", shown(entry.key), did_you_mean(entry.key, names)),
        fmt::format("known here: {}", fmt::join(names, ", ")));
    return false;
  }
  return true;
}

bool expect_list(const YamlNode& node, Findings& findings) {
  if (node.kind == YamlKind::List) return true;
  refuse_kind(node, "a list", findings);
  return false;
}

std::string text_from(const YamlNode& node, Findings& findings) {
  if (node.kind == YamlKind::Text && !trimmed(node.text).empty()) return node.text;
  refuse_kind(node, "a text", findings);
  return {};
}

double number_from(const YamlNode& node, Findings& findings) {
  if (node.kind != YamlKind::Text) {
    refuse_kind(node, "a number", findings);
    return 0.0;
  }
  if (const auto number = parse_number(node.text)) return *number;
  findings.refuse(node.place,
                  fmt::format("'{}' is '{}', not a finite number", shown(node.key), shown(node.text)),
                  "write a number such as 0.5");
  return 0.0;
}

Vector3 vector_from(const YamlNode& node, Findings& findings) {
  if (node.kind == YamlKind::List && node.children.size() == 3) {
    Vector3 vector(number_from(node.children[0], findings), number_from(node.children[1], findings),
                   number_from(node.children[2], findings));
    return vector;
  }
  refuse_kind(node, "three numbers such as [0, 0, 0.1]", findings);
  return Vector3::Zero();
}

std::string required_entry(const YamlNode& map, std::string_view key, Findings& findings) {
  if (const YamlNode* entry = entry_of(map, key)) return text_from(*entry, findings);
  findings.refuse(map.place, fmt::format("'{}' is missing here", key), fmt::format("write '{}: …'", key));
  return {};
}

}  // namespace sinew
