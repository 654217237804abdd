-- Keeps a commitment, unless one is kept under its id already.
--
-- KEYS  1 commitment (hash: state, used)   2 game      ARGV  1 state   2 expiry in ms
-- Returns {'kept', state}, or {'used'} if a game has outlived the commitment it was made of.
local kept = redis.call('HGET', KEYS[1], 'state')
if kept then
  -- A write that changes nothing: whoever waits for replicas waits for what they are to have.
  redis.call('PEXPIREAT', KEYS[1], redis.call('PEXPIRETIME', KEYS[1]))
  return {'kept', kept}
end
if redis.call('EXISTS', KEYS[2]) == 1 then
  return {'used'}
end
redis.call('HSET', KEYS[1], 'state', ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return {'kept', ARGV[1]}
