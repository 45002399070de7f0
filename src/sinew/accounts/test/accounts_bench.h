// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>

#include "sinew/accounts/secrets.h"
#include "sinew/accounts/users.h"

namespace sinew::accounts {

/// Passwords at the least cost there is: tests want thousands.
inline constexpr PasswordCost kTestCost{.passes = 1, .memory = 8192};

/// A folder that is gone when the test is over.
class TestFolder {
 public:
  TestFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "sinew-accounts-XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  ~TestFolder() { std::filesystem::remove_all(path_); }
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;

  std::string file(const std::string& name) const { return path_ + "/" + name; }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

inline void write_file(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

inline std::string text_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// Randomness that is the same in each run.
inline Randomness seeded_randomness(unsigned seed) {
  return [generator = std::mt19937(seed)](std::span<std::byte> bytes) mutable {
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(generator() & 255U);
  };
}

inline User test_user(const std::string& name, Role role, const std::string& password = "correct horse") {
  return {.name = name, .role = role, .password_hash = *hash_password(password, kTestCost)};
}

}  // namespace sinew::accounts
