-- Reads a game, and the game as a request with an idempotency key had left it.
--
-- KEYS  1 game   2 answers      ARGV  1 digest of the key
-- Returns {state or nil, state then or nil}.
local game, answers, key = KEYS[1], KEYS[2], ARGV[1]
local kept = redis.call('HMGET', game, 'state', 'answer ' .. key)
for _, answer in ipairs(redis.call('LRANGE', answers, 0, -1)) do
  if string.find(answer, key .. ' ', 1, true) == 1 then
    local given = string.sub(answer, #key + 2)
    return {kept[1], given == '' and kept[1] or given}
  end
end
return kept
