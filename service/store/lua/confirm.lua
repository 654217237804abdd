-- Writes to a game what is there already: what replicas have of that, they have of all before it.
-- One that is gone is put there for that, and taken away again, so that nobody sees it.
--
-- KEYS  1 game      Returns {}.
local left = redis.call('PTTL', KEYS[1])
if left > 0 then
  write('PEXPIRE', KEYS[1], left)
elseif left == -2 then
  write('SET', KEYS[1], '', 'PX', 1)
  write('UNLINK', KEYS[1])
end
return commit({})
