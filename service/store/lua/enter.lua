-- Enters what a game came to in a list, under the game's id; once it is there, nothing changes.
--
-- KEYS  1 results (hash: game id to rank and result)   2 order (sorted set: game id by time)
--       3 ranking (sorted set: rank and game id, by rank)   4 revision (string: when it changed)
-- ARGV  1 game id   2 time in ms   3 rank   4 result   5 most results to keep   6 expiry in ms
--
-- Returns {'entered'}, {'there'}, or {'older'} than all that a full list keeps.
local results, order, ranking, revision = unpack(KEYS)
local id, written = ARGV[1], ARGV[3] .. ARGV[4]

local function remove(id, kept)
  write('HDEL', results, id)
  write('ZREM', order, id)
  write('ZREM', ranking, string.sub(kept, 1, #ARGV[3]) .. id)
end

local kept = redis.call('HGET', results, id)
if kept == written then
  return {'there'}
end
if kept then
  remove(id, kept)
elseif redis.call('ZCARD', order) >= tonumber(ARGV[5]) then
  local oldest = redis.call('ZRANGE', order, 0, 0, 'WITHSCORES')
  if tonumber(ARGV[2]) < tonumber(oldest[2]) then
    return {'older'}
  end
  remove(oldest[1], redis.call('HGET', results, oldest[1]))
end
write('HSET', results, id, written)
write('ZADD', order, ARGV[2], id)
write('ZADD', ranking, 0, ARGV[3] .. id)
write('SET', revision, table.concat(redis.call('TIME'), '.'))
for _, key in ipairs(KEYS) do
  write('PEXPIRE', key, ARGV[6])
end
return commit({'entered'})
