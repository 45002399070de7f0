#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Fails when a generated manual page, or the completion script, is not well formed. Usage: check_manual_pages.sh SINEW
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$1" man --out "$folder"
mandoc -T lint -W error "$folder"/*.1
"$1" completion bash >"$folder/completion.bash"
bash -n "$folder/completion.bash"
