-- Reads a part of a list of results, best first.
--
-- KEYS  1 results (hash: game id to what is kept)   2 ranking (sorted set: rank and game id)
-- ARGV  1 where it begins and   2 where it ends, as bounds of ZRANGEBYLEX   3 how many
--       4 bytes of a rank
-- Returns them as they are kept.
local results = {}
for _, place in ipairs(redis.call('ZRANGEBYLEX', KEYS[2], ARGV[1], ARGV[2], 'LIMIT', 0, ARGV[3])) do
  results[#results + 1] = redis.call('HGET', KEYS[1], string.sub(place, ARGV[4] + 1))
end
return results
