#!/bin/sh
# Starts Redis for Sluice: no access without a user name, every write on disk within 1 s, no key evicted.
# Arguments are passed on to redis-server.
set -eu

digest() {
  printf %s "$1" | sha256sum | cut -d ' ' -f 1
}

acl=$(mktemp)
sed -e '/^#/d' \
  -e "s/CONSOLE_PASSWORD_SHA256/$(digest "$CONSOLE_REDIS_PASSWORD")/" \
  -e "s/GUARD_PASSWORD_SHA256/$(digest "$GUARD_REDIS_PASSWORD")/" \
  "$(dirname "$0")/users.acl" > "$acl"

exec redis-server --aclfile "$acl" --appendonly yes --appendfsync everysec --maxmemory-policy noeviction "$@"
