// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/model/findings.h"
#include "sinew/spatial/pose.h"

namespace sinew {

enum class YamlKind { Nothing, Text, List, Map };

/// A value in a YAML file and where it stands.
struct YamlNode {
  YamlKind kind = YamlKind::Nothing;
  std::string key;                 ///< In a map: the name of this entry.
  std::string text;                ///< Text: as written, without quotes.
  std::vector<YamlNode> children;  ///< List: its items. Map: its entries, in the file's order.
  Place place;
};

inline constexpr std::size_t kMostYamlNodes = 100'000;
inline constexpr std::size_t kMostYamlDepth = 32;

/// The one document in `text`. Anchors, aliases, keys that are no plain text and keys that stand twice are
/// refused.
Result<YamlNode> parse_yaml(std::string_view text, std::string_view file);

/// The entry of a map; null when there is none.
const YamlNode* entry_of(const YamlNode& map, std::string_view key);

/// Lays `over` upon `base`: maps entry by entry, everything else whole.
void lay_over(const YamlNode& over, YamlNode& base);

// Values that must be what they are read as; else they are refused at their place, and a harmless value is
// returned.

/// Refuses what is no map, and entries that are not among `known`.
bool expect_map(const YamlNode& node, std::initializer_list<std::string_view> known, Findings& findings);

/// Refuses what is no map; any key may stand in it.
bool expect_map_of_any(const YamlNode& node, Findings& findings);

bool expect_list(const YamlNode& node, Findings& findings);

std::string text_from(const YamlNode& node, Findings& findings);
double number_from(const YamlNode& node, Findings& findings);
Vector3 vector_from(const YamlNode& node, Findings& findings);

/// The text of an entry that must be there.
std::string required_entry(const YamlNode& map, std::string_view key, Findings& findings);

}  // namespace sinew
