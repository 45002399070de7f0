// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "sinew/xach/ach.h"

namespace sinew::xach {

/// A space for one test alone, named by SINEW_SPACE, with the channel "chan" of 8 frames of 64 bytes in it.
class SpaceOfTest : public ::testing::Test {
 protected:
  void SetUp() override {
    space_ = "xach-test-" + std::to_string(getpid());
    setenv("SINEW_SPACE", space_.c_str(), 1);
    ASSERT_EQ(ach_create("chan", 8, 64, nullptr), ACH_OK) << ach_errstr();
  }
  void TearDown() override { std::filesystem::remove_all("/dev/shm/sinew-" + space_); }

  std::string space_;
};

/// A handle that closes itself.
struct Handle {
  Handle() = default;
  explicit Handle(const char* name) { EXPECT_EQ(ach_open(&channel, name, nullptr), ACH_OK) << ach_errstr(); }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() { ach_close(&channel); }

  ach_status put(int sent) { return ach_put(&channel, &sent, sizeof sent); }
  ach_status get(int options, const timespec* timeout = nullptr) {
    return ach_get(&channel, &number, sizeof number, &size, timeout, options);
  }

  ach_channel_t channel{};
  int number = 0;
  std::size_t size = 0;
};

}  // namespace sinew::xach
