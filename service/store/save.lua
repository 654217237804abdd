-- Keeps a game in one step, if it is still at the version the change was made for.
-- A game that is made of a commitment spends it in the same step.
--
-- KEYS  1 game (hash: version, state, answers)   2 line (string)   3 events (stream)
--       4 commitment (hash: state, used), where the game is made of one
-- ARGV  1 version before (0: create)   2 version after   3 state   4 event
--       5 offset in the line           6 moves to write there      7 expiry in ms
--       8 digest of the idempotency key, or empty                  9 answers to keep
--
-- Tells on the channel of the events' name that there is news; the news itself is in the stream.
-- Returns {'saved'}, {'gone'}, {'answered', state}, {'moved', state}, and of the commitment
-- {'unknown'} or {'used'}.
local game, line, events, commitment = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local before, after, state, answer_key = ARGV[1], ARGV[2], ARGV[3], ARGV[8]
local kept = redis.call('HMGET', game, 'version', 'state', 'answer ' .. answer_key)

if kept[3] then
  return {'answered', kept[3]}
end
if not kept[1] and before ~= '0' then
  return {'gone'}
end
if (kept[1] or '0') ~= before then
  return {'moved', kept[2]}
end
if commitment then
  local found = redis.call('HMGET', commitment, 'state', 'used')
  if not found[1] then
    return {'unknown'}
  end
  if found[2] then
    return {'used'}
  end
  -- The mark outlives the game, should that be deleted; it goes when the commitment expires.
  redis.call('HSET', commitment, 'used', '1')
end

-- The event goes first: a script that fails half-way is not rolled back, and a stream refuses
-- an id twice.
redis.call('XADD', events, 'MAXLEN', '64', after .. '-0', 'e', ARGV[4])
redis.call('HSET', game, 'version', after, 'state', state)
if ARGV[6] ~= '' then
  redis.call('SETRANGE', line, ARGV[5], ARGV[6])
end
if answer_key ~= '' then
  redis.call('HSET', game, 'answer ' .. answer_key, state)
  if before ~= '0' then
    -- A ring of slots: the answer to the creation stays, of the others the last few.
    local slot = 'slot ' .. (after % ARGV[9])
    local oldest = redis.call('HGET', game, slot)
    if oldest then
      redis.call('HDEL', game, 'answer ' .. oldest)
    end
    redis.call('HSET', game, slot, answer_key)
  end
end
for _, key in ipairs({game, line, events}) do
  redis.call('PEXPIRE', key, ARGV[7])
end
redis.call('PUBLISH', events, after)
return {'saved'}
