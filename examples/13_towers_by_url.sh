#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Towers of Hanoi with curl alone, over the URL API of Southern Arm Control:
#   sinew start scorbot-er3 --sim --world hanoi
#   examples/13_towers_by_url.sh [URL [DISCS [WORLD.yaml]]]
# Every request is answered when the arm is there, so nothing sleeps; the first that is not reached ends it.
set -eu
url=${1:-http://127.0.0.1:8080}
discs=${2:-3}
world=${3:-$(dirname "$0")/../worlds/hanoi/world.yaml}
case $discs in [1-6]) ;; *) echo "usage: $0 [URL [DISCS [WORLD.yaml]]], 1 to 6 of them" >&2 && exit 2 ;; esac
down=1.57079633 high=0.12

# where the pegs are: x y z of each, from the world's line 'tower: {… pegs: [[x, y, z], …]}'
pegs=$(sed -n 's/^tower:.*pegs: *//p' "$world" | tr -c '0-9.\n-' ' ')
[ "$(echo "$pegs" | wc -w)" -eq 9 ] || { echo "$world says of no three pegs" >&2 && exit 2; }
number() { echo "$pegs" | awk -v i="$1" '{ print $i }'; }
x=$(number 1) board=$(awk "BEGIN { print $(number 3) + 0.002 }")
# its discs have one height, and grow by 8 mm from size to size (docs/reference/world_yaml.md)
thick=0.015 smallest=0.026 growth=0.008
place_y() { number $((3 * $1 + 2)); }
width_of() { awk "BEGIN { print $smallest + ($1 - 1) * $growth + $2 }"; } # size more: how far the fingers are apart
tip_over() { awk "BEGIN { print $board + $1 * $thick + $2 }"; }           # discs more: of the fingertips

go() { # y z hand
  answer=$(curl --silent --show-error --max-time 300 "$url/$x/$1/$2/0/$down/$3/0") || answer="no answer"
  case $answer in *'"reached":true'*) ;; *) echo "not reached: $answer" >&2 && exit 1 ;; esac
}

counts="$discs 0 0" # of discs on each place
count_on() { echo "$counts" | cut -d' ' -f$(($1 + 1)); }
add_to() { counts=$(echo "$counts" | awk -v i=$(($1 + 1)) -v more="$2" '{ $i += more; print }'); } # place more

move_disc() { # size from to
  from_y=$(place_y "$2") to_y=$(place_y "$3") grip=$(width_of "$1" -0.006) open=$(width_of "$1" 0.016)
  from_z=$(tip_over $(($(count_on "$2") - 1)) 0.004) to_z=$(tip_over "$(count_on "$3")" 0.0045)
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
