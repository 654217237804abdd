-- Enters what a game has come to in a list, under the game's id, unless what the list has of the
-- game is of that version or a later one.
--
-- KEYS  1 results (hash: game id to version, rank and result)   2 order (sorted set: id by time)
--       3 ranking (sorted set: rank and game id, by rank)   4 revision (string: when it changed)
-- ARGV  1 game id   2 time in ms   3 version   4 rank   5 result, versions and ranks of one length
--       6 most results to keep   7 expiry in ms
--
-- Returns {'entered'}, {'there'}, or {'older'} than all that a full list keeps.
local results, order, ranking, revision = unpack(KEYS)
local id, version, rank = ARGV[1], ARGV[3], ARGV[4]

local function remove(id, kept)
  write('HDEL', results, id)
  write('ZREM', order, id)
  write('ZREM', ranking, string.sub(kept, #version + 1, #version + #rank) .. id)
end

local kept = redis.call('HGET', results, id)
if kept and string.sub(kept, 1, #version) >= version then
  return {'there'}
end
if kept then
  remove(id, kept)
elseif redis.call('ZCARD', order) >= tonumber(ARGV[6]) then
  local oldest = redis.call('ZRANGE', order, 0, 0, 'WITHSCORES')
  if tonumber(ARGV[2]) < tonumber(oldest[2]) then
    return {'older'}
  end
  remove(oldest[1], redis.call('HGET', results, oldest[1]))
end
write('HSET', results, id, version .. rank .. ARGV[5])
write('ZADD', order, ARGV[2], id)
write('ZADD', ranking, 0, rank .. id)
write('SET', revision, table.concat(redis.call('TIME'), '.'))
for _, key in ipairs(KEYS) do
  write('PEXPIRE', key, ARGV[7])
end
return commit({'entered'})
