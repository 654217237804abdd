-- Removes a game and all that is kept with it, if it is at the version given, or at any.
--
-- KEYS  1 game   2 line   3 log   4 answers   5 events
-- ARGV  1 version, as it stands in a state, or empty for any
-- Tells so on the channel of the events' name. Returns {'removed'}, {'gone'} or {'moved'}.
local state = redis.call('GET', KEYS[1])
if not state then
  return {'gone'}
end
if ARGV[1] ~= '' and string.sub(state, 2, 5) ~= ARGV[1] then
  return {'moved'}
end
redis.call('UNLINK', unpack(KEYS))
redis.call('PUBLISH', KEYS[5], 'deleted')
return {'removed'}
