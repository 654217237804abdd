-- Reads a game and its kept events of one moment, unless it is still at the version given.
--
-- KEYS  1 game   2 log      ARGV  1 version that is known, as it stands in a state, or empty
-- Returns {state, events}, {nil, nil}, or {state, nil} if the version is the one that is known.
local state = redis.call('GET', KEYS[1])
if not state or (ARGV[1] ~= '' and string.sub(state, 2, 5) == ARGV[1]) then
  return {state, false}
end
return {state, redis.call('LRANGE', KEYS[2], 0, -1)}
