-- Reads a game and a part of its line of one moment, from the last checkpoint before it.
--
-- KEYS  1 game   2 line   3 checkpoints      ARGV  1 ply after which it begins   2 ply of its end
-- Returns {state, bytes of the whole line, checkpoint or nil, moves since the checkpoint}.
local found = redis.call('ZREVRANGEBYSCORE', KEYS[3], ARGV[1], 0, 'WITHSCORES', 'LIMIT', 0, 1)
local first, last = tonumber(found[2] or 0) * 2, tonumber(ARGV[2]) * 2 - 1
return {
  redis.call('GET', KEYS[1]),
  redis.call('STRLEN', KEYS[2]),
  found[1] or false,
  redis.call('GETRANGE', KEYS[2], first, last),
}
