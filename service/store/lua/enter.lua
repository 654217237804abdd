-- Enters what a game came to in a list, under the game's id; once it is there, nothing changes.
--
-- KEYS  1 results (hash: game id to result)   2 order (sorted set: game id by time)
-- ARGV  1 game id   2 time in ms   3 result   4 most results to keep   5 expiry in ms
--
-- Returns {'entered'} or {'there'}.
local results, order = KEYS[1], KEYS[2]
if redis.call('HGET', results, ARGV[1]) == ARGV[3] then
  return {'there'}
end
redis.call('ZADD', order, ARGV[2], ARGV[1])
redis.call('HSET', results, ARGV[1], ARGV[3])
local too_many = redis.call('ZCARD', order) - ARGV[4]
if too_many > 0 then
  for _, oldest in ipairs(redis.call('ZRANGE', order, 0, too_many - 1)) do
    redis.call('HDEL', results, oldest)
    redis.call('ZREM', order, oldest)
  end
end
for _, key in ipairs(KEYS) do
  redis.call('PEXPIRE', key, ARGV[5])
end
return {'entered'}
