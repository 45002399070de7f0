// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/web/frames.h"

#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "sinew/web/test/client.h"

namespace sinew::web {
namespace {

using Kind = Incoming::Kind;

struct Told {
  Kind kind = Kind::Piece;
  std::string payload;
  CloseCode code = CloseCode::Normal;
  bool operator==(const Told&) const = default;
};

// All that a reader says, given the bytes in pieces of this size; it is asked no more after a mistake.
std::vector<Told> told_of(const std::string& bytes, std::size_t piece = 1000000, std::size_t most = 65536) {
  FrameReader reader(most);
  std::vector<Told> all;
  for (std::size_t begin = 0; begin < bytes.size(); begin += piece) {
    std::string_view part = std::string_view(bytes).substr(begin, piece);
    while (!part.empty()) {
      const auto incoming = reader.next(part);
      if (!incoming) continue;
      all.push_back({incoming->kind, std::string(incoming->payload), incoming->code});
      if (incoming->kind == Kind::Mistake) return all;
    }
  }
  return all;
}

CloseCode mistake_in(const std::string& bytes, std::size_t most = 65536) {
  const auto told = told_of(bytes, 3, most);
  return told.empty() || told.back().kind != Kind::Mistake ? CloseCode::Normal : told.back().code;
}

TEST(Frames, ReadsTheExamplesOfTheStandard) {
  // RFC 6455, section 5.7
  EXPECT_EQ(told_of("\x81\x85\x37\xfa\x21\x3d\x7f\x9f\x4d\x51\x58"),
            (std::vector<Told>{{Kind::Text, "Hello"}}));
  EXPECT_EQ(told_of("\x8a\x85\x37\xfa\x21\x3d\x7f\x9f\x4d\x51\x58"),
            (std::vector<Told>{{Kind::Pong, "Hello"}}));
  EXPECT_EQ(frame_text(FrameKind::Text, "Hello"), "\x81\x05Hello");
  EXPECT_EQ(frame_text(FrameKind::Ping, "Hello"), "\x89\x05Hello");
  EXPECT_EQ(frame_text(FrameKind::Binary, std::string(256, 'x')).substr(0, 4),
            std::string("\x82\x7E\x01\x00", 4));
  EXPECT_EQ(frame_text(FrameKind::Binary, std::string(65536, 'x')).substr(0, 10),
            std::string("\x82\x7F\x00\x00\x00\x00\x00\x01\x00\x00", 10));
}

TEST(Frames, ReadsTheSameHoweverTheBytesAreCut) {
  std::mt19937 random(7);
  std::string bytes;
  std::vector<Told> expected;
  for (const std::size_t size : {0U, 1U, 125U, 126U, 127U, 4096U, 65535U, 65536U}) {
    std::string payload;
    for (std::size_t i = 0; i < size; ++i) payload += static_cast<char>(random());
    bytes += ClientFrame{.kind = 2, .payload = payload}.bytes();
    expected.push_back({Kind::Binary, payload});
  }
  for (const std::size_t piece : {1U, 2U, 3U, 7U, 1000U, 1000000U})
    EXPECT_EQ(told_of(bytes, piece), expected);
}

TEST(Frames, JoinsPiecesAndLetsPingsStandBetweenThem) {
  const std::string bytes = ClientFrame{.kind = 1, .payload = "gr\xc3", .is_last = false}.bytes() +
                            ClientFrame{.kind = 9, .payload = "you?"}.bytes() +
                            ClientFrame{.kind = 0, .payload = "", .is_last = false}.bytes() +
                            ClientFrame{.kind = 0, .payload = "\xbcn"}.bytes() +
                            ClientFrame{.payload = "2"}.bytes();
  for (const std::size_t piece : {1U, 5U, 1000U})
    EXPECT_EQ(told_of(bytes, piece), (std::vector<Told>{{Kind::Piece},
                                                        {Kind::Ping, "you?"},
                                                        {Kind::Piece},
                                                        {Kind::Text, "gr\xc3\xbcn"},
                                                        {Kind::Text, "2"}}));
}

TEST(Frames, RefusesWhatIsAgainstTheRules) {
  const ClientFrame good{.payload = "x"};
  EXPECT_EQ(mistake_in(good.bytes()), CloseCode::Normal);
  EXPECT_EQ(mistake_in(ClientFrame{.payload = "x", .is_masked = false}.bytes()), CloseCode::Protocol);
  for (const unsigned bits : {1U, 2U, 4U, 7U})
    EXPECT_EQ(mistake_in(ClientFrame{.payload = "x", .reserved = bits}.bytes()), CloseCode::Protocol);
  for (const unsigned kind : {3U, 4U, 5U, 6U, 7U, 11U, 12U, 13U, 14U, 15U})
    EXPECT_EQ(mistake_in(ClientFrame{.kind = kind}.bytes()), CloseCode::Protocol) << kind;
  EXPECT_EQ(mistake_in(ClientFrame{.kind = 9, .is_last = false}.bytes()), CloseCode::Protocol);
  EXPECT_EQ(mistake_in(ClientFrame{.kind = 9, .payload = std::string(126, 'x')}.bytes()),
            CloseCode::Protocol);
  EXPECT_EQ(mistake_in(ClientFrame{.kind = 0, .payload = "x"}.bytes()), CloseCode::Protocol);
  EXPECT_EQ(mistake_in(ClientFrame{.payload = "x", .is_last = false}.bytes() + good.bytes()),
            CloseCode::Protocol);
  // lengths that are not in their shortest form, or negative
  EXPECT_EQ(mistake_in(std::string("\x82\xfe\x00\x7d", 4) + "mask"), CloseCode::Protocol);
  EXPECT_EQ(mistake_in(std::string("\x82\xff\x00\x00\x00\x00\x00\x00\xff\xff", 10) + "mask"),
            CloseCode::Protocol);
  EXPECT_EQ(mistake_in(std::string("\x82\xff\x80\x00\x00\x00\x00\x00\x00\x00", 10) + "mask"),
            CloseCode::Protocol);
}

TEST(Frames, RefusesWhatIsTooBigBeforeItHasCome) {
  EXPECT_EQ(mistake_in(ClientFrame{.kind = 2, .payload = std::string(101, 'x')}.bytes().substr(0, 6), 100),
            CloseCode::TooBig);
  EXPECT_EQ(mistake_in(ClientFrame{.kind = 2, .payload = std::string(100, 'x')}.bytes(), 100),
            CloseCode::Normal);
  // all pieces together
  const std::string begin = ClientFrame{.kind = 2, .payload = std::string(60, 'x'), .is_last = false}.bytes();
  EXPECT_EQ(mistake_in(begin + ClientFrame{.kind = 0, .payload = std::string(41, 'x')}.bytes(), 100),
            CloseCode::TooBig);
  EXPECT_EQ(mistake_in(begin + ClientFrame{.kind = 0, .payload = std::string(40, 'x')}.bytes(), 100),
            CloseCode::Normal);
  EXPECT_EQ(mistake_in(std::string("\x82\xff\x7f\xff\xff\xff\xff\xff\xff\xff", 10) + "mask"),
            CloseCode::TooBig);
}

TEST(Frames, TextThatIsNoUtf8IsRefusedAndBinaryMayBeAnything) {
  for (const char* text :
       {"\xff", "\xc0\x80", "\xc1\xbf", "\xe0\x9f\xbf", "\xed\xa0\x80", "\xf0\x8f\xbf\xbf",
        "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\x80", "\xc3(", "\xe2\x82", "\xf0\x9f\x98"}) {
    EXPECT_EQ(mistake_in(ClientFrame{.payload = text}.bytes()), CloseCode::NotUtf8) << text;
    EXPECT_EQ(mistake_in(ClientFrame{.kind = 2, .payload = text}.bytes()), CloseCode::Normal) << text;
  }
  for (const char* text : {"", "abc", "\xc2\x80", "\xe0\xa0\x80", "\xed\x9f\xbf", "\xee\x80\x80",
                           "\xf0\x9f\x98\x80", "\xf4\x8f\xbf\xbf", "\xef\xbf\xbf"})
    EXPECT_EQ(told_of(ClientFrame{.payload = text}.bytes(), 1), (std::vector<Told>{{Kind::Text, text}}))
        << text;
}

TEST(Frames, ACloseSaysWhyOrNothingOrIsAMistake) {
  const auto close = [](const std::string& payload) {
    return told_of(ClientFrame{.kind = 8, .payload = payload}.bytes()).at(0);
  };
  EXPECT_EQ(close(""), (Told{Kind::Close, "", CloseCode::NothingSaid}));
  EXPECT_EQ(close("\x03\xe8"), (Told{Kind::Close, "", CloseCode::Normal}));
  EXPECT_EQ(close("\x03\xe9 bye"), (Told{Kind::Close, " bye", CloseCode::GoingAway}));
  EXPECT_EQ(close("\x0f\xa1").code, static_cast<CloseCode>(4001));
  EXPECT_EQ(close("\x03").code, CloseCode::Protocol);
  for (const char* code :
       {"\x03\xe7", "\x03\xec", "\x03\xed", "\x03\xee", "\x03\xf7", "\x04\x4c", "\x0b\xb7", "\x13\x88"})
    EXPECT_EQ(close(code).kind, Kind::Mistake) << code;
  EXPECT_EQ(close("\x03\xe8\xff").code, CloseCode::NotUtf8);
}

TEST(Frames, AFarewellIsCutBetweenLetters) {
  EXPECT_EQ(close_frame_text(CloseCode::Policy, "no"), std::string("\x88\x04\x03\xf0no"));
  EXPECT_EQ(close_frame_text(CloseCode::NothingSaid, "no"), std::string("\x88\x00", 2));
  std::string reason(122, 'a');
  reason += "\xc3\xbc";
  EXPECT_EQ(close_frame_text(CloseCode::Policy, reason).size(), 2U + 2U + 122U);
  EXPECT_EQ(close_frame_text(CloseCode::Policy, std::string(500, 'b')).size(), 2U + 125U);
}

TEST(Frames, AnyBytesEndInMessagesWithinBoundsOrInAMistake) {
  std::mt19937 random(11);
  for (int i = 0; i < 2000; ++i) {
    std::string bytes =
        ClientFrame{.kind = static_cast<unsigned>(random() % 3), .payload = std::string(random() % 300, 'a')}
            .bytes();
    for (int j = 0; j < 3; ++j) bytes[random() % bytes.size()] = static_cast<char>(random());
    for (const Told& told : told_of(bytes, 1 + random() % 40, 200)) EXPECT_LE(told.payload.size(), 200U);
  }
}

}  // namespace
}  // namespace sinew::web
