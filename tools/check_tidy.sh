#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Runs clang-tidy on rooms and apps as they were built, by the unity files, so that each header is read once. Tests,
# benches, examples and the kernels are left out: reading all of that would take longer than all tests.
# Usage: check_tidy.sh CLANG_TIDY BUILD_FOLDER
set -euo pipefail
cd "$(dirname "$0")/.."
mapfile -t files < <(sed -n 's/^ *"file": "\(.*\.\(cc\|cxx\)\)"/\1/p' "$2/compile_commands.json" |
  grep -vE '_(test|bench)\.dir/|/test/|kernels_[a-z0-9]+\.cc$|/bench/|/examples/' | sort -u)
printf '%s\0' "${files[@]}" | xargs -0 -n 1 -P "$(nproc)" "$1" -p "$2" --quiet --extra-arg=-Wno-unknown-warning-option --extra-arg=-Wno-sign-conversion
