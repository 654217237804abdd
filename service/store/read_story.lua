-- Reads a game and its kept events of one moment, unless it is still at the version given.
--
-- KEYS  1 game   2 log      ARGV  1 version that is known, 0 for none
-- Returns {version or nil, state, events}; the version alone if it is the one that is known.
local kept = redis.call('HMGET', KEYS[1], 'version', 'state')
if not kept[1] or kept[1] == ARGV[1] then
  return {kept[1]}
end
return {kept[1], kept[2], redis.call('LRANGE', KEYS[2], 0, -1)}
