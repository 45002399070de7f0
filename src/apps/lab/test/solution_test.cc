// SPDX-License-Identifier: BSD-3-Clause
// What a solution does to itself, and what it cannot do to others.
#include "apps/lab/solution.h"

#include <signal.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "apps/lab/forbidden_calls.h"
#include "apps/lab/solution_json.h"

namespace sinew::lab {
namespace {

namespace fs = std::filesystem;

class SolutionTest : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override { fs::remove_all(folder_); }

  std::unique_ptr<Solution> start(const std::string& text, const SolutionLimits& limits = {
                                                               .seconds_per_answer = 0.5, .patience = 5.0}) {
    std::ofstream(folder_ / "mine.py") << text;
    const std::string_view functions[] = {"f"};
    auto started = Solution::start(folder_ / "mine.py", functions, limits);
    EXPECT_TRUE(started);
    return *std::move(started);
  }
  /// What it answers to f(1, 2), as people see it, or the refusal.
  std::string answer(const std::string& text) {
    const auto solution = start(text);
    const std::vector<Value> arguments{1.0, 2.0};
    const auto value = solution->ask("f", arguments);
    return value ? value_text(*value) : value.error().message;
  }

  fs::path folder_ = fs::temp_directory_path() / fmt::format("sinew-solution-{}", getpid());
};

TEST_F(SolutionTest, AnswersWhatItsFunctionReturns) {
  EXPECT_EQ(answer("def f(a, b): return a + b"), "3");
  EXPECT_EQ(answer("def f(a, b): return [a, (b, None), 'x', True]"), "[1, [2, None], 'x', 1]");
  EXPECT_EQ(answer("def f(a, b): pass"), "None");
  EXPECT_EQ(answer("def f(a, b): return float('inf')"), "inf");
  EXPECT_EQ(answer("import os\ndef f(a, b): return os.getcwd()"), fmt::format("'{}'", folder_.string()));
}

TEST_F(SolutionTest, NumbersArriveToTheLastBit) {
  const auto solution = start("def f(a, b): return a");
  for (const double number : {0.1, 1.0 / 3.0, 1e-300, -5e-324, 1.7976931348623157e308, 123456789.12345678}) {
    const std::vector<Value> arguments{number, 0.0};
    EXPECT_EQ(*solution->ask("f", arguments)->number(), number);
  }
}

TEST_F(SolutionTest, WhatItPrintsIsNoAnswer) {
  EXPECT_EQ(answer("print('{\"value\": 7}')\ndef f(a, b):\n  print('{\"value\": 8}')\n  return 1"), "1");
  EXPECT_EQ(answer("import sys\ndef f(a, b): return len(sys.stdin.read())"), "0");
}

TEST_F(SolutionTest, ACrashNamesItsLine) {
  EXPECT_EQ(answer("def f(a, b):\n  return {}['key']"), "mine.py: f() raised KeyError: 'key' (line 2).");
  EXPECT_EQ(answer("import nosuchmodule"),
            "mine.py: ModuleNotFoundError: No module named 'nosuchmodule' (line 1).");
  EXPECT_EQ(answer("def f(a, b): return f(a, b)"),
            "mine.py: f() raised RecursionError: maximum recursion depth exceeded (line 1).");
  EXPECT_EQ(answer("def g(): pass"), "mine.py: there is no function f().");
  EXPECT_EQ(answer("f = 3"), "mine.py: there is no function f().");
  EXPECT_EQ(
      answer("def f(a, b): return {1: 2}"),
      "mine.py: f() raised TypeError: the answer is of type dict; numbers and lists of numbers are taken.");
}

TEST_F(SolutionTest, AnEndIsNoAnswer) {
  EXPECT_EQ(answer("raise SystemExit(3)"), "mine.py: SystemExit: 3 (line 1).");
  EXPECT_EQ(answer("import os\ndef f(a, b): os._exit(7)"),
            "mine.py: it ended by itself, with exit code 7, before it answered.");
  EXPECT_EQ(answer("import os\ndef f(a, b): os.abort()"), "mine.py: it was ended by signal 6 (Aborted).");
  EXPECT_EQ(answer("import os\ndef f(a, b): os.execv('/bin/true', ['true'])"),
            "mine.py: it ended by itself, with exit code 0, before it answered.");
  EXPECT_EQ(answer("import os\nos.close(3)\ndef f(a, b): return 1").substr(0, 9), "mine.py: ");
}

TEST_F(SolutionTest, WhoClosesItsOutputIsAnsweredAllTheSame) {
  EXPECT_EQ(answer("import os, time\nos.close(1)\nos.close(2)\ndef f(a, b):\n  time.sleep(0.2)\n  return 4"),
            "4");
}

TEST_F(SolutionTest, TheLastThingPrintedIsTold) {
  EXPECT_EQ(answer("def f(a, b):\n  print('a is', a)\n  import os; os._exit(1)"),
            "mine.py: it ended by itself, with exit code 1, before it answered.");
  EXPECT_EQ(answer("def f(a, b):\n  print('a is', a, flush=True)\n  import os; os._exit(1)"),
            "mine.py: it ended by itself, with exit code 1, before it answered. It printed last: a is 1.0");
}

TEST_F(SolutionTest, NonsenseOnTheAnswersPipeIsNoHarm) {
  for (const char* line :
       {"{", "[1]", "{\"value\": {}}", "{\"value\": {\"a\": 1}}", "\\xff\\xfe", "null", ""}) {
    SCOPED_TRACE(line);
    EXPECT_EQ(answer(fmt::format("import os\ndef f(a, b): os.write(3, b'{}\\n'); return 1", line)),
              "mine.py: an answer that is not understood.");
  }
  EXPECT_EQ(answer("import os\ndef f(a, b):\n  while True: os.write(3, b'x' * 60000)"),
            "mine.py: an answer is longer than 1048576 bytes.");
}

TEST_F(SolutionTest, LoopsSleepsAndFloodsEnd) {
  EXPECT_EQ(answer("def f(a, b):\n  while True: pass"),
            "mine.py: no answer after 0.5 s of computing: is there an endless loop?");
  EXPECT_EQ(answer("while True: pass"),
            "mine.py: no answer after 2.5 s of computing: is there an endless loop?");
  EXPECT_EQ(answer("def f(a, b):\n  while True: print('x' * 1000)"),
            "mine.py: it prints more than 1048576 bytes; an answer is what a function returns.");
  const auto sleeper = start("import time\ndef f(a, b): time.sleep(1000)", {.patience = 3.0});
  const std::vector<Value> arguments{1.0, 2.0};
  EXPECT_EQ(sleeper->ask("f", arguments).error().message,
            "mine.py: no answer within 3 s, and it is not computing: does it sleep or wait?");
}

TEST_F(SolutionTest, WhoComputesLongInAllButShortEachTimeIsFine) {
  const auto solution = start("def f(a, b): return sum(range(2000000))");
  const std::vector<Value> arguments{1.0, 2.0};
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(solution->ask("f", arguments)) << i;
}

TEST_F(SolutionTest, MayStartNoProcessAndOpenNoSocket) {
  const std::string hint = "a solution may start no processes, open no sockets";
  for (const char* line :
       {"import os\ndef f(a, b): return os.fork()", "import os\ndef f(a, b): return os.system('true')",
        "import subprocess\ndef f(a, b): subprocess.run(['true'])",
        "import socket\ndef f(a, b): socket.socket()", "import os\ndef f(a, b): os.kill(os.getppid(), 9)",
        "import os\ndef f(a, b): os.posix_spawn('/bin/true', ['true'], {})"}) {
    const std::string said = answer(line);
    EXPECT_TRUE(said.find(hint) != std::string::npos || said == "-1" || said == "32512") << line << "\n"
                                                                                         << said;
  }
}

TEST_F(SolutionTest, ThreadsAreAllowed) {
  EXPECT_EQ(answer("import threading\nn = []\ndef f(a, b):\n  t = threading.Thread(target=lambda: "
                   "n.append(5))\n  t.start()\n  t.join()\n  return n[0]"),
            "5");
}

TEST_F(SolutionTest, ThousandsOfThreadsAreNot) {
  const std::string crowd =
      "import threading, time\nthreading.stack_size(32768)\ndef f(a, b):\n  for n in range(5000):\n    "
      "threading.Thread(target=lambda: time.sleep(600), daemon=True).start()\n";
  EXPECT_EQ(
      answer(crowd),
      "mine.py: f() raised RuntimeError: can't start new thread (line 5); a solution may have 64 threads.");
  // and one that goes on all the same has not many more: without root, what else its user runs is counted in
  const std::string stubborn =
      "import threading, time\nthreading.stack_size(32768)\ndef f(a, b):\n  for n in range(5000):\n    try: "
      "threading.Thread(target=lambda: time.sleep(600), daemon=True).start()\n    except RuntimeError: "
      "break\n"
      "  return threading.active_count() < 200";
  EXPECT_EQ(answer(stubborn), "1");
}

TEST_F(SolutionTest, MemoryAndFilesAreBounded) {
  EXPECT_EQ(answer("def f(a, b): return len(bytearray(3 << 30))"),
            "mine.py: f() raised MemoryError (line 1).");
  EXPECT_NE(answer("import os\ndef f(a, b): return os.write(os.memfd_create('x'), b'x' * (5 << 20))"),
            fmt::format("{}", 5 << 20));
  EXPECT_NE(
      answer("import resource\ndef f(a, b): resource.setrlimit(resource.RLIMIT_AS, (-1, -1))").find("raised"),
      std::string::npos);
}

// What must be as it was, whatever a solution tries; with and without the system's bounds on reading.
class SolutionFilesTest : public SolutionTest, public testing::WithParamInterface<bool> {
 protected:
  void SetUp() override {
    SolutionTest::SetUp();
    if (GetParam() && !can_bound_files()) GTEST_SKIP() << "this system has no Landlock";
    fs::create_directories(outside_ / "space");
    fs::permissions(outside_, fs::perms::all);
    for (const fs::path& path : {outside_ / "marks.txt", channel_}) {
      fs::create_directories(path.parent_path());
      std::ofstream(path) << "precious";
      // as open as can be: nothing but the limits keeps a solution from it
      fs::permissions(path, fs::perms::all);
      fs::permissions(path.parent_path(), fs::perms::all);
    }
    fs::permissions(folder_, fs::perms::all);
  }
  void TearDown() override {
    for (const fs::path& path : {outside_ / "marks.txt", channel_}) EXPECT_EQ(text_of(path), "precious");
    fs::remove_all(outside_);
    fs::remove_all(channel_.parent_path());
    SolutionTest::TearDown();
  }
  static std::string text_of(const fs::path& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  /// What f() with this body, in which OUT and CHANNEL are paths, answers.
  std::string tries(const std::string& body) {
    const auto solution = start(fmt::format("import os\nOUT, CHANNEL = '{}', '{}'\ndef f(a, b):\n  {}\n",
                                            outside_.string(), channel_.string(), body),
                                {.seconds_per_answer = 0.5, .patience = 5.0, .bounds_reading = GetParam()});
    const std::vector<Value> arguments{1.0, 2.0};
    const auto value = solution->ask("f", arguments);
    return value ? value_text(*value) : value.error().message;
  }
  void expect_refused(const std::string& body) {
    const std::string said = tries(body);
    EXPECT_NE(said.find("raised PermissionError"), std::string::npos) << body << "\n" << said;
    EXPECT_NE(said.find("write no files and read none but its own"), std::string::npos) << body << "\n"
                                                                                        << said;
  }

  fs::path outside_ = fs::temp_directory_path() / fmt::format("sinew-outside-{}", getpid());
  fs::path channel_ = fs::path("/dev/shm") / fmt::format("sinew-solution-test-{}", getpid()) / "ref";
};

TEST_P(SolutionFilesTest, NothingIsDeletedMadeOrChanged) {
  for (const char* body : {"os.remove(OUT + '/marks.txt')", "os.rmdir(OUT + '/space')",
                           "os.rename(OUT + '/marks.txt', OUT + '/x')", "import shutil; shutil.rmtree(OUT)",
                           "open(OUT + '/marks.txt', 'w')", "open(OUT + '/marks.txt', 'a')",
                           "os.truncate(OUT + '/marks.txt', 0)", "os.chmod(OUT + '/marks.txt', 0)",
                           "os.utime(OUT, (0, 0))", "os.mkdir(OUT + '/made')",
                           "os.symlink('/', OUT + '/made')", "os.link(OUT + '/marks.txt', OUT + '/made')",
                           "os.mkfifo(OUT + '/made')", "os.setxattr(OUT + '/marks.txt', 'user.x', b'1')"})
    expect_refused(body);
  EXPECT_FALSE(fs::exists(outside_ / "made"));
}

TEST_P(SolutionFilesTest, NoChannelOfARobotIsWritten) {
  expect_refused("open(CHANNEL, 'r+b').write(b'go!')");
  expect_refused("os.open(CHANNEL, os.O_RDWR)");
  expect_refused("os.open(CHANNEL, os.O_WRONLY | os.O_APPEND)");
  expect_refused("open('/dev/shm/' + 'sinew-made', 'w')");
  EXPECT_FALSE(fs::exists("/dev/shm/sinew-made"));
}

TEST_P(SolutionFilesTest, TheDiskIsNotFilled) {
  expect_refused("for n in range(100000): open(f'{n}', 'wb').write(b'x' * 1000000)");
  // only what was there: the solution itself
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), {}), 1);
}

