#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Fails when a C or C++ file is not laid out as .clang-format says. Usage: check_format.sh CLANG_FORMAT
set -euo pipefail
cd "$(dirname "$0")/.."
for folder in src bench examples tests python; do
  if [[ -d $folder ]]; then find "$folder" -name '*.h' -o -name '*.cc' -o -name '*.c'; fi
done | sort | xargs "$1" --dry-run --Werror
