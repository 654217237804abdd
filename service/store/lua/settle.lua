-- Tells whether a game that has claimed a first attempt was created with it. One that was not can be
-- given up: then it can no longer be created.
--
-- KEYS  1 game   2 used
-- ARGV  1 what `used` says of a game with this first attempt   2 expiry of used in ms
--       3 1 to give it up
-- Returns 1, 0, or nil for a game that may still be created.
local mark = redis.call('GET', KEYS[2])
if mark then
  return mark == ARGV[1] and 1 or 0
end
if redis.call('EXISTS', KEYS[1]) == 1 then
  return 1
end
if ARGV[3] == '1' then
  write('SET', KEYS[2], '-', 'PX', ARGV[2])
  return commit(0)
end
return false
