#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Tries every order of steps of channel.pml with spin, and shows that each way to break the protocol is found out.
# Fails on an error in the model, on a search that was not complete, and on a mutant that passes.
set -euo pipefail

model=$(cd "$(dirname "$0")" && pwd)/channel.pml
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

# builds ./pan for the given options of gcc and definitions of the model
build() {
  local options=$1
  shift
  spin -a "$@" "$model" >spin.log || { cat spin.log; exit 1; }
  # shellcheck disable=SC2086 # options are words
  gcc -O2 -w $options -DCOLLAPSE -DMEMLIM=4000 -DVECTORSZ=2048 -o pan pan.c
}

states() {
  awk '/states, stored/ {printf "%d", $1; exit}' pan.log
}

is_complete() {
  ! grep -qE 'max search depth too small|Search not completed|out of memory|reached -DMEMLIM' pan.log
}

# prove WHAT DEFINITION…: no assertion fails and nobody is left waiting, in any order of steps
prove() {
  local what=$1
  shift
  build -DSAFETY "$@"
  ./pan -m100000 -w24 >pan.log 2>&1 || { cat pan.log; exit 1; }
  if ! grep -q 'errors: 0' pan.log || ! is_complete; then
    cat pan.log
    echo "FAILED: $what"
    exit 1
  fi
  echo "holds:  $what ($(states) states)"
}

# prove_progress WHAT DEFINITION…: nobody can go round in circles
prove_progress() {
  local what=$1
  shift
  build -DNP "$@"
  ./pan -l -m100000 -w24 >pan.log 2>&1 || { cat pan.log; exit 1; }
  if ! grep -q 'errors: 0' pan.log || ! is_complete; then
    cat pan.log
    echo "FAILED: $what"
    exit 1
  fi
  echo "holds:  $what ($(states) states)"
}

# refute WHAT DEFINITION…: the broken protocol is found out
refute() {
  local what=$1
  shift
  build -DSAFETY "$@"
  ./pan -m100000 -w24 >pan.log 2>&1 || true
  if ! grep -q 'errors: 1' pan.log; then
    cat pan.log
    echo "FAILED: the model does not notice $what"
    exit 1
  fi
  echo "caught: $what ($(grep -oE 'assertion violated|invalid end state' pan.log | head -1))"
}

prove "writers and an heir" -DOTHER_PUTS=3 -DHEIR_PUTS=2
prove "with a reader of the newest" -DHEIR_PUTS=2 -DNEWEST_READER
prove "with a reader of the next" -DHEIR_PUTS=2 -DNEXT_READER
prove "with both readers" -DNO_HEIR -DNEWEST_READER -DNEXT_READER
prove "depth 1, with an heir and a reader of the next" -DDEPTH=1 -DPUTS=3 -DOTHER_PUTS=2 -DNEXT_READER
prove "depth 1, with both readers" -DDEPTH=1 -DPUTS=3 -DNO_HEIR -DNEWEST_READER -DNEXT_READER
prove_progress "nobody goes round in circles" -DHEIR_PUTS=2

refute "a slot too few" -DFEW_SLOTS -DNEWEST_READER
refute "a copy that is not checked" -DNO_RECHECK -DNEWEST_READER
refute "a place taken from the living" -DSTEAL
refute "writers who wait for the dead" -DNO_HELP
refute "a head that is set blindly" -DBLIND_HEAD
refute "an entry replaced whatever its age" -DNO_AGE_CHECK
refute "an heir who does not look at head" -DDEPTH=1 -DHASTY_HEIR
