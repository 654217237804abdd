-- Reads a game and its kept events of one moment, unless it is still at the version given.
--
-- KEYS  1 game   2 events      ARGV  1 version that is known, 0 for none
-- Returns {version or nil, state, events}; the version alone if it is the one that is known.
local version = redis.call('HGET', KEYS[1], 'version')
if not version or version == ARGV[1] then
  return {version}
end
local state = redis.call('HGET', KEYS[1], 'state')
return {version, state, redis.call('XRANGE', KEYS[2], '-', version)}
