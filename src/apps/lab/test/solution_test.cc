// SPDX-License-Identifier: BSD-3-Clause
// What a solution does to itself, and what it cannot do to others.
#include "apps/lab/solution.h"

#include <signal.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

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
  const std::string hint = "a solution may start no processes and open no sockets";
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

TEST_F(SolutionTest, MemoryAndFilesAreBounded) {
  EXPECT_EQ(answer("def f(a, b): return len(bytearray(3 << 30))"),
            "mine.py: f() raised MemoryError (line 1).");
  const std::string said = answer(
      "import signal\nsignal.signal(signal.SIGXFSZ, signal.SIG_IGN)\ndef f(a, b):\n  with open('big', 'wb') "
      "as out: out.write(b'x' * (5 << 20))");
  EXPECT_NE(said.find("OSError"), std::string::npos) << said;
  EXPECT_LE(fs::file_size(folder_ / "big"), 1U << 20U);
  EXPECT_NE(
      answer("import resource\ndef f(a, b): resource.setrlimit(resource.RLIMIT_AS, (-1, -1))").find("raised"),
      std::string::npos);
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
