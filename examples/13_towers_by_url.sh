#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Towers of Hanoi with curl alone, over the URL API of Southern Arm Control:
#   sinew start scorbot-er3 --sim --world hanoi
#   examples/13_towers_by_url.sh [URL [DISCS]]
# Every request is answered when the arm is there, so nothing sleeps; the first that is not reached ends it.
set -eu
url=${1:-http://127.0.0.1:8080}
discs=${2:-3}
down=1.57079633 high=0.16 open=0.065

# as in worlds/hanoi: three places on a board, discs of one height, their widths by size
place_y() { case $1 in 0) echo -0.11 ;; 1) echo 0 ;; 2) echo 0.11 ;; esac; }
grip_width() { awk "BEGIN { print $wide + ($1 - 1) * $wider - 0.002 }"; }
height_of() { awk "BEGIN { print $board + ($1 + 0.5) * $thick }"; } # of the middle of disc $1 of a stack, from 0
x=0.35 board=0.02 thick=0.015 wide=0.03 wider=0.01

go() { # y z hand
  curl --silent --show-error --max-time 300 "$url/$x/$1/$2/0/$down/$3/0" | grep '"reached":true' >/dev/null ||
    { echo "not reached: $x $1 $2, hand $3" >&2; exit 1; }
}

counts="$discs 0 0" # of discs on each place
count_on() { echo "$counts" | cut -d' ' -f$(($1 + 1)); }
add_to() { counts=$(echo "$counts" | awk -v i=$(($1 + 1)) -v more="$2" '{ $i += more; print }'); } # place more

move_disc() { # size from to
  from_y=$(place_y "$2") to_y=$(place_y "$3") grip=$(grip_width "$1")
  from_z=$(height_of $(($(count_on "$2") - 1))) to_z=$(height_of "$(count_on "$3")")
  go "$from_y" "$high" "$open"
  go "$from_y" "$from_z" "$open"
  go "$from_y" "$from_z" "$grip"
  go "$from_y" "$high" "$grip"
  go "$to_y" "$high" "$grip"
  go "$to_y" "$to_z" "$grip"
  go "$to_y" "$to_z" "$open"
  go "$to_y" "$high" "$open"
  add_to "$2" -1
  add_to "$3" 1
  echo "disc $1: $2 -> $3"
}

solve() { # count from to over
  [ "$1" -gt 0 ] || return 0
  solve $(($1 - 1)) "$2" "$4" "$3"
  move_disc "$1" "$2" "$3"
  solve $(($1 - 1)) "$4" "$3" "$2"
}

solve "$discs" 0 2 1
