-- Writes to a game what is there already: what replicas have of that, they have of all before it.
-- One that is gone is put there for that, and taken away again, so that nobody sees it.
--
-- KEYS  1 game      Returns nothing.
local left = redis.call('PTTL', KEYS[1])
if left > 0 then
  redis.call('PEXPIRE', KEYS[1], left)
elseif left == -2 then
  redis.call('SET', KEYS[1], '', 'PX', 1)
  redis.call('UNLINK', KEYS[1])
end
