-- Claims what one alone can have, if it is free or has the value `former`: the first attempt of a
-- label at a deal, or a label.
--
-- KEYS  1 what is claimed (string: who has it)   ARGV  1 claim   2 former   3 expiry in ms
-- Returns who has it now.
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] and holder ~= ARGV[2] then
  return holder
end
write('SET', KEYS[1], ARGV[1], 'PX', ARGV[3])
return commit(ARGV[1])
