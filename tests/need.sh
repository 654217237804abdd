#!/bin/sh
# Sees to what the tests need besides Python packages; installs it where it may, and says so.
set -eu
PATH="$PATH:/usr/sbin" # where Debian has nginx

need() { # command, Debian package
  command -v "$1" >/dev/null 2>&1 && return
  as_root=""
  if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null 2>&1 && as_root="sudo -n"
  fi
  if command -v apt-get >/dev/null 2>&1 && { [ "$(id -u)" = 0 ] || [ -n "$as_root" ]; }; then
    echo "Installing $2, which the tests need ..."
    $as_root apt-get update -qq >/dev/null
    # RUNLEVEL=1: the package's own service is not wanted, the tests start servers of their own.
    $as_root env RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$2" >/dev/null
  fi
  command -v "$1" >/dev/null 2>&1 || {
    echo "The tests need $1; please install it (Debian: apt-get install $2)." >&2
    exit 1
  }
}

need redis-server redis-server
need nginx nginx-light
need promtool prometheus
need chromium chromium
need node nodejs
need npm npm
need java default-jre-headless
need cc gcc

# What checks the page to play on; none of it is part of the service.
[ tests/web/node_modules/.package-lock.json -nt tests/web/package-lock.json ] ||
  npm ci --prefix tests/web --no-audit --no-fund --silent
