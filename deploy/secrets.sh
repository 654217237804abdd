#!/bin/sh
# Makes the secrets of a deployment, each once: in deploy/secrets, which git does not see.
#
#   sh deploy/secrets.sh [URL]
#
# URL says where the service finds the store, with LOGIN where its name and password belong.
set -eu

folder="$(dirname "$0")/secrets"
url="${1:-redis://LOGIN@valkey:6379/0}"

umask 077
mkdir -p "$folder"
cd "$folder"

# Play tokens and daily deals are derived from it: with another one all games lose their players.
[ -e server_key ] || openssl rand -hex 32 >server_key

if [ ! -e users_acl ]; then
  password="$(openssl rand -hex 32)"
  printf %s "$url" | sed "s/LOGIN/asterism:$password/" >redis_url
  # The service may do what games need, to keys and channels of its own (a pattern that is listened
  # to must be named as it is). Nobody else may do more than ask whether the store is there.
  {
    echo "user default on nopass resetkeys resetchannels -@all +ping"
    printf 'user asterism on #%s resetkeys ~ast:* resetchannels &ast:{*}:events +@all -@admin -@dangerous +info +role +config|get\n' \
      "$(printf %s "$password" | openssl dgst -sha256 -r | cut -d ' ' -f 1)"
  } >users_acl
fi

# Compose shows a file to a container with the owner and mode it has here, so whoever a container
# runs as must be able to read it; the folder is closed to all others on this machine.
chmod 0444 server_key redis_url users_acl
