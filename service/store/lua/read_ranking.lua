-- Reads a part of a list of results, best first.
--
-- KEYS  1 results (hash: game id to rank and result)   2 ranking (sorted set: rank and game id)
-- ARGV  1 where it begins, as a bound of ZRANGEBYLEX   2 how many   3 bytes of a rank
-- Returns them as they are kept.
local results = {}
for _, place in ipairs(redis.call('ZRANGEBYLEX', KEYS[2], ARGV[1], '+', 'LIMIT', 0, ARGV[2])) do
  results[#results + 1] = redis.call('HGET', KEYS[1], string.sub(place, ARGV[3] + 1))
end
return results
