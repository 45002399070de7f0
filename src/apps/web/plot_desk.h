// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "sinew/base/result.h"
#include "sinew/messages/decode.h"
#include "sinew/messages/schema.h"
#include "sinew/web/server.h"

#include "apps/cli/untyped_channel.h"
#include "apps/web/robot_desk.h"

namespace sinew {

/// The numbers of a message that can be drawn, by name, with unit and meaning; of arrays, how many there are.
nlohmann::ordered_json plot_fields_json(const Schema& schema);

/// Such a number. Refused: no such field, a whole array, a text.
Result<FieldPath> plot_field(const Schema& schema, std::string_view path);

/// Its value in a message; nothing when the message is too short, or has no number there.
std::optional<double> plot_value(const FieldPath& path, std::span<const std::byte> message);

/// What pages draw of any channel of the robot: each says which fields, and gets their newest values. Bounded
/// for each page and for all of them. One thread.
class PlotDesk {
 public:
  static constexpr std::size_t kMostChannels = 4;  ///< Of one page.
  static constexpr std::size_t kMostFields = 16;   ///< Of one page, of all its channels together.
  static constexpr std::size_t kMostOpen = 32;     ///< Channels of all pages.

  /// `robot` must outlive it.
  explicit PlotDesk(RobotDesk& robot) : robot_(robot) {}

  /// {"channel", "fields"}: from now on these of the channel; none: no more. Refused: what is not there, or
  /// too much of it; then everything is as it was.
  Status subscribe(web::SocketNumber page, const nlohmann::ordered_json& words);
  void closed(web::SocketNumber page);

  /// What a page is to be sent now; nothing when it draws nothing.
  std::optional<std::string> text_for(web::SocketNumber page, std::int64_t now_ns);

  /// {"channels": […]}: the robot's, with their fields.
  Result<std::string> channels_text();

 private:
  struct Channel {
    cli::UntypedReader reader;
    sinew_frame frame{};
    bool has_frame = false;
    std::int64_t read_ns = 0;
  };
  struct Wish {
    std::string channel;
    std::vector<FieldPath> fields;
  };

  Status take(web::SocketNumber page, const nlohmann::ordered_json& words);
  Result<Channel*> opened(const cli::RobotLink& link, const std::string& name);
  void close_unused();

  RobotDesk& robot_;
  std::uint64_t opening_ = 0;
  std::map<std::string, Channel> channels_;
  std::map<web::SocketNumber, std::vector<Wish>> pages_;
};

}  // namespace sinew
