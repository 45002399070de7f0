#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs a scenario's program into a folder, and its judge on that. Usage: run_and_judge.sh PROGRAM JUDGE FOLDER
set -eu
rm -rf "$3"
mkdir -p "$3"
trap 'rm -rf "$3"' EXIT
"$1" "$3"
"$2" "$3"
