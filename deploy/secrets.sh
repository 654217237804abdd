#!/bin/sh
# Creates the secrets of a deployment in deploy/secrets, which git ignores. Existing ones are kept.
#
#   sh deploy/secrets.sh [URL]
#
# URL is the address of the store, with LOGIN in the place of user and password.
set -eu

folder="$(dirname "$0")/secrets"
url="${1:-redis://LOGIN@valkey:6379/0}"

umask 077
mkdir -p "$folder"
cd "$folder"

# Play tokens and daily deals are derived from it: with another key nobody can continue a game.
[ -e server_key ] || openssl rand -hex 32 >server_key

if [ ! -e users_acl ]; then
  password="$(openssl rand -hex 32)"
  printf %s "$url" | sed "s/LOGIN/asterism:$password/" >redis_url
  # The service may use the commands that games need, on its own keys and channels (the channel
  # pattern must equal the one that it subscribes to). Everybody else may only PING.
  {
    echo "user default on nopass resetkeys resetchannels -@all +ping"
    printf 'user asterism on #%s resetkeys ~ast:* resetchannels &ast:{*}:events +@all -@admin -@dangerous +info +role +config|get\n' \
      "$(printf %s "$password" | openssl dgst -sha256 -r | cut -d ' ' -f 1)"
  } >users_acl
fi

# Compose mounts these files with their owner and mode, so the users in the containers must be able to
# read them. The folder keeps out everybody else on this machine.
chmod 0444 server_key redis_url users_acl