TEST_P(SolutionFilesTest, ItReadsItsOwnModulesAndTheSystem) {
  std::ofstream(folder_ / "beside.py") << "seven = 7";
  fs::create_directories(folder_ / "pack");
  std::ofstream(folder_ / "pack" / "__init__.py") << "from .deep import nine";
  std::ofstream(folder_ / "pack" / "deep.py") << "nine = 9";
  EXPECT_EQ(tries("import beside, json, ctypes, fractions; return beside.seven"), "7");
  EXPECT_EQ(tries("import pack; return pack.nine"), "9");
  EXPECT_EQ(tries("import sys; return len(open(sys.modules['solution'].__file__).read()) > 10"), "1");
  // as those do who want to see nothing printed; without Landlock no file at all is opened for writing
  EXPECT_EQ(tries("return open(os.devnull, 'w').write('x')") == "1", GetParam());
}

TEST_P(SolutionFilesTest, NothingElseIsRead) {
  if (!GetParam()) GTEST_SKIP() << "only where the system can bound it";
  fs::create_directories(folder_ / "hidden");
  std::ofstream(folder_ / "hidden" / "reference.py") << "answer = 42";
  expect_refused("return open(CHANNEL).read()");
  expect_refused("return open(OUT + '/marks.txt').read()");
  expect_refused("return open('hidden/reference.py').read()");
  expect_refused(
      fmt::format("return open('{}/tests/labs/03/reference.py').read()", fs::current_path().string()));
  expect_refused("return open('/etc/passwd').read()");
  expect_refused("return os.listdir('/')");
  expect_refused(fmt::format("return open('/proc/{}/environ').read()", getpid()));
}

