// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/model/xml.h"

#include <tinyxml2.h>

#include <algorithm>

#include <fmt/format.h>

#include "sinew/model/text_input.h"

namespace sinew {
namespace {

std::string xml_error_text(const tinyxml2::XMLDocument& document) {
  switch (document.ErrorID()) {
    case tinyxml2::XML_ERROR_EMPTY_DOCUMENT:
      return "there is no XML in it; is it the right file?";
    case tinyxml2::XML_ELEMENT_DEPTH_EXCEEDED:
      return fmt::format("elements are nested more than {} deep; a robot's are not", kMostXmlDepth);
    case tinyxml2::XML_ERROR_MISMATCHED_ELEMENT:
      return "an element is closed by another's end; check that each <tag> has its </tag>";
    case tinyxml2::XML_ERROR_PARSING_ATTRIBUTE:
      return "an attribute is not written name=\"value\", or stands twice; mend it";
    case tinyxml2::XML_ERROR_PARSING:
      return "the file ends within an element; check that each <tag> has its </tag>";
    default:
      return fmt::format("this is not XML ({}); mend it", document.ErrorName());
  }
}

// Copies tinyxml2's tree into ours. Its depth is bounded by tinyxml2 itself.
class TreeCopy {
 public:
  TreeCopy(std::string_view file, Findings& findings) : file_(file), findings_(findings) {}

  XmlElement copy(const tinyxml2::XMLElement& from) {
    XmlElement element;
    element.name = from.Name();
    element.place = {.file = file_, .line = from.GetLineNum()};
    if (++count_ > kMostXmlElements) {
      findings_.refuse(element.place, fmt::format("there are more than {} elements", kMostXmlElements),
                       "a robot has fewer");
      return element;
    }
    for (const auto* a = from.FirstAttribute(); a != nullptr; a = a->Next()) {
      element.attributes.push_back({.name = a->Name(), .value = a->Value()});
    }
    for (const auto* node = from.FirstChild(); node != nullptr && !findings_.has_error();
         node = node->NextSibling()) {
      if (const auto* child = node->ToElement()) element.children.push_back(copy(*child));
      if (const auto* text = node->ToText()) element.text += text->Value();
      refuse_document_type(*node);
    }
    return element;
  }

  // Only a document type can define entities, so this is what keeps "billion laughs" out.
  void refuse_document_type(const tinyxml2::XMLNode& node) {
    if (node.ToUnknown() == nullptr) return;
    findings_.refuse(
        {file_, node.GetLineNum()},
        fmt::format("<!{}> is not read: document types and entities are not for robots", shown(node.Value())),
        "remove it");
  }

 private:
  std::string file_;
  Findings& findings_;
  std::size_t count_ = 0;
};

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '&') {
      result += "&amp;";
    } else if (c == '<') {
      result += "&lt;";
    } else if (c == '>') {
      result += "&gt;";
    } else if (c == '"') {
      result += "&quot;";
    } else {
      result += c;
    }
  }
  return result;
}

void append_element(const XmlElement& element, std::size_t depth, std::string& out) {
  const std::string indent(2 * depth, ' ');
  out += indent + "<" + element.name;
  for (const XmlAttribute& attribute : element.attributes) {
    out += " " + attribute.name + "=\"" + escaped(attribute.value) + "\"";
  }
  const std::string text = escaped(trimmed(element.text));
  if (element.children.empty()) {
    out += text.empty() ? "/>\n" : ">" + text + "</" + element.name + ">\n";
    return;
  }
  out += ">" + text + "\n";
  for (const XmlElement& child : element.children) append_element(child, depth + 1, out);
  out += indent + "</" + element.name + ">\n";
}

