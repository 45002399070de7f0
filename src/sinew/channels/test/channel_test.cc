// SPDX-License-Identifier: BSD-3-Clause
// The C interface as its users see it.
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <random>
#include <thread>
#include <vector>

#include "sinew/channels/test/channel_fixture.h"
#include "sinew/messages/schemas.h"

namespace sinew::channels {
namespace {

constexpr const char* kOldSchema =
    "sinew-schema 1\nstruct Pair version 3 size 16\n  int64 a at 0\n  int64 b at 8\n";
constexpr const char* kNewSchema =
    "sinew-schema 1\nstruct Pair version 4 size 16\n  int64 a at 0\n  int64 c at 8\n";
constexpr const char* kOtherSchema = "sinew-schema 1\nstruct Other version 9 size 16\n  int64 a at 0\n";

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_F(ChannelTest, LateJoinersChooseWhereTheyBegin) {
  const auto writer = open_writer(options());
  for (std::uint64_t n = 1; n <= 10; ++n) ASSERT_EQ(put(writer, n), n);
  const auto oldest = open_reader(options(), SINEW_START_OLDEST);
  const auto newest = open_reader(options(), SINEW_START_NEWEST);
  const auto now = open_reader(options(), SINEW_START_NOW);
  std::uint64_t number = 0;
  sinew_frame frame{};
  ASSERT_EQ(sinew_read_next(oldest.get(), &number, sizeof number, &frame), SINEW_OK);
  EXPECT_EQ(number, 7U);
  EXPECT_EQ(frame.missed, 0U);
  ASSERT_EQ(sinew_read_next(newest.get(), &number, sizeof number, &frame), SINEW_OK);
  EXPECT_EQ(number, 10U);
  EXPECT_EQ(sinew_read_next(now.get(), &number, sizeof number, &frame), SINEW_NOTHING_NEW);
  put(writer, 11);
  ASSERT_EQ(sinew_read_next(now.get(), &number, sizeof number, &frame), SINEW_OK);
  EXPECT_EQ(number, 11U);
}

// received + missed = put, whatever mixture of reads and skips
TEST_F(ChannelTest, MissedIsExactUnderRandomReads) {
  std::mt19937_64 random(5);
  const auto writer = open_writer(options());
  const auto reader = open_reader(options());
  std::uint64_t put_so_far = 0;
  std::uint64_t seen = 0;
  for (int step = 0; step < 20'000; ++step) {
    std::uint64_t number = 0;
    sinew_frame frame{};
    int status = SINEW_NOTHING_NEW;
    switch (random() % 6) {
      case 0:
      case 1:
        put(writer, ++put_so_far);
        continue;
      case 2:
        status = sinew_read_next(reader.get(), &number, sizeof number, &frame);
        break;
      case 3:
        status = sinew_read_fresh(reader.get(), &number, sizeof number, &frame);
        break;
      case 4:
        status = sinew_read_newest(reader.get(), &number, sizeof number, &frame);
        break;
      default:
        if (random() % 8 == 0) {
          sinew_skip(reader.get());
          seen = put_so_far;
        }
        continue;
    }
    if (status == SINEW_NOTHING_NEW) {
      ASSERT_EQ(seen, put_so_far);
      continue;
    }
    ASSERT_EQ(status, SINEW_OK);
    ASSERT_EQ(number, frame.sequence);
    ASSERT_EQ(frame.missed, frame.sequence > seen ? frame.sequence - seen - 1 : 0);
    seen = std::max(seen, frame.sequence);
  }
}

TEST_F(ChannelTest, TooSmallABufferSaysWhatItTakesAndLosesNothing) {
  const auto writer = open_writer(options());
  const auto reader = open_reader(options());
  put(writer, 5);
  char little[4];
  sinew_frame frame{};
  EXPECT_EQ(sinew_read_next(reader.get(), little, sizeof little, &frame), SINEW_TOO_SMALL);
  EXPECT_EQ(frame.size, 8U);
  std::uint64_t number = 0;
  EXPECT_EQ(sinew_read_next(reader.get(), &number, sizeof number, nullptr), SINEW_OK);
  EXPECT_EQ(number, 5U);
}

TEST_F(ChannelTest, TooLargeAndEmptyMessagesAreRefused) {
  const auto writer = open_writer(options());
  const std::vector<char> large(65);
  EXPECT_EQ(sinew_put(writer.get(), large.data(), 65, nullptr), SINEW_TOO_LARGE);
  EXPECT_EQ(sinew_put(writer.get(), large.data(), 0, nullptr), SINEW_INVALID);
  EXPECT_EQ(sinew_put(writer.get(), large.data(), 64, nullptr), SINEW_OK);
}

TEST_F(ChannelTest, DepthIsRoundedUpAndLimitsAreNamed) {
  auto chosen = options();
  chosen.depth = 5;
  const auto reader = open_reader(chosen);
  sinew_description description{};
  sinew_describe_reader(reader.get(), &description);
  EXPECT_EQ(description.depth, 8U);

  auto deep = options("deep");
  deep.depth = 40'000;
  EXPECT_EQ(sinew_create(&deep, &error_), SINEW_INVALID);
  EXPECT_TRUE(has(error_.text, "depth 65536 is not within 1 to 32768")) << error_.text;
  auto crowded = options("crowded");
  crowded.writers = 1025;
  EXPECT_EQ(sinew_create(&crowded, &error_), SINEW_INVALID);
  EXPECT_TRUE(has(error_.text, "number of writers 1025 is not within 1 to 1024")) << error_.text;
}

TEST_F(ChannelTest, FullSaysWhoHoldsThePlaces) {
  auto chosen = options();
  chosen.writers = 2;
  chosen.sender = "arm";
  const auto first = open_writer(chosen);
  chosen.sender = "hand";
  auto second = open_writer(chosen);
  EXPECT_FALSE(open_writer(chosen));
  EXPECT_EQ(error_.status, SINEW_FULL);
  EXPECT_TRUE(has(error_.text,
                  fmt::format("all 2 places for writers are taken: arm (pid {0}), hand (pid {0})", getpid())))
      << error_.text;
  second.reset();
  EXPECT_TRUE(open_writer(chosen)) << error_.text;
}

TEST_F(ChannelTest, NamesCannotLeaveTheSpace) {
  for (const char* name :
       {"", "/", "..", "../x", "a/../b", "a//b", "/a", "a/", ".hidden", "a/.b", "a b", "a\nb", "ä"}) {
    const auto chosen = options(name);
    EXPECT_EQ(sinew_create(&chosen, &error_), SINEW_INVALID) << name;
    EXPECT_TRUE(has(error_.text, "is no name for a channel")) << error_.text;
    EXPECT_EQ(sinew_remove(space().c_str(), name, &error_), SINEW_INVALID) << name;
  }
  for (const char* name : {"", ".", "..", "a/b", "../x"}) {
    auto chosen = options();
    chosen.space = name;
    EXPECT_EQ(sinew_create(&chosen, &error_), SINEW_INVALID) << name;
    EXPECT_TRUE(has(error_.text, "is no name for a space")) << error_.text;
  }
}

TEST_F(ChannelTest, MismatchNamesBothHashesBothMessagesAndTheOlderProgram) {
  auto chosen = options();
  chosen.capacity = 0;
  chosen.schema = kOldSchema;
  const auto writer = open_writer(chosen);
  ASSERT_TRUE(writer) << error_.text;
  chosen.schema = kNewSchema;
  EXPECT_FALSE(open_reader(chosen));
  EXPECT_EQ(error_.status, SINEW_MISMATCH);
  EXPECT_TRUE(has(error_.text, fmt::format("carries Pair version 3 (hash {:016x}", schema_hash(kOldSchema))))
      << error_.text;
  EXPECT_TRUE(has(error_.text, fmt::format("expects Pair version 4 (hash {:016x}", schema_hash(kNewSchema))))
      << error_.text;
  EXPECT_TRUE(has(error_.text, "the program that made the channel is older")) << error_.text;

  sinew_remove(space().c_str(), "c", nullptr);
  chosen.schema = kNewSchema;
  ASSERT_TRUE(open_reader(chosen));
  chosen.schema = kOldSchema;
  EXPECT_FALSE(open_writer(chosen));
  EXPECT_TRUE(has(error_.text, "this program is older: rebuild it")) << error_.text;
  chosen.schema = kOtherSchema;
  EXPECT_FALSE(open_writer(chosen));
  EXPECT_TRUE(has(error_.text, "they are different messages")) << error_.text;
  chosen.schema = nullptr;
  EXPECT_TRUE(open_reader(chosen)) << "whatever is there: " << error_.text;
}

TEST_F(ChannelTest, RemovalIsToldToWritersAndReaders) {
  const auto writer = open_writer(options());
  const auto reader = open_reader(options());
  put(writer, 1);
  ASSERT_EQ(sinew_remove(space().c_str(), "c", &error_), SINEW_OK) << error_.text;
  std::uint64_t number = 0;
  EXPECT_EQ(sinew_put(writer.get(), &number, sizeof number, nullptr), SINEW_REMOVED);
  EXPECT_EQ(sinew_read_next(reader.get(), &number, sizeof number, nullptr), SINEW_OK)
      << "what is there stays readable";
  EXPECT_EQ(sinew_read_next(reader.get(), &number, sizeof number, nullptr), SINEW_REMOVED);
  EXPECT_EQ(sinew_remove(space().c_str(), "c", &error_), SINEW_NOT_FOUND);
}

// one process makes and removes a/x, the other a/y, and the folder a comes and goes between them
TEST_F(ChannelTest, MakingSurvivesTheRemovalOfItsFolderByAnother) {
  const auto make_and_remove = [&](const char* name) {
    const auto chosen = options(name);
    for (int i = 0; i < 2000; ++i) {
      sinew_error error{};
      if (sinew_create(&chosen, &error) != SINEW_OK || sinew_remove(chosen.space, name, &error) != SINEW_OK) {
        fmt::print(stderr, "{}\n", error.text);
        return 1;
      }
    }
    return 0;
  };
  const pid_t child = fork();
  if (child == 0) _exit(make_and_remove("a/x"));
  EXPECT_EQ(make_and_remove("a/y"), 0);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

// on a /dev/shm of its own with next to no room; who may not mount one is told that this is left out
TEST_F(ChannelTest, FullMemoryIsARefusalAndNoSignal) {
  constexpr int kMayNotMount = 77;
  auto chosen = options();
  chosen.capacity = 1 << 20;
  const int code = exit_code_of_child([&] {
    if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        mount("none", "/dev/shm", "tmpfs", 0, "size=256k") != 0)
      return kMayNotMount;
    if (sinew_create(&chosen, &error_) != SINEW_OK) return 1;
    if (open_writer(chosen) || error_.status != SINEW_SYSTEM) return 2;
    if (!has(error_.text, "no memory for the") || !has(error_.text, "enlarge /dev/shm")) return 3;
    auto crowded = options("crowded");
    crowded.depth = 32768;
    crowded.writers = 1;
    const int status = sinew_create(&crowded, &error_);  // its index alone has 256 KiB
    return status == SINEW_SYSTEM && has(error_.text, "No space left on device") ? 0 : 4;
  });
  if (code == kMayNotMount) {
    fmt::print(stderr, "no right to mount: a full /dev/shm is not tested\n");
  } else {
    EXPECT_EQ(code, 0);
  }
}

TEST_F(ChannelTest, FoldersAreOpenForReadersWhateverTheUmask) {
  const mode_t before = umask(077);
  const auto chosen = options("robot/state");
  EXPECT_EQ(sinew_create(&chosen, &error_), SINEW_OK);
  umask(before);
  struct stat status {};
  ASSERT_EQ(stat(path("robot").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0755U);
}

TEST_F(ChannelTest, FolderOpenToAllIsRefused) {
  std::filesystem::create_directory(folder());
  ASSERT_EQ(chmod(folder().c_str(), 0777), 0);
  const auto chosen = options();
  EXPECT_EQ(sinew_create(&chosen, &error_), SINEW_DENIED);
  EXPECT_TRUE(has(error_.text, "anybody could replace the channels in " + folder())) << error_.text;
  EXPECT_TRUE(has(error_.text, "with mode 0777")) << error_.text;
  ASSERT_EQ(chmod(folder().c_str(), 01777), 0);
  EXPECT_EQ(sinew_create(&chosen, &error_), SINEW_OK) << error_.text;
}

TEST_F(ChannelTest, WhatIsNoFileIsNoChannel) {
  std::filesystem::create_directories(folder() + "/c");
  EXPECT_FALSE(open_reader(options()));
  EXPECT_EQ(error_.status, SINEW_DAMAGED);
  std::filesystem::remove(folder() + "/c");
  ASSERT_EQ(symlink("/etc/passwd", path("c").c_str()), 0);
  EXPECT_FALSE(open_reader(options()));
  EXPECT_EQ(error_.status, SINEW_DAMAGED);
  std::filesystem::remove(path("c"));
  ASSERT_EQ(mkfifo(path("c").c_str(), 0644), 0);
  EXPECT_FALSE(open_reader(options()));
  EXPECT_EQ(error_.status, SINEW_DAMAGED);
}

// as nobody when started by root; an ordinary user is refused without that
TEST_F(ChannelTest, RightsDecideAndTheRefusalNamesFileOwnerAndMode) {
  auto chosen = options();
  chosen.mode = 0444;
  ASSERT_EQ(sinew_create(&chosen, &error_), SINEW_OK);
  auto secret = options("secret");
  secret.mode = 0600;
  ASSERT_EQ(sinew_create(&secret, &error_), SINEW_OK);
  const bool is_root = geteuid() == 0;
  const int code = exit_code_of_child([&] {
    if (is_root && setresuid(65534, 65534, 65534) != 0) return 1;
    if (!open_reader(chosen)) return 2;
    if (open_writer(chosen) || error_.status != SINEW_DENIED) return 3;
    if (!has(error_.text, path("c")) || !has(error_.text, "belongs to") || !has(error_.text, "mode 0444"))
      return 4;
    if (is_root && (open_reader(secret) || error_.status != SINEW_DENIED)) return 5;
    return 0;
  });
  EXPECT_EQ(code, 0);
}

TEST_F(ChannelTest, PlacesAreTakenFromTheDeadButNeverFromTheStopped) {
  auto chosen = options();
  chosen.writers = 1;
  ASSERT_EQ(sinew_create(&chosen, nullptr), SINEW_OK);
  const pid_t child = fork();
  if (child == 0) {
    if (!open_writer(chosen).release()) _exit(1);
    kill(getpid(), SIGSTOP);
    pause();
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, WUNTRACED), child);
  ASSERT_TRUE(WIFSTOPPED(status));
  EXPECT_FALSE(open_writer(chosen));
  EXPECT_EQ(error_.status, SINEW_FULL);
  kill(child, SIGKILL);
  siginfo_t info{};
  waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT);
  EXPECT_TRUE(open_writer(chosen)) << "a zombie holds no place: " << error_.text;
  waitpid(child, nullptr, 0);
  EXPECT_TRUE(open_writer(chosen)) << error_.text;
}

TEST_F(ChannelTest, ForkedWriterTakesAPlaceOfItsOwn) {
  const auto writer = open_writer(options());
  const auto reader = open_reader(options());
  ASSERT_EQ(put(writer, 1), 1U);
  const int code = exit_code_of_child([&] { return put(writer, 2) == 2 ? 0 : 1; });
  ASSERT_EQ(code, 0);
  ASSERT_EQ(put(writer, 3), 3U);
  std::vector<std::uint32_t> places;
  std::uint64_t number = 0;
  sinew_frame frame{};
  while (sinew_read_next(reader.get(), &number, sizeof number, &frame) == SINEW_OK)
    places.push_back(frame.writer);
  ASSERT_EQ(places.size(), 3U);
  EXPECT_EQ(places[0], places[2]);
  EXPECT_NE(places[0], places[1]);
}

TEST_F(ChannelTest, ForkedChildThatClosesLeavesItsParentsPlaceAlone) {
  auto chosen = options();
  chosen.writers = 1;
  auto writer = open_writer(chosen);
  const int code = exit_code_of_child([&] {
    writer.reset();
    return open_writer(chosen) ? 1 : 0;
  });
  EXPECT_EQ(code, 0);
  EXPECT_EQ(put(writer, 1), 1U);
}

}  // namespace
}  // namespace sinew::channels
