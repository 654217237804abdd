-- Keeps a game in one step, if it is still at the version the change was made for.
-- A game that is made of a commitment spends it in the same step.
--
-- KEYS  1 game (hash: version, state)   2 line (string)   3 log (list: events, the latest last)
--       4 answers (list: digest of the key, a space, and the state that it led to)
--       5 events (the name of a channel)
--       6 commitment (hash: state, used), where the game is made of one
-- ARGV  1 version before (0: create)   2 version after   3 state   4 event
--       5 offset in the line           6 moves to write there      7 expiry in ms
--       8 digest of the idempotency key, or empty                  9 answers to keep
--
-- Answers lie in a ring: the first place is for the creation's and stays, the others are for the
-- last few. That of the latest request has no state: it is the one the game has.
--
-- Tells on the channel that there is news; the news itself is in the log.
-- Returns {'saved'}, {'gone'}, {'answered', state}, {'moved', state}, and of the commitment
-- {'unknown'} or {'used'}.
local game, line, log, answers, events, commitment = unpack(KEYS)
local before, after, state, answer_key = ARGV[1], ARGV[2], ARGV[3], ARGV[8]
local kept = redis.call('HMGET', game, 'version', 'state', 'answer ' .. answer_key)

-- All is read before anything is written: a script that fails half-way is not rolled back.
local given = redis.call('LRANGE', answers, 0, -1)
local moves = redis.call('GET', line) or ''
redis.call('LLEN', log)

if kept[3] then -- in the form before this one
  return {'answered', kept[3]}
end
if answer_key ~= '' then
  for _, answer in ipairs(given) do
    if string.find(answer, answer_key .. ' ', 1, true) == 1 then
      local then_state = string.sub(answer, #answer_key + 2)
      return {'answered', then_state == '' and kept[2] or then_state}
    end
  end
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

local function place(version)
  return version == '1' and 0 or 1 + version % ARGV[9]
end

redis.call('HSET', game, 'version', after, 'state', state)
redis.call('RPUSH', log, ARGV[4])
redis.call('LTRIM', log, -64, -1)
if ARGV[6] ~= '' then
  -- Written anew, since a string that grows takes twice the room.
  redis.call('SET', line, string.sub(moves, 1, ARGV[5]) .. ARGV[6])
end
local last = given[place(before) + 1]
if last and string.sub(last, -1) == ' ' then
  redis.call('LSET', answers, place(before), last .. kept[2])
end
if answer_key ~= '' then
  if #given == 0 then
    for _ = 0, ARGV[9] do
      redis.call('RPUSH', answers, '')
    end
  end
  redis.call('LSET', answers, place(after), answer_key .. ' ')
end
if string.sub(kept[2] or '', 1, 1) == '{' then
  redis.call('UNLINK', events) -- a stream, in the form before this one
end
for _, key in ipairs({game, line, log, answers}) do
  redis.call('PEXPIRE', key, ARGV[7])
end
redis.call('PUBLISH', events, after)
return {'saved'}