Result<XmlElement> root_of(const tinyxml2::XMLDocument& document, std::string_view file) {
  Findings findings;
  TreeCopy tree(file, findings);
  const tinyxml2::XMLElement* root = nullptr;
  for (const auto* node = document.FirstChild(); node != nullptr; node = node->NextSibling()) {
    const Place place{.file = std::string(file), .line = node->GetLineNum()};
    tree.refuse_document_type(*node);
    if (node->ToText() != nullptr) {
      findings.refuse(place, "there is text outside the root element", "remove it");
    }
    if (node->ToElement() == nullptr) continue;
    if (root != nullptr) {
      findings.refuse(place, fmt::format("<{}> is a second root element", shown(node->Value())),
                      "keep one, with everything inside it");
    }
    root = node->ToElement();
  }
  if (root == nullptr)
    findings.refuse({std::string(file), 0}, "there is no element in it", "is it the right file?");
  if (findings.has_error()) return findings.error();
  XmlElement copy = tree.copy(*root);
  if (findings.has_error()) return findings.error();
  return copy;
}

}  // namespace

namespace {

// A declaration that comes after comments is no XML; many files have one, and it says nothing that matters
// here.
std::string without_late_declaration(std::string_view text) {
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  std::size_t at = text.starts_with(kMark) ? kMark.size() : 0;
  bool is_late = false;
  for (;;) {
    at = std::min(text.find_first_not_of(" \t\r\n", at), text.size());
    if (!text.substr(at).starts_with("<!--")) break;
    const std::size_t end = text.find("-->", at);
    if (end == std::string_view::npos) break;
    at = end + 3;
    is_late = true;
  }
  std::string result(text);
  const std::size_t end = text.find("?>", at);
  if (!is_late || !text.substr(at).starts_with("<?xml") || end == std::string_view::npos) return result;
  // lines are counted on
  std::replace_if(
      result.begin() + static_cast<std::ptrdiff_t>(at), result.begin() + static_cast<std::ptrdiff_t>(end + 2),
      [](char c) { return c != '\n'; }, ' ');
  return result;
}

}  // namespace

Result<XmlElement> parse_xml(std::string_view raw, std::string_view file) {
  if (Status checked = check_text(raw, file); !checked) return checked.error();
  const std::string text = without_late_declaration(raw);
  tinyxml2::XMLDocument document;
  if (document.Parse(text.data(), text.size()) != tinyxml2::XML_SUCCESS) {
    return Error{ErrorCode::InvalidInput,
                 fmt::format("{}: {}", place_text({std::string(file), document.ErrorLineNum()}),
                             xml_error_text(document))};
  }
  return root_of(document, file);
}

std::string xml_text(const XmlElement& root) {
  std::string text = "<?xml version=\"1.0\"?>\n";
  append_element(root, 0, text);
  return text;
}

const std::string* attribute_of(const XmlElement& element, std::string_view name) {
  for (const XmlAttribute& attribute : element.attributes) {
    if (attribute.name == name) return &attribute.value;
  }
  return nullptr;
}

const XmlElement* child_of(const XmlElement& element, std::string_view name) {
  for (const XmlElement& child : element.children) {
    if (child.name == name) return &child;
  }
  return nullptr;
}

std::string required_text(const XmlElement& element, std::string_view name, Findings& findings) {
  const std::string* value = attribute_of(element, name);
  if (value != nullptr && !trimmed(*value).empty()) return std::string(trimmed(*value));
  findings.refuse(element.place, fmt::format("<{}> has no '{}'", element.name, name),
                  fmt::format("write {}=\"…\"", name));
  return {};
}

double number_or(const XmlElement& element, std::string_view name, double fallback, Findings& findings) {
  const std::string* value = attribute_of(element, name);
  if (value == nullptr) return fallback;
  if (const auto number = parse_number(*value)) return *number;
  findings.refuse(element.place,
                  fmt::format("'{}' of <{}> is '{}', not a finite number", name, element.name, shown(*value)),
                  "write a number such as 0.5");
  return fallback;
}

Vector3 vector_or(const XmlElement& element, std::string_view name, const Vector3& fallback,
                  Findings& findings) {
  const std::string* value = attribute_of(element, name);
  if (value == nullptr) return fallback;
  const auto numbers = parse_numbers(*value, 3);
  if (numbers && numbers->size() == 3) return {(*numbers)[0], (*numbers)[1], (*numbers)[2]};
  findings.refuse(
      element.place,
      fmt::format("'{}' of <{}> is '{}', not three finite numbers", name, element.name, shown(*value)),
      "write three numbers with blanks between them, such as \"0 0 0.5\"");
  return fallback;
}

}  // namespace sinew
