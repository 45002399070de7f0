// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/types.h>

#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sinew::cli {

/// A program of ours as a child; ended with this object.
class DemoProcess {
 public:
  /// Runs the program that lies beside this one and is the first of the words.
  explicit DemoProcess(std::vector<std::string> words);
  ~DemoProcess() { end(); }
  DemoProcess(const DemoProcess&) = delete;
  DemoProcess& operator=(const DemoProcess&) = delete;

  bool has_ended();
  /// Whether it has ended by itself with exit code 0.
  bool has_succeeded() { return has_ended() && is_well_; }
  /// What it said, at most 4000 letters.
  std::string log_text() const;
  /// Asks it to end, and insists after a while.
  void end();

 private:
  [[noreturn]] void become(std::vector<std::string> words) const;

  std::unique_ptr<FILE, int (*)(FILE*)> log_;
  pid_t pid_ = 0;
  bool is_well_ = false;
};

}  // namespace sinew::cli
