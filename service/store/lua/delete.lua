-- Removes a game and all that is kept with it, but not that its id has been used, if it is at the
-- version given, or at any.
--
-- KEYS  1 game   2 line   3 log   4 answers   5 checkpoints   6 used   7 events
-- ARGV  1 version, as it stands in a state, or empty for any   2 expiry of used in ms
-- Tells so on the channel of the events' name. Returns {'removed'}, {'gone'} or {'moved'}.
local game, line, log, answers, checkpoints, used, events = unpack(KEYS)
local state = redis.call('GET', game)
if not state then
  return {'gone'}
end
if ARGV[1] ~= '' and string.sub(state, 2, 5) ~= ARGV[1] then
  return {'moved'}
end
write('UNLINK', game, line, log, answers, checkpoints)
write('PEXPIRE', used, ARGV[2])
write('PUBLISH', events, 'deleted')
return commit({'removed'})
