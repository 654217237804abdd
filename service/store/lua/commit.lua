-- Keeps a commitment, unless its id has been used: by one that is kept, one that has expired, or by
-- a game.
--
-- KEYS  1 commitment (hash: state, used)   2 game   3 used
-- ARGV  1 state   2 expiry in ms   3 expiry of used in ms, or empty for none
-- Returns {'kept', state} or {'over'}.
local commitment, game, used = unpack(KEYS)
local kept = redis.call('HGET', commitment, 'state')
if kept then
  -- A write that changes nothing: whoever waits for replicas waits for what they are to have.
  write('PEXPIREAT', commitment, redis.call('PEXPIRETIME', commitment))
  return commit({'kept', kept})
end
if redis.call('EXISTS', game, used) > 0 then
  return {'over'}
end
write('HSET', commitment, 'state', ARGV[1])
write('PEXPIRE', commitment, ARGV[2])
if ARGV[3] ~= '' then
  write('SET', used, '-', 'PX', ARGV[3])
end
return commit({'kept', ARGV[1]})
