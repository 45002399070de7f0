// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include "apps/cli/command.h"

namespace sinew::cli {
namespace {

// Text as man(7) wants it: a backslash, a dash that is meant as typed, and a dot or quote that begins a line.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n')) out += "\\&";
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
  }
  return out;
}

std::string heading(std::string_view name, std::string_view summary) {
  return fmt::format(".TH {} 1 \"\" \"Sinew {}\" \"Sinew\"\n.SH NAME\n{} \\- {}\n", escaped(name),
                     SINEW_VERSION, escaped(name), escaped(summary));
}

std::string option_items(std::span<const Option> options) {
  std::string out;
  for (const Option& option : options) {
    const std::string brief = option.short_name.empty() ? "" : fmt::format("{}, ", option.short_name);
    out += fmt::format(".TP\n\\fB{}{}\\fR", escaped(brief), escaped(option.name));
    if (!option.value_name.empty()) out += fmt::format(" \\fI{}\\fR", escaped(option.value_name));
    out += fmt::format("\n{}", escaped(option.help));
    if (!option.fallback.empty()) out += fmt::format(" (default: {})", escaped(option.fallback));
    out += "\n";
  }
  return out;
}

}  // namespace

std::string page_name(const Command& command) {
  std::string name = fmt::format("sinew-{}", command.name);
  for (char& c : name) c = c == ' ' ? '-' : c;
  return name;
}

std::string manual_page(const Command& command) {
  std::string out = heading(page_name(command), command.summary);
  out += fmt::format(".SH SYNOPSIS\n{}\n", escaped(usage_of(command)));
  if (!command.details.empty()) out += fmt::format(".SH DESCRIPTION\n{}\n", escaped(command.details));
  if (!command.arguments.empty()) {
    out += ".SH ARGUMENTS\n";
    for (const Argument& argument : command.arguments) {
      out += fmt::format(".TP\n\\fI{}\\fR\n{}\n", escaped(argument.name), escaped(argument.help));
    }
  }
  out += ".SH OPTIONS\n" + option_items(command.options) + option_items(common_options());
  if (!command.examples.empty()) {
    out += ".SH EXAMPLES\n.nf\n";
    for (const std::string_view example : command.examples) out += escaped(example) + "\n";
    out += ".fi\n";
  }
  return out + ".SH SEE ALSO\n\\fBsinew\\fR(1)\n";
}

std::string manual_page_of_sinew() {
  std::string out = heading("sinew", "a universal robot controller");
  out += ".SH SYNOPSIS\nsinew COMMAND …\n.SH COMMANDS\n";
  for (const Command& command : all_commands()) {
    out += fmt::format(".TP\n\\fB{}\\fR\n{}\n", escaped(command.name), escaped(command.summary));
  }
  out += ".SH OPTIONS\n" + option_items(common_options());
  out += ".SH SEE ALSO\n";
  for (const Command& command : all_commands())
    out += fmt::format("\\fB{}\\fR(1)\n", escaped(page_name(command)));
  return out;
}

}  // namespace sinew::cli
