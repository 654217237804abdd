-- Keeps a game in one step, if it is still at the version the change was made for.
-- A game that is made of a commitment spends it in the same step.
--
-- KEYS  1 game (string: the state, its version in the bytes 2 to 5)
--       2 line (string)   3 log (list: events, the latest last)   4 answers (string)
--       5 events (the name of a channel)
--       6 commitment (hash: state, used), where the game is made of one
-- ARGV  1 version before, as it stands in a state, or empty to create
--       2 state           3 answers, or empty for none            4 event
--       5 offset in the line              6 moves to write there  7 expiry in ms
--
-- Tells on the channel that there is news; the news itself is in the log.
-- Returns {'saved'}, {'gone'}, {'moved', state, answers or nil}, and of the commitment {'unknown'}
-- or {'used'}.
local game, line, log, answers, events, commitment = unpack(KEYS)
local before, state, expiry = ARGV[1], ARGV[2], ARGV[7]

-- All is read before anything is written: a script that fails half-way is not rolled back.
local kept = redis.call('GET', game)
local given = redis.call('GET', answers)
local moves = redis.call('GET', line) or ''
redis.call('LLEN', log)

if not kept and before ~= '' then
  return {'gone'}
end
if kept and (before == '' or string.sub(kept, 2, 5) ~= before) then
  return {'moved', kept, given}
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

redis.call('SET', game, state, 'PX', expiry)
redis.call('RPUSH', log, ARGV[4])
redis.call('LTRIM', log, -64, -1)
redis.call('PEXPIRE', log, expiry)
if ARGV[6] ~= '' then
  -- Written anew, since a string that grows takes twice the room.
  redis.call('SET', line, string.sub(moves, 1, ARGV[5]) .. ARGV[6], 'PX', expiry)
else
  redis.call('PEXPIRE', line, expiry)
end
if ARGV[3] ~= '' then
  redis.call('SET', answers, ARGV[3], 'PX', expiry)
elseif given then
  redis.call('UNLINK', answers)
end
redis.call('PUBLISH', events, 'saved')
return {'saved'}