INSTANTIATE_TEST_SUITE_P(Both, SolutionFilesTest, testing::Bool(),
                         [](const auto& of) { return of.param ? "BoundedReading" : "FreeReading"; });

TEST_F(SolutionTest, TheMachineStaysAsItIs) {
  // numbers of this machine; what is asked would do no harm even if it were permitted
  for (const auto& [name, number] : {std::pair{"reboot", __NR_reboot},
                                     {"fsopen", __NR_fsopen},
                                     {"move_mount", __NR_move_mount},
                                     {"clock_settime", __NR_clock_settime},
                                     {"init_module", __NR_init_module},
                                     {"sched_setscheduler", __NR_sched_setscheduler},
                                     {"setresuid", __NR_setresuid},
                                     {"chroot", __NR_chroot},
                                     {"shmget", __NR_shmget},
                                     {"open_by_handle_at", __NR_open_by_handle_at}})
    EXPECT_EQ(
        answer(fmt::format("import ctypes\nlibc = ctypes.CDLL(None, use_errno=True)\ndef f(a, b):\n  return "
                           "[libc.syscall({}, -1, -1, -1, -1), ctypes.get_errno()]",
                           number)),
        "[-1, 1]")
        << name;
  // neither are calls that are newer than the list, nor those of another kind
  for (const int number : {kNewestCall + 1, 100'000, 0x40000001})
    EXPECT_EQ(
        answer(fmt::format("import ctypes\nlibc = ctypes.CDLL(None, use_errno=True)\ndef f(a, b):\n  return "
                           "[libc.syscall({}, -1, -1, -1, -1), ctypes.get_errno()]",
                           number)),
        "[-1, 38]")
        << number;
}

TEST_F(SolutionTest, RootIsLeft) {
  if (geteuid() != 0) GTEST_SKIP() << "not root";
  EXPECT_EQ(
      answer(
          "import os\ndef f(a, b): return [0 in os.getresuid(), 0 in os.getresgid(), len(os.getgroups())]"),
      "[0, 0, 0]");
  // and a folder that nobody else may look into is no hindrance
  fs::permissions(folder_, fs::perms::owner_all);
  EXPECT_EQ(answer("def f(a, b): return 6"), "6");
}

TEST_F(SolutionTest, TheProcessIsGoneWithTheObject) {
  pid_t pid = 0;
  {
    const auto solution = start(
        "import signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\ndef f(a, b):\n  while True: pass");
    pid = solution->pid();
    EXPECT_EQ(kill(pid, 0), 0);
    EXPECT_FALSE(solution->ask("f", {}));
  }
  EXPECT_EQ(kill(pid, 0), -1);
}

TEST_F(SolutionTest, AfterARefusalTheAnswerStaysTheSame) {
  const auto solution = start("def f(a, b): return 1 / 0");
  const std::vector<Value> arguments{1.0, 2.0};
  const std::string first = solution->ask("f", arguments).error().message;
  EXPECT_EQ(solution->ask("f", arguments).error().message, first);
}

TEST_F(SolutionTest, ChanceIsTheSameEveryTime) {
  const std::string text = "import random\ndef f(a, b): return [random.random(), hash('x')]";
  EXPECT_EQ(answer(text), answer(text));
}

TEST(SolutionJson, AnswersBecomeValues) {
  EXPECT_EQ(value_text(*value_from_line("{\"value\": [1, 2.5, null]}")), "[1, 2.5, None]");
  EXPECT_TRUE(std::isnan(*value_from_line("{\"value\": {\"number\": \"nan\"}}")->number()));
  EXPECT_EQ(value_from_line("{\"error\": \"oh\"}").error().message, "oh");
  EXPECT_FALSE(value_from_line("{\"value\": true}"));
}

}  // namespace
}  // namespace sinew::lab
