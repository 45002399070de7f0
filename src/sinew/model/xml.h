// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/model/findings.h"
#include "sinew/spatial/pose.h"

namespace sinew {

struct XmlAttribute {
  std::string name;
  std::string value;
};

/// An element of an XML file, with the place where it was written: what is included or expanded from
/// elsewhere still knows where it came from.
struct XmlElement {
  std::string name;  ///< With its prefix, as in "xacro:macro".
  std::vector<XmlAttribute> attributes;
  std::vector<XmlElement> children;
  std::string text;  ///< All text directly in it.
  Place place;
};

/// Bounds that no robot comes near.
inline constexpr std::size_t kMostXmlElements = 100'000;
inline constexpr std::size_t kMostXmlDepth = 100;

/// The root element of `text`. `file` is for messages. Comments are dropped; a document type, and with it
/// every entity of one's own, is refused.
Result<XmlElement> parse_xml(std::string_view text, std::string_view file);

/// `root` as an XML file, indented.
std::string xml_text(const XmlElement& root);

/// Null when there is none.
const std::string* attribute_of(const XmlElement& element, std::string_view name);

/// The first child of that name; null when there is none.
const XmlElement* child_of(const XmlElement& element, std::string_view name);

// Values of attributes. What is not as it should be is refused at the element's place, and a harmless value
// is returned.

/// An attribute that must be there and not be empty.
std::string required_text(const XmlElement& element, std::string_view name, Findings& findings);

/// A finite number; `fallback` when the attribute is missing.
double number_or(const XmlElement& element, std::string_view name, double fallback, Findings& findings);

/// Three finite numbers; `fallback` when the attribute is missing.
Vector3 vector_or(const XmlElement& element, std::string_view name, const Vector3& fallback,
                  Findings& findings);

}  // namespace sinew
