// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/processes/spawn.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sinew/base/time.h"
#include "sinew/processes/identity.h"
#include "sinew/processes/log_file.h"
#include "sinew/processes/pid_file.h"
#include "sinew/processes/test/temporary_folder.h"

namespace sinew::processes {
namespace {

template <class Condition>
void wait_until(Condition condition) {
  while (!condition()) usleep(1000);
}

class SpawnTest : public ::testing::Test {
 protected:
  ~SpawnTest() override {
    if (spawned_.identity.pid <= 0) return;
    end_session(spawned_.identity);
    waitpid(spawned_.identity.pid, nullptr, 0);
  }

  Status run(const std::string& script) {
    const auto spawned = spawn({.words = {"sh", "-c", script},
                                .folder = folder_.path(),
                                .log_path = folder_.file("log"),
                                .ready_path = folder_.file("ready"),
                                .pid_path = folder_.file("pid"),
                                .restarts = 7});
    if (!spawned) return spawned.error();
    spawned_ = *spawned;
    return Done{};
  }

  TemporaryFolder folder_;
  Spawned spawned_;
};

TEST_F(SpawnTest, GivesLogReadyFileFolderAndASessionOfItsOwn) {
  ASSERT_TRUE(run("pwd; echo oops >&2; echo ready >&3; ls /proc/self/fd >fds; exec sleep 1000"));
  wait_until([&] { return !read_text(folder_.file("fds")).empty(); });
  EXPECT_EQ(read_text(folder_.file("log")), folder_.path() + "\noops\n");
  EXPECT_EQ(read_text(folder_.file("ready")), "ready\n");
  // 0 to 3, and the one by which ls looks
  EXPECT_EQ(read_text(folder_.file("fds")), "0\n1\n2\n3\n4\n");
  EXPECT_EQ(getsid(spawned_.identity.pid), spawned_.identity.pid);
}

TEST_F(SpawnTest, ThePidFileNamesItBeforeItsProgramBegins) {
  ASSERT_TRUE(run("cat pid; exec sleep 1000"));
  const auto record = read_pid_file(folder_.file("pid"));
  ASSERT_TRUE(record);
  EXPECT_EQ(record->identity, spawned_.identity);
  EXPECT_EQ(record->restarts, 7U);
  EXPECT_TRUE(is_alive(record->identity));
  wait_until([&] { return !read_text(folder_.file("log")).empty(); });
  EXPECT_EQ(read_text(folder_.file("log")), read_text(folder_.file("pid")));
}

TEST_F(SpawnTest, AProgramThatIsNotThereIsRefused) {
  const auto spawned =
      spawn({.words = {"./nothing"}, .folder = folder_.path(), .log_path = folder_.file("log")});
  ASSERT_FALSE(spawned);
  EXPECT_EQ(spawned.error().message,
            "cannot run './nothing' in " + folder_.path() + ": No such file or directory");
}

TEST_F(SpawnTest, ALogThatCannotBeWrittenIsNoReasonToFail) {
  const auto spawned = spawn({.words = {"sh", "-c", "echo lost; exec sleep 1000"},
                              .folder = folder_.path(),
                              .log_path = folder_.file("no/such/log")});
  ASSERT_TRUE(spawned);
  spawned_ = *spawned;
  EXPECT_NE(spawned->log_remark.find("cannot write the log"), std::string::npos);
  EXPECT_TRUE(is_alive(spawned->identity));
}

TEST_F(SpawnTest, AnotherStartTimeIsAnotherProcess) {
  ASSERT_TRUE(run("exec sleep 1000"));
  ProcessIdentity other = spawned_.identity;
  ++other.start_ticks;
  EXPECT_TRUE(is_alive(spawned_.identity));
  EXPECT_FALSE(is_alive(other));
  EXPECT_FALSE(watch_process(other));
  EXPECT_FALSE(use_of(other));
  EXPECT_EQ(signal_session(other, SIGKILL), 0U);
  EXPECT_TRUE(is_alive(spawned_.identity));
}

TEST_F(SpawnTest, TheWatchTellsOfTheEndAndADeadOneIsNotAlive) {
  ASSERT_TRUE(run("exec sleep 1000"));
  const auto watch = watch_process(spawned_.identity);
  ASSERT_TRUE(watch);
  pollfd look{.fd = *watch, .events = POLLIN, .revents = 0};
  EXPECT_EQ(poll(&look, 1, 0), 0);
  EXPECT_TRUE(signal_watched(*watch, SIGKILL));
  EXPECT_EQ(poll(&look, 1, -1), 1);
  // not reaped yet, and dead
  EXPECT_FALSE(is_alive(spawned_.identity));
  EXPECT_TRUE(identity_of(spawned_.identity.pid));
  close(*watch);
}

// whose first thread has ended: the others may still use what it has open
TEST(ThreadsTest, AProcessLivesUntilItsLastThreadHasEnded) {
  const pid_t child = fork();
  if (child == 0) {
    pthread_t other{};
    pthread_create(
        &other, nullptr,
        [](void*) -> void* {
          while (true) pause();
        },
        nullptr);
    syscall(SYS_exit, 0);
  }
  ASSERT_GT(child, 0);
  const auto identity = identity_of(child);
  ASSERT_TRUE(identity);
  wait_until(
      [&] { return read_text(fmt::format("/proc/{}/stat", child)).find(") Z ") != std::string::npos; });
  EXPECT_TRUE(is_alive(*identity));
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_FALSE(is_alive(*identity));
}

// children, theirs, and those whose parent has died are found by their session
TEST_F(SpawnTest, EndingASessionEndsAllOfIt) {
  ASSERT_TRUE(run("(sleep 1000 & sleep 1000) & (sleep 1000 &) ; echo up; exec sleep 1000"));
  wait_until([&] { return read_text(folder_.file("log")) == "up\n"; });
  kill(spawned_.identity.pid, SIGKILL);
  waitpid(spawned_.identity.pid, nullptr, 0);
  EXPECT_GE(signal_session(spawned_.identity, 0), 2U);
  EXPECT_TRUE(end_session(spawned_.identity));
  EXPECT_EQ(signal_session(spawned_.identity, 0), 0U);
  spawned_ = {};
}

TEST_F(SpawnTest, APidFileThatIsNotWholeOrFromAnotherBootSaysNothing) {
  EXPECT_FALSE(read_pid_file(folder_.file("pid")));
  ASSERT_TRUE(make_pid_file(folder_.file("pid")));
  EXPECT_FALSE(read_pid_file(folder_.file("pid")));
  ASSERT_TRUE(run("exec sleep 1000"));
  std::string text = read_text(folder_.file("pid"));
  write_text(folder_.file("short"), text.substr(0, 40));
  EXPECT_FALSE(read_pid_file(folder_.file("short")));
  const std::size_t boot = text.find('-');
  text[boot - 1] = text[boot - 1] == '0' ? '1' : '0';
  write_text(folder_.file("other"), text);
  EXPECT_FALSE(read_pid_file(folder_.file("other")));
}

TEST_F(SpawnTest, ALockIsHeldByOneAndPassesOn) {
  const std::string path = folder_.file("lock");
  {
    const auto first = LockFile::take(path, 0);
    ASSERT_TRUE(first) << first.error().message;
    EXPECT_EQ(read_pid_file(path)->identity.pid, getpid());
    EXPECT_EQ(LockFile::take(path, 0).error().code, ErrorCode::AlreadyExists);
    unlink(path.c_str());
  }
  // a name that was taken away and made anew is another file
  const auto second = LockFile::take(path, 0);
  ASSERT_TRUE(second);
  EXPECT_FALSE(LockFile::take(path, 0));
}

TEST(LogFile, IsMovedAsideWhileItsWriterGoesOn) {
  const TemporaryFolder folder;
  const std::string path = folder.file("log");
  std::FILE* writer = std::fopen(path.c_str(), "ae");
  ASSERT_NE(writer, nullptr);
  std::fputs("0123456789", writer);
  std::fflush(writer);
  EXPECT_TRUE(rotate_log(path, 10));
  EXPECT_EQ(log_size(path), 10U);
  EXPECT_TRUE(rotate_log(path, 4));
  EXPECT_EQ(read_text(path + ".1"), "6789");
  std::fputs("more", writer);
  std::fclose(writer);
  EXPECT_EQ(read_text(path), "more");
}

TEST(LogFile, IsCutWhereThereIsNoRoomForACopy) {
  const TemporaryFolder folder;
  const std::string path = folder.file("log");
  write_text(path, "0123456789");
  // in place of a full disk: a folder where the copy should go
  std::filesystem::create_directories(path + ".1/x");
  const Status rotated = rotate_log(path, 4);
  ASSERT_FALSE(rotated);
  EXPECT_NE(rotated.error().message.find("had 10 bytes and was cut without a copy"), std::string::npos);
  EXPECT_EQ(log_size(path), 0U);
}

TEST(LogFile, LastLines) {
  const TemporaryFolder folder;
  const std::string path = folder.file("log");
  EXPECT_EQ(last_lines(path, 3), "");
  write_text(path, "old\none\ntwo\nthree\n\n");
  EXPECT_EQ(last_lines(path, 2), "two\nthree");
  EXPECT_EQ(last_lines(path, 20, 4), "one\ntwo\nthree");
  EXPECT_EQ(last_lines(path, 20, 4000), "old\none\ntwo\nthree");
  write_text(path, std::string(100'000, 'x'));
  EXPECT_EQ(last_lines(path, 3).size(), 8192U);
}

TEST(LogFile, TheLastNoteIsTheOneThatCounts) {
  const TemporaryFolder folder;
  const std::string path = folder.file("ready");
  EXPECT_EQ(note_in(path), "");
  write_text(path, "ready\n");
  EXPECT_EQ(note_in(path), "");
  write_text(path, "ready\nnote: one\nnote: two\033[2J\n");
  EXPECT_EQ(note_in(path), "two?[2J");
  write_text(path, "ready\nnote: " + std::string(1000, 'x') + "\n");
  EXPECT_EQ(note_in(path).size(), 200U);
}

}  // namespace
}  // namespace sinew::processes
