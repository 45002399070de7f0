// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/base/time.h"
#include "sinew/viewers/edition.h"

namespace sinew::viewers {

/// The longest message that is taken from a client [bytes].
inline constexpr std::size_t kLargestMessage = 64 * 1024;

/// A message as it came, or as it is to go.
struct Message {
  bool is_text = true;
  std::string bytes;
  /// Of outgoing ones. 0: kept in order. Above: the newest counts, one that has not begun to go out is
  /// replaced.
  std::uint32_t stream = 0;
};
using Messages = std::vector<Message>;

/// A client wants joints to go somewhere. Names are the robot's, each once; numbers are finite.
struct JointWish {
  std::vector<std::string> names;
  std::vector<double> positions;  ///< [rad, m]
};
/// A client wants the robot to stop.
struct StopWish {};
/// A client says who it is; to be checked, and answered by tell().
struct Credentials {
  std::string session;  ///< As after "Authorization: Bearer".
  std::string control;  ///< As in X-Sinew-Control; may be empty.
};
/// A client wants a file that the robot's description names; to be answered by give().
struct AssetWish {
  std::uint32_t request = 0;  ///< The client's number.
  std::string uri;            ///< "package://…"
};
using Wish = std::variant<JointWish, StopWish, Credentials, AssetWish>;

/// What comes of a message: what to send back, and what the client wants of the robot.
struct Taken {
  Messages answers;
  std::optional<Wish> wish;
};

/// Whether this client may move the robot, as the owner of the control token says.
struct Permit {
  bool may_command = false;
  std::string why_not = "it does not have the control token";
};

enum class Level : std::uint32_t { Info = 0, Warning = 1, Error = 2 };

/// One client of a protocol, as a machine that takes messages and gives messages: it knows no sockets, and
/// whatever bytes come, it stays bounded. One thread.
class ViewerSession {
 public:
  virtual ~ViewerSession() = default;

  /// To be sent first: who we are, and what there is.
  virtual Messages greeting() const = 0;

  /// What comes of a message of the client.
  virtual Taken take(const Message& message, const Permit& permit, std::int64_t now_ns) = 0;

  /// What the client has asked for and not yet seen of `edition`.
  virtual Messages publish(Edition& edition, std::int64_t now_ns) = 0;

  /// A word to the person at the other end, such as what became of a wish.
  virtual Messages tell(Level level, std::string_view text) const = 0;

  /// The file that a client wanted, or why it cannot have it.
  virtual Messages give(const AssetWish& wish, const Result<std::string>& file) const = 0;

  /// Whether it listens to anything.
  virtual bool has_subscriptions() const = 0;
};

/// So many words a second for a client that errs all the time; beyond them it errs unheard.
class ComplaintLimit {
 public:
  static constexpr std::uint32_t kMostPerSecond = 20;

  bool allows(std::int64_t now_ns) {
    if (count_ == 0 || now_ns - since_ns_ >= kSecond_ns) {
      since_ns_ = now_ns;
      count_ = 0;
    }
    if (count_ >= kMostPerSecond) return false;
    ++count_;
    return true;
  }

 private:
  std::int64_t since_ns_ = 0;
  std::uint32_t count_ = 0;
};

}  // namespace sinew::viewers
