-- Writes to a game what is there already: what replicas have of that, they have of all before it.
--
-- KEYS  1 game      Returns nothing.
local left = redis.call('PTTL', KEYS[1])
if left > 0 then
  redis.call('PEXPIRE', KEYS[1], left)
end
