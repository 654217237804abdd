-- Counts what a game has come to in the sums of its label, in place of what it had come to at an
-- earlier version, unless a later one is counted.
--
-- KEYS  1 games (hash: game id to version and digits)   2 sums (hash: label to numbers)
--       3 revision (string: when they changed)
-- ARGV  1 game id   2 label   3 version, all of one length   4 what the game adds to each number, as
--       digits   5 most labels   6 expiry in ms
--
-- Returns {'counted'}, {'there'}, or {'full'} for one label too many.
local games, sums, revision = unpack(KEYS)
local id, label, version, digits = ARGV[1], ARGV[2], ARGV[3], ARGV[4]

local kept = redis.call('HGET', games, id)
if kept and string.sub(kept, 1, #version) >= version then
  return {'there'}
end
local numbers = redis.call('HGET', sums, label)
if not numbers and redis.call('HLEN', sums) >= tonumber(ARGV[5]) then
  return {'full'}
end
local former = kept and string.sub(kept, #version + 1) or string.rep('0', #digits)
local counted = {}
for number in string.gmatch(numbers or string.rep('0 ', #digits), '%d+') do
  local place = #counted + 1
  counted[place] = number + string.byte(digits, place) - string.byte(former, place)
end
write('HSET', games, id, version .. digits)
write('HSET', sums, label, table.concat(counted, ' '))
write('SET', revision, table.concat(redis.call('TIME'), '.'))
for _, key in ipairs(KEYS) do
  write('PEXPIRE', key, ARGV[6])
end
return commit({'counted'})
