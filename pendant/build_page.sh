#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Builds the page into DIST: fetches the libraries when package-lock.json has changed, then runs Vite. Without a network the
# page is left out, and one line says so; an error in the page itself is an error.
#
#   build_page.sh DIST
set -euo pipefail
cd "$(dirname "$0")"
dist=$1
log=$dist.log
mkdir -p "$(dirname "$dist")"
modules=node_modules/.sinew-stamp

no_network='ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ENOTCACHED'
if [[ ! -e $modules || package-lock.json -nt $modules ]]; then
  if ! npm ci --ignore-scripts --no-audit --no-fund >"$log" 2>&1; then
    if grep -qE "$no_network" "$log"; then
      echo "pendant: left out of this build, the npm registry cannot be reached; see $log" >&2
      rm -rf "$dist"
      exit 0
    fi
    cat "$log" >&2
    exit 1
  fi
  touch "$modules"
fi
if ! SINEW_PENDANT_DIST=$dist node node_modules/vite/bin/vite.js build --logLevel warn >"$log" 2>&1; then
  cat "$log" >&2
  exit 1
fi
