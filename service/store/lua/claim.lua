-- Claims the first attempt of a label at a deal for a game, if it is free or that of `former`, a
-- game that will never be.
--
-- KEYS  1 first (string: the game that has it)   ARGV  1 game id   2 former   3 expiry in ms
-- Returns the id of the game that has it now.
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] and holder ~= ARGV[2] then
  return holder
end
write('SET', KEYS[1], ARGV[1], 'PX', ARGV[3])
return commit(ARGV[1])
