-- Keeps a game in one step, if it is still what the change was made of: the version and, of a store
-- that may have lost later ones, the same bytes.
-- A game that is made of a commitment spends it in the same step.
--
-- KEYS  1 game (string: the state, its version in the bytes 2 to 5)
--       2 line (string: two bytes a move, and one more where answers are kept)
--       3 log (list: events, the latest last)   4 answers (string)
--       5 checkpoints (sorted set: positions along the line, by ply)
--       6 used (string: whose first attempt the game is, or -)
--       7 events (the name of a channel)
--       8 commitment (hash: state, used), where the game is made of one
-- ARGV  1 version before, as it stands in a state, and after it, where the change was made of these
--         bytes, the checksums of the state and of the answers; or empty to create
--       2 state           3 answers, or empty for none            4 event
--       5 moves that the line must have       6 moves to write after those
--       7 expiry in ms    8 used, or empty for none       9 expiry of used in ms
--       from 10 on: ply and position of each new checkpoint
--
-- Tells on the channel that there is news; the news itself is in the log. `used` stays when the game
-- has gone, so that its id does not come back.
-- Returns {'saved'}, {'gone'}, {'moved', state, answers or nil, bytes of the line}, {'lost'} if a
-- part of the game is, {'over'} for a new game whose id has been used; and of the commitment
-- {'unknown'} or {'used'}.
local game, line, log, answers, checkpoints, used, events, commitment = unpack(KEYS)
local before, state, expiry, start = ARGV[1], ARGV[2], ARGV[7], ARGV[5] * 2

local kept = redis.call('GET', game)
local given = redis.call('GET', answers)
local moves = redis.call('GET', line) or ''
local told = redis.call('LLEN', log)
local keyed = #moves % 2 == 1

-- The log has an event of each version, up to 64.
local function log_is_whole()
  local _, _, high, low = string.byte(before, 1, 4)
  return told == 64 or told == high * 256 + low
end

-- What identifies the state and the answers, as far as the change says what it was made of.
local function mark()
  local version = string.sub(kept, 2, 5)
  return #before <= 4 and version or version .. string.sub(kept, -4) .. string.sub(given or '', -4)
end

if not kept and before ~= '' then
  return {'gone'}
end
if kept and (before == '' or mark() ~= before) then
  return {'moved', kept, given, #moves}
end
if kept and (#moves < start or not log_is_whole() or (keyed and not given)) then
  return {'lost'}
end
if not kept and redis.call('EXISTS', line, log, answers, commitment and line or used) > 0 then
  return {'over'}
end
if commitment then
  local found = redis.call('HMGET', commitment, 'state', 'used')
  if not found[1] then
    return {'unknown'}
  end
  if found[2] then
    return {'used'}
  end
  write('HSET', commitment, 'used', '1')
end

write('SET', game, state, 'PX', expiry)
write('RPUSH', log, ARGV[4])
write('LTRIM', log, -64, -1)
write('PEXPIRE', log, expiry)
local answered = (keyed or ARGV[3] ~= '') and 'k' or ''
if ARGV[6] ~= '' then
  -- Written anew, since a string that grows takes twice the room.
  write('SET', line, string.sub(moves, 1, start) .. ARGV[6] .. answered, 'PX', expiry)
  if #moves > start + 1 then
    write('ZREMRANGEBYSCORE', checkpoints, '(' .. ARGV[5], '+inf')
  end
elseif answered ~= '' and not keyed then
  write('SET', line, moves .. answered, 'PX', expiry)
else
  write('PEXPIRE', line, expiry)
end
for index = 10, #ARGV, 2 do
  write('ZADD', checkpoints, ARGV[index], ARGV[index + 1])
end
if #moves > 1000 or #ARGV > 9 then  -- a shorter line has none
  write('PEXPIRE', checkpoints, expiry)
end
if ARGV[3] ~= '' then
  write('SET', answers, ARGV[3], 'PX', expiry)
end
if ARGV[8] ~= '' then
  write('SET', used, ARGV[8], 'PX', ARGV[9])
else
  write('PEXPIRE', used, ARGV[9])
end
write('PUBLISH', events, 'saved')
return commit({'saved'})
